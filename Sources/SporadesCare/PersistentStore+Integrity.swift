// SPDX-License-Identifier: MIT
public import SporadesStore

extension PersistentStore {
  /// Reads the whole store and describes its damages; an empty result means that there are none.
  ///
  /// Each text counts the problems of one kind and place. The last one of a thousand texts says how many problems are left
  /// out. ``forEachIntegrityProblem(_:)`` names the object of each.
  public func integrityProblems() throws(StoreError) -> [String] {
    var summary = IntegritySummary()
    try forEachIntegrityProblem { summary.add($0) }
    return summary.texts
  }

  /// Reads the whole store, and hands each damage to a block, in memory that does not grow with their number. The block
  /// must not use the store. An error that it throws ends the check.
  public func forEachIntegrityProblem(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    try checkable().checkIntegrity(body)
  }
}
