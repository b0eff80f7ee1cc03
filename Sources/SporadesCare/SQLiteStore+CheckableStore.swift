// SPDX-License-Identifier: MIT
public import SporadesSQLite
public import SporadesStore

// The conformance stands here, so that a program without this module does not link what it needs.
extension SQLiteStore: CheckableStore {
  public func checkIntegrity(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) { try findDamages(body) }
}
