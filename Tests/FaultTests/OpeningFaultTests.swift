// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A store that exists is opened while calls fail. Not for Thread Sanitizer, for the reason given in
/// `ProcessLifecycleTests`.
@Suite(.serialized) struct OpeningFaultTests {
  /// A stack that opened writes as soon as the system lets it.
  @Test(arguments: ["EIO", "EMFILE", "EACCES"])
  func opensForWritingOrNotAtAll(_ harm: String) async throws {
    let runs = try await FaultWalk.walk("opening", harm, step: harm == "EIO" ? FaultWalk.step : 1) {
      store, run, harm in
      #expect(run.acknowledged.first == 1, "\(harm): \(run)")
      let isOpen = run.failures.contains("opened")
      #expect(run.acknowledged == (isOpen ? [1, 2, 3] : [1]), "\(harm): \(run)")
      try NoteStore.expectWhole(store, run, harm)
    }
    #expect(runs > 3)
  }
}
