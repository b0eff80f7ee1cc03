// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import Testing

@Suite struct PrintedTreeTests {
  @Test func readingAPrintedTreeGivesTheSameTree() throws {
    for seed in UInt64(0)..<4_000 {
      var tree = RandomTree(seed: seed)
      let predicate = tree.predicate()
      let format = predicate.predicateFormat
      #expect(try FetchPredicate(format: format) == predicate, "seed \(seed): \(format)")
    }
  }

  @Test func theIDOfAnObjectIsReadWhileItsStoreIsOpen() throws {
    let scope = StoreScope(identifier: "PRINTED-TREE", entityNames: ["Person", "Pet"])
    let id = ManagedObjectID(key: RowKey(entity: 2, primaryKey: 12), scope: scope)
    let predicate = FetchPredicate.comparison(.init(.subject, .equal, .constant(.objectID(id))))
    #expect(
      predicate.predicateFormat
        == "SELF == CAST(\"x-coredata://PRINTED-TREE/Pet/p12\", \"NSManagedObjectID\")")
    #expect(try FetchPredicate(format: predicate.predicateFormat) == predicate)
    _ = StoreScope(identifier: "PRINTED-TREE", entityNames: ["Pet"])
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: predicate.predicateFormat)
    }
  }

  @Test(arguments: ["NONE/Pet/p12", "/Pet/tA", "NONE/Pet/p-1", "NONE/p1", "NONE/Pet/p0", ""])
  func anIDOfNoOpenStoreIsRefused(uri: String) {
    #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: "SELF == CAST('x-coredata://\(uri)', 'NSManagedObjectID')")
    }
  }
}
