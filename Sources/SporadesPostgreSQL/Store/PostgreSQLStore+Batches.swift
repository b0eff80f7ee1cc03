// SPDX-License-Identifier: MIT
public import SporadesStore

extension PostgreSQLStore: BatchExecutingStore {
  /// Changes the rows of a batch by a few statements, and commits them.
  public func execute(_ batch: StoreBatch) throws(StoreError) -> BatchEffects? {
    defer { noteSeen(mayLackSync: true) }
    return try write { (writer) throws(StoreError) in try writer.execute(batch) }
  }
}
