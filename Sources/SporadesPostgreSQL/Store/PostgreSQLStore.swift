// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel
public import SporadesStore
import Synchronization

/// A store in the tables of a PostgreSQL server.
///
/// ```swift
/// let store = try PostgreSQLStore("postgresql://app@db.example.com/app", model: model)
/// ```
///
/// One connection writes, and others read; or many stores share ``PostgreSQLConnections``. A store whose connection is lost
/// connects again by itself.
public final class PostgreSQLStore: RevocableStore, GenerationKeepingStore, SharedStore {
  /// The model whose entities the tables hold.
  public let model: ManagedObjectModel
  /// The UUID in the store's table, which identifies the store.
  public let identifier: String
  package let plan: ServerPlan
  let tables: any WrittenTables
  let source: ServerSource
  /// The state that a companion keeps with the store.
  let kept = Guarded<(any Sendable)?>(nil)
  private let writer: Guarded<ServerWriter>
  let readers: ServerPool
  private let keys: ServerKeys
  private let standbys: ServerStandbys?
  private let isClosed = Atomic<Bool>(false)

  /// Opens the store in a schema of a server's database, or creates it. The address is a connection string of libpq, so that
  /// service files, several hosts, TLS, and passwords from files and from the environment work as with `psql`.
  public convenience init(
    _ address: String, model: ManagedObjectModel,
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) throws(StoreError) {
    if let mapped = model.entities.first(where: { $0.userInfo[SchemaNote.table] != nil }) {
      throw StoreError(
        .unsupported,
        "\(mapped.name) is in a table that exists already. Import SporadesExistingTables, and open the store with "
          + "PostgreSQLStore(existingTablesAt:model:).")
    }
    try self.init(address, options: options) { (connection) throws(StoreError) in
      let layout = try ServerLayout(model)
      let opening = ServerOpening(layout, options, at: address)
      return (OwnTables(layout), try opening.open(connection))
    }
  }

  /// Opens a store over the tables that `opening` finds or makes.
  package init(
    _ address: String, options: PostgreSQLStoreOptions,
    _ opening: (ServerConnection) throws(StoreError) -> (any WrittenTables, OpenedStore)
  ) throws(StoreError) {
    try options.check()
    let source = ServerSource(address: try ServerAddress(address), options: options)
    readers = ServerPool(source)
    let connection = try readers.lend()
    var writer: ServerWriter
    do throws(StoreError) {
      let (tables, opened) = try Self.opened(on: connection, source, opening)
      writer = try ServerWriter(
        connection, of: readers, ServerPlan(tables, opened, options), tables, source)
    } catch {
      readers.takeBack(connection)
      throw error
    }
    writer.rest()
    if options.signalsCommits { writer.signals = ServerSignals(options.schema, readers) }
    (plan, tables) = (writer.plan, writer.tables)
    model = tables.layout.model
    identifier = plan.scope.identifier
    self.source = source
    self.writer = Guarded(writer)
    standbys = ServerStandbys(source, primary: readers)
    keys = ServerKeys(tables, readers, source.promises)
  }

  private static func opened(
    on connection: ServerConnection, _ source: ServerSource,
    _ opening: (ServerConnection) throws(StoreError) -> (any WrittenTables, OpenedStore)
  ) throws(StoreError) -> (any WrittenTables, OpenedStore) {
    try ServerPooler(before: connection, source)?.check(connection)
    connection.keepsStatements = false
    defer { connection.keepsStatements = true }
    // A shared connection may be limited already, and a migration takes its time.
    if source.options.connections != nil { try connection.run("RESET statement_timeout") }
    let opened = try opening(connection)
    try source.limit(connection)
    return opened
  }

  deinit {
    // No owner is left to receive an error. Each failed round drops the change sets that cannot be restored, and closing is
    // tried again.
    while (try? close()) == nil, (try? restoreAccepted())?.isEmpty == false {}
    writer.withLock { $0.abandon() }
  }

  /// The statements that make the tables of a model. Opening a store in an empty schema runs exactly these.
  public static func schema(for model: ManagedObjectModel) throws(StoreError) -> String {
    ServerSchema(try ServerLayout(model)).statements.map { $0 + ";\n" }.joined(separator: "\n")
  }

  /// The changes that opening the store with a version of the model would make, found without making them.
  public static func migrationForecast(
    forStoreAt address: String, to model: ManagedObjectModel,
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) throws(StoreError) -> MigrationForecast {
    let connection = try ServerSource(address: try ServerAddress(address), options: options)
      .connect()
    return try ServerOpening(try ServerLayout(model), options, at: address).forecast(connection)
  }

  // MARK: - Access

  package var options: PostgreSQLStoreOptions { source.options }

  func checkOpen() throws(StoreError) {
    guard !isClosed.load(ordering: .acquiring) else {
      throw StoreError(.closed, "The store was closed. Open it again to use it.")
    }
  }

  /// Runs `body` on the writer, uninterrupted. The keys of new rows are noted before, on another connection.
  func write<Output: Sendable>(
    noting changes: ChangeSet? = nil, _ body: (inout ServerWriter) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try Cancellation.shielding { () throws(StoreError) in
      try onWriter(noting: changes) { (writer) throws(StoreError) in answer.take(try body(&writer))
      }
    }
    return answer.get()
  }

  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes.
  private dynamic func onWriter(
    noting changes: ChangeSet?, _ body: (inout ServerWriter) throws(StoreError) -> Void
  ) throws(StoreError) {
    try checkOpen()
    if let changes { try keys.note(changes) }
    try writer.withLock { (writer) throws(StoreError) in
      try checkOpen()
      try readers.claim()
      defer { readers.release() }
      try writer.begin()
      defer { writer.rest() }
      try writer.repeating(body)
    }
  }

  /// Runs `body` on a connection that shows the state which the view asks for.
  func read<Output: Sendable>(
    _ view: StoreView, _ body: (ServerReading) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try onReader(view) { (reading) throws(StoreError) in answer.take(try body(reading)) }
    return answer.get()
  }

  private dynamic func onReader(
    _ view: StoreView, _ body: (ServerReading) throws(StoreError) -> Void
  ) throws(StoreError) {
    try checkOpen()
    if case .generation(let generation) = view {
      return try generation.state(of: self, as: ServerState.self).read {
        (connection) throws(StoreError) in
        try body(ServerReading(connection: connection, plan: plan))
      }
    }
    if view == .accepted {
      let isRead = try writer.withLock { (writer) throws(StoreError) in
        try checkOpen()
        guard !writer.accepted.isEmpty else { return false }
        try readers.claim()
        defer { readers.release() }
        defer { standbys?.touch() }
        try writer.read(body)
        return true
      }
      if isRead { return }
    }
    try readCommitted { (connection) throws(StoreError) in
      try body(ServerReading(connection: connection, plan: plan))
    }
  }

  /// Runs `body` on a connection to the primary.
  package func onPrimary<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try checkOpen()
    return try readers.read(body)
  }

  /// Later reads show no less than the primary has now.
  package func noteSeen(mayLackSync: Bool = false) { standbys?.touch(mayLackSync: mayLackSync) }

  /// Runs `body` on a standby that has what the store needs, else on the primary.
  private func readCommitted(
    _ body: (ServerConnection) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let standbys else { return try readers.read(body) }
    if !WriteScope.isWrite, try standbys.read(body) { return }
    defer { standbys.touch() }
    try readers.read(body)
  }

  /// Runs `body`, whose statements all see one state if it is to be read as one.
  func read<Output: Sendable>(
    _ view: StoreView, asOne isOne: Bool, _ body: (ServerReading) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try read(view) { (reading) throws(StoreError) in
      isOne ? try reading.asOne(body) : try body(reading)
    }
  }

  // MARK: - Changes

  /// Writes a change set into the open transaction. Begins a transaction if none is open.
  public func execute(_ changes: ChangeSet) throws(StoreError) {
    guard !changes.isEmpty else { return try checkOpen() }
    try write(noting: changes) { (writer) throws(StoreError) in try writer.execute(changes) }
  }

  /// Writes a change set, runs `rest`, and undoes the change set if `rest` throws.
  public func execute(
    _ changes: ChangeSet, then rest: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try write(noting: changes) { (writer) throws(StoreError) in
      try withoutActuallyEscaping(rest) { (rest) throws(StoreError) in
        try writer.execute(changes, then: rest)
      }
    }
  }

  /// Writes a change set and commits it, in one round trip where it can be refused only as a whole.
  public func execute(
    _ changes: ChangeSet, committing durability: Durability
  ) throws(StoreError) -> StoreError? {
    defer { standbys?.touch(mayLackSync: durability == .eventual) }
    return try write(noting: changes) { (writer) throws(StoreError) in
      try writer.execute(changes, committing: durability)
    }
  }

  /// Makes all accepted change sets a permanent part of the store. With `.immediate` durability they are on the server's
  /// disk, and on those of its synchronous standbys. With `.eventual` durability a crash of the server may lose them.
  public func commit(_ durability: Durability) throws(StoreError) {
    defer { standbys?.touch(mayLackSync: durability == .eventual) }
    if try isSettled(to: durability) { return }
    try write { (writer) throws(StoreError) in try writer.commit(durability) }
  }

  /// Executes the accepted change sets again after their transaction was lost with its connection. Returns the change sets
  /// that other writers made impossible.
  public func restoreAccepted() throws(StoreError) -> [LostChanges] {
    if try isSettled() { return [] }
    return try write { (writer) throws(StoreError) in try writer.takeLosses() }
  }

  /// The store has changes that are not committed yet.
  package var hasAccepted: Bool { writer.withLock { !$0.accepted.isEmpty } }

  private func isSettled(to durability: Durability = .eventual) throws(StoreError) -> Bool {
    try checkOpen()
    return writer.withLock { $0.isSettled(to: durability) }
  }

  /// Removes change sets from the open transaction.
  public func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try write { (writer) throws(StoreError) in try writer.withdraw(changes) }
  }

  /// Reserves primary keys in blocks.
  public func reserveKeys(
    _ count: Int, for entity: EntityShape
  ) throws(StoreError) -> Range<Int64> {
    try checkOpen()
    // New rows need keys, and no cancellation interrupts a save.
    return try Cancellation.shielding { () throws(StoreError) in
      try keys.reserve(count, ofRoot: entity.rootNumber)
    }
  }

  /// Empties every table of the model in one transaction. The metadata stays.
  public func removeAllRows() throws(StoreError) {
    guard tables.keepsBooks else { throw .unkept("so it does not empty them either") }
    defer { standbys?.touch() }
    try write { (writer) throws(StoreError) in try writer.removeAllRows() }
  }

  // MARK: - The store

  /// The store's connections and the waits for them.
  public var metrics: PostgreSQLStoreMetrics {
    let (reads, count) = standbys?.counts ?? (0, 0)
    return readers.metrics(withReads: reads, ofStandbys: count)
  }

  public func metadata() throws(StoreError) -> [String: MetadataValue] {
    try read(.committed) { (reading) throws(StoreError) in
      guard tables.keepsBooks else { return ["NSStoreUUID": .string(identifier)] }
      return try ServerMetadata(reading.connection).read(identifier)
    }
  }

  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    guard tables.keepsBooks else { throw .unkept("metadata") }
    try Cancellation.shielding { () throws(StoreError) in
      try onPrimary { (connection) throws(StoreError) in
        try ServerMetadata(connection).write(metadata, migrations: plan.migrations)
      }
    }
    standbys?.touch()
  }

  /// A server keeps microseconds.
  public var datePrecision: DatePrecision { .microseconds }

  /// A transaction keeps a state, as long as its connection lasts.
  public var keepsGenerations: Bool { readers.pinned == nil }

  /// Keeps the present committed state, on a connection that nobody else uses.
  public func generation() throws(StoreError) -> StoreGeneration {
    try checkOpen()
    if !WriteScope.isWrite, let state = try standbys?.keepState() {
      return StoreGeneration(state, of: self)
    }
    defer { standbys?.touch() }
    return StoreGeneration(try readers.keepState(), of: self)
  }

  /// Calls `committed` with the store's identifier after another process has committed changes, or another store of this
  /// process. Looks for that at the distance that the options say.
  public func observeOthers(
    _ committed: @escaping @Sendable (String) -> Void
  ) -> StoreObservation? {
    // Programs that know nothing of the store number no writes.
    guard tables.keepsBooks, readers.pinned == nil else { return nil }
    let watch = ServerWatch(source.options.pollInterval, readers, source) {
      [identifier, standbys] in
      standbys?.touch()
      committed(identifier)
    }
    watch.begin(hearing: source.options.signalsCommits ? source : nil)
    return StoreObservation { watch.end() }
  }

  /// Commits the accepted changes, and ends all connections. If the commit fails, the store stays open.
  public func close() throws(StoreError) {
    guard !isClosed.load(ordering: .acquiring) else { return }
    try Cancellation.shielding { () throws(StoreError) in
      try writer.withLock { (writer) throws(StoreError) in
        try readers.claim()
        defer { readers.release() }
        defer { writer.rest() }
        try writer.close()
        isClosed.store(true, ordering: .releasing)
      }
    }
    readers.close()
    standbys?.close()
  }
}
