// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Opens the store of a schema, makes it where the schema has none, and changes it to the program's version of the model. One
/// process does that at a time, and others wait.
struct ServerOpening {
  private let layout: ServerLayout
  let options: PostgreSQLStoreOptions
  let address: String
  private var migration: MigrationOptions { options.migration }
  private let deadline: ContinuousClock.Instant

  init(_ layout: ServerLayout, _ options: PostgreSQLStoreOptions, at address: String) {
    self.layout = layout
    self.options = options
    self.address = address
    deadline = .now + .milliseconds(options.migration.patienceMilliseconds)
  }

  func open(_ connection: ServerConnection) throws(StoreError) -> OpenedStore {
    let opened = try transaction(on: connection) { () throws(StoreError) in
      guard try hasStore(connection) else {
        var opened = try make(connection)
        opened.keepsHistory = options.persistentHistory == .on
        if opened.keepsHistory { try makeHistory(connection) }
        return opened
      }
      return try withHistory(try check(connection), connection)
    }
    migration.progress?.advance(to: 1)
    return opened
  }

  /// The work of a migration, found without doing it.
  func forecast(_ connection: ServerConnection) throws(StoreError) -> MigrationForecast {
    try connection.run("BEGIN")
    defer {
      // `try?`, because a connection that cannot roll back has ended, and its transaction with it.
      _ = try? connection.run("ROLLBACK")
    }
    guard try hasStore(connection) else { return MigrationForecast() }
    let stored = try ServerMetadata(connection).stored()
    guard !stored.isOf(layout.model) else { return MigrationForecast() }
    if let stages = options.stages {
      return try stages.forecast(connection, (address, options), layout.model)
    }
    return try planned(stored, on: connection).forecast()
  }

  private func transaction<Output>(
    on connection: ServerConnection, _ body: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try connection.run("BEGIN")
    do throws(StoreError) {
      let patience = String(max(1, migration.patienceMilliseconds))
      try connection.run("SELECT set_config('lock_timeout', $1, true)", [.text(patience)])
      try takeTurn(connection)
      let output = try body()
      try connection.run("COMMIT")
      return output
    } catch {
      // `try?`, because a connection that cannot roll back has ended, and its transaction with it.
      _ = try? connection.run("ROLLBACK")
      throw error
    }
  }

  private func takeTurn(_ connection: ServerConnection) throws(StoreError) {
    do throws(StoreError) {
      try connection.run(
        "SELECT pg_advisory_xact_lock(hashtextextended('sporades ' || $1, 0))",
        [.text(options.schema)])
    } catch {
      guard error.serverFailure?.state == "55P03" else { throw error }
      throw StoreError(
        .busy,
        "\(connection.place): Another process makes or migrates the store, and took longer than "
          + "\(migration.patienceMilliseconds) ms. Try again, or raise migration.patienceMilliseconds.",
        underlying: error.underlying)
    }
  }

  private func hasStore(_ connection: ServerConnection) throws(StoreError) -> Bool {
    try hasTable(ServerLayout.names.metadata.table, connection)
  }

  func hasTable(_ name: String, _ connection: ServerConnection) throws(StoreError) -> Bool {
    try connection.hasTable(name, in: options.schema)
  }

  private func make(_ connection: ServerConnection) throws(StoreError) -> OpenedStore {
    let schemas = try connection.run(
      "SELECT count(*) FROM pg_namespace WHERE nspname = $1", [.text(options.schema)])
    if schemas.integer(0, 0) == 0 {
      try connection.run("CREATE SCHEMA \(PostgreSQLDialect().quoted(options.schema))")
    }
    _ = try connection.pipelined { (connection) throws(StoreError) in
      for statement in ServerSchema(layout).statements { try connection.send(statement) }
    }
    let identifier = UUID()
    let earlier =
      options.stages?.earlier(layout.model)
      ?? KnownVersions(migration.versions, of: layout.model).earlierChecksums(inConfiguration: nil)
    try ServerMetadata(connection).make(identifier, for: layout.model, after: earlier)
    return OpenedStore(identifier: identifier.uuidString)
  }

  // MARK: - Versions

  /// Refuses a store of another layout, and migrates one of another version of the model.
  private func check(_ connection: ServerConnection) throws(StoreError) -> OpenedStore {
    let stored = try ServerMetadata(connection).stored()
    let others = stored.others(than: layout.model)
    guard !others.isEmpty else {
      return OpenedStore(identifier: stored.identifier, migrations: stored.migrations)
    }
    guard migration.isAutomatic, migration.infersMapping || options.stages != nil else {
      throw StoreError(
        .incompatibleModel(others),
        "\(connection.place): The store has another version of the model, in which \(others.joined(separator: ", ")) "
          + (others.count == 1 ? "differs" : "differ")
          + ". Open it with that version, or with migration.isAutomatic and migration.infersMapping."
      )
    }
    try refuseOptions(connection.place)
    let cancellation = Cancellation()
    migration.progress?.whenCancelled { cancellation.cancel() }
    do throws(StoreError) {
      return try cancellation.run { () throws(StoreError) in
        if let stages = options.stages { return try migrate(stored, connection, by: stages) }
        _ = try change(stored, connection)
        return OpenedStore(identifier: stored.identifier, migrations: stored.migrations + 1)
      }
    } catch  where cancellation.isCancelled && error.code == .cancelled {
      throw StoreError(.cancelled, "The program cancelled the migration. The store is as it was.")
    }
  }

  /// Has a plan take the store to the program's version. The server undoes all of it if a stage fails.
  private func migrate(
    _ stored: ServerMetadata.Stored, _ connection: ServerConnection, by stages: ServerStages
  ) throws(StoreError) -> OpenedStore {
    try lock(stored.carriedModel(at: connection.place), connection)
    connection.inner = InnerTransaction()
    defer { connection.inner = nil }
    try stages.migrate(connection, (address, options), layout.model)
    let reached = try ServerMetadata(connection).stored()
    let others = reached.others(than: layout.model)
    guard others.isEmpty else {
      throw StoreError(
        .incompatibleModel(others),
        "\(connection.place): The plan left the store with another version of the model than the program's, in which "
          + "\(others.joined(separator: ", ")) \(others.count == 1 ? "differs" : "differ"). The store is as it was."
      )
    }
    return OpenedStore(identifier: reached.identifier, migrations: reached.migrations)
  }

  /// Changes the tables to another version, without objects. Returns where the rows went.
  func change(
    _ stored: ServerMetadata.Stored, _ connection: ServerConnection,
    _ code: ServerStageCode = ServerStageCode()
  ) throws(StoreError) -> RowSuccessors {
    try lock(former(stored, code, connection).model, connection)
    // A writer that was about to commit has done so by now.
    let migration = try planned(stored, on: connection, code)
    try migration.check()
    try Cancellation.check()
    try migration.run()
    for comment in ServerSchema(layout).comments { try connection.run(comment) }
    if try hasTable(HistoryTables.changes, connection) {
      try ServerHistoryMigration(migration.succession, bundle: options.bundleIdentifier)
        .run(on: connection)
    }
    try Cancellation.check()
    try ServerMetadata(connection).migrate(
      stored, to: layout.model,
      from: migration.former.earlierChecksums(than: layout.model, self.migration))
    return migration.succession.rowSuccessors
  }

  func planned(
    _ stored: ServerMetadata.Stored, on connection: ServerConnection,
    _ code: ServerStageCode = ServerStageCode()
  ) throws(StoreError) -> ServerMigration {
    // Sets of keys are compared in memory.
    try connection.run("SELECT set_config('work_mem', '256MB', true)")
    return try ServerMigration(
      connection, from: former(stored, code, connection), to: layout, migration, code)
  }

  private func former(
    _ stored: ServerMetadata.Stored, _ code: ServerStageCode, _ connection: ServerConnection
  ) throws(StoreError) -> ServerFormer {
    try ServerFormer(
      stored, to: layout.model, migration, migratesBack: code.migratesBack, at: connection.place)
  }

  private func refuseOptions(_ place: String) throws(StoreError) {
    guard migration.keepsCopy || migration.startsAnewIfImpossible else { return }
    let name = migration.keepsCopy ? "keepsCopy" : "startsAnewIfImpossible"
    throw StoreError(
      .unsupported,
      "\(place): migration.\(name) is for files. Keep a copy with pg_dump, and open the store without it."
    )
  }

  /// The longest time that a migration keeps readers waiting while it waits for them.
  private static let shortWait = 2_000

  /// Waits until nobody uses the tables. It asks again and again, because all readers wait behind one who asks.
  private func lock(
    _ former: ManagedObjectModel, _ connection: ServerConnection
  ) throws(StoreError) {
    let dialect = PostgreSQLDialect()
    let names = ServerMigration.tableNames(try ServerLayout(former)).map(dialect.quoted)
    guard !names.isEmpty else { return }
    let wait = String(max(1, min(Self.shortWait, migration.patienceMilliseconds)))
    try connection.run("SELECT set_config('lock_timeout', $1, true)", [.text(wait)])
    while true {
      try connection.run("SAVEPOINT turn")
      do throws(StoreError) {
        try connection.run("LOCK TABLE \(names.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
        return
      } catch {
        guard ["55P03", "40P01"].contains(error.serverFailure?.state) else { throw error }
        guard ContinuousClock.now < deadline else {
          throw StoreError(
            .busy,
            "\(connection.place): The store is to be migrated, and others used its tables for "
              + "\(migration.patienceMilliseconds) ms. Close them, try again, or raise migration.patienceMilliseconds.",
            underlying: error.underlying)
        }
        try connection.run("ROLLBACK TO SAVEPOINT turn")
      }
    }
  }
}
