// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// Notes are written while calls fail or the process ends. Not for Thread Sanitizer, for the reason given
/// in `ProcessLifecycleTests`.
@Suite(.serialized) struct WritingFaultTests {
  @Test(arguments: ["smallWrites", "largeValues"], ["kill-before", "tear"])
  func keepsWhatItAcknowledgedBeforeItWasKilled(_ scenario: String, _ harm: String) async throws {
    let runs = try await FaultWalk.walk(scenario, harm) {
      try NoteStore.expectWhole($0, $1, $2)
      try NoteStore.expectPhotos($0, $2)
    }
    #expect(runs > 3)
  }

  @Test(arguments: ["smallWrites", "largeValues"], ["EIO", "ENOSPC", "short"])
  func keepsWhatItAcknowledgedThoughTheDiskFails(_ scenario: String, _ harm: String) async throws {
    for times in [1, 0] {
      let runs = try await FaultWalk.walk(scenario, harm, times: times, step: FaultWalk.step * 4) {
        try NoteStore.expectWhole($0, $1, $2)
        try NoteStore.expectPhotos($0, $2)
      }
      #expect(runs > 1)
    }
  }

  @Test(arguments: ["smallWrites"])
  func keepsWhatItAcknowledgedBeforeThePowerWasLost(_ scenario: String) async throws {
    let disks = try await PowerLoss.everywhere(in: scenario) {
      try NoteStore.expectWhole($0, $1, $2)
      try NoteStore.expectPhotos($0, $2)
    }
    #expect(disks > 20)
  }

  @Test(arguments: ["EIO", "ENOSPC", "short"], [1, 0])
  func takesEverythingWhenTheDiskRecovers(_ harm: String, _ times: Int) async throws {
    let runs = try await FaultWalk.walk(
      "recovery", harm, times: times, step: min(3, FaultWalk.step)
    ) { store, run, harm in
      #expect(run.failures == [] && run.acknowledged == Array(1...8), "\(harm): \(run)")
      try NoteStore.expectWhole(store, run, harm)
    }
    #expect(runs > 3)
  }
}
