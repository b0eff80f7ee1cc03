// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// A process makes a store while calls fail or the process ends. Do not run under Thread Sanitizer; see
/// `ProcessLifecycleTests`.
@Suite(.serialized) struct CreationFaultTests {
  /// A creation takes only 20 ms, so even the short form harms every second call.
  private static let step = FaultWalk.step(2)

  @Test(arguments: ["kill-before", "kill-after", "tear"])
  func opensAStoreWhoseMakerWasKilled(_ harm: String) async throws {
    let runs = try await FaultWalk.walk("creation", harm, step: Self.step) {
      try NoteStore.expectWhole($0, $1, $2)
    }
    #expect(runs > 3)
  }

  @Test(arguments: ["EIO", "ENOSPC", "short", "EMFILE"], [1, 0])
  func opensAStoreWhoseMakingFailed(_ harm: String, _ times: Int) async throws {
    let runs = try await FaultWalk.walk(
      "creation", harm, times: times, step: harm == "EMFILE" ? 1 : FaultWalk.step()
    ) {
      try NoteStore.expectWhole($0, $1, $2)
    }
    #expect(runs > 3)
  }

  @Test func opensAStoreWhoseMakerLostThePower() async throws {
    let disks = try await PowerLoss.everywhere(in: "creation", step: Self.step) {
      try NoteStore.expectWhole($0, $1, $2)
    }
    #expect(disks > 20)
  }

  /// Six processes find no file, and each tries to make the store.
  @Test func isMadeOnceByProcessesThatStartTogether() async throws {
    for round in 1...(FaultWalk.step() == 1 ? 40 : 5) {
      let folder = try FaultFolder()
      let store = folder.store
      let runs = try await withThrowingTaskGroup(of: FaultRun.self) { group in
        for _ in 1...6 { group.addTask { try await FaultRun.play("racing", store) } }
        return try await group.reduce(into: [FaultRun]()) { $0.append($1) }
      }
      for run in runs {
        #expect(run.acknowledged.count == 3 && run.failures == [], "\(round): \(run)")
      }
      let stack = try DataStack(sqlite: store, entities: [Note.self])
      #expect(try stack.store.integrityProblems() == [])
      let service = DALService(stack: stack)
      #expect(
        try NoteStore.numbers(service) == runs.flatMap(\.acknowledged).sorted(), "round \(round)")
      try service.close()
    }
  }
}
