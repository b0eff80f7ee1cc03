// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

extension SQLiteStore: GenerationKeepingStore {
  /// Keeps the committed state: in an open read transaction, or in a copy of a database in memory that the next change
  /// makes.
  public func generation() throws(StoreError) -> StoreGeneration {
    try checkOpen()
    if let liveStates {
      let live = try writer.state.withLock { (writer) throws(StoreError) in
        try checkOpen()
        return try liveStates.keep(&writer, self.writer)
      }
      return StoreGeneration(live, of: self)
    }
    guard keepsGenerations, let readers else {
      throw StoreError(
        .unsupported,
        "The store \(placeText) has no write-ahead log, so that it cannot keep a state while others "
          + "write. Switch it to journal_mode WAL, the mode of the files that Sporades creates.")
    }
    return StoreGeneration(try readers.keep(plan.namesFiles ? files : nil), of: self)
  }

  /// Runs `body` on a connection that shows the generation.
  func read(
    _ generation: StoreGeneration, _ body: (Connection) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard liveStates != nil else {
      return try generation.state(of: self, as: KeptState.self).read(body)
    }
    try generation.state(of: self, as: LiveState.self).read(checking: checkOpen, body)
  }
}
