// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesTesting
import Testing

/// Random changes of a model, made to a store and to dictionaries, and compared after each version.
///
/// A failure prints its seed and the fewest changes that fail. `SPORADES_CHAINS` sets the number of chains,
/// `SPORADES_MINUTES` goes on for that long, `SPORADES_FIRST_SEED` chooses other chains, and `SPORADES_SEED` runs one
/// of them alone.
@Suite struct RandomMigrationTests {
  private static let seed = number("SPORADES_SEED")
  private static let first = seed ?? number("SPORADES_FIRST_SEED") ?? 1
  private static let chains = seed == nil ? number("SPORADES_CHAINS") ?? 6 : 1
  private static let duration = Duration.seconds(60 * (number("SPORADES_MINUTES") ?? 0))
  private static let stepsOfChain = 60

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private static func steps(_ seed: Int) -> [ChangeStep] {
    var random = SeededGenerator(seed: UInt64(seed))
    return [ChangeStep(.fill, [7, 0, 0, seed % 5040])]
      + (0..<stepsOfChain).map { _ in ChangeStep(&random) }
  }

  @Test func aStoreDoesWhatDictionariesDo() {
    var failures = 0
    var (chains, migrations, refusals, jumps, rowWorks) = (0, 0, 0, 0, 0)
    var changes: [ChangeStep.Kind: Int] = [:]
    let end = ContinuousClock.now + Self.duration
    while failures < 5, chains < Self.chains || ContinuousClock.now < end {
      let seed = Self.first + chains
      chains += 1
      let steps = Self.steps(seed)
      let failure = ChainRun.firstFailure(steps, keepsHistory: seed % 2 == 0) { run in
        migrations += run.migrations
        refusals += run.refusals
        jumps += run.jumps
        rowWorks += run.rowWorks
        changes.merge(run.changes, uniquingKeysWith: +)
      }
      guard let failure else { continue }
      let script = Self.shrunk(Array(steps.prefix(failure.step + 1)), seed % 2 == 0)
      let reason = ChainRun.firstFailure(script, keepsHistory: seed % 2 == 0)?.text ?? failure.text
      Issue.record(
        "seed \(seed): \(reason)\n\(script.map(\.description).joined(separator: "\n"))")
      failures += 1
    }
    print(
      "\(chains) chains, \(migrations) migrations, \(rowWorks) of them with code, \(refusals) refusals, \(jumps) at once"
    )
    print(changes.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))
    #expect(migrations > 0 && refusals > 0 && rowWorks > 0)
  }

  /// The inferred change, a stage with code, code for rows, a mapping model and a copy through objects come to the same
  /// rows, for each change of a chain. `SPORADES_WAYS` sets the number of chains.
  @Test func allWaysComeToTheSame() {
    var (migrations, ways) = (0, 0)
    let chains = Self.seed == nil ? Self.number("SPORADES_WAYS") ?? 2 : 1
    for seed in Self.first..<(Self.first + chains) {
      let steps = Self.steps(seed)
      let failure = ChainRun.firstFailure(steps, keepsHistory: false, comparesWays: true) { run in
        migrations += run.migrations
        ways += run.ways
      }
      guard let failure else { continue }
      let script = steps.prefix(failure.step + 1).map(\.description).joined(separator: "\n")
      Issue.record("seed \(seed): \(failure.text)\n\(script)")
    }
    print("\(chains) chains, \(migrations) migrations, \(ways) times by another way")
    #expect(ways == 3 * migrations && ways > 0)
  }

  /// The fewest steps found that fail still, for whatever reason.
  private static func shrunk(_ steps: [ChangeStep], _ keepsHistory: Bool) -> [ChangeStep] {
    var steps = steps
    var size = steps.count / 2
    while size > 0 {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(steps.count, start + size))
        if let failure = ChainRun.firstFailure(fewer, keepsHistory: keepsHistory) {
          steps = Array(fewer.prefix(failure.step + 1))
        } else {
          start += size
        }
      }
      size /= 2
    }
    return steps
  }
}
