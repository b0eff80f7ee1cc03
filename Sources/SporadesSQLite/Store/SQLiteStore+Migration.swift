// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Foretells what opening a store with another version of its model would do, by a plan. The store stays as it is.
  ///
  /// The code of the plan does not run. What it may repair or carry over is listed apart: see
  /// ``SporadesModel/MigrationForecast/problemsLeftToCode``.
  public static func migrationForecast(
    forStoreAt url: URL, to model: ManagedObjectModel, plan: any StoreMigrationPlan,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) -> MigrationForecast {
    var options = options
    options.migrationPlan = plan
    return try migrationForecast(forStoreAt: url, to: model, options: options)
  }

  /// Foretells what opening a store with another version of its model would do, by the plan of the options if they have one.
  /// The store stays as it is.
  public static func migrationForecast(
    forStoreAt url: URL, to model: ManagedObjectModel,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) -> MigrationForecast {
    let path = try url.storePath
    let identity = try StoreContent.read(at: path).identity(at: path)
    if let plan = options.migrationPlan,
      !model.isConfiguration(
        withName: options.configuration, compatibleWithStoreMetadata: identity.metadata)
    {
      return try plan.forecast(forStoreAt: url, to: model, options: options)
    }
    return try migrationForecast(forStoreAt: url, to: model, options: options, rowWork: [])
  }

  /// Foretells the change of a store without its plan, with code for its rows.
  package static func migrationForecast(
    forStoreAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions,
    rowWork: [RowWork]
  ) throws(StoreError) -> MigrationForecast {
    try StoreMigration(url.storePath, model, options, rowWork).forecast()
  }

  /// Changes a store to another version of its model, without opening it. A store of that version stays as it is.
  ///
  /// The change happens as a whole or not at all. `options.migration.progress` shows how far it is, and can cancel it.
  public static func migrate(
    storeAt url: URL, to model: ManagedObjectModel,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    guard let plan = options.migrationPlan else {
      _ = try migrate(storeAt: url, to: model, options: options, rowWork: [])
      return
    }
    let metadata = try metadata(ofStoreAt: url)
    guard
      !model.isConfiguration(
        withName: options.configuration, compatibleWithStoreMetadata: metadata)
    else { return }
    try plan.migrate(storeAt: url, to: model, options: options)
  }

  /// Changes a store without its plan, with code for its rows. Returns where its rows went; nil if the store had the version
  /// already.
  package static func migrate(
    storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions,
    rowWork: [RowWork]
  ) throws(StoreError) -> RowSuccessors? {
    let path = try url.storePath
    let isWhole = UntouchedFile(path).isLeftWhole
    // The migration itself looks at the file under its lock.
    if !isWhole { _ = try StoreContent.read(at: path).identity(at: path) }
    if let error = options.lackOfPermission(at: path) { throw error }
    do throws(StoreError) {
      return try StoreMigration(
        path, model, options, rowWork, keeping: FormerStore.keeping(path, options)
      ).run()
    } catch  where isWhole && [.corrupt, .cannotOpen, .unsupported].contains(error.code) {
      // This look says better what else lies at the path.
      _ = try StoreContent.read(at: path).identity(at: path)
      throw error
    }
  }

  /// About the number of rows in a store, by the largest keys that it handed out.
  package static func estimatedRows(
    ofStoreAt path: String, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) throws(StoreError) -> Int {
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
    defer { connection.close() }
    let held = try StoreConfiguration(options.configuration, of: model).entities
    let layout = CoreDataLayout(model, holding: held).layout
    let counters = CounterStatements(layout.names, SQLiteDialect())
    var sum = 0.0
    for shape in model.shapes where shape.superNumber == 0 {
      let number = layout.storeNumber(shape.number)
      sum += Double(try connection.number(counters.maximum(of: Int64(number))) ?? 0)
    }
    return Int(exactly: sum.rounded()) ?? .max
  }

  /// Throws if an object in a file lacks a required value or link.
  package static func checkRequiredValues(
    storeAt path: String, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) throws(StoreError) {
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
    defer { connection.close() }
    let held = try StoreConfiguration(options.configuration, of: model).entities
    let scheme = CoreDataLayout(model, holding: held)
    let side = try MigrationSide(scheme, ExistingLayout(connection, scheme).layout())
    try side.checkRequiredValues(of: model.shapes.map(\.number), links: true, connection)
  }

  // MARK: - Deferred work

  /// Removes the values that a migration with `defersCleanup` left in the file. Other connections go on.
  public func finishDeferredMigration() throws(StoreError) {
    while try finishDeferredMigrationTask() {}
  }

  /// Does one part of that work, in one transaction; returns false if none is left.
  public func finishDeferredMigrationTask() throws(StoreError) -> Bool {
    try checkOpen()
    guard let path, !isReadOnly else { return false }
    do throws(StoreError) {
      let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 60_000)
      defer { connection.close() }
      connection.limit.allow(0)
      return try connection.transaction { () throws(StoreError) in
        try Self.dropLeftColumn(connection, path)
      }
    } catch {
      throw error.located(at: path)
    }
  }

  private static func dropLeftColumn(
    _ connection: Connection, _ path: String
  ) throws(StoreError) -> Bool {
    var metadata = try StoreContent(on: connection).identity(at: path).metadata
    var left = LeftColumns(metadata)
    guard try left.dropNext(connection) else { return false }
    metadata[LeftColumns.key] = left.entry
    try connection.run(
      MetadataStatements(CoreDataLayout.names, SQLiteDialect()).set(
        contents: StoreMetadata.plist(metadata)))
    return true
  }
}
