// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Names one state of a stack's store; see ``ManagedObjectContext/setQueryGeneration(from:)``.
///
/// A token is a value. The state stays to be read as long as a token or a context holds it.
public struct QueryGenerationToken: Hashable, Sendable {
  /// Nil for the newest state, whichever it is when it is asked for.
  let generation: QueryGeneration?

  /// The newest state when the context reads next.
  public static let current = QueryGenerationToken(generation: nil)
}

/// One state of a stack's store, chosen by the first read, and what the contexts that are pinned to it
/// read from. What they save goes to the root.
final class QueryGeneration: RowSource {
  let root: RootContext
  private let opened = Guarded<Opened?>(nil)

  private struct Opened: Sendable {
    let state: StoreGeneration
    /// The number of the last save it shows.
    let last: Int
  }

  init(_ root: RootContext) { self.root = root }

  /// The number of the last save it shows; nil while nobody has read from it.
  var last: Int? { opened.withLock { $0?.last } }

  /// The contexts know themselves what they heard of.
  var basis: Int { .max }

  private var view: StoreView {
    get throws(StoreError) {
      try opened.withLock { (opened) throws(StoreError) in
        if let opened { return .generation(opened.state) }
        let (state, last) = try root.generation()
        opened = Opened(state: state, last: last)
        return .generation(state)
      }
    }
  }

  // MARK: - Reading

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] {
    try root.store.rows(fetch, in: view)
  }
  func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey] {
    try root.store.keys(fetch, in: view)
  }
  func count(_ fetch: StoreFetch) throws(StoreError) -> Int {
    try root.store.count(fetch, in: view)
  }
  func aggregate(
    _ function: AggregateFunction, of keyPath: [String], _ fetch: StoreFetch
  ) throws(StoreError) -> Value {
    try root.store.aggregate(function, of: keyPath, fetch, in: view)
  }
  func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    try root.store.rows(for: keys, in: view)
  }
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage] {
    try root.store.rows(of: entity, referencing: owners, in: slot, position: position, in: view)
  }
  func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink] {
    try root.store.links(of: relationship, owners: owners, in: view)
  }
  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey
  ) throws(StoreError) -> Int64? {
    try root.store.lastPosition(in: relationship, of: owner, in: view)
  }

  // MARK: - Writing

  func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    try root.reserveKeys(count, for: entity, inStore: number)
  }
  func accept(_ changes: ChangeSet, from context: ManagedObjectContext) throws(StoreError) {
    try root.accept(changes, from: context)
  }
}

extension QueryGeneration: Hashable {
  static func == (left: QueryGeneration, right: QueryGeneration) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
