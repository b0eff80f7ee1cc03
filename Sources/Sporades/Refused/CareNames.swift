// SPDX-License-Identifier: MIT
public import SporadesStore

// Calls of the module SporadesCare in a program that has not imported it. The compiler chooses these functions only there.

extension PersistentStore {
  /// Refuses a check without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "add the product SporadesCare to the target in Package.swift, and import SporadesCare"
  )
  public func integrityProblems() throws(StoreError) -> [String] { trap(refusal) }

  /// Refuses a check without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "add the product SporadesCare to the target in Package.swift, and import SporadesCare"
  )
  public func forEachIntegrityProblem(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) { trap(refusal) }
}
