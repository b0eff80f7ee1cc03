// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A save on its way to the store: its changes, and the newest saves that its maker knew of.
package struct SaveRequest: Sendable {
  package let changes: ChangeSet
  /// Every row of the changes was read after the save with this number.
  package var basis = Int.max
  /// The save computed its derived values from rows that were read after the save with this number.
  package var derivationBasis = 0
  /// The save resolved its conflicts with every loss up to this number.
  package var lossBasis = 0
  /// A changed reference leads to an object whose row was never read. That row may be gone.
  package var hasLinksToFaults = false
  package var durability = Durability.eventual
  /// An immediate save may wait for others and be committed with them. Its maker asks the ledger for the commit.
  package var sharesCommit = false
  /// The listener that made the changes. The root does not deliver the save to it.
  package var sender: ObjectIdentifier?
  /// The rows that the changes are based on. It is empty if the source does not compare rows.
  package var bases: [RowKey: RowPlace] = [:]
  /// The values of transient attributes for a parent context, by index of the attribute.
  package var transients: [RowKey: [Int: Value]] = [:]

  /// Makes a save without a context. Its maker must have read every row after all earlier saves.
  package init(_ changes: ChangeSet) { self.changes = changes }
}

/// The answer to an accepted save.
package struct SaveReceipt: Sendable {
  /// The number of the save in the root's ledger. It is nil if a parent context took the save, or if the save
  /// wrote nothing.
  package var number: SaveNumber?
  /// The place of the save in the order of published saves. It is nil if the root did not publish the save.
  package var order: Int?
  /// The error of the commit that the save asked for. The save stays accepted.
  package var commitFailure: StoreError?
  /// The rows that the application's triggers changed together with the save.
  package var changedByTriggers: [RowKey] = []

  package init() {}
}
