// SPDX-License-Identifier: MIT
import Sporades
import SporadesContainers
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Stores that come and go while an observer makes its value, and what a store brings along.
@Suite struct StoresDuringObservingTests {
  private let coordinator: PersistentStoreCoordinator
  private let first: StoreDouble
  private let second: MemoryStore
  private let service: RecordingService

  init() throws {
    let model = try ManagedObjectModel.members
    first = try StoreDouble()
    second = MemoryStore(model: model)
    coordinator = PersistentStoreCoordinator(model: model)
    try coordinator.addPersistentStore(first)
    service = .over(coordinator)
    try DataStack(store: second, classes: [Member.self]).newContext().performAndWait { context in
      Member.create(in: context)
      try context.save()
    }
  }

  /// Runs the body once, when a maker of a value has chosen its stores and not yet their states.
  private func whenAStateIsMade(_ body: @escaping @Sendable () throws(StoreError) -> Void) {
    let isFirst = Guarded(true)
    first.play { (call) throws(StoreError) in
      guard call == .generation else { return }
      let runs = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if runs { try body() }
    }
  }

  /// Expects the number of members in the first value, which needed more than one state.
  private func expectFirstValue(_ expected: Int) async throws {
    for try await count in service.observe(count: Member.request) {
      #expect(count == expected)
      break
    }
    #expect(first.count(of: .generation) > 1)
    try service.close()
  }

  @Test func aValueShowsAStoreThatCameWhileItWasMade() async throws {
    whenAStateIsMade { [coordinator, second] () throws(StoreError) in
      try coordinator.addPersistentStore(second)
    }
    try await expectFirstValue(1)
  }

  /// The stack that filled the store could not commit yet.
  @Test func aStoreBringsTheChangesThatItHasAccepted() async throws {
    let filled = try StoreDouble()
    let isHeld = Guarded(true)
    filled.play { (call) throws(StoreError) in
      if call == .commit, isHeld.withLock(\.self) { throw StoreError(.full, "Scripted.") }
    }
    try DataStack(store: filled, classes: [Member.self]).newContext().performAndWait { context in
      Member.create(in: context)
      try context.save()
    }
    isHeld.withLock { $0 = false }
    try coordinator.addPersistentStore(filled)
    #expect(try await service.read { try Member.count(in: $0) } == 1)
    try service.close()
  }

  @Test func aValueLacksAStoreThatWentWhileItWasMade() async throws {
    try coordinator.addPersistentStore(second)
    whenAStateIsMade { [coordinator, second] () throws(StoreError) in
      try coordinator.remove(second)
    }
    try await expectFirstValue(0)
  }
}
