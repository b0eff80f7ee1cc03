// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesDAL
import SporadesGraph
import SporadesHistory
import SporadesModel
import SporadesStore

// The work of a delegate, by itself and on demand.
extension IndexingDelegate {
  // MARK: - Start and stop

  /// Begins to follow the store on a task of its own, until ``stop()``, until the service is closed, or until the delegate is
  /// released. Does nothing while the delegate follows.
  ///
  /// Throws if the store keeps no history, the model lacks an entity or a followed property, another delegate of the service
  /// follows by the same name, or the service is closed.
  public func start() throws(DALError) {
    let stack = try service.stack()
    do {
      _ = try stack.indexedSource()
      _ = try stack.indexPlan(indexer.entities, version)
    } catch { throw DALError(error, during: .read) }
    let next = IndexingRun()
    let isFirst = try run.withLock { run throws(DALError) in
      if run?.isAlive == true { return false }
      try Self.claim(indexName, of: service, for: next)
      run = next
      return true
    }
    guard isFirst else { return }
    // The index may have lost its place since the last run.
    indexer.forget()
    next.begin { [weak self, options, indexer] in
      var attempts = IndexingAttempts(next, indexer, options)
      while let rest = await attempts.work(for: self) { await attempts.wait(rest) }
    }
  }

  private struct Name: Hashable {
    let service: ObjectIdentifier
    let name: String
  }

  /// The runs of this process, by what they follow.
  private static let runs = Guarded<[Name: IndexingRun]>([:])

  /// Two indexes of one name would move each other's place in the history.
  private static func claim(
    _ name: String, of service: DALService, for run: IndexingRun
  ) throws(DALError) {
    let isFree = runs.withLock { runs in
      runs = runs.filter { $0.value.isAlive }
      let place = Name(service: ObjectIdentifier(service), name: name)
      guard runs[place] == nil else { return false }
      runs[place] = run
      return true
    }
    guard !isFree else { return }
    let error = StoreError(
      .busy,
      "Another delegate follows the store by the name \(name). Stop it first, or give each index a name of its own."
    )
    throw DALError(error, during: .read)
  }

  /// Ends the following. Waits for the batch that the index is taking, and cuts a pause short.
  public func stop() async {
    guard let run = run.withLock(\.self) else { return }
    run.stop()
    await run.end()
  }

  /// The delegate follows the store.
  public var isIndexing: Bool { run.withLock { $0?.isAlive } ?? false }

  /// Returns the news of each batch that the index takes from now on, until the delegate is released. A reader that is a
  /// thousand updates behind misses the oldest.
  public func updates() -> AsyncStream<IndexUpdate> { indexer.updates.stream() }

  // MARK: - On demand

  /// Brings the index up to every write that has returned, and returns then. It needs no start, and throws the first error.
  public func catchUp() async throws {
    // The history has the transactions that are committed.
    try await indexer.onWorker { stack in try stack.root.commitExecuted() }
    while try await indexer.advance(self) { try Task.checkCancellation() }
  }

  /// Puts all objects into the index again, removes the items of all others, and returns when the index shows the store.
  ///
  /// A re-indexing that was begun goes on after an error, and after the next start of a process that was killed.
  public func reindexAll() async throws {
    try await indexer.working(self) { session in
      session = try await self.indexer.beginReindexing(
        session.plan, session.source, after: session.place)
    }
    // If the caller gets an error or is cancelled, the delegate goes on.
    run.withLock(\.self)?.wake()
    try await catchUp()
  }

  /// Puts the objects with the identifiers of items into the index again, and returns when the index has them. Identifiers
  /// without an object are removed.
  public func reindex(identifiers: [String]) async throws {
    try await indexer.reindex(identifiers, self)
  }

  /// Stops, empties the index, and forgets its reader, so that cleanings of the history do not wait for it any more.
  public func deleteIndex() async throws {
    await stop()
    try await indexer.turn.hold {
      indexer.forget()
      try await indexer.index.removeAll()
      let name = indexName
      try await indexer.onWorker { stack in
        let store = try stack.indexedSource().store
        if !store.isReadOnly { try store.tellingHistory().removeHistoryReader(named: name) }
      }
    }
  }
}
