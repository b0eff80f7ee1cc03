// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A process opens an existing store while calls fail. Do not run under Thread Sanitizer; see
/// `ProcessLifecycleTests`.
@Suite(.serialized) struct OpeningFaultTests {
  /// An open stack writes as soon as the system's calls succeed.
  @Test(arguments: ["EIO", "EMFILE", "EACCES"])
  func opensForWritingOrNotAtAll(_ harm: String) async throws {
    let runs = try await FaultWalk.walk("opening", harm, step: harm == "EIO" ? FaultWalk.step() : 1)
    {
      store, run, harm in
      #expect(run.acknowledged.first == 1, "\(harm): \(run)")
      let isOpen = run.failures.contains("opened")
      #expect(run.acknowledged == (isOpen ? [1, 2, 3] : [1]), "\(harm): \(run)")
      try NoteStore.expectWhole(store, run, harm)
      // The file is whole, and the system does not read it.
      #expect(!run.failures.joined().contains("damaged"), "\(harm): \(run)")
    }
    #expect(runs > 3)
  }

  @Test func aSystemWithoutLocksIsNotCalledAnotherConnection() async throws {
    let folder = try FaultFolder()
    let run = try await FaultRun.play(
      "opening", folder.store, Harm(name: "ENOLCK", at: 1, times: 0))
    let text = run.failures.joined()
    #expect(run.wasHarmed && text.contains("The system does not lock the file."), "\(run)")
    #expect(!text.contains("Another connection"), "\(run)")
  }
}
