// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesTesting
import Testing

@testable import SporadesSQLite

/// Threads read kept states beside a thread that changes the file in every way. Each read is compared with one that reads
/// every row from the file, in the same state.
///
/// `SPORADES_STEPS` sets the number of changes of each run, and `SPORADES_FIRST_SEED` the first seed.
@Suite(.serialized) struct SharedRowsConcurrencyTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let steps = Int(environment["SPORADES_STEPS"] ?? "") ?? 60
  private static let firstSeed = UInt64(environment["SPORADES_FIRST_SEED"] ?? "") ?? 1

  @Test(arguments: 0..<4 as Range<UInt64>)
  func everyReadShowsItsState(number: UInt64) throws {
    let seed = Self.firstSeed + number
    let run = try SharedRun(seed: seed, kind: SharedRun.Kind(rawValue: Int(number) % 4)!)
    let problems = run.run(steps: Self.steps)
    #expect(problems == [], "seed \(seed)")
    let account = run.account
    #expect(account.taken > 0, "seed \(seed): nothing came from the cache")
    if Self.environment["SPORADES_STEPS"] != nil {
      print("\(account.taken) rows of \(run.reads) reads came from the cache, seed \(seed)")
    }
    try run.close()
  }
}
