// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// A process writes notes while calls fail or the process ends. Do not run under Thread Sanitizer; see
/// `ProcessLifecycleTests`.
@Suite(.serialized) struct WritingFaultTests {
  @Test(arguments: ["kill-before", "kill-after", "tear"])
  func keepsWhatItAcknowledgedBeforeItWasKilled(_ harm: String) async throws {
    let runs = try await FaultWalk.walk("smallWrites", harm) {
      try NoteStore.expectWhole($0, $1, $2)
    }
    #expect(runs > 3)
  }

  @Test(arguments: ["EIO", "ENOSPC", "short"])
  func keepsWhatItAcknowledgedThoughTheDiskFails(_ harm: String) async throws {
    try await FaultWalk.walkFailures("smallWrites", harm, step: FaultWalk.step(28)) {
      try NoteStore.expectWhole($0, $1, $2)
    }
  }

  @Test func keepsWhatItAcknowledgedBeforeThePowerWasLost() async throws {
    let disks = try await PowerLoss.everywhere(in: "smallWrites") {
      try NoteStore.expectWhole($0, $1, $2)
    }
    #expect(disks > 20)
  }

  /// Only calls on the database's file fail. Only the move of the log writes to this file.
  @Test(arguments: ["EIO": "cannot be opened", "ENOSPC": "moved into the database"])
  func tellsThatTheLogCannotBeMoved(_ harm: String, _ reason: String) async throws {
    let folder = try FaultFolder()
    let run = try await FaultRun.play(
      "upkeep", folder.store, Harm(name: harm, at: 1, times: 0), only: "Notes.sqlite")
    #expect(run.wasHarmed && run.failures.count == 2, "\(run)")
    #expect(run.failures.first?.contains(reason) == true, "\(run)")
    #expect(run.failures.last == "upkeep works")
    try NoteStore.expectWhole(folder.store, run, .none)
  }

  @Test(arguments: ["EIO", "ENOSPC", "short"], [1, 0])
  func takesEverythingWhenTheDiskRecovers(_ harm: String, _ times: Int) async throws {
    let runs = try await FaultWalk.walk(
      "recovery", harm, times: times, step: FaultWalk.step(3)
    ) { store, run, harm in
      #expect(run.failures == [] && run.acknowledged == Array(1...8), "\(harm): \(run)")
      try NoteStore.expectWhole(store, run, harm)
    }
    #expect(runs > 3)
  }
}
