// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
package import SporadesSQL
public import SporadesStore
import Synchronization

/// A store in a SQLite file with Core Data's layout: files an app wrote are read and written here,
/// and files made here are ones an app can open.
///
/// One connection writes; readers have connections of their own and never wait for a commit.
public final class SQLiteStore: PersistentStore {
  /// The model whose entities the tables of the file hold.
  public let model: ManagedObjectModel
  /// The UUID that the file keeps.
  public let identifier: String
  /// The file; nil for a store in memory.
  public let path: String?
  /// The store was opened for reading alone.
  public let isReadOnly: Bool
  /// The configuration that the options named; nil where the store holds all entities.
  public var configurationName: String? { configuration.name }
  let configuration: StoreConfiguration
  let plan: StorePlan
  let files: ExternalFiles?
  private let account: UpkeepAccount
  /// How moving the log and removing files goes, beside all requests.
  public var upkeep: StoreUpkeep { account.upkeep }
  let place: StorePlace?
  let writer: LockedWriter
  /// Nil for a store in memory, whose one connection does everything.
  let readers: ReaderPool?
  let log: WriteAheadLog?
  private let hasOwnTriggers: Bool
  /// False for a file without a write-ahead log, in which a transaction that reads keeps others from writing.
  public let keepsGenerations: Bool
  let another: (@Sendable () throws(StoreError) -> Connection)?
  private let isClosed = Atomic<Bool>(false)
  private let openFile: SystemFile.Identity?

  /// Opens the store at `path`, or makes it. A file that cannot be opened is left as it is.
  public convenience init(
    path: String, model: ManagedObjectModel, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(opened: StoreOpening(path: path, model, options).open())
  }

  /// Opens the store at a file URL, or makes it.
  public convenience init(
    url: URL, model: ManagedObjectModel, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(path: url.path, model: model, options: options)
  }

  /// A store that lives in memory and ends with the process.
  public convenience init(
    inMemory model: ManagedObjectModel, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(opened: StoreOpening(path: nil, model, options).open())
  }

  /// Opens or makes a store with another layout than Core Data's, in memory where there is no path.
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
    configuration = opened.configuration
    plan = opened.plan
    files = opened.files
    account = opened.upkeep
    let connections = opened.connections
    place = connections.place
    hasOwnTriggers = connections.writer.triggers.hasOwn
    writer = LockedWriter(connections.writer)
    readers = connections.readers
    log = connections.log
    keepsGenerations = connections.keepsGenerations
    another = connections.another
    openFile = OpenStores.note(opened.path)
    // The store owns the files, and not they the store.
    files?.movedOn.withLock {
      $0 = { [weak self] (name, place) throws(StoreError) in try self?.movedOn(name, place) }
    }
  }

  deinit {
    // The last owner is gone, so there is nobody to tell of a failure, or of what can not be kept.
    while (try? close()) == nil, (try? restoreAccepted())?.isEmpty == false {}
  }

  // MARK: - Transactions

  /// Writes a change set into the open transaction, or begins one.
  public func execute(_ changes: ChangeSet) throws(StoreError) {
    guard !changes.isEmpty else { return try checkOpen() }
    try configuration.check(changes, model)
    try write { (writer) throws(StoreError) in try writer.execute(changes) }
  }

  /// Writes a change set, and undoes it where `rest` throws.
  public func execute(
    _ changes: ChangeSet, then rest: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try configuration.check(changes, model)
    try write { (writer) throws(StoreError) in
      try withoutActuallyEscaping(rest) { (rest) throws(StoreError) in
        try writer.execute(changes, then: rest)
      }
    }
  }

  /// The rows that triggers of the file's own changed with the last change set; each is returned once.
  public func takeKeysChangedByTriggers() -> [RowKey] {
    guard hasOwnTriggers else { return [] }
    return writer.state.withLock { $0.takeKeysChangedByTriggers() }
  }

  /// Commits the open transaction. With `.immediate` it returns when the log is on the disk.
  public func commit(_ durability: Durability) throws(StoreError) {
    guard !isReadOnly else { return }
    let isSynced = durability == .immediate && log != nil
    let hadChanges = try write { (writer) throws(StoreError) in
      let hadChanges = writer.hasAccepted
      defer { if hadChanges { noteCommit(writer) } }
      try writer.commit(checking: !isSynced)
      if !hadChanges { try writer.checkIfLost() }
      if hadChanges, isSynced { log?.moveRest() }
      return hadChanges
    }
    if isSynced { try syncLog(isChanged: hadChanges) }
    try removeDropped(durability)
    log?.checkpointIfNeeded(writer)
  }

  /// Syncs outside the writer's lock, so that others read and write while the disk works.
  private func syncLog(isChanged: Bool) throws(StoreError) {
    do throws(StoreError) {
      guard try log?.sync() == true || isChanged else { return }
    } catch {
      try checkPlace()
      throw error
    }
    try checkPlace()
  }

  /// Throws where the files are not in place; the log then goes into the file it belongs to.
  private func checkPlace() throws(StoreError) {
    guard place?.isInPlace == false else { return }
    try writer.state.withLock { (writer) throws(StoreError) in try writer.checkPlace() }
  }

  /// Notes what has to be synced, also where the commit succeeded in a file that is gone: it may come back.
  private func noteCommit(_ writer: Writer) {
    if !writer.hasAccepted { log?.noteCommit(frames: writer.connection.framesInLog) }
  }

  /// Has the files go that commits dropped, once these are on the disk: in the background, unless somebody
  /// has waited for the disk anyway.
  private func removeDropped(_ durability: Durability) throws(StoreError) {
    guard let files, files.hasDrops else { return }
    if let log, durability == .eventual { return log.release(files) }
    let drops = files.takeDrops()
    do throws(StoreError) { try log?.sync() } catch {
      files.keep(drops)
      throw error
    }
    files.release(drops)
  }

  /// Executes accepted change sets again where SQLite gave up their transaction; returns those that others made
  /// impossible.
  public func restoreAccepted() throws(StoreError) -> [LostChanges] {
    guard !isReadOnly else { return [] }
    return try write { (writer) throws(StoreError) in try writer.takeLosses() }
  }

  /// Takes change sets out of the open transaction again.
  public func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try write { (writer) throws(StoreError) in try writer.withdraw(changes) }
  }

  /// Raises the largest key that was handed out, and returns the keys in between.
  public func reserveKeys(
    _ count: Int, for entity: EntityShape
  ) throws(StoreError) -> Range<Int64> {
    try write { (writer) throws(StoreError) in
      try writer.reserveKeys(count, ofRoot: entity.rootNumber)
    }
  }

  /// Empties every table of the model, in one transaction; the metadata stays.
  public func removeAllRows() throws(StoreError) {
    try write { (writer) throws(StoreError) in
      try writer.removeAllRows()
      log?.noteCommit(frames: writer.connection.framesInLog)
    }
    try removeDropped(.immediate)
  }

  /// Commits what is accepted, moves the log into the file, and closes all connections. Where the commit fails the
  /// store stays open.
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
          // The files stay, and no row names them; see `UnusedFiles`.
          account.note(error, of: .removingFiles)
        }
        files?.removeAllReleased()
        emptyLog(writer)
        writer.close()
      }
      OpenStores.forget(openFile)
    } catch {
      // The changes are still accepted; closing can be tried again.
      readers?.reopen()
      isClosed.store(false, ordering: .releasing)
      throw error
    }
  }

  private func emptyLog(_ writer: Writer) {
    guard let log else { return }
    do throws(StoreError) { try writer.emptyLog() } catch {
      // The log keeps everything, and is read when the store is opened again.
      account.note(error, of: .movingLog)
    }
    log.close()
  }

  /// Gives back the keys that nobody has used, and waits for no other process.
  private func returnKeys(_ writer: inout Writer) {
    let connection = writer.connection
    // Keys that are not given back are a gap in the numbers, and no loss.
    try? connection.withoutWaiting { () throws(StoreError) in
      try writer.transact { (writer) throws(StoreError) in try writer.returnKeys() }
    }
  }

  // MARK: - Access

  func checkOpen() throws(StoreError) {
    guard !isClosed.load(ordering: .acquiring) else {
      throw StoreError(.closed, "The store was closed; open it anew to use it.")
    }
  }

  func write<Output: Sendable>(
    _ body: (inout Writer) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try checkOpen()
    guard !isReadOnly else {
      throw StoreError(
        .readOnly,
        "\(path ?? "The store in memory") was opened for reading only. Open it without isReadOnly "
          + "to write.")
    }
    return try writer.state.withLock { (writer) throws(StoreError) -> Output in
      // The store may have been closed while this waited for the lock.
      try checkOpen()
      return try body(&writer)
    }
  }

  /// Runs `body` on a connection that sees what the view promises.
  func read<Output: Sendable>(
    _ view: StoreView, _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try checkOpen()
    // What is read names files, which stay until the pages hold on to them.
    let reading = plan.namesFiles ? files?.begin() : nil
    defer { if let reading { files?.end(reading) } }
    if case .generation(let generation) = view { return try kept(generation).read(body) }
    guard let readers else {
      return try writer.state.withLock { (writer) throws(StoreError) -> Output in
        try checkOpen()
        writer.connection.limit.renew()
        guard view == .accepted else { return try writer.withCommittedState(body) }
        try writer.restore()
        return try body(writer.connection)
      }
    }
    if view == .accepted {
      let output = try writer.state.withLock { (writer) throws(StoreError) -> Output? in
        try checkOpen()
        guard writer.hasAccepted else { return nil }
        writer.connection.limit.renew()
        try writer.restore()
        return try body(writer.connection)
      }
      if let output { return output }
    }
    do throws(StoreError) { return try readers.read(body) } catch  where error.code == .moved {
      // A reader would open another file. The writer's connection still shows the one that is gone.
      return try writer.state.withLock { (writer) throws(StoreError) -> Output in
        try checkOpen()
        writer.connection.limit.renew()
        return try writer.withCommittedState(body)
      }
    }
  }

  /// Hands out SQLite's own connection of the writer, for what the store does not offer.
  @unsafe
  package func withWriter(_ body: (OpaquePointer) -> Void) {
    writer.state.withLock { writer in unsafe body(writer.connection.handle) }
  }
}
