// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Opens or creates the file of a store, stage by stage. It throws before it changes a foreign file.
///
/// The stages are ``StoreContent``, ``StoreCompatibility``, ``OpeningPlan`` and ``StoreConnections``. The
/// first three only read, and callers can run each of them alone. The opening runs all four on one
/// connection, because another process may create or change the store between two connections.
struct StoreOpening {
  /// The parts of an opened store.
  struct Opened {
    let path: String?
    let identifier: String
    let isReadOnly: Bool
    let configuration: StoreConfiguration
    let plan: StorePlan
    let files: ExternalFiles?
    let upkeep: UpkeepAccount
    let connections: StoreConnections
    let refusalOfWrites: String?
    let noticesOtherProcesses: Bool
    /// Nil unless the store is read without locks.
    let watch: UntouchedWatch?
    /// Nil for a store in memory.
    let mark: OpenStores.Mark?
    /// The file had pages and no tables.
    let wasUnfinished: Bool
  }

  private let path: String?
  private let model: ManagedObjectModel
  private var options: SQLiteStoreOptions
  private let layout: any ModelLayout.Type
  private let files: ExternalFiles?
  private let upkeep = UpkeepAccount()
  private let keepCopy: StoreMigration.Keeping?
  private var refusalOfWrites: String?

  /// A nil path stands for a store in memory, and so does the system's empty device.
  init(
    path: String?, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions,
    _ layout: any ModelLayout.Type = CoreDataLayout.self,
    keeping keepCopy: StoreMigration.Keeping? = nil
  ) {
    self.keepCopy = keepCopy
    let file = path.flatMap { SystemFile.isNullDevice($0) ? nil : $0 }
    self.path = file
    self.layout = layout
    files = file.map { [upkeep] in ExternalFiles(storePath: $0, upkeep) }
    self.model = model
    self.options = options
    refusalOfWrites = options.refusalOfWrites
    // Another layout has no versions of its tables.
    if !(layout is CoreDataLayout.Type) { self.options.migration = .off }
  }

  func open() throws(StoreError) -> Opened {
    do throws(StoreError) {
      if try isClosedToWrites() {
        var reading = self
        reading.options.isReadOnly = true
        reading.refusalOfWrites = Self.refusalForHistory
        return try reading.open()
      }
      // A process that had the former file at this path open takes its log away while this one opens the file.
      return try BusyWait.retrying(.moved, milliseconds: options.busyMilliseconds) {
        () throws(StoreError) in try openOrMigrate()
      }
    } catch {
      throw path.map { error.located(at: $0) } ?? error
    }
  }

  private func openOrMigrate() throws(StoreError) -> Opened {
    let opened = try waitingForPlans { () throws(StoreError) in try openFile() }
    if let opened { return opened }
    try migrateByPlan()
    if let opened = try openFile() { return opened }
    throw Self.changedMeanwhile
  }

  /// The options turn the history off that the file has.
  private func isClosedToWrites() throws(StoreError) -> Bool {
    guard options.persistentHistory == .off, !options.isReadOnly, let path,
      try StoreContent.isFile(path), StoreError.text(path) == nil
    else { return false }
    return try UntouchedFile(path).read { (connection) throws(StoreError) in
      do throws(StoreError) {
        return try History.isKept(on: connection)
      } catch  where error.code == .corrupt {
        // The opening itself says what the file is.
        return false
      }
    }
  }

  private var keepsHistory: Bool { options.persistentHistory == .on && !options.isReadOnly }

  private static let refusalForHistory =
    "has a history, and was opened with persistentHistory = .off. A save without its transaction would leave a gap in "
    + "the history, so the store is open for reading only. Open it with .asInFile or .on to write."

  /// Repeats a step while another process runs a plan, which keeps everybody from the file.
  private func waitingForPlans<Output>(
    _ step: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard let path, options.migrationPlan != nil, options.migration.isAutomatic,
      !options.isReadOnly
    else { return try step() }
    return try MigrationTurn.patiently(
      SystemFile.target(of: path), options.migration, usually: options.busyMilliseconds, step)
  }

  /// A plan changes the file as a whole, so it runs while this process has no connection to the file.
  private func migrateByPlan() throws(StoreError) {
    guard let path, let plan = options.migrationPlan else { return }
    try plan.migrate(storeAt: URL(fileURLWithPath: path), to: model, options: options)
  }

  /// The file that links lead to. SQLite keeps the log and the journal beside it.
  private var file: String? { path.map(SystemFile.target) }

  private var hasLog: Bool { file.map { SystemFile.size($0 + "-wal") ?? 0 > 0 } ?? false }

  /// Nil if a migration plan has to run first. The connection to the file is closed then.
  private func openFile() throws(StoreError) -> Opened? {
    try options.check()
    let configuration = try StoreConfiguration(options.configuration, of: model)
    let layout = layout.init(model, holding: configuration.entities)
    if let file { try OpenStores.evictRemoved(at: file) }
    try makeFileIfMissing()
    let hasOldLog = hasLog
    let source = ConnectionSource(
      path: path, options: options, layout: layout, files: files, upkeep: upkeep)
    let access = source.access
    collectUnusedFiles(of: file)
    let watch = try path.flatMap { (path) throws(StoreError) in try UntouchedWatch(path, access) }
    // Before the first lock, so that no connection without locks closes the file in between.
    let mark = OpenStores.note(path, isLocked: watch == nil)
    var isOpen = false
    defer { if !isOpen { OpenStores.forget(mark) } }
    let connection = try source.connect(access)
    connection.limit.allow(Self.openingSteps)
    let wasUnfinished = try makeTablesIfMissing(layout, on: connection)
    if hasOldLog { try checkAfterUncleanEnd(connection) }
    let schema = try ModelMark.schema(of: connection)
    guard let identity = try identity(on: connection) else {
      connection.close()
      return nil
    }
    if keepsHistory { try History.makeTablesIfMissing(for: layout, on: connection) }
    let plan = StorePlan(
      model, try ExistingLayout(connection, layout).layout(), identifier: identity.identifier,
      files)
    if path != nil {
      connection.model = ModelMark(plan.layout, of: model, identity.metadata, schema: schema)
    }
    let connections = try StoreConnections(connection, plan, from: source, access: access)
    isOpen = true
    return Opened(
      path: path, identifier: identity.identifier, isReadOnly: options.isReadOnly,
      configuration: configuration, plan: plan, files: files, upkeep: upkeep,
      connections: connections, refusalOfWrites: refusalOfWrites,
      noticesOtherProcesses: options.noticesOtherProcesses, watch: watch, mark: mark,
      wasUnfinished: wasUnfinished)
  }

  /// True if the file had pages and no tables.
  private func makeTablesIfMissing(
    _ layout: any ModelLayout, on connection: Connection
  ) throws(StoreError) -> Bool {
    guard case .makeTables = plan(for: .empty) else { return false }
    return try StoreMaking(path: path, layout: layout, options: options).makeIfEmpty(connection)
  }

  private func plan(for content: StoreContent) -> OpeningPlan {
    OpeningPlan(for: content, at: path, model, options)
  }

  /// The identity of the store on the connection, which is migrated first if the change is inferred. Nil if a migration
  /// plan has to run. Throws unless the store can be opened.
  private func identity(on connection: Connection) throws(StoreError) -> StoreIdentity? {
    switch plan(for: try content(on: connection)) {
    case .open(let identity): return identity
    case .migrate where options.migrationPlan != nil: return nil
    case .migrate:
      guard let path else { throw StoreError.emptyFile("The database in memory") }
      try StoreMigration(path, model, options, keeping: keepCopy).run(beside: connection)
      return try migratedIdentity(on: connection)
    case .refuse(let error): throw error
    // Another process emptied the file after the tables were created or seen.
    case .makeFile, .makeTables: throw StoreError.emptyFile(path ?? "The database in memory")
    }
  }

  /// The content of the file, after another process has migrated it.
  private func content(on connection: Connection) throws(StoreError) -> StoreContent {
    guard let path else { return try StoreContent(on: connection, layout.names) }
    return try MigrationTurn.patiently(path, options.migration) { () throws(StoreError) in
      try StoreContent(on: connection, layout.names)
    }
  }

  private func migratedIdentity(on connection: Connection) throws(StoreError) -> StoreIdentity {
    switch plan(for: try content(on: connection)) {
    case .open(let identity): return identity
    case .refuse(let error): throw error
    case .makeFile, .makeTables, .migrate: throw Self.changedMeanwhile
    }
  }

  private static var changedMeanwhile: StoreError {
    StoreError(
      .busy, "Another process changed the store while it was opened. Open it again.")
  }

  /// A limit of some seconds. The check of a small file takes a twentieth of it.
  private static let openingSteps = 1_000_000_000

  // MARK: - Files

  /// Checks the path, and creates an empty file if there is none.
  private func makeFileIfMissing() throws(StoreError) {
    guard let path else { return }
    if try StoreContent.isFile(path) {
      if let error = options.lackOfPermission(at: path) ?? StoreError.text(path) { throw error }
      return
    }
    if let refusal = plan(for: .nothing).refusal { throw refusal }
    let error = SystemFile.create(path)
    guard error == 0 || SystemFile.kind(path) == .file else {
      throw StoreError(
        .cannotOpen,
        "No store can be created at \(path): \(SystemFile.message(error)). Its folder must exist, and "
          + "this process needs write permission there.")
    }
  }

  /// Removes the files of large values that a process left when it ended during a write. A log or a journal
  /// lies beside the store from the first write until the store closes.
  private func collectUnusedFiles(of file: String?) {
    // The model may have no large values, and a former version of it had some.
    guard let path, let file, !options.isReadOnly,
      SystemFile.hasLog(beside: file)
    else { return }
    do throws(StoreError) { try UnusedFiles.collect(storeAt: path) } catch {
      // The opening itself follows, and throws if the store is damaged.
      upkeep.note(error, of: .removingFiles)
    }
  }

  // MARK: - Contents

  /// Checks a store that the last process did not close: its log is still there. SQLite reads the complete
  /// part of the log. This checks small files; the caller can check large ones on request.
  private func checkAfterUncleanEnd(_ connection: Connection) throws(StoreError) {
    let pages = try connection.number(.pageCount) ?? 0
    guard pages <= 2_000 else { return }
    let answer = try connection.rows(.quickCheck).first?.first?.text
    guard answer == "ok" else {
      throw StoreError(
        .corrupt, "The store was not closed and is damaged: \(answer ?? "no details").")
    }
  }
}
