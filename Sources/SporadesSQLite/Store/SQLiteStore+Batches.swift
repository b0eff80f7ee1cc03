// SPDX-License-Identifier: MIT
public import SporadesStore

extension SQLiteStore: BatchExecutingStore {
  /// Changes the rows of a batch by a few statements, and commits them.
  public func execute(_ batch: StoreBatch) throws(StoreError) -> BatchEffects? {
    // Rules may lead to entities that a store of some entities does not hold.
    guard configuration.name == nil else { return nil }
    var batch = batch
    batch.fetch = try bound(batch.fetch, in: .accepted)
    let effects = try write { (writer) throws(StoreError) in
      log?.beginAnewIfOverdue(writer.connection)
      let effects = try writer.execute(batch)
      log?.noteCommit(frames: writer.connection.framesInLog)
      return effects
    }
    // The batch is committed, so a failing sync must not look like a batch that was undone. A caller that wants the
    // batch on the disk commits again.
    if batch.durability == .eventual { try finishCommit(.eventual) }
    return effects
  }
}
