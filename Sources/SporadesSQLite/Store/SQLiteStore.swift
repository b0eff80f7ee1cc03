// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
package import SporadesSQL
public import SporadesStore
import Synchronization

/// A store in a SQLite file with Core Data's layout. It reads and writes files that an app made, and an app
/// can open the files that it makes.
///
/// One connection writes. Readers have connections of their own and never wait for a commit.
public final class SQLiteStore: RevocableStore, TriggerRunningStore {
  /// The model whose entities the tables of the file hold.
  public let model: ManagedObjectModel
  /// The UUID in the file, which identifies the store.
  public let identifier: String
  /// The file; nil for a store in memory.
  public let path: String?
  /// Whether the store was opened for reading only.
  public let isReadOnly: Bool
  /// The file had pages and no tables when it was opened: somebody had begun a store, or copied one without its log.
  package let wasUnfinished: Bool
  /// The configuration in the options; nil if the store holds all entities.
  public var configurationName: String? { configuration.name }
  let configuration: StoreConfiguration
  /// Whether the store holds rows of the entity with the number.
  package func holds(_ entity: Int) -> Bool { configuration.holds(entity) }
  let plan: StorePlan
  let files: ExternalFiles?
  let account: UpkeepAccount
  /// Records the failures of background work: checkpoints, and the removal of files.
  public var upkeep: StoreUpkeep { account.upkeep }
  let place: StorePlace?
  let writer: LockedWriter
  /// Nil for a store in memory, which has a single connection.
  let readers: ReaderPool?
  let log: WriteAheadLog?
  private let hasOwnTriggers: Bool
  /// False for a file without a write-ahead log. There, an open read transaction blocks every writer.
  public let keepsGenerations: Bool
  /// The tables of the history, once the store has seen them.
  let knownHistory: Guarded<CoreDataHistory?>
  /// Whether the file has triggers of an app, or those of Core Data.
  public let hasTriggers: Bool
  /// The states of a store in memory; nil for a file.
  let liveStates: LiveStates?
  private let isClosed = Atomic<Bool>(false)
  /// Grows with each request that may write.
  let ownWrites = Atomic<Int>(0)
  private let openFile: OpenStores.Mark?
  private let residence: OpenStores.Residence?
  private let refusalOfWrites: String
  let noticesOtherProcesses: Bool
  /// Nil unless the store is read without locks.
  private let watch: UntouchedWatch?
  /// The functions that conditions of other modules call.
  let taught = TaughtConditions()

  /// Opens the store at `path`, or creates it. A failed opening leaves an existing file unchanged.
  public convenience init(
    path: String, model: ManagedObjectModel, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(
      opened: MigratingOpening(
        path: path, model: model, options: options, layout: CoreDataLayout.self
      ).open())
  }

  /// Opens the store at a file URL, or creates it.
  public convenience init(
    url: URL, model: ManagedObjectModel, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(path: url.storePath, model: model, options: options)
  }

  /// Creates a store in memory, which ends with the process.
  public convenience init(
    inMemory model: ManagedObjectModel, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(opened: StoreOpening(path: nil, model, options).open())
  }

  /// Opens or creates a store with a layout other than Core Data's. A nil path creates it in memory.
  package convenience init(
    path: String?, model: ManagedObjectModel, options: SQLiteStoreOptions = SQLiteStoreOptions(),
    layout: any ModelLayout.Type
  ) throws(StoreError) {
    try self.init(opened: StoreOpening(path: path, model, options, layout).open())
  }

  private init(opened: StoreOpening.Opened) {
    model = opened.plan.model
    identifier = opened.identifier
    path = opened.path
    isReadOnly = opened.isReadOnly
    wasUnfinished = opened.wasUnfinished
    refusalOfWrites =
      opened.refusalOfWrites
      ?? "was opened for reading only. Open it without isReadOnly to write."
    noticesOtherProcesses = opened.noticesOtherProcesses
    watch = opened.watch
    configuration = opened.configuration
    plan = opened.plan
    files = opened.files
    account = opened.upkeep
    let connections = opened.connections
    place = connections.place
    let triggers = connections.writer.triggers
    hasOwnTriggers = triggers.hasOwn
    hasTriggers = triggers.hasOwn || triggers.hasForeignDerivations
    knownHistory = Guarded(connections.writer.history?.tables)
    writer = LockedWriter(connections.writer)
    readers = connections.readers
    log = connections.log
    keepsGenerations = connections.keepsGenerations
    liveStates = connections.another.map(LiveStates.init(open:))
    openFile = opened.mark
    residence = place == nil ? nil : opened.path.map { OpenStores.Residence(at: $0) }
    if let liveStates {
      writer.state.withLock { $0.willBegin = { liveStates.move(from: $0) } }
    }
    residence?.begin { [weak self] in self?.leavesRemovedFile() ?? true }
    // The closure holds the store weakly, because the store owns `files`.
    files?.movedOn.withLock {
      $0 = { [weak self] (name, place) throws(StoreError) in try self?.movedOn(name, place) }
    }
  }

  deinit {
    // No owner is left to receive an error. Each failed round drops the change sets that cannot be restored,
    // and closing is tried again.
    while (try? close()) == nil, (try? restoreAccepted())?.isEmpty == false {}
    // The connections end with the store, and the system may give the number of a removed file to the next one.
    guard !isClosed.load(ordering: .acquiring) else { return }
    writer.state.withLock { $0.close() }
    OpenStores.forget(openFile)
  }

  // MARK: - Transactions

  /// Writes a change set into the open transaction. Begins a transaction if none is open.
  public func execute(_ changes: ChangeSet) throws(StoreError) {
    guard !changes.isEmpty else { return try checkOpen() }
    try configuration.check(changes, model)
    try write { (writer) throws(StoreError) in
      log?.beginAnewIfOverdue(writer.connection)
      try writer.execute(changes)
    }
  }

  /// Writes a change set, runs `rest`, and undoes the change set if `rest` throws.
  public func execute(
    _ changes: ChangeSet, then rest: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try configuration.check(changes, model)
    try write { (writer) throws(StoreError) in
      log?.beginAnewIfOverdue(writer.connection)
      try withoutActuallyEscaping(rest) { (rest) throws(StoreError) in
        try writer.execute(changes, then: rest)
      }
    }
  }

  /// Returns the rows that the file's triggers changed during the last change set in another way than the graph. Each
  /// row is returned once.
  public func takeKeysChangedByTriggers() -> [RowKey] {
    guard hasOwnTriggers || !plan.layout.derivations.isEmpty else { return [] }
    return writer.state.withLock { $0.takeKeysChangedByTriggers() }
  }

  /// Executes the accepted change sets again after SQLite has rolled back their transaction. Returns the
  /// change sets that other writers made impossible.
  public func restoreAccepted() throws(StoreError) -> [LostChanges] {
    guard !isReadOnly else { return [] }
    return try write { (writer) throws(StoreError) in try writer.takeLosses() }
  }

  /// Removes change sets from the open transaction.
  public func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try write { (writer) throws(StoreError) in try writer.withdraw(changes) }
  }

  /// Raises the largest reserved key, and returns the new keys.
  public func reserveKeys(
    _ count: Int, for entity: EntityShape
  ) throws(StoreError) -> Range<Int64> {
    try write { (writer) throws(StoreError) in
      try writer.reserveKeys(count, ofRoot: entity.rootNumber)
    }
  }

  /// Empties every table of the model in one transaction. The metadata stays.
  public func removeAllRows() throws(StoreError) {
    try write { (writer) throws(StoreError) in
      try writer.removeAllRows()
      log?.noteCommit(frames: writer.connection.framesInLog)
    }
    try removeDropped(.immediate)
  }

  /// Commits the accepted changes, moves the log into the file, and closes all connections. If the commit
  /// fails, the store stays open.
  public func close() throws(StoreError) {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    log?.waitForCheckpoints()
    readers?.close()
    do throws(StoreError) {
      try writer.state.withLock { (writer) throws(StoreError) in
        if !isReadOnly {
          let hadChanges = writer.hasAccepted
          defer { if hadChanges { noteCommit(writer) } }
          try writer.commit()
          returnKeys(&writer)
        }
        readers?.closeKept()
        do throws(StoreError) { try removeDropped(.immediate) } catch {
          // The dropped files stay on the disk without a row that names them; ``UnusedFiles`` removes them
          // later.
          account.note(error, of: .removingFiles)
        }
        files?.removeAllReleased()
        emptyLog(writer)
        writer.close()
      }
      OpenStores.forget(openFile)
      residence?.end()
    } catch {
      // The changes are still accepted, so the caller can close the store again.
      readers?.reopen()
      isClosed.store(false, ordering: .releasing)
      throw error
    }
  }

  private func emptyLog(_ writer: Writer) {
    guard let log else { return }
    do throws(StoreError) { try writer.emptyLog() } catch {
      // The log keeps every commit. SQLite reads it when the store is opened again.
      account.note(error, of: .movingLog)
    }
    log.close()
  }

  /// Returns the unused keys to the file, without waiting for another process.
  private func returnKeys(_ writer: inout Writer) {
    let connection = writer.connection
    // A failure leaves a gap in the numbers and loses no data.
    try? connection.withoutWaiting { () throws(StoreError) in
      try writer.transact { (writer) throws(StoreError) in try writer.returnKeys() }
    }
  }

  // MARK: - Access

  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }
  var isReadWithoutLocks: Bool { watch != nil }

  func checkOpen() throws(StoreError) {
    guard isOpen else {
      throw StoreError(.closed, "The store was closed. Open it again to use it.")
    }
  }

  /// Runs `body` on the writer. An error names the store's file.
  func write<Output: Sendable>(
    _ body: (inout Writer) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    do throws(StoreError) {
      var answer = Answer<Output>()
      try Cancellation.shielding { () throws(StoreError) in
        try writeUnlocated { (writer) throws(StoreError) in
          try taught.teach(writer.connection)
          answer.take(try body(&writer))
        }
      }
      return answer.get()
    } catch {
      throw located(error)
    }
  }

  /// Runs `body` on a connection that shows the state which the view asks for. A look-up reads the rows of a key
  /// or of an owner, and shares its transaction with the look-ups before it. An error names the store's file.
  func read<Output: Sendable>(
    _ view: StoreView, isLookUp: Bool = false, _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    do throws(StoreError) {
      var answer = Answer<Output>()
      try readUnlocated(view, isLookUp: isLookUp) { (connection) throws(StoreError) in
        try taught.teach(connection)
        answer.take(try body(connection))
      }
      try watch?.check()
      return answer.get()
    } catch {
      throw located(error)
    }
  }

  private func located(_ error: StoreError) -> StoreError {
    let cause = place?.cause(of: error) ?? error
    return path.map { cause.located(at: $0) } ?? cause
  }

  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes.
  private dynamic func writeUnlocated(
    _ body: (inout Writer) throws(StoreError) -> Void
  ) throws(StoreError) {
    try checkOpen()
    guard !isReadOnly else {
      throw StoreError(
        .readOnly,
        "\(path ?? "The store in memory") \(refusalOfWrites)")
    }
    ownWrites.add(1, ordering: .relaxed)
    try writer.state.withLock { (writer) throws(StoreError) in
      // Another thread may have closed the store while this one waited for the lock.
      try checkOpen()
      try body(&writer)
    }
  }

  private dynamic func readUnlocated(
    _ view: StoreView, isLookUp: Bool, _ body: (Connection) throws(StoreError) -> Void
  ) throws(StoreError) {
    try checkOpen()
    try place?.checkContents()
    // The rows may name files. The files stay until the pages hold a reference to them.
    let reading = plan.namesFiles ? files?.begin() : nil
    defer { if let reading { files?.end(reading) } }
    if case .generation(let generation) = view { return try read(generation, body) }
    guard let readers else {
      return try writer.state.withLock { (writer) throws(StoreError) in
        try checkOpen()
        writer.connection.limit.renew()
        guard view == .accepted else { return try writer.withCommittedState(body) }
        try writer.restore()
        return try writer.connection.checked(body)
      }
    }
    if view == .accepted {
      let hasAnswered = try writer.state.withLock { (writer) throws(StoreError) in
        try checkOpen()
        guard writer.hasAccepted else { return false }
        writer.connection.limit.renew()
        try writer.restore()
        try writer.connection.checked(body)
        return true
      }
      if hasAnswered { return }
    }
    do throws(StoreError) {
      if isLookUp { try readers.lookUp(body) } else { try readers.read(body) }
    } catch  where error.code == .moved {
      // A reader would open the new file at this path. The writer's connection still shows the file that was
      // moved.
      try writer.state.withLock { (writer) throws(StoreError) in
        try checkOpen()
        writer.connection.limit.renew()
        try writer.withCommittedState(body)
      }
    }
  }

  /// Passes the writer's SQLite connection to `body`, for features that the store lacks.
  @unsafe
  package func withWriter(_ body: (OpaquePointer) -> Void) {
    writer.state.withLock { writer in unsafe body(writer.connection.handle) }
  }
}
