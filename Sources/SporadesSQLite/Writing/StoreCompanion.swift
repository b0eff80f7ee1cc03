// SPDX-License-Identifier: MIT
package import SporadesStore

/// Tables of another module that change in the same transactions as the rows.
package protocol StoreCompanion: AnyObject, Sendable {
  /// Brings the tables up to date at the end of a transaction, before its commit. An error fails the commit, after which the
  /// changes are still accepted.
  func settle(_ connection: Connection) throws(StoreError)
  /// A request found the tables damaged. The next one does without them, or has them made anew.
  func distrust()
}
