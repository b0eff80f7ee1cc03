// SPDX-License-Identifier: MIT

/// The capability of a store that searches itself for damage. Programs ask with `integrityProblems()` of the module
/// SporadesCare.
public protocol CheckableStore: PersistentStore {
  /// Reads the whole store, and hands each damage to a block, in memory that does not grow with their number. The block
  /// must not use the store. An error that it throws ends the check.
  func checkIntegrity(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError)
}

extension PersistentStore {
  /// The store as one that searches itself for damage. Throws if it is none.
  package func checkable() throws(StoreError) -> any CheckableStore {
    guard let store = self as? any CheckableStore else {
      throw StoreError(
        .unsupported,
        "The store \(placeText) can not be searched for damage, because its class is no CheckableStore."
      )
    }
    return store
  }
}
