// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A save on its way to the store: the changes, and the state of knowledge in which they were made.
package struct SaveRequest: Sendable {
  package let changes: ChangeSet
  /// Every row of the changes was read after the save with this number.
  package var basis = Int.max
  /// Derived values were computed after the save with this number, of rows that were read then.
  package var derivationBasis = 0
  /// Conflicts with rows of lost saves were settled up to the loss with this number.
  package var lossBasis = 0
  /// A changed reference leads to an object whose row was never read, and may be gone.
  package var hasLinksToFaults = false
  package var durability = Durability.eventual
  /// The listener that is not told, because it made the changes itself.
  package var sender: ObjectIdentifier?
  /// The rows that the changes are based on; empty where the source does not compare them.
  package var bases: [RowKey: RowPlace] = [:]

  /// A save that no context made: its maker has read every row after all saves.
  package init(_ changes: ChangeSet) { self.changes = changes }
}

/// The answer to a save that was accepted.
package struct SaveReceipt: Sendable {
  /// Names the save in the root's ledger; nil where another context took it, or nothing was written.
  package var number: SaveNumber?
  /// The place of the save in the order in which saves are published; nil where it was not published.
  package var order: Int?
  /// Why the save, which stays accepted, could not be committed at once as it was asked to be.
  package var commitFailure: StoreError?
  /// Rows that triggers of the application changed together with the save.
  package var changedByTriggers: [RowKey] = []

  package init() {}
}
