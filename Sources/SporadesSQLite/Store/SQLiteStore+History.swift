// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Whether the store records its change sets. Another process may turn the history on while the store is open.
  public var keepsHistory: Bool {
    // `try?`, because a request for the history meets the same failure and throws it.
    ((try? historyTables) ?? nil) != nil
  }

  /// Nil if the store keeps no history.
  private var historyTables: CoreDataHistory? {
    get throws(StoreError) {
      if let known = knownHistory.withLock(\.self) { return known }
      let found = try writer.state.withLock { (writer) throws(StoreError) in
        if isOpen { try writer.lookForHistory() }
        return writer.history?.tables
      }
      knownHistory.withLock { $0 = found }
      return found
    }
  }

  /// The committed transactions of a part of the history, each with all its changes.
  package func transactions(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    try readHistory { (connection, tables) throws(StoreError) in
      var reading = HistoryReading(connection, plan, tables, files)
      let found = try reading.transactions(range)
      // The check comes last: a deletion in between then ends in an error, and never in a gap.
      if let after = range.after {
        try CommittedRows(connection, plan, tables).ends().check(after, of: identifier)
      }
      return found
    }
  }

  /// The commits of other processes behind the transaction with the number; nil if the file keeps no history.
  public func changesOfOthers(after number: Int64) throws(StoreError) -> OthersChanges? {
    guard keepsHistory else { return nil }
    let own = writer.state.withLock(\.own)
    return try readHistory { (connection, tables) throws(StoreError) in
      let rows = CommittedRows(connection, plan, tables)
      let found = try rows.changes(after: number) { own.contains($0) }
      // The check comes last: a deletion in between then ends in an error, and never in a gap.
      try rows.ends().check(number, of: identifier)
      return found
    }
  }

  /// Returns the first and the last place of the committed history.
  public func historyEnds() throws(StoreError) -> HistoryEnds {
    try readHistory { (connection, tables) throws(StoreError) in
      try CommittedRows(connection, plan, tables).ends()
    }
  }

  /// The named readers of the history.
  package func namedReaders() throws(StoreError) -> [HistoryReader] {
    try readHistory { (connection, tables) throws(StoreError) in
      try HistoryShortening(connection, tables).readers()
    }
  }

  func readHistory<Output: Sendable>(
    _ body: (Connection, CoreDataHistory) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard let tables = try historyTables else { throw lackOfHistory }
    return try read(.committed) { (connection) throws(StoreError) in
      try body(connection, tables)
    }
  }

  /// Deletes the transactions before a place, with their changes and the files that only they named. Returns their
  /// number.
  package func shortenHistory(before bound: HistoryBound) throws(StoreError) -> Int {
    let count = try changeHistory { (writer, tables) throws(StoreError) -> Int in
      var names: [ValueName] = []
      let count = try writer.transact { (writer) throws(StoreError) -> Int in
        let history = HistoryShortening(writer.connection, tables)
        let (first, count) = try history.extent(of: bound)
        guard count > 0 else { return 0 }
        if writer.plan.namesFiles { names = try history.names(before: first) }
        try history.remove(before: first)
        if let files = writer.files, !names.isEmpty {
          names = try UnusedFiles(folder: files.folder, connection: writer.connection).among(names)
        }
        return count
      }
      for name in names { writer.files?.drop(name) }
      if !names.isEmpty { writer.files?.settle() }
      return count
    }
    try removeDropped(.immediate)
    return count
  }

  /// Keeps the place of a named reader. In an open transaction, it is committed with the transaction; if that is lost, the
  /// reader has its former place.
  package func keepPlace(of reader: HistoryReader) throws(StoreError) {
    guard let tables = try historyTables else { throw lackOfHistory }
    try write { (writer) throws(StoreError) in
      defer { log?.noteCommit(frames: writer.connection.framesInLog) }
      try writer.transact { (writer) throws(StoreError) in
        try HistoryShortening(writer.connection, tables).confirm(reader)
      }
    }
  }

  /// Forgets a named reader.
  package func forgetReader(named name: String) throws(StoreError) {
    try changeHistory { (writer, tables) throws(StoreError) in
      try writer.transact { (writer) throws(StoreError) in
        try HistoryShortening(writer.connection, tables).removeReader(named: name)
      }
    }
  }

  /// Runs `body` on the writer after a commit of the accepted changes, so that no lost transaction takes its work away.
  private func changeHistory<Output: Sendable>(
    _ body: (inout Writer, CoreDataHistory) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard let tables = try historyTables else { throw lackOfHistory }
    return try write { (writer) throws(StoreError) in
      try writer.commit()
      defer { log?.noteCommit(frames: writer.connection.framesInLog) }
      return try body(&writer, tables)
    }
  }
}
