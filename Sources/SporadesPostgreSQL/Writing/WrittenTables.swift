// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// The tables that a store writes, as far as kinds of them differ: how rows get their keys, how a change set goes in, and how a
/// commit is found whose answer was lost.
package protocol WrittenTables: ServerTables {
  /// The store has tables of its own beside them, for metadata and for the numbers of writes and keys.
  var keepsBooks: Bool { get }

  /// Takes keys for new rows of a tree that follow each other: so many, or more.
  func takeKeys(
    _ count: Int, ofRoot root: Int, over connections: ServerPool
  ) throws(StoreError) -> Range<Int64>

  /// Has a tree give no key to others up to one that a program has given. Returns the largest such key.
  func coverKey(
    _ largest: Int64, ofRoot root: Int, over connections: ServerPool
  ) throws(StoreError) -> Int64

  /// Writes a change set into the open transaction, or into a new one. Constraints hold afterwards.
  func write(
    _ changes: ChangeSet, isFirst: Bool, by writer: inout ServerWriter
  ) throws(StoreError)

  /// Notes what became of the change sets of the open transaction.
  func note(_ outcome: WriteOutcome)

  /// Sends that by which the end of a transaction is found if its answer is lost.
  func sendNumber(
    _ number: Int64, _ durability: Durability, by writer: ServerWriter
  ) throws(StoreError)

  /// Finds out whether a commit whose answer was lost took place, and has the writer note it then. Waits for a server process that
  /// is still about to decide it.
  func settle(_ number: Int64, by writer: inout ServerWriter) throws(StoreError)
}

/// What becomes of the change sets of a transaction.
package enum WriteOutcome: Sendable {
  case lastUndone, allUndone, committed
}

extension StoreError {
  /// The refusal of a request that needs tables of the store's own.
  package static func unkept(_ what: String) -> StoreError {
    StoreError(
      .unsupported,
      "The store's tables existed before it, and it keeps none of its own there: \(what).")
  }

  /// Nobody can tell whether a commit took place.
  package static func unclear(at place: String) -> StoreError {
    StoreError(
      .unclear,
      "\(place): The connection ended at a commit, and no server tells whether it took place. It is not repeated. Read the rows, "
        + "and make the changes that are missing.")
  }
}
