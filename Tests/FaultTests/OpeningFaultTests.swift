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
    }
    #expect(runs > 3)
  }
}
