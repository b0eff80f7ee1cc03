// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Random changes, after which each controller must equal a fresh fetch, and its reports must lead a table
/// there.
///
/// `SPORADES_STEPS` sets the number of steps, which are made in runs of 200; `SPORADES_SEED` runs one of them alone.
@Suite struct RandomResultsTests {
  private static let seed = number("SPORADES_SEED")
  private static let stepsOfRun = 200
  private static let runs = (number("SPORADES_STEPS") ?? 400) / stepsOfRun

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test func resultsEqualFreshFetches() throws {
    for seed in Self.seed.map({ [$0] }) ?? Array(1...max(Self.runs, 1)) {
      let run = try LiveRun(seed: UInt64(seed))
      run.run(Self.stepsOfRun)
      guard let failure = run.failure else { continue }
      Issue.record("seed \(seed): \(failure)\n\(run.log.suffix(20).joined(separator: "\n"))")
      return
    }
  }
}
