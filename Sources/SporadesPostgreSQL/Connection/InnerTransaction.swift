// SPDX-License-Identifier: MIT

/// A transaction within that of a connection's owner: the words that begin and end one stand for those of a savepoint.
struct InnerTransaction {
  private(set) var isOpen = false

  /// The statement in whose place the connection sends another one.
  mutating func statement(for sql: String) -> String {
    switch sql {
    case "COMMIT":
      isOpen = false
      return "RELEASE SAVEPOINT inner_transaction"
    case "ROLLBACK":
      isOpen = false
      return "ROLLBACK TO SAVEPOINT inner_transaction"
    case _ where sql.hasPrefix("BEGIN"):
      isOpen = true
      return "SAVEPOINT inner_transaction"
    default: return sql
    }
  }
}
