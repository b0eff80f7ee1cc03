// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

// A history is made when a store is opened, and never lacks a transaction from then on.
extension ServerOpening {
  func makeHistory(_ connection: ServerConnection) throws(StoreError) {
    _ = try connection.pipelined { (connection) throws(StoreError) in
      for statement in HistoryTables.creation { try connection.send(statement) }
    }
  }

  /// A store that is there, with or without a history as the options say.
  func withHistory(
    _ opened: OpenedStore, _ connection: ServerConnection
  ) throws(StoreError) -> OpenedStore {
    var opened = opened
    opened.keepsHistory = try hasTable(HistoryTables.changes, connection)
    switch options.persistentHistory {
    case .asInFile: break
    case .on:
      guard !opened.keepsHistory else { break }
      // Writers that are about to commit do so first, and those that have the store open without a history commit no more.
      try connection.run("LOCK TABLE \(ServerLayout.clients) IN SHARE ROW EXCLUSIVE MODE")
      try connection.run(
        "UPDATE \(ServerLayout.names.metadata.table) SET migrations = migrations + 1")
      try makeHistory(connection)
      opened.migrations += 1
      opened.keepsHistory = true
    case .off:
      guard opened.keepsHistory else { break }
      throw StoreError(
        .unsupported,
        "\(connection.place): The store has a history, and was opened with persistentHistory = .off. A save without its "
          + "transaction would leave a gap in it. Open the store with .asInFile, or drop the tables \(HistoryTables.all.joined(separator: ", ")) "
          + "while no program has it open.")
    }
    return opened
  }
}
