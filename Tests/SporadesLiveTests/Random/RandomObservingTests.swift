// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Random writes, after each of which every observer must have the value that a fresh fetch gives; and the store is
/// hardly ever asked for it.
///
/// `SPORADES_STEPS` sets the number of steps, which are made in runs of 200; `SPORADES_SEED` runs one of them alone.
@Suite(.timeLimit(.minutes(60))) struct RandomObservingTests {
  private static let seed = number("SPORADES_SEED")
  private static let stepsOfRun = 200
  private static let runs = (number("SPORADES_STEPS") ?? 800) / stepsOfRun

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test func observersEqualFreshFetches() async throws {
    var (asked, all) = (0, 0)
    for seed in Self.seed.map({ [$0] }) ?? Array(1...max(Self.runs, 1)) {
      let run = try ObservedRun(seed: UInt64(seed))
      try await run.run(Self.stepsOfRun)
      if let failure = run.failure {
        Issue.record("seed \(seed): \(failure)\n\(run.log.suffix(20).joined(separator: "\n"))")
        return
      }
      asked += run.asked.count
      all += run.asked.of
    }
    #expect(
      asked * 20 <= all, "The store was asked again \(asked) times for \(all) steps of requests.")
  }
}
