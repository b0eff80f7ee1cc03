// SPDX-License-Identifier: MIT
import Foundation
import SporadesTesting
import Testing

/// Batches do what objects and saves do: the same rows and versions, the same news, and the same in contexts that
/// hold unsaved changes of the same rows.
@Suite struct RandomBatchTests {
  /// `SPORADES_STEPS` sets the number of runs of 60 steps.
  private static let runs =
    ProcessInfo.processInfo.environment["SPORADES_STEPS"].flatMap(UInt64.init).map { $0 / 60 } ?? 3

  @Test(arguments: [[StoreKind.sqlite, .sqlite], [.memory, .sqlite]])
  func batchesDoWhatObjectsDo(_ kinds: [StoreKind]) throws {
    for seed in 1...Self.runs {
      if let failure = try BatchRun.firstFailure(kinds, seed: seed, steps: 60) {
        Issue.record("\(failure)")
        return
      }
    }
  }
}
