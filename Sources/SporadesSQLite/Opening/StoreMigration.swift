// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Changes the store in a file to the program's version of the model, or foretells the change.
struct StoreMigration {
  private let path: String
  private let model: ManagedObjectModel
  private let options: SQLiteStoreOptions
  private let rowWork: [RowWork]
  private let keepCopy: Keeping?
  private let progress: MigrationProgress

  init(
    _ path: String, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions,
    _ rowWork: [RowWork] = [], keeping keepCopy: Keeping? = nil
  ) {
    self.keepCopy = keepCopy
    self.path = path
    self.model = model
    self.options = options
    self.rowWork = rowWork
    progress = options.migration.progress ?? MigrationProgress()
  }

  /// Keeps a copy of the store as a connection shows it. Returns the removal of the copy, for a migration that fails.
  typealias Keeping = (Connection) throws(StoreError) -> () -> Void

  // MARK: - Running

  /// Changes the store in one transaction, unless another process was faster. Returns where its rows went.
  ///
  /// Where no commit succeeds, the caller's other connection is closed before the files of the migration are removed.
  @discardableResult
  func run(beside other: Connection? = nil) throws(StoreError) -> RowSuccessors? {
    let turn = MigrationTurn(path, options.migration)
    let values = LargeValueMigration(storePath: path)
    collectFiles()
    let connection = try Connection(
      path: path, access: .readWrite, busyMilliseconds: Int32(clamping: options.busyMilliseconds))
    defer { connection.close() }
    try prepare(connection, values)
    connection.limit.isCancelled = { [progress] in progress.isCancelled }
    // The files that the commit drops go right after it.
    try connection.run(
      .settingsOfWriter(synchronous: "EXTRA", cacheKilobytes: options.cacheKilobytes))
    try turn.begin(connection)
    let successors: RowSuccessors?
    var removeCopy: (() -> Void)?
    do throws(StoreError) {
      successors = try change(connection, values, &removeCopy)
      guard !progress.isCancelled else { throw InPlaceMigration.cancelled }
    } catch {
      connection.rollBack()
      values.undo()
      removeCopy?()
      guard error.code != .interrupted else { throw InPlaceMigration.cancelled }
      throw values.cause(of: error).located(at: path)
    }
    connection.limit.isCancelled = nil
    do throws(StoreError) { try connection.run(.commit) } catch {
      connection.rollBack()
      if withdraws(values, connection, beside: other) { removeCopy?() }
      throw error.located(at: path)
    }
    values.finish(connection)
    progress.advance(to: 1)
    return successors
  }

  private func change(
    _ connection: Connection, _ values: LargeValueMigration, _ removeCopy: inout (() -> Void)?
  ) throws(StoreError) -> RowSuccessors? {
    let schema = try ModelMark.schema(of: connection)
    let identity = try StoreContent(on: connection).identity(at: path)
    guard needsMigration(identity) else { return nil }
    let archive = ModelArchiving(model)
    try LeftColumns(identity.metadata).drop(connection)
    let former = try FormerModel(of: identity, on: connection, to: model, options)
    let migration = try migration(from: former, on: connection)
    var problems = try migration.problems()
    var remark: String?
    if refusesLosses(from: former) {
      let losses = try migration.losses()
      problems += losses.map(refusal(migration).problem)
      remark = Self.remark(on: losses, former, migration)
    }
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems, remark) }
    do throws(StoreError) { removeCopy = try keepFormer() } catch {
      throw try error.namingMissingFiles(
        ofStoreAt: path, connection, former.model, former.configuration)
    }
    MigrationDebug.tell(path) { () throws(StoreError) in try migration.forecast() }
    try migration.run(progress, values)
    try recordMigration(from: identity.metadata, former, connection)
    var metadata = StoreMetadata.migrated(
      identity.metadata, from: former.earlierChecksums(than: model, options), to: model,
      options.configuration)
    metadata[LeftColumns.key] = LeftColumns(migration.changes.leftColumns).entry
    try values.prepareCommit(connection)
    if try ModelMark.schema(of: connection) == schema { try connection.run(.renewSchema) }
    let names = CoreDataLayout.names
    try connection.run(
      MetadataStatements(names, SQLiteDialect()).set(contents: StoreMetadata.plist(metadata)))
    if let cache = names.modelCache {
      let statements = ModelCacheStatements(cache, SQLiteDialect())
      if !migration.objects.tables.contains(cache.table) { try connection.run(statements.create) }
      try connection.run(statements.clear)
      try connection.run(statements.add(contents: archive.bytes()))
    }
    return migration.succession.rowSuccessors
  }

  /// Adds the transaction that Core Data's migrator adds to a history. It has no changes, and its author names the former
  /// version.
  private func recordMigration(
    from metadata: [String: MetadataValue], _ former: FormerModel, _ connection: Connection
  ) throws(StoreError) {
    guard var history = try History(on: connection, bundle: options.bundleIdentifier) else {
      return
    }
    var digest = former.model.versionHashesDigest(inConfiguration: former.configuration) ?? ""
    if case .string(let stored)? = metadata[StoreMetadata.digestKey] { digest = stored }
    _ = try history.addTransaction(
      "com.apple.coredata.schemamigrator: lightweight migration from model with digest { \(digest) }",
      nil, connection)
  }

  /// Keeps the store as it was, if the options ask for that.
  private func keepFormer() throws(StoreError) -> (() -> Void)? {
    guard let keepCopy else { return nil }
    // SQLite copies nothing from a connection that is about to write.
    let reader = try Connection(
      path: path, access: .readOnly, busyMilliseconds: Int32(clamping: options.busyMilliseconds))
    defer { reader.close() }
    return try keepCopy(reader)
  }

  /// Removes the files of a migration whose commit failed. Returns whether the store is sure to be as it was.
  private func withdraws(
    _ values: LargeValueMigration, _ connection: Connection, beside other: Connection?
  ) -> Bool {
    // `try?`, because the error of the commit says more.
    if let isFormer = try? withdraw(values, connection) { return isFormer }
    connection.close()
    other?.close()
    // `try?`, for the same reason. The next migration or opening removes the files then.
    try? withdrawAlone(values)
    return false
  }

  /// Does so with another commit. Returns whether the store is as it was.
  ///
  /// A commit whose log could not be synced may come back after a crash, until another one takes its place in the log.
  private func withdraw(
    _ values: LargeValueMigration, _ connection: Connection
  ) throws(StoreError) -> Bool {
    let isFormer = try connection.transaction { () throws(StoreError) in
      try connection.run(.renewSchema)
      return needsMigration(try StoreContent(on: connection).identity(at: path))
    }
    guard !connection.hasMoved else { return false }
    try values.undo(unnamedOn: connection)
    return isFormer
  }

  /// Does so where no other commit succeeds, while nobody else has the file open. A new connection reads the log as the
  /// system holds it, and a crash can bring back no more than that. So a file that no row names belongs to nobody.
  private func withdrawAlone(_ values: LargeValueMigration) throws(StoreError) {
    // Without a log, the file itself holds all rows, and to open one would write.
    guard SystemFile.hasLog(beside: SystemFile.target(of: path)) else {
      return try UntouchedFile(path).read { (connection) throws(StoreError) in
        try values.undo(unnamedOn: connection)
      }
    }
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
    defer { connection.close() }
    try connection.run(.beginAlone)
    guard !connection.hasMoved else { return }
    try values.undo(unnamedOn: connection)
  }

  /// Removes what a migration left in the folder of large values that ended before its commit, or whose commit failed.
  private func collectFiles() {
    guard SystemFile.hasLog(beside: SystemFile.target(of: path)) else { return }
    // `try?`, because the migration itself tells what is wrong with the file.
    _ = try? UnusedFiles.collect(storeAt: path)
  }

  /// The remark in an error about content without a place.
  private static func remark(
    on losses: [MigrationForecast.Loss], _ former: FormerModel, _ migration: InPlaceMigration
  ) -> String? {
    guard !losses.isEmpty else { return nil }
    let remarks = [
      former.order?.remark(on: losses), FormerNames.remark(migration.succession.evolution),
    ].compactMap(\.self)
    return remarks.isEmpty ? nil : remarks.joined(separator: " ")
  }

  private func refusesLosses(from former: FormerModel) -> Bool {
    !options.migration.allowsLosses(isDeclared: former.isDeclared)
  }

  private func refusal(_ migration: InPlaceMigration) -> LossRefusal {
    LossRefusal(
      evolution: migration.succession.evolution, losses: options.migration.losses)
  }

  private func needsMigration(_ identity: StoreIdentity) -> Bool {
    let compatibility = StoreCompatibility(
      of: identity.metadata, with: model, configuration: options.configuration)
    return compatibility != .same
  }

  // MARK: - Planning

  /// The work, without doing it.
  func forecast() throws(StoreError) -> MigrationForecast {
    try UntouchedFile(path).read { (connection) throws(StoreError) in
      do throws(StoreError) {
        try prepare(connection, LargeValueMigration(storePath: path))
        try connection.run(.begin)
        let identity = try StoreContent(on: connection).identity(at: path)
        guard needsMigration(identity) else { return MigrationForecast() }
        let former = try FormerModel(of: identity, on: connection, to: model, options)
        let migration = try migration(from: former, on: connection)
        var forecast = try migration.forecast()
        if refusesLosses(from: former) {
          forecast.problems += forecast.losses.map(refusal(migration).problem)
          if let remark = Self.remark(on: forecast.losses, former, migration) {
            forecast.notes.append(remark)
          }
        }
        if let note = former.note { forecast.notes.append(note) }
        return forecast
      } catch {
        throw error.located(at: path)
      }
    }
  }

  private func migration(
    from former: FormerModel, on connection: Connection
  ) throws(StoreError) -> InPlaceMigration {
    let old = try StoreConfiguration(former.configuration, of: former.model)
    let new = try StoreConfiguration(options.configuration, of: model)
    let scheme = CoreDataLayout(former.model, holding: old.entities)
    let target = CoreDataLayout(model, holding: new.entities)
    return try InPlaceMigration(
      connection, from: MigrationSide(scheme, ExistingLayout(connection, scheme).layout()),
      to: MigrationSide(target, target.layout),
      ModelEvolution(from: former.model, through: former.between, to: model), rowWork,
      stageCode: options.stageCode,
      leavesColumns: options.migration.defersCleanup)
  }

  /// Prepares a connection, without the temporary tables of the program's configuration, whose names could hide tables.
  private func prepare(
    _ connection: Connection, _ values: LargeValueMigration
  ) throws(StoreError) {
    try connection.run(
      .settings(
        overwritesDeleted: options.overwritesDeletedContent, mappedBytes: options.mappedBytes,
        cacheKilobytes: options.cacheKilobytes))
    try connection.registerFunctions(ExternalFiles(storePath: path, UpkeepAccount()))
    try connection.registerConversion()
    try connection.registerLargeValues(values)
    // A large store takes more steps than any request.
    connection.limit.allow(0)
    connection.traceIfAsked()
  }
}
