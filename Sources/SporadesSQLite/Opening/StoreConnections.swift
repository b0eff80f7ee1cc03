// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The fourth stage of opening: the writing connection, and a source of further connections.
struct StoreConnections {
  let writer: Writer
  let place: StorePlace?
  let keepsGenerations: Bool
  /// Nil for a store in memory.
  private(set) var readers: ReaderPool?
  private(set) var log: WriteAheadLog?
  /// Nil for a file without a write-ahead log, and where the options forbid it.
  private let rowCache: RowCache?
  /// Opens an empty database in memory with the store's settings; nil if the store is a file.
  private(set) var another: (@Sendable () throws(StoreError) -> Connection)?

  /// Turns the connection of the earlier stages into the store's writer.
  init(
    _ connection: Connection, _ plan: StorePlan, from source: ConnectionSource,
    access: Connection.Access
  ) throws(StoreError) {
    let options = source.options
    let hasLog = try Self.journalMode(connection) == "wal" && source.path != nil
    let isLogged = hasLog && !options.isReadOnly
    try Self.prepareToWrite(connection, source, isLogged: isLogged)
    let place = try Self.place(of: connection, source.path, isLogged: isLogged)
    source.files?.place.withLock { $0 = place }
    let triggers = try StoreTriggers(connection, plan)
    var writer = try Writer(connection, plan, source.files, place, triggers)
    try writer.openHistory(bundle: options.bundleIdentifier)
    if !options.isReadOnly {
      try triggers.dropDamaged(connection)
      try RTreeUpkeep(connection, plan).begin(triggers.trees)
    }
    if source.path != nil { connection.forgetPages() }
    rowCache =
      hasLog && !access.isUnprotected && options.rowCacheKilobytes > 0
      ? RowCache(byteCount: options.rowCacheKilobytes * 1_024) : nil
    writer.rowCache = rowCache
    connection.limit.allow(options.stepLimit)
    self.writer = writer
    self.place = place
    // Without a log, a read transaction blocks every writer.
    keepsGenerations = source.path == nil || hasLog || access.isUnprotected
    addLaterConnections(from: source, access: access, isLogged: isLogged)
  }

  private static func journalMode(_ connection: Connection) throws(StoreError) -> String? {
    try connection.rows(.journalMode).first?.first?.text
  }

  private static func prepareToWrite(
    _ connection: Connection, _ source: ConnectionSource, isLogged: Bool
  ) throws(StoreError) {
    if isLogged { connection.watchLog() }
    try connection.run(
      .settingsOfWriter(
        synchronous: isLogged || source.path == nil ? "NORMAL" : "EXTRA",
        cacheKilobytes: source.options.cacheKilobytes))
    guard let path = source.path, !source.options.isReadOnly else { return }
    try connection.checkWritable(path)
    connection.wait.sign = WaitingSign(for: path)
  }

  /// Records the locations of the files that the connection has opened. Another process may have replaced
  /// them since.
  private static func place(
    of connection: Connection, _ path: String?, isLogged: Bool
  ) throws(StoreError) -> StorePlace? {
    guard let path else { return nil }
    let file = connection.fileName ?? path
    let place = try StorePlace(path, file: file, isLogged: isLogged)
    guard connection.hasMoved else { return place }
    throw StoreError(
      .busy, "The store at \(path) was replaced while it was opened. Open it again.")
  }

  /// Opens the connections of readers, of checkpoints, and of copies in memory.
  private mutating func addLaterConnections(
    from source: ConnectionSource, access: Connection.Access, isLogged: Bool
  ) {
    guard let path = source.path, let place else {
      another = { () throws(StoreError) in try source.connect(.readWrite) }
      return
    }
    let model = writer.connection.model
    let reconnect: @Sendable (Connection.Access) throws(StoreError) -> Connection = {
      (access) throws(StoreError) in
      // A connection to another file would mix its rows with this store's rows.
      try place.check()
      let connection = try source.connect(access)
      connection.model = model
      try place.check()
      return connection
    }
    // Half of the length at which this process, or SQLite in another, begins to move the log.
    let longestLog = min(source.options.checkpointFrames, 1_000) / 2
    let readers = ReaderPool(
      limit: source.options.readerCount,
      longestLog: keepsGenerations && !access.isUnprotected ? longestLog : nil, rowCache: rowCache
    ) { () throws(StoreError) in
      let connection = try reconnect(access)
      connection.laterCacheKilobytes = source.options.cacheKilobytes
      return connection
    }
    self.readers = readers
    guard isLogged else { return }
    let file = writer.connection.fileName ?? path
    log = WriteAheadLog(
      databasePath: file, threshold: source.options.checkpointFrames, place: place,
      upkeep: source.upkeep, endIdleReads: { readers.endLastingReads() },
      connect: { () throws(StoreError) in try reconnect(.readWrite) })
  }
}
