// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesTesting
import Testing

/// Random operations on contexts, compared after each with a plain model of dictionaries.
///
/// The seed is printed with every failure; `SPORADES_STEPS` sets the number of steps of a run.
@Suite struct RandomGraphTests {
  @Test(arguments: StoreKind.allCases, 1...6)
  func contextsDoWhatAPlainModelDoes(_ kind: StoreKind, seed: Int) throws {
    let run = try GraphRun(kind, seed: UInt64(seed))
    for step in 0..<GraphRun.steps {
      try run.step(step)
      if !run.failures.isEmpty { break }
    }
    #expect(run.failures == [], "seed \(seed), \(run.script.suffix(40))")
  }
}
