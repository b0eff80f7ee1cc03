// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesAudit
import Testing

// snippet: audit-entity
@Entity final class Wallet: ManagedObject {
  @Attribute(.keepsValuesInHistory) var funds: Decimal = 0
}
// snippet end

/// The code in the documentation of former values.
@Suite struct AuditDocumentationTests {
  @Test func aWalletTellsItsChanges() throws {
    let bank = try Bank([Wallet.self])
    try bank.save(by: "me") { Wallet.create(in: $0).funds = 5 }
    try bank.read { context in
      let wallet = try #require(try Wallet.first(in: context))
      // snippet: audit-read
      for change in try context.valueHistory(of: wallet, \.funds) {
        print(change.transaction.author ?? "?", change.before ?? 0, change.after ?? 0)
      }
      // snippet end
      #expect(try context.valueHistory(of: wallet, \.funds).map(\.after) == [5])
    }
  }
}
