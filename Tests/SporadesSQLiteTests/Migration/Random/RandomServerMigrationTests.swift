// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesTesting
import TestServer
import Testing

/// The random changes of ``RandomMigrationTests``, made to a store on a server. `SPORADES_CHAINS` and `SPORADES_FIRST_SEED` choose
/// chains here, too.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct RandomServerMigrationTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test func aServerDoesWhatDictionariesDo() throws {
    let first = Self.number("SPORADES_FIRST_SEED") ?? 1
    let chains = Self.number("SPORADES_CHAINS") ?? 2
    var (migrations, refusals) = (0, 0)
    for seed in first..<(first + chains) {
      var random = SeededGenerator(seed: UInt64(seed))
      let steps =
        [ChangeStep(.fill, [7, 0, 0, seed % 5040])] + (0..<60).map { _ in ChangeStep(&random) }
      let chain = try ServerChain()
      chain.run(steps)
      migrations += chain.migrations
      refusals += chain.refusals
      for failure in chain.failures.prefix(1) { Issue.record("seed \(seed): \(failure)") }
    }
    print("\(chains) chains on a server, \(migrations) migrations, \(refusals) refusals")
    #expect(migrations > 0)
  }
}
