// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
import SporadesDAL
import SporadesGraph
import SporadesModel
import SporadesStore

// A re-indexing goes through the objects in the order of their keys, and then follows the history from the transaction that
// was the last one at its beginning. So it needs no state of the store that lasts: changes during the re-indexing come
// again, and the index shows one state when it has followed them. Its items have a new edition. The items of an older
// edition are removed at the end, because their objects are gone.
extension Indexer {
  /// Begins anew. An index without a place is emptied, because nobody knows what is in it.
  func beginReindexing(
    _ plan: IndexPlan, _ source: HistorySource, after former: IndexPlace?
  ) async throws -> IndexSession {
    var edition: Int64 = 1
    if let former, former.edition > 0, former.edition < .max {
      edition = former.edition + 1
    } else {
      try await index.removeAll()
    }
    let newest = try await onWorker { stack in
      try stack.root.commitExecuted()
      return try SeenTransaction.newest(of: source)
    }
    // The reader's place is known before the first object is read.
    try await confirm(newest.number, of: source)
    let place = IndexPlace(
      storeID: source.store.identifier, at: newest, edition: edition, contents: plan.contents,
      cursor: IndexCursor(entity: plan.roots[0].name, key: 0))
    var session = IndexSession(plan, source, place)
    session.confirmed = newest.number
    // The index keeps that it is asked for, so that no error and no kill lose the request.
    try await apply(IndexBatch(place: place), &session)
    return session
  }

  /// Puts the next objects into the index.
  func reindexPage(_ session: inout IndexSession, _ hooks: any IndexHooks) async throws {
    guard let cursor = session.place.cursor else { return }
    let (plan, edition, count) = (session.plan, session.place.edition, batchSize)
    let last = cursor.lastObject(in: try service.stack(), session.place.storeID)
    let (read, next) = try await service.read { context in
      try ItemReader(context: context, plan: plan, hooks: hooks, edition: edition)
        .page(behind: cursor, last, count)
    }
    var place = session.place
    place.newest = try await committed(session)
    place.cursor = next
    let batch = IndexBatch(
      removals: read.removals, items: read.items,
      removesEditionsBefore: next == nil ? edition : nil, place: place)
    try await apply(batch, &session)
  }

  /// Reads the objects with the identifiers anew. Those that no object of the index has are removed.
  func reindex(_ identifiers: [String], _ hooks: any IndexHooks) async throws {
    var start = 0
    while start < identifiers.count {
      let end = min(identifiers.count, start + batchSize)
      let part = Array(identifiers[start..<end])
      try await working(hooks) { session in try await self.reindex(part, &session, hooks) }
      start = end
    }
  }

  private func reindex(
    _ identifiers: [String], _ session: inout IndexSession, _ hooks: any IndexHooks
  ) async throws {
    let plan = session.plan
    let (ids, unknown) = try await onWorker { stack in
      var (ids, unknown): (Set<ManagedObjectID>, Set<String>) = ([], [])
      for identifier in identifiers {
        if let id = URL(string: identifier).flatMap({
          stack.managedObjectID(forURIRepresentation: $0)
        }), plan.includes(id.key.entity) {
          ids.insert(id)
          // Another spelling of a URI names no item.
          if id.indexIdentifier != identifier { unknown.insert(identifier) }
        } else {
          unknown.insert(identifier)
        }
      }
      return (ids, unknown)
    }
    var (read, newest) = try await read(ids.sorted(), session, hooks)
    read.removals += unknown.sorted()
    var place = session.place
    place.newest = newest
    try await apply(IndexBatch(removals: read.removals, items: read.items, place: place), &session)
  }
}

extension ItemReader {
  /// The next objects behind a cursor, and the cursor behind them; nil at the end of the last entity.
  func page(
    behind cursor: IndexCursor, _ last: ManagedObjectID?, _ count: Int
  ) throws -> (ReadItems, IndexCursor?) {
    var (all, cursor, before) = (ReadItems(), cursor, last)
    let roots = plan.roots
    var place = roots.firstIndex { $0.name == cursor.entity } ?? 0
    var room = count
    while room > 0 {
      let (read, last) = try page(of: roots[place], after: before, room)
      all.items += read.items
      all.removals += read.removals
      room -= read.items.count + read.removals.count
      if let last {
        // The page is full.
        cursor.key = last
      } else {
        place += 1
        guard place < roots.count else { return (all, nil) }
        (cursor, before) = (IndexCursor(entity: roots[place].name, key: 0), nil)
      }
    }
    return (all, cursor)
  }
}

extension IndexCursor {
  /// The id of the object; nil before the first one. The id names the entity of the re-indexing, as orders of keys do.
  fileprivate func lastObject(in stack: DataStack, _ store: String) -> ManagedObjectID? {
    guard key > 0, let url = URL(string: "x-coredata://\(store)/\(entity)/p\(key)") else {
      return nil
    }
    return stack.managedObjectID(forURIRepresentation: url)
  }
}
