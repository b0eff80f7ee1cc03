// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
import SporadesDAL
import SporadesGraph
import SporadesHistory
import SporadesModel
import SporadesStore

/// The work on an index that is open: its place, and the history behind it.
struct IndexSession: Sendable {
  let plan: IndexPlan
  let source: HistorySource
  var place: IndexPlace
  var history: UnindexedHistory
  /// The number of the transaction that the reader has confirmed; nil if it is not known.
  var confirmed: Int64?

  init(_ plan: IndexPlan, _ source: HistorySource, _ place: IndexPlace) {
    self.plan = plan
    self.source = source
    self.place = place
    history = UnindexedHistory(after: place)
  }
}

/// Brings an outside index forward, a batch at a time.
///
/// Rules:
/// 1. The index tells the place. After an error, the index is asked again, because it may have taken the batch.
/// 2. The history is read before the objects, so that objects are at least as new as the changes that lead to them.
/// 3. Whatever was read of objects is committed before the index gets it. No kill can then take it from the store.
/// 4. The reader of the history confirms what the index has taken, and never more.
final class Indexer: Sendable {
  let service: DALService
  let name: String
  let index: any OutsideIndex
  let entities: [IndexedEntity]
  let batchSize: Int
  let updates = IndexUpdates()
  let turn = Turn()
  private let open = Guarded<IndexSession?>(nil)

  init(
    _ service: DALService, _ name: String, _ index: any OutsideIndex, _ entities: [IndexedEntity],
    batchSize: Int
  ) {
    self.service = service
    self.name = name
    self.index = index
    self.entities = entities
    self.batchSize = batchSize
  }

  /// Brings the index a batch forward. Returns false if it shows all that is committed.
  func advance(_ hooks: any IndexHooks) async throws -> Bool {
    let wasOpen = open.withLock { $0 != nil }
    do {
      return try await working(hooks) { session in
        if session.place.isReindexing {
          try await self.reindexPage(&session, hooks)
          return true
        }
        return try await self.follow(&session, hooks)
      }
    } catch  where wasOpen && error.isExpiry {
      // A cleaning of the history overtook the index. The next call finds that at the place, and begins a re-indexing.
      return true
    }
  }

  /// Runs `body` on the open index while nobody else works on it.
  func working<Output>(
    _ hooks: any IndexHooks, _ body: (inout IndexSession) async throws -> Output
  ) async throws -> Output {
    try await turn.hold {
      do {
        var session = try await session(hooks)
        let output = try await body(&session)
        open.withLock { $0 = session }
        return output
      } catch {
        open.withLock { $0 = nil }
        throw error
      }
    }
  }

  /// Forgets the place; the index is asked for it before the next batch.
  func forget() { open.withLock { $0 = nil } }

  // MARK: - Opening

  /// The open index. One whose place does not fit the store begins a re-indexing.
  private func session(_ hooks: any IndexHooks) async throws -> IndexSession {
    let version = hooks.version
    if let session = open.withLock(\.self), session.plan.contents.version == version {
      return session
    }
    let (plan, source) = try await onWorker { [entities] stack in
      try (stack.indexPlan(entities, version), stack.indexedSource())
    }
    let place = try await index.place()
    let name = name
    let goesOn = try await onWorker { _ in
      try place.map {
        try PlaceCheck(source: source, name: name, contents: plan.contents).goesOn(from: $0)
      } ?? false
    }
    if let place, goesOn { return IndexSession(plan, source, place) }
    return try await beginReindexing(plan, source, after: place)
  }

  // MARK: - Following

  private func follow(
    _ session: inout IndexSession, _ hooks: any IndexHooks
  ) async throws -> Bool {
    let (before, plan, count) = (session, session.plan, batchSize)
    let wantsAll = hooks.wantsAllChanges
    let (history, changes) = try await onWorker { _ in
      // The connection still shows the former file, where nobody else commits any more.
      if let error = (before.source.store as? any SharedStore)?.lostPlace { throw error }
      var history = before.history
      let changes = try history.take(count, from: before.source) {
        wantsAll || plan.concerns($0)
      }
      return (history, changes)
    }
    var place = session.place
    guard history.number != place.transactionNumber || history.taken != place.changesOfNext else {
      return false
    }
    (place.transactionNumber, place.changesOfNext) = (history.number, history.taken)
    let ids = try await affected(by: changes, plan, hooks)
    var start = 0
    while true {
      let end = min(ids.count, start + batchSize)
      let isLast = end == ids.count
      let (read, newest) = try await read(Array(ids[start..<end]), session, hooks)
      var next = isLast ? place : session.place
      next.newest = newest
      try await apply(IndexBatch(read, next), &session)
      if isLast { break }
      start = end
    }
    session.history = history
    return true
  }

  /// The ids of all objects whose items may change, each once.
  private func affected(
    by changes: [PersistentHistoryChange], _ plan: IndexPlan, _ hooks: any IndexHooks
  ) async throws -> [ManagedObjectID] {
    guard !changes.isEmpty else { return [] }
    return try await service.read { context in
      var ids = changes.map(\.changedObjectID).filter { plan.includes($0.key.entity) }
      for property in plan.followed {
        let changed = changes.filter(property.isChanged).map(\.changedObjectID)
        if !changed.isEmpty { ids += try property.owners(of: changed, in: context) }
      }
      ids += try hooks.affectedObjects(by: changes, in: context).filter {
        plan.includes($0.key.entity)
      }
      var known: Set<ManagedObjectID> = []
      return ids.filter { known.insert($0).inserted }
    }
  }

  /// Reads objects, and commits what was read.
  func read(
    _ ids: [ManagedObjectID], _ session: IndexSession, _ hooks: any IndexHooks
  ) async throws -> (ReadItems, SeenTransaction) {
    let (plan, edition) = (session.plan, session.place.edition)
    let read =
      ids.isEmpty
      ? ReadItems()
      : try await service.read { context in
        try ItemReader(context: context, plan: plan, hooks: hooks, edition: edition).read(ids)
      }
    return (read, try await committed(session))
  }

  /// Commits what objects may have shown. Returns the last transaction.
  func committed(_ session: IndexSession) async throws -> SeenTransaction {
    let (source, seen) = (session.source, session.place.newest)
    return try await onWorker { stack in
      try stack.root.commitExecuted()
      let newest = try SeenTransaction.newest(of: source)
      return newest.number == seen.number ? seen : newest
    }
  }

  // MARK: - The index

  func apply(_ batch: IndexBatch, _ session: inout IndexSession) async throws {
    try await index.apply(batch)
    session.place = batch.place
    if session.confirmed != batch.place.transactionNumber {
      try await confirm(batch.place.transactionNumber, of: session.source)
      session.confirmed = batch.place.transactionNumber
    }
    updates.send(IndexUpdate(batch))
  }

  /// Tells the store the place of the reader, so that cleanings of the history keep what follows.
  func confirm(_ number: Int64, of source: HistorySource) async throws {
    let name = name
    try await onWorker { _ in
      guard !source.store.isReadOnly else { return }
      try source.store.tellingHistory().confirmHistory(
        HistoryReader(name: name, number: number, confirmedAt: Date()))
    }
  }

  /// Runs `body` on a thread that may wait for the store.
  func onWorker<Output: Sendable>(
    _ body: @escaping @Sendable (DataStack) throws -> Output
  ) async throws(DALError) -> Output {
    let stack = try service.stack()
    // The result crosses in a lock, which Thread Sanitizer sees.
    let result = Guarded<Result<Output, any Error>?>(nil)
    await withCheckedContinuation { continuation in
      service.readWorkers.run {
        let output = Result { try body(stack) }
        result.withLock { $0 = output }
        continuation.resume()
      }
    }
    guard let output = result.withLock(\.self) else { preconditionFailure("No worker ran.") }
    do { return try output.get() } catch { throw DALError(error, during: .read) }
  }
}

extension IndexBatch {
  fileprivate init(_ read: ReadItems, _ place: IndexPlace) {
    self.init(removals: read.removals, items: read.items, place: place)
  }
}

extension DataStack {
  /// The history that an index follows. Throws if there is none, and if there are several.
  func indexedSource() throws(StoreError) -> HistorySource {
    let sources = store.historySources
    guard let source = sources.first, sources.count == 1 else {
      throw StoreError(
        .unsupported,
        "The service has \(sources.count) stores, and an index follows the history of one. Give each store a service and an index."
      )
    }
    if !source.store.keepsHistory { throw source.store.lackOfHistory }
    return source
  }

  /// Finds the entities of an index in the model.
  func indexPlan(_ entities: [IndexedEntity], _ version: Int) throws -> IndexPlan {
    try readBesideMain { try IndexPlan(entities, version: version, in: $0) }
  }
}
