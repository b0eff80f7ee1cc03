// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesTesting
import Testing

/// Random steps on contexts, compared after each with a plain model of dictionaries.
///
/// A failure prints its seed and the fewest steps that fail. `SPORADES_STEPS` sets the number of
/// steps of each store, which are made in runs of 500; `SPORADES_FIRST_SEED` goes on from the runs before it, and
/// `SPORADES_SEED` makes one run alone.
@Suite struct RandomGraphTests {
  private static let steps = number("SPORADES_STEPS")
  private static let seed = number("SPORADES_SEED")
  private static let first = number("SPORADES_FIRST_SEED") ?? 1
  private static let stepsOfRun = 500
  private static let runs = (steps ?? 1500) / stepsOfRun
  /// Runs beside each other, which matters in the long form.
  private static let lanes = seed == nil ? 3 : 1

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test(arguments: StoreKind.allCases, 0..<lanes)
  func contextsDoWhatAPlainModelDoes(_ kind: StoreKind, lane: Int) throws {
    let all = stride(from: lane, to: max(Self.runs, Self.lanes), by: Self.lanes)
    for seed in Self.seed.map({ [$0] }) ?? all.map({ Self.first + $0 }) {
      var random = SeededGenerator(seed: UInt64(seed))
      let steps = (0..<Self.stepsOfRun).map { _ in GraphStep(&random) }
      guard let failure = GraphRun.firstFailure(kind, steps) else { continue }
      let script = GraphRun.shrunk(kind, Array(steps.prefix(failure.step + 1)))
      let reason = GraphRun.firstFailure(kind, script)?.text ?? failure.text
      Issue.record(
        "seed \(seed): \(reason)\n\(script.map(\.description).joined(separator: "\n"))")
      return
    }
  }

  @Test func aFailureIsShrunkToTheStepsThatMakeIt() {
    var random = SeededGenerator(seed: 7)
    let steps = (0..<300).map { _ in GraphStep(&random) }
    let script = shrunk(steps) { steps in
      let place = steps.lastIndex { $0.kind == .conflict }
      guard let place, steps[..<place].contains(where: { $0.kind == .undo }) else { return nil }
      return place
    }
    #expect(script.map(\.kind) == [.undo, .conflict])
  }
}
