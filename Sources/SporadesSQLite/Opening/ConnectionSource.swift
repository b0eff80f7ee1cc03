// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Opens connections to one store, all with the same settings.
struct ConnectionSource {
  /// Nil for a database in memory, which is private to its connection.
  let path: String?
  let options: SQLiteStoreOptions
  /// The layout of a new store.
  let layout: any ModelLayout
  let files: ExternalFiles?
  let upkeep: UpkeepAccount

  /// A connection that scans a table once gains nothing from a larger cache; see ``ReaderPool``.
  private static let firstCacheKilobytes = 128

  /// The access mode of the store's own connections.
  var access: Connection.Access {
    guard options.isReadOnly, let path else { return .readWrite }
    guard options.leavesNoTrace else { return .reading(path) }
    return .withoutTrace(SystemFile.target(of: path), whileInUse: options.takesNoLock)
  }

  func connect(_ access: Connection.Access) throws(StoreError) -> Connection {
    let connection = try Connection(
      path: path ?? ":memory:", access: access,
      busyMilliseconds: Int32(clamping: options.busyMilliseconds))
    try connection.run(
      .settings(
        overwritesDeleted: options.overwritesDeletedContent, mappedBytes: options.mappedBytes,
        cacheKilobytes: Self.firstCacheKilobytes))
    for statement in CreateStatements(layout, SQLiteDialect()).temporary {
      try connection.run(statement)
    }
    try connection.registerFunctions(files)
    if let bytes = options.largestRow { connection.limitLength(to: bytes) }
    connection.limit.allow(options.stepLimit)
    connection.traceIfAsked()
    return connection
  }
}
