// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Testing

/// Random writes, after each of which every observer must have the value that a fresh fetch gives; and the store is
/// hardly ever asked for it.
///
/// `SPORADES_STEPS` sets the number of steps; `SPORADES_FIRST_SEED` is the first of the runs; `SPORADES_SEED` runs one of
/// them alone. The same seed makes the same steps, however many are asked for.
@Suite(.timeLimit(.minutes(600))) struct RandomObservingTests {
  private static let seed = number("SPORADES_SEED")
  private static let firstSeed = number("SPORADES_FIRST_SEED") ?? 1
  private static let steps = number("SPORADES_STEPS") ?? 400
  /// Runs begin anew after so many steps, so that they need little memory, and a failure is found again soon.
  private static let mostSteps = 2000
  private static var isLong: Bool { steps > mostSteps }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private struct Outcome: Sendable {
    var (steps, runs, asked, all) = (0, 0, 0, 0)
    var kinds: Set<ObservedRun.Step> = []
    var failure: String?

    mutating func add(_ run: ObservedRun, _ seed: Int) {
      runs += 1
      steps += run.steps
      asked += run.asked.count
      all += run.asked.of
      kinds.formUnion(run.kinds)
      if let text = run.failure {
        failure = "seed \(seed): \(text)\n\(run.log.suffix(20).joined(separator: "\n"))"
      }
    }
  }

  @Test func observersEqualFreshFetches() async {
    let outcome = await Self.onOwnThread { Self.runs() }
    if let failure = outcome.failure { Issue.record(Comment(rawValue: failure)) }
    #expect(
      outcome.asked * 20 <= outcome.all,
      "The store was asked again \(outcome.asked) times for \(outcome.all) steps of requests.")
    if Self.seed == nil { #expect(outcome.kinds == Set(ObservedRun.Step.allCases)) }
  }

  private static func runs() -> Outcome {
    var outcome = Outcome()
    let start = ContinuousClock.now
    let stepsOfRun = seed == nil ? min(mostSteps, max(1, steps / 4)) : min(mostSteps, steps)
    for seed in seed.map({ [$0] }) ?? (firstSeed..<firstSeed + steps / stepsOfRun).map(\.self) {
      do {
        let run = try ObservedRun(seed: UInt64(seed))
        try run.run(stepsOfRun)
        outcome.add(run, seed)
        try run.close()
      } catch { outcome.failure = "seed \(seed): \(error)" }
      if isLong && (outcome.runs % 10 == 0 || outcome.failure != nil) {
        let seconds = (ContinuousClock.now - start).components.seconds
        tell(
          "observers: \(outcome.steps) steps, last seed \(seed), asked again \(outcome.asked) of \(outcome.all), \(seconds) s"
        )
      }
      if outcome.failure != nil { break }
    }
    return outcome
  }

  /// Says at once how far a long run is.
  private static func tell(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// The steps block their thread, which must not be one of those that tasks share.
  private static func onOwnThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "random observing").async { continuation.resume(returning: body()) }
    }
  }
}
