// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

extension SQLiteStore {
  /// Keeps the committed state: in an open read transaction, or in a copy of a database in memory.
  public func generation() throws(StoreError) -> StoreGeneration {
    try checkOpen()
    if let another { return StoreGeneration(try KeptState(copy(to: another()), nil), of: self) }
    guard keepsGenerations, let readers else {
      throw StoreError(
        .unsupported,
        "\(path ?? identifier) has no write-ahead log, so that it cannot keep a state while others "
          + "write. Switch it to journal_mode WAL, the mode of the files that Sporades creates.")
    }
    return StoreGeneration(try readers.keep(files), of: self)
  }

  /// A database in memory has one connection, so no read transaction can stay at an older state.
  private func copy(to connection: Connection) throws(StoreError) -> Connection {
    try writer.state.withLock { (writer) throws(StoreError) in
      try checkOpen()
      try writer.withCommittedState { (own) throws(StoreError) in try own.copy(to: connection) }
    }
    return connection
  }

  func kept(_ generation: StoreGeneration) throws(StoreError) -> KeptState {
    try generation.state(of: self)
  }
}
