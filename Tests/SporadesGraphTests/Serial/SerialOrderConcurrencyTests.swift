// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesSQLite
import SporadesStore
import Testing

/// 32 contexts on eight threads over the same rows end in a state that one order of the saves
/// explains, and nothing that was read of a changed row was old.
///
/// `SPORADES_SECONDS` lets each store be worked on for so long instead of a number of transactions.
@Suite(.serialized) struct SerialOrderConcurrencyTests {
  private static let seconds = Double(
    ProcessInfo.processInfo.environment["SPORADES_SECONDS"] ?? "")
  private static let transactions = 60

  private func check(_ store: any PersistentStore, _ name: String) throws {
    let stack = DataStack(store: store, classes: Bank.classes)
    let run = try SerialRun(stack, contexts: 32)
    let deadline = Self.seconds.map { ContinuousClock.now + .seconds($0) }
    let result = run.run(threads: 8) { count in
      deadline.map { ContinuousClock.now < $0 } ?? (count < Self.transactions)
    }
    if Self.seconds != nil {
      print("\(name): \(result.transactions) transactions, \(result.conflicts) conflicts")
    }
    #expect(result.problems.prefix(5) == [])
    #expect(result.transactions > 0)
  }

  @Test(arguments: StoreKind.allCases)
  func oneOrderOfTheSavesExplainsEverything(in kind: StoreKind) throws {
    try check(try kind.store(Bank.model), kind.testDescription)
  }

  @Test func oneOrderOfTheSavesExplainsEverythingInAFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("bank.sqlite").path
    let store = try SQLiteStore(path: path, model: Bank.model)
    try check(store, "SQLite file")
    try store.close()
    let again = DataStack(
      store: try SQLiteStore(path: path, model: Bank.model), classes: Bank.classes)
    #expect(try again.brokenLinks() == [])
  }
}
