// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Walking over more objects than should be held.
@Suite struct BatchedFetchTests {
  private func inNumbers(
    _ kind: StoreKind, count: Int, depth: Int = 1,
    _ body: (ManagedObjectContext, RefusingStore) throws -> Void
  ) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    for start in stride(from: 0, to: count, by: 10_000) {
      try stack.newContext().performAndWait { context in
        for number in start..<min(start + 10_000, count) { Badge.create(in: context).code = number }
        try context.save()
      }
    }
    let queues = stack.chain(depth: depth)
    try queues[depth - 1].performAndWait { context in
      try body(context, store)
      #expect(context.takeFailures().isEmpty)
    }
    for queue in queues { queue.performAndWait { #expect($0.registeredObjects.count < 4000) } }
  }

  private func request(_ size: Int?) -> FetchRequest {
    var request = FetchRequest("Badge", sortedBy: [SortTerm("code", ascending: false)])
    request.fetchBatchSize = size
    return request
  }

  @Test(arguments: StoreKind.allCases, [1, 3])
  func aWalkHoldsABatchAtATime(in kind: StoreKind, depth: Int) throws {
    // SPORADES_WALK=1000000 walks over as many, by hand
    let walk = ProcessInfo.processInfo.environment["SPORADES_WALK"].flatMap(Int.init)
    let count = walk ?? 20_000
    try inNumbers(kind, count: count, depth: depth) { context, store in
      let badges = try context.fetchInBatches(Badge.self, request(500))
      #expect(badges.count == count)
      #expect(badges.objectIDs.count == count)
      let before = store.reads
      var (sum, most, last) = (0, 0, count)
      for badge in badges {
        #expect(badge.code == last - 1)
        last = badge.code
        sum += badge.code
        if badge.code % 250 == 0 { most = max(most, context.registeredObjects.count) }
      }
      #expect(sum == count * (count - 1) / 2)
      #expect(most < 4000, "held \(most) of \(count)")
      #expect(store.reads - before <= count / 500 * 2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsThatAreHeldOrChangedStay(in kind: StoreKind) throws {
    try inNumbers(kind, count: 10_000) { context, _ in
      let badges = try context.fetchInBatches(Badge.self, request(100))
      var held: [Badge] = []
      for badge in badges {
        if badge.code % 1000 == 0 { held.append(badge) }
        if badge.code % 1000 == 1 { badge.code += 1_000_000 }
      }
      #expect(held.map(\.code) == (0..<10).reversed().map { $0 * 1000 })
      #expect(context.updatedObjects.count == 10)
      #expect(held.allSatisfy { context.registeredObject(for: $0.objectID) === $0 })
      try context.save()
      #expect(try Badge.count(where: \.code > 1_000_000, in: context) == 10)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func idsAreThoseOfTheFetchAndValuesThoseOfTheirMoment(in kind: StoreKind) throws {
    try inNumbers(kind, count: 30) { context, _ in
      let new = Badge.create(in: context)
      new.code = 100
      let badges = try context.fetchInBatches(Badge.self, request(10))
      try #require(badges.count == 31)
      #expect(badges[0] === new)
      #expect(badges[1].code == 29)
      try context.save()
      for badge in try Badge.all(in: context) { badge.code *= 2 }
      context.delete(badges[30])
      Badge.create(in: context).code = 1000
      try context.save()
      context.reset()
      try #require(badges.count == 31)
      #expect(badges[11].code == 38)
      #expect(badges[30].code == 0)
      #expect(badges.map(\.code).max() == 200)
      #expect(try context.fetchInBatches(Badge.self, request(nil)).last?.code == 2)
      #expect(try context.fetchInBatches(Badge.self, FetchRequest("Badge", limit: nil)).count == 31)
      let none = try context.fetchInBatches(
        Badge.self, FetchRequest("Badge", where: .equals("code", -1)))
      #expect(none.isEmpty)
      #expect(none.first == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aBatchThatCanNotBeReadIsReported(in kind: StoreKind) throws {
    try inNumbers(kind, count: 30) { context, store in
      let badges = try context.fetchInBatches(Badge.self, request(10))
      store.refusesReading = true
      #expect(badges[25].code == 0)
      #expect(!context.takeFailures().isEmpty)
      store.refusesReading = false
      #expect(badges[25].code == 4)
    }
  }
}
