// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@testable import SporadesGraph

/// Places, limits and offsets near the last number there is.
@Suite struct PlaceLimitTests {
  @Test(arguments: [Int64.max, Int64.max - 1, Int64.max - 1024, Int64.max - 2048])
  func placesNearTheLastNumberAreGivenAnew(last: Int64) {
    let places = OrderedPositions.rising([1024, last, nil, nil])
    #expect(places == [2048, 3072, 4096, 5120])
  }

  @Test func placesThatLeaveRoomStay() {
    let last = Int64.max - 10 * 1024
    #expect(OrderedPositions.rising([5, last, nil]) == [5, last, last + 1024])
    #expect(OrderedPositions.rising([.min, nil]).first ?? 0 > 0)
    #expect(OrderedPositions.next(after: .max) == nil)
    #expect(OrderedPositions.next(after: .max - 1024) == .max)
  }

  private static let model: ManagedObjectModel = {
    let list = EntityDescription(
      "List", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [.toMany("items", "Item", inverse: "list", isOrdered: true)])
    let item = EntityDescription(
      "Item", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [.toOne("list", "List", inverse: "items")])
    // The model is written here, so a mistake in it is a mistake of the tests.
    return try! ManagedObjectModel(entities: [list, item])
  }()

  @Test func aMemberBehindTheLastPlaceIsRefusedUntilTheOrderIsNew() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("Lists.sqlite").path
    let store = try SQLiteStore(path: path, model: Self.model)
    let stack = DataStack(store: store)
    let item = try #require(Self.model.shape(named: "Item"))
    try stack.newContext().performAndWait { context in
      let list = try context.insert(entityNamed: "List")
      let items = try (0..<3).map { _ in try context.insert(entityNamed: "Item") }
      list.setObjects(items, forKey: "items")
      try context.save()
      for slot in item.layout.slots.indices {
        guard case .position = item.layout.slots[slot].role else { continue }
        items[2].setWord(slot, UInt64(bitPattern: .max))
      }
      try context.save()
    }
    #expect(throws: StoreError.self) {
      try stack.newContext().performAndWait { context in
        let new = try context.insert(entityNamed: "Item")
        new.setObject(try context.fetch(FetchRequest("List")).first, forKey: "list")
        try context.save()
      }
    }
    try stack.newContext().performAndWait { context in
      let list = try #require(try context.fetch(FetchRequest("List")).first)
      list.setObjects(list.objects(forKey: "items").reversed(), forKey: "items")
      try context.save()
      let new = try context.insert(entityNamed: "Item")
      new.setObject(list, forKey: "list")
      try context.save()
      #expect(list.objects(forKey: "items").last === new)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func boundsThatNoFetchCanHaveAreRefused(in kind: StoreKind) throws {
    try kind.stack(Self.model).newContext().performAndWait { context in
      let wrong: [(Int?, Int, Int?, String)] = [
        (-1, 0, nil, "has the fetchLimit -1; write nil for no limit, or 0 for no results."),
        (nil, .min, nil, "has the fetchOffset \(Int.min); write 0 to leave out no results."),
        (nil, 0, -5, "has the fetchBatchSize -5; write nil for no batches, or at least 1."),
        (nil, 0, 0, "has the fetchBatchSize 0; write nil for no batches, or at least 1."),
      ]
      for (limit, offset, batch, sentence) in wrong {
        var request = FetchRequest("Item", limit: limit, offset: offset)
        request.fetchBatchSize = batch
        let error = #expect(throws: ContextError.self) { try context.fetch(request) }
        #expect(error.map { "\($0)" } == "A fetch request for Item \(sentence)")
        #expect(throws: ContextError.self) { try context.count(request) }
        #expect(throws: ContextError.self) { try context.fetchIDs(request) }
        #expect(throws: ContextError.self) { try context.aggregate(.max, of: "name", request) }
        #expect(throws: ContextError.self) {
          try context.fetchInBatches(ManagedObject.self, request)
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func boundsBeyondAllRowsAreNone(in kind: StoreKind) throws {
    try kind.stack(Self.model).newContext().performAndWait { context in
      for _ in 0..<2 { _ = try context.insert(entityNamed: "Item") }
      try context.save()
      for _ in 0..<2 {
        let all = FetchRequest("Item", limit: .max)
        #expect(try context.fetch(all).count == context.count(all))
        #expect(try context.fetch(FetchRequest("Item", limit: .max, offset: .max)).isEmpty)
        #expect(try context.fetch(FetchRequest("Item", limit: .max, offset: 1)).count >= 1)
        // A change makes the context answer from memory.
        _ = try context.insert(entityNamed: "Item")
      }
    }
  }
}
