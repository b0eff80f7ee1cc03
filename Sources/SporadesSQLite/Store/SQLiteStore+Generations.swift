// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

extension SQLiteStore {
  public func generation() throws(StoreError) -> StoreGeneration {
    try checkOpen()
    if let another { return StoreGeneration(try KeptState(copy(to: another()), nil)) }
    guard keepsGenerations, let readers else {
      throw StoreError(
        .unsupported,
        "\(path ?? identifier) has no write-ahead log, and can not go on showing a state that was "
          + "written over. Switch it to journal_mode WAL, as the files are that Sporades makes.")
    }
    return StoreGeneration(try readers.keep(files))
  }

  /// A database in memory has one connection, and so no transaction that could stay behind.
  private func copy(to connection: Connection) throws(StoreError) -> Connection {
    try writer.state.withLock { (writer) throws(StoreError) in
      try checkOpen()
      try writer.withCommittedState { (own) throws(StoreError) in try own.copy(to: connection) }
    }
    return connection
  }

  func kept(_ generation: StoreGeneration) throws(StoreError) -> KeptState {
    guard let kept = generation.state as? KeptState else { throw generation.isForeign }
    return kept
  }
}
