// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import Testing

@Suite struct KeyTests {
  @Test(
    arguments: [0, 1, -1, RowKey.largestPrimaryKey, -RowKey.largestPrimaryKey - 1] as [Int64],
    [0, 1, 15, RowKey.storeLimit - 1])
  func aKeyKeepsItsParts(primaryKey: Int64, store: Int) {
    let key = RowKey(entity: RowKey.largestEntity, primaryKey: primaryKey, store: store)
    #expect(key.primaryKey == primaryKey)
    #expect(key.entity == RowKey.largestEntity)
    #expect(key.store == store)
    #expect(key.isTemporary == (primaryKey < 0))
  }

  @Test func keysAreOrderedByStoreThenEntityThenPrimaryKey() {
    let keys = [
      RowKey(entity: 1, primaryKey: -2), RowKey(entity: 1, primaryKey: -1),
      RowKey(entity: 1, primaryKey: 0), RowKey(entity: 1, primaryKey: 5),
      RowKey(entity: 2, primaryKey: -9), RowKey(entity: 2, primaryKey: 1),
      RowKey(entity: 1, primaryKey: 1, store: 1), RowKey(entity: 4095, primaryKey: 1, store: 15),
      RowKey(entity: 1, primaryKey: 1, store: RowKey.storeLimit - 1),
    ]
    for (left, first) in keys.enumerated() {
      for (right, second) in keys.enumerated() {
        #expect((first < second) == (left < right))
      }
    }
  }

  @Test func idsAreURIs() {
    let scope = StoreScope(
      identifier: "6F9619FF-8B86-D011-B42D-00C04FC964FF", entityNames: ["Person", "Größe"])
    let saved = ManagedObjectID(key: RowKey(entity: 1, primaryKey: 12), scope: scope)
    #expect(
      saved.uriRepresentation().absoluteString
        == "x-coredata://6F9619FF-8B86-D011-B42D-00C04FC964FF/Person/p12")
    #expect(saved.description == "Person/p12")
    #expect(!saved.isTemporaryID)
    let temporary = ManagedObjectID(key: RowKey(entity: 2, primaryKey: -3), scope: scope)
    #expect(temporary.isTemporaryID)
    #expect(temporary.entityName == "Größe")
    let uri = temporary.uriRepresentation().absoluteString
    #expect(uri.hasPrefix("x-coredata:///Gr%C3%B6%C3%9Fe/t"))
    #expect(UUID(uuidString: String(uri.suffix(36))) != nil)
    let other = ManagedObjectID(key: RowKey(entity: 2, primaryKey: -4), scope: scope)
    #expect(other.uriRepresentation() != temporary.uriRepresentation())
    #expect(temporary.uriRepresentation() == temporary.uriRepresentation())
  }

  @Test func scopesOfOneStoreAndModelAreEqual() {
    let one = StoreScope(identifier: "ONE", entityNames: ["A"])
    #expect(one == StoreScope(identifier: "ONE", entityNames: ["A"]))
    #expect(one != StoreScope(identifier: "TWO", entityNames: ["A"]))
    #expect(one != StoreScope(identifier: "ONE", entityNames: ["A", "B"]))
    #expect(one.identifier == "ONE")
  }

  @Test func idsOfDifferentStoresAreOrdered() {
    let one = StoreScope(identifier: "ORDER-1", entityNames: ["A"])
    let two = StoreScope(identifier: "ORDER-2", entityNames: ["A"])
    let key = RowKey(entity: 1, primaryKey: 1)
    let (first, second) = (
      ManagedObjectID(key: key, scope: one), ManagedObjectID(key: key, scope: two)
    )
    #expect((first < second) != (second < first))
  }
}
