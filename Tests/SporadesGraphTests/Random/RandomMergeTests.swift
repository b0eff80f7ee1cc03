// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesTesting
import Testing

/// Random changes of values and links in several contexts, merged and saved, and compared after each
/// step with plain facts. Both sides of every relationship agree in every context and in the store.
///
/// A failure prints its seed and the fewest steps that fail. `SPORADES_STEPS` sets the number of steps
/// of each store; `SPORADES_SEED` runs one seed alone.
@Suite struct RandomMergeTests {
  private static let steps = number("SPORADES_STEPS")
  private static let seed = number("SPORADES_SEED")
  private static let stepsOfRun = 150
  private static let runs = (steps ?? 1500) / stepsOfRun

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test(arguments: StoreKind.allCases)
  func mergedContextsShowWhatPlainFactsSay(_ kind: StoreKind) throws {
    for seed in Self.seed.map({ [$0] }) ?? Array(1...max(Self.runs, 1)) {
      var random = SeededGenerator(seed: UInt64(seed))
      let steps = (0..<Self.stepsOfRun).map { _ in MergeStep(&random) }
      guard let failure = MergeRun.firstFailure(kind, steps) else { continue }
      let script = shrunk(Array(steps.prefix(failure.step + 1))) {
        MergeRun.firstFailure(kind, $0)?.step
      }
      let reason = MergeRun.firstFailure(kind, script)?.text ?? failure.text
      Issue.record(
        "seed \(seed): \(reason)\n\(script.map(\.description).joined(separator: "\n"))")
      return
    }
  }
}
