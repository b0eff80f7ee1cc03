// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesContainers
import Testing

/// A process commits to two and three stores while calls fail, or the process ends, or power is lost. Each commit is in
/// all of its stores or in none, once a coordinator has opened them. Do not run under Thread Sanitizer; see
/// `ProcessLifecycleTests`.
@Suite(.serialized) struct SeveralStoresFaultTests {
  /// The numbers in the three stores after each of the scenario's commits. The first state of the second commit has only
  /// the write that came before it.
  private static let states: [(acknowledged: Int, numbers: [[Int]])] = [
    (0, [[], [], []]),
    (1, [[1], [1], []]),
    (1, [[1], [1, 20], []]),
    (2, [[1, 2], [1, 2, 20], [2]]),
    (3, [[1, 2], [1, 2, 3, 20], [2, 3]]),
    (4, [[101], [101, 103, 120], [103]]),
  ]

  /// The scenario writes to the files some 280 times. With the calls that create, sync, name or remove a file it changes
  /// them some 330 times.
  @Test(arguments: [("kill-before", 300), ("kill-after", 300), ("tear", 250)])
  func aKillLeavesACommitInAllStoresOrInNone(_ kind: String, calls: Int) async throws {
    let step = FaultWalk.step(29)
    var unfinished = 0
    let runs = try await FaultWalk.walk("severalStores", kind, step: step) { store, run, harm in
      unfinished += try expectState(store, run, harm)
    }
    #expect(runs > calls / step)
    #expect(unfinished > 0)
  }

  /// Somebody opens one of the stores alone before a coordinator opens all of them.
  @Test(arguments: 1...3)
  func aStoreMayBeOpenedAloneInBetween(_ number: Int) async throws {
    var kept = 0
    let step = FaultWalk.step(23)
    let runs = try await FaultWalk.walk("severalStores", "kill-before", step: step) {
      store, run, harm in
      let file = Self.file(store, number)
      let alone = DALService(stack: try DataStack(sqlite: file, entities: [Note.self]))
      try alone.writeSync(durability: .immediate) { context in
        Note.create(in: context).number = 7_000 + number
      }.get()
      try alone.close()
      kept += try expectState(store, run, harm, beside: (number, 7_000 + number))
    }
    #expect(runs > 300 / step)
    if number > 1 { #expect(kept > 0) }
  }

  @Test(arguments: ["EIO", "ENOSPC", "short", "EMFILE", "EACCES"])
  func aCallThatFailsLeavesACommitInAllStoresOrInNone(_ kind: String) async throws {
    try await FaultWalk.walkFailures("severalStores", kind, step: FaultWalk.step(43)) {
      store, run, harm in
      try expectState(store, run, harm)
    }
  }

  /// A read of the first store's log fails once in the middle of a commit. The store is whole again for the next attempt, and
  /// the others have not gone on without it.
  @Test func aReadThatFailsOnceStopsNoLaterCommit() async throws {
    let runs = try await FaultWalk.walk(
      "severalStores", "EIO", only: "Notes1.sqlite-wal", step: FaultWalk.step()
    ) { store, run, harm in
      try expectState(store, run, harm)
    }
    #expect(runs > 2)
  }

  @Test func aLossOfPowerLeavesACommitInAllStoresOrInNone() async throws {
    let disks = try await PowerLoss.everywhere(in: "severalStores") { store, run, harm in
      try expectState(store, run, harm)
    }
    #expect(disks > 50)
  }

  // MARK: - Looking

  private static func file(_ store: URL, _ number: Int) -> URL {
    store.deletingLastPathComponent().appendingPathComponent("Notes\(number).sqlite")
  }

  /// Opens the stores with a coordinator and expects one of the scenario's states, at least the one that was
  /// acknowledged. Returns the number of stores that lacked a commit before.
  @discardableResult
  private func expectState(
    _ store: URL, _ run: FaultRun, _ harm: Harm, beside: (store: Int, number: Int)? = nil
  ) throws -> Int {
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel([Note.self]))
    var before: [[Int]] = []
    for number in 1...3 {
      do {
        let file = try SQLiteStore(url: Self.file(store, number), model: coordinator.model)
        before.append(try numbers(file))
        try coordinator.addPersistentStore(file)
      } catch {
        Issue.record("\(harm): the store \(number) cannot be opened: \(error)")
        return 0
      }
    }
    defer { #expect(throws: Never.self) { try coordinator.close() } }
    #expect(coordinator.unfinishedCommits.isEmpty, "\(harm): \(coordinator.unfinishedCommits)")
    #expect(try coordinator.integrityProblems() == [], "\(harm)")
    var found: [[Int]] = []
    for file in coordinator.persistentStores { found.append(try numbers(file)) }
    let finished = zip(before, found).count { $0 != $1 }
    if let beside { found[beside.store - 1].removeAll { $0 == beside.number } }
    try expectPhotos(of: found[1], in: coordinator, harm)
    let state = Self.states.lastIndex { $0.numbers == found }
    #expect(state != nil, "\(harm): \(before), then \(found)")
    #expect(
      state.map { Self.states[$0].acknowledged } ?? 0 >= run.acknowledged.last ?? 0,
      "\(harm): lost \(run.acknowledged), found \(found)")
    return finished
  }

  private func numbers(_ store: any PersistentStore) throws -> [Int] {
    let stack = DataStack(store: store, classes: [Note.self])
    return try stack.main.performAndWait { try Note.all(sortedBy: \.number, in: $0).map(\.number) }
  }

  private func expectPhotos(
    of numbers: [Int], in coordinator: PersistentStoreCoordinator, _ harm: Harm
  ) throws {
    let stack = DataStack(store: coordinator.persistentStores[1], classes: [Note.self])
    try stack.main.performAndWait { context in
      for note in try Note.all(in: context) where numbers.contains(note.number) {
        let first = note.number % 100
        #expect(
          note.photo == Data(repeating: UInt8(first), count: 120_000 + first),
          "\(harm): the photo of \(note.number)")
      }
    }
  }
}
