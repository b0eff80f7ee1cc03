// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Opens or makes the file of a store; throws before it changes anything that is not its own.
struct StoreOpening {
  struct Opened {
    let path: String?
    let identifier: String
    let isReadOnly: Bool
    let configuration: StoreConfiguration
    let plan: StorePlan
    let files: ExternalFiles?
    let writer: Writer
    let readers: ReaderPool?
    let log: WriteAheadLog?
    let keepsGenerations: Bool
    /// Opens an empty database in memory like the store's own; nil where the store is a file.
    let another: (@Sendable () throws(StoreError) -> Connection)?
  }

  let path: String?
  let model: ManagedObjectModel
  let options: SQLiteStoreOptions

  init(path: String?, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions) {
    self.path = path
    self.model = model
    self.options = options
  }

  func open() throws(StoreError) -> Opened {
    do { return try openFile() } catch { throw located(error) }
  }

  /// The error with the place of the file, where it does not name it itself.
  private func located(_ error: StoreError) -> StoreError {
    guard let path, !error.detail.contains(path) else { return error }
    let isUnreadable = error.code == .corrupt && error.sqliteFailure != nil
    let detail =
      isUnreadable
      ? "The file is damaged, or no SQLite database. Restore a copy of it, or name another file."
      : error.detail
    return StoreError(error.code, "\(path): \(detail)", underlying: error.underlying)
  }

  private func openFile() throws(StoreError) -> Opened {
    let configuration = try StoreConfiguration(options.configuration, of: model)
    let made = CoreDataLayout(model, holding: configuration.entities)
    let isNew = try prepareFile()
    let hasOldLog = path.map { SystemFile.size($0 + "-wal") > 0 } ?? false
    let access: Connection.Access =
      if options.isReadOnly, let path { .reading(path) } else { .readWrite }
    let files = path.map { ExternalFiles(storePath: $0) }
    if let path, !options.isReadOnly,
      model.shapes.contains(where: { !$0.layout.largeSlots.isEmpty })
    {
      collectUnusedFiles(path)
    }
    let connection = try connect(access, made, files)
    if isNew || path == nil { try create(made, on: connection) }
    if hasOldLog { try checkAfterUncleanEnd(connection) }
    let existing = ExistingLayout(connection, made)
    let identity = try existing.identity()
    try checkModel(identity.metadata)
    let layout = try existing.layout()
    let plan = StorePlan(model, layout, identifier: identity.identifier)
    var writer = Writer(connection, plan, files)
    writer.history = try History(on: connection)
    let hasLog = try journalMode(connection) == "wal" && path != nil
    let isLogged = hasLog && !options.isReadOnly
    if isLogged { connection.watchLog() }
    try connection.run(
      """
      PRAGMA synchronous = \(isLogged || path == nil ? "NORMAL" : "EXTRA");
      PRAGMA cache_size = -\(options.cacheKilobytes)
      """)
    let readers = path.map { _ in
      ReaderPool(limit: options.readerCount, cacheKilobytes: options.cacheKilobytes) {
        () throws(StoreError) in try connect(access, made, files)
      }
    }
    let log = path.flatMap { path in
      isLogged
        ? WriteAheadLog(databasePath: path, threshold: options.checkpointFrames) {
          () throws(StoreError) in try connect(.readWrite, made, files)
        } : nil
    }
    var another: (@Sendable () throws(StoreError) -> Connection)?
    if path == nil { another = { () throws(StoreError) in try connect(.readWrite, made, files) } }
    if path != nil { connection.forgetPages() }
    return Opened(
      path: path, identifier: identity.identifier, isReadOnly: options.isReadOnly,
      configuration: configuration, plan: plan, files: files, writer: writer, readers: readers,
      log: log,
      // Without a log, who reads a file keeps others from writing.
      keepsGenerations: path == nil || hasLog || access == .immutable,
      another: another)
  }

  // MARK: - Files

  /// Checks the place and makes an empty file where there is none; true if there are no tables yet.
  private func prepareFile() throws(StoreError) -> Bool {
    guard let path else { return true }
    switch SystemFile.kind(path) {
    case .file:
      guard SystemFile.isReadable(path) else {
        throw StoreError(
          .cannotOpen, "The store at \(path) may not be read; change its permissions.")
      }
      guard options.isReadOnly || SystemFile.isWritable(path) else {
        throw StoreError(
          .cannotOpen, "The store at \(path) may not be written; open it for reading only.")
      }
      return SystemFile.size(path) == 0 && !options.isReadOnly && options.createsFile
    case .folder, .other:
      throw StoreError(
        .cannotOpen,
        "There is a folder, or something else that is no file, at \(path). Name a file.")
    case .none: break
    }
    guard options.createsFile, !options.isReadOnly else {
      throw StoreError(
        .cannotOpen,
        "There is no store at \(path), and the options say that none is to be made there.")
    }
    let error = SystemFile.create(path)
    guard error == 0 || SystemFile.kind(path) == .file else {
      throw StoreError(
        .cannotOpen,
        "No store can be made at \(path): \(SystemFile.message(error)). Its folder must exist, and "
          + "this process must be allowed to write there.")
    }
    return true
  }

  /// Who reads a table once needs no more; see ``ReaderPool``.
  private static let firstCacheKilobytes = 128

  private func connect(
    _ access: Connection.Access, _ made: CoreDataLayout, _ files: ExternalFiles?
  ) throws(StoreError) -> Connection {
    let connection = try Connection(
      path: path ?? ":memory:", access: access,
      busyMilliseconds: Int32(clamping: options.busyMilliseconds))
    try connection.run(
      """
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = \(options.overwritesDeletedContent ? "ON" : "OFF");
      PRAGMA mmap_size = \(options.mappedBytes);
      PRAGMA cache_size = -\(Self.firstCacheKilobytes);
      """)
    for statement in made.temporaryStatements { try connection.run(statement) }
    try connection.registerFunctions(files)
    if let bytes = options.largestRow { connection.limitLength(to: bytes) }
    connection.traceIfAsked()
    return connection
  }

  private func journalMode(_ connection: Connection) throws(StoreError) -> String? {
    try connection.rows("PRAGMA journal_mode").first?.first?.text
  }

  // MARK: - Contents

  private func create(
    _ made: CoreDataLayout, on connection: Connection
  ) throws(StoreError) {
    // The size and the vacuum can be chosen only before the first table.
    try connection.run("PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2")
    if path != nil { _ = try connection.rows("PRAGMA journal_mode = WAL") }
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      // Another process may have made the store while this one waited.
      if try connection.number("SELECT COUNT(*) FROM sqlite_master") == 0 {
        for statement in made.createStatements { try connection.run(statement) }
        let metadata = StoreMetadata.initial(for: model, options.configuration)
        let identifier = options.identifier ?? UUID().uuidString
        _ = try connection.rows(
          "INSERT INTO Z_METADATA VALUES (1, ?, ?)",
          [.text(identifier), .blob(try StoreMetadata.plist(metadata))])
      }
      try connection.run("COMMIT")
    } catch {
      if !connection.isOutsideTransaction { try? connection.run("ROLLBACK") }
      throw error
    }
  }

  /// Removes what a process left that was ended while it wrote large values. A log or a journal is there
  /// from the first write on until the store is closed.
  private func collectUnusedFiles(_ path: String) {
    guard ["-wal", "-journal"].contains(where: { SystemFile.kind(path + $0) != .none }) else {
      return
    }
    // What is wrong with the store is found and told when it is opened, which follows; files that can
    // not be removed are in nobody's way.
    try? UnusedFiles.collect(storeAt: path)
  }

  /// A log that is still there was left by a process that did not close the store. SQLite takes from
  /// it what is whole; small files are looked through, large ones only when asked to.
  private func checkAfterUncleanEnd(_ connection: Connection) throws(StoreError) {
    let pages = try connection.number("PRAGMA page_count") ?? 0
    guard pages <= 2_000 else { return }
    let answer = try connection.rows("PRAGMA quick_check(1)").first?.first?.text
    guard answer == "ok" else {
      throw StoreError(
        .corrupt, "The store was not closed and is damaged: \(answer ?? "no details").")
    }
  }

  private func checkModel(_ metadata: [String: MetadataValue]) throws(StoreError) {
    guard options.checksModel else { return }
    let differing = StoreMetadata.differingEntities(metadata, model, options.configuration)
    guard differing.isEmpty else {
      throw StoreError(
        .incompatibleModel(differing),
        "The store was written with another model; it differs in "
          + "\(differing.joined(separator: ", ")). Open it with its own model, or name another file."
      )
    }
  }
}
