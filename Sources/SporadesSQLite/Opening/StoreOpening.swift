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
    let place: StorePlace?
    let writer: Writer
    let keepsGenerations: Bool
    var readers: ReaderPool?
    var log: WriteAheadLog?
    /// Opens an empty database in memory like the store's own; nil where the store is a file.
    var another: (@Sendable () throws(StoreError) -> Connection)?
  }

  let path: String?
  let model: ManagedObjectModel
  let options: SQLiteStoreOptions
  let layout: any ModelLayout.Type
  private let files: ExternalFiles?

  init(
    path: String?, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions,
    _ layout: any ModelLayout.Type = CoreDataLayout.self
  ) {
    self.path = path
    self.layout = layout
    files = path.map { ExternalFiles(storePath: $0) }
    self.model = model
    self.options = options
  }

  func open() throws(StoreError) -> Opened {
    do { return try openFile() } catch { throw located(error) }
  }

  /// The error with the place of the file, where it does not name it itself.
  private func located(_ error: StoreError) -> StoreError {
    guard let path, !error.detail.contains(path) else { return error }
    let detail =
      switch (error.code, error.sqliteFailure) {
      case (.corrupt, .some):
        "The file is damaged, or no SQLite database. Restore a copy of it, or name another file."
      case (.readOnly, .some):
        "A process was ended in the middle of a change, and only who writes can settle what it left. "
          + "Open the store once without isReadOnly."
      default: error.detail
      }
    return StoreError(error.code, "\(path): \(detail)", underlying: error.underlying)
  }

  private func openFile() throws(StoreError) -> Opened {
    try options.check()
    let configuration = try StoreConfiguration(options.configuration, of: model)
    let made = layout.init(model, holding: configuration.entities)
    try prepareFile()
    let hasOldLog = path.map { SystemFile.size($0 + "-wal") ?? 0 > 0 } ?? false
    let access: Connection.Access =
      if options.isReadOnly, let path { .reading(path) } else { .readWrite }
    collectUnusedFiles()
    let connection = try connect(access, made)
    connection.limit.allow(Self.openingSteps)
    if !options.isReadOnly, options.createsFile || path == nil {
      try StoreMaking(path: path, layout: made, options: options).makeIfEmpty(connection)
    }
    if hasOldLog { try checkAfterUncleanEnd(connection) }
    let existing = ExistingLayout(connection, made)
    let identity = try existing.identity()
    try checkModel(identity.metadata)
    let plan = StorePlan(model, try existing.layout(), identifier: identity.identifier)
    let hasLog = try journalMode(connection) == "wal" && path != nil
    let isLogged = hasLog && !options.isReadOnly
    try prepareToWrite(connection, isLogged: isLogged)
    let place = try place(of: connection, isLogged: isLogged)
    files?.place.withLock { $0 = place }
    var writer = try Writer(connection, plan, files, place, StoreTriggers(connection))
    writer.history = try History(on: connection)
    if !options.isReadOnly { try RTreeUpkeep(connection, plan).begin() }
    if path != nil { connection.forgetPages() }
    connection.limit.allow(options.stepLimit)
    var opened = Opened(
      path: path, identifier: identity.identifier, isReadOnly: options.isReadOnly,
      configuration: configuration, plan: plan, files: files, place: place, writer: writer,
      // Without a log, who reads a file keeps others from writing.
      keepsGenerations: path == nil || hasLog || access == .immutable)
    addConnections(to: &opened, access, made, isLogged: isLogged)
    return opened
  }

  private func prepareToWrite(_ connection: Connection, isLogged: Bool) throws(StoreError) {
    if isLogged { connection.watchLog() }
    try connection.run(
      .settingsOfWriter(
        synchronous: isLogged || path == nil ? "NORMAL" : "EXTRA",
        cacheKilobytes: options.cacheKilobytes))
    guard let path, !options.isReadOnly else { return }
    try connection.checkWritable(path)
    connection.wait.sign = WaitingSign(for: path)
  }

  /// Where the files are that the connection has opened; they may have been replaced since.
  private func place(
    of connection: Connection, isLogged: Bool
  ) throws(StoreError) -> StorePlace? {
    guard let path else { return nil }
    let file = connection.fileName ?? path
    let place = try StorePlace(path, file: file, isLogged: isLogged)
    guard connection.hasMoved else { return place }
    throw StoreError(
      .busy, "The store at \(path) was replaced while it was opened. Open it again.")
  }

  /// The connections that are opened later: of readers, of checkpoints, and of copies in memory.
  private func addConnections(
    to opened: inout Opened, _ access: Connection.Access, _ made: any ModelLayout, isLogged: Bool
  ) {
    guard let path, let place = opened.place else {
      opened.another = { () throws(StoreError) in try connect(.readWrite, made) }
      return
    }
    let reconnect: @Sendable (Connection.Access) throws(StoreError) -> Connection = {
      (access) throws(StoreError) in
      // Rows of another file must not be mixed with those of this one.
      try place.check()
      let connection = try connect(access, made)
      try place.check()
      return connection
    }
    opened.readers = ReaderPool(
      limit: options.readerCount, cacheKilobytes: options.cacheKilobytes
    ) { () throws(StoreError) in try reconnect(access) }
    guard isLogged else { return }
    let file = opened.writer.connection.fileName ?? path
    opened.log = WriteAheadLog(
      databasePath: file, threshold: options.checkpointFrames, place: place
    ) {
      () throws(StoreError) in try reconnect(.readWrite)
    }
  }

  // MARK: - Files

  /// Checks the place, and makes an empty file where there is none.
  private func prepareFile() throws(StoreError) {
    guard let path else { return }
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
      return try StoreMaking.checkNotText(path)
    case .folder, .other:
      throw StoreError(
        .cannotOpen,
        "There is a folder, or something else that is no file, at \(path). Name a file.")
    case .hidden:
      let message = SystemFile.message(SystemFile.lastError)
      throw StoreError(
        .cannotOpen,
        "The system does not tell what lies at \(path): \(message). Try again, or ask who "
          + "owns its folder.")
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
  }

  /// Some seconds: to look through a small file takes the twentieth part.
  private static let openingSteps = 1_000_000_000

  /// Who reads a table once needs no more; see ``ReaderPool``.
  private static let firstCacheKilobytes = 128

  private func connect(
    _ access: Connection.Access, _ made: any ModelLayout
  ) throws(StoreError) -> Connection {
    let connection = try Connection(
      path: path ?? ":memory:", access: access,
      busyMilliseconds: Int32(clamping: options.busyMilliseconds))
    try connection.run(
      .settings(
        overwritesDeleted: options.overwritesDeletedContent, mappedBytes: options.mappedBytes,
        cacheKilobytes: Self.firstCacheKilobytes))
    for statement in CreateStatements(made, SQLiteDialect()).temporary {
      try connection.run(statement)
    }
    try connection.registerFunctions(files)
    if let bytes = options.largestRow { connection.limitLength(to: bytes) }
    connection.limit.allow(options.stepLimit)
    connection.traceIfAsked()
    return connection
  }

  private func journalMode(_ connection: Connection) throws(StoreError) -> String? {
    try connection.rows(.journalMode).first?.first?.text
  }

  // MARK: - Contents

  /// Removes what a process left that was ended while it wrote large values. A log or a journal is there
  /// from the first write on until the store is closed.
  private func collectUnusedFiles() {
    guard let path, !options.isReadOnly,
      model.shapes.contains(where: { !$0.layout.largeSlots.isEmpty }),
      ["-wal", "-journal"].contains(where: { SystemFile.kind(path + $0) != .none })
    else { return }
    // What is wrong with the store is found and told when it is opened, which follows; files that can
    // not be removed are in nobody's way.
    try? UnusedFiles.collect(storeAt: path)
  }

  /// A log that is still there was left by a process that did not close the store. SQLite takes from
  /// it what is whole; small files are looked through, large ones only when asked to.
  private func checkAfterUncleanEnd(_ connection: Connection) throws(StoreError) {
    let pages = try connection.number(.pageCount) ?? 0
    guard pages <= 2_000 else { return }
    let answer = try connection.rows(.quickCheck).first?.first?.text
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
