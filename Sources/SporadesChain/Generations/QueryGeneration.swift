// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// Names one state of a stack's store; see `ManagedObjectContext.setQueryGeneration(from:)`.
///
/// A token is a value. The store keeps the state as long as a token or a context holds it.
public struct QueryGenerationToken: Hashable, Sendable {
  /// The state; nil for the newest state at the time of each read.
  package let generation: QueryGeneration?

  package init(generation: QueryGeneration?) { self.generation = generation }

  /// The newest state at the time of the context's next read.
  public static let current = QueryGenerationToken(generation: nil)
}

/// One state of a stack's store. The first read chooses the state. Pinned contexts read from it and save
/// to the root.
package final class QueryGeneration: StoreSource {
  package let root: RootContext
  private let opened = Guarded<Opened?>(nil)

  private struct Opened: Sendable {
    let state: StoreGeneration
    /// The number of the last save that the state shows.
    let last: Int
  }

  /// The reads from the state so far; nil if nobody asks for them.
  private let notes: Guarded<ReadNotes>?

  /// A state that the first read chooses. With `notesReads`, the generation notes what is read from it.
  package init(_ root: RootContext, notesReads: Bool = false) {
    self.root = root
    notes = notesReads ? Guarded(ReadNotes()) : nil
  }

  /// The state of exactly the saves that are accepted by now. It notes what is read from it.
  package init(exactlyNowIn root: RootContext) throws(StoreError) {
    self.root = root
    notes = Guarded(ReadNotes())
    let (state, last) = try root.generation()
    opened.withLock { $0 = Opened(state: state, last: last) }
  }

  /// The state of all saves that are accepted by now. Nil if the store keeps no states, or cannot keep this one
  /// now: its commits fail, or it was closed.
  package init?(ofAcceptedSavesIn root: RootContext) {
    self.root = root
    notes = nil
    // The number comes first: each save up to it is committed below, and the state shows it.
    let last = root.lastPublished
    guard let store = root.capabilities.generations, store.keepsGenerations, root.commitForReaders()
    else { return nil }
    // `try?`, because the caller reads elsewhere, where the same error meets it.
    guard let state = try? store.generation() else { return nil }
    opened.withLock { $0 = Opened(state: state, last: last) }
  }

  package var store: any PersistentStore { root.store }

  /// The number of the last save that the state shows; nil before the first read.
  package var last: Int? { opened.withLock { $0?.last } }

  /// Each context knows itself which arrivals it has merged.
  package var basis: Int { .max }

  package var view: StoreView {
    get throws(StoreError) {
      try opened.withLock { (opened) throws(StoreError) in
        if let opened { return .generation(opened.state) }
        let (state, last) = try root.generation()
        opened = Opened(state: state, last: last)
        return .generation(state)
      }
    }
  }

  /// The reads from the state so far. Empty unless the generation notes them.
  package var reads: ReadNotes { notes?.withLock(\.self) ?? ReadNotes() }

  private func note(_ change: (inout ReadNotes) -> Void) { notes?.withLock { change(&$0) } }

  /// Notes that somebody reads the state by other questions than those below.
  package func noteReadOfEverything() { note { $0.readsEverything = true } }

  // MARK: - Reading

  package func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] {
    note { $0.noteEntities(of: fetch, store.model) }
    return try store.rows(fetch, in: view)
  }

  package func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey] {
    note { $0.noteEntities(of: fetch, store.model) }
    return try store.keys(fetch, in: view)
  }

  package func answer(_ question: TableQuestion) throws(StoreError) -> TableAnswer {
    note { $0.readsEverything = true }
    return try store.answer(question, in: view)
  }

  package func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    let pages = try store.rows(for: keys, in: view)
    // A key may name a superentity of the row's own entity, so the rows' own keys are noted, too.
    note { $0.note(keys, pages) }
    return pages
  }

  package func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage] {
    note { $0.entities.formUnion(entity.family) }
    return try store.rows(of: entity, referencing: owners, in: slot, position: position, in: view)
  }

  package func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink] {
    note { notes in
      notes.entities.formUnion(relationship.destinationFamily)
      if case .join(let join, _) = relationship.storage { notes.joins.insert(join) }
    }
    return try store.links(of: relationship, owners: owners, in: view)
  }

  // MARK: - Writing

  package func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    try root.reserveKeys(count, for: entity, inStore: number)
  }
  package func accept(_ save: SaveRequest) throws(StoreError) -> SaveReceipt {
    try root.accept(save)
  }
}

extension QueryGeneration: Hashable {
  package static func == (left: QueryGeneration, right: QueryGeneration) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
