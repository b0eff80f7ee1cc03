// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// A process changes many notes by batches while calls fail or the process ends. Each batch is there as a whole or not
/// at all. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct BatchFaultTests {
  /// The numbers in the store after each of the scenario's batches.
  private static let states = [
    Array(1...40), Array(1...80), Array(1_001...1_080), Array(1_001...1_040),
  ]

  @Test(arguments: ["kill-before", "kill-after", "tear"])
  func aKillLeavesNoHalfOfABatch(_ kind: String) async throws {
    let runs = try await FaultWalk.walk("batches", kind) { store, run, harm in
      let state = try expectState(store, run, harm)
      #expect(RawStore.valueFiles(store).count == state.count { $0 % 4 == 0 }, "\(harm)")
    }
    #expect(runs > 3)
  }

  @Test(arguments: ["EIO", "ENOSPC", "short", "EMFILE", "EACCES"])
  func aCallThatFailsLeavesNoHalfOfABatch(_ kind: String) async throws {
    try await FaultWalk.walkFailures("batches", kind, step: FaultWalk.step(28)) {
      store, run, harm in
      try expectState(store, run, harm)
    }
  }

  @Test func aLossOfPowerLeavesNoHalfOfABatch() async throws {
    let disks = try await PowerLoss.everywhere(in: "batches") { store, run, harm in
      try expectState(store, run, harm)
    }
    #expect(disks > 20)
  }

  /// Expects the notes before or after a batch, at least the last one that was acknowledged, with their photos.
  @discardableResult
  private func expectState(_ store: URL, _ run: FaultRun, _ harm: Harm) throws -> [Int] {
    let stack: DataStack
    do { stack = try DataStack(sqlite: store, entities: [Note.self]) } catch {
      Issue.record("\(harm): the store cannot be opened: \(error)")
      return []
    }
    defer { #expect(throws: Never.self) { try stack.store.close() } }
    #expect(try stack.store.integrityProblems() == [], "\(harm)")
    let numbers = try stack.main.performAndWait { context in
      let notes = try Note.all(sortedBy: \.number, in: context)
      for note in notes {
        let photo =
          note.number % 4 == 0 ? Data(repeating: UInt8(note.number % 1_000), count: 120_000) : nil
        #expect(note.photo == photo, "\(harm): the photo of \(note.number)")
      }
      return notes.map(\.number)
    }
    let state = Self.states.firstIndex(of: numbers)
    #expect(state != nil, "\(harm): \(numbers)")
    #expect(state ?? 0 >= run.acknowledged.last ?? 0, "\(harm): lost \(run.acknowledged)")
    return numbers
  }
}
