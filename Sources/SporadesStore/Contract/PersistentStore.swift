// SPDX-License-Identifier: MIT
public import SporadesModel

/// The place that keeps rows.
///
/// A store keeps rows of one model, returns them in pages, and executes change sets. Many threads call it.
/// It blocks its caller, and knows no objects.
///
/// Some stores have further abilities. Each ability is a protocol that refines this one: ``RevocableStore``,
/// ``GenerationKeepingStore``, ``BatchExecutingStore``, ``SharedStore``, ``TriggerRunningStore``, ``HistoryStore``,
/// ``IntentKeepingStore`` and ``CheckableStore``. A rule about an ability binds the stores that have it.
///
/// The contract:
///
/// 1. **Atomic.** ``execute(_:)->()`` does all of a change set or throws and does nothing.
/// 2. **Accepted is visible.** After ``execute(_:)->()``, every request in the ``StoreView/accepted`` view
///    sees the changes. A request in the ``StoreView/committed`` view sees them after ``commit(_:)``.
/// 3. **Committed is kept.** After ``commit(_:)``, a store that is opened again holds the rows.
/// 4. **A failed commit loses nothing.** The accepted changes stay accepted, and the caller may try the
///    commit again. A ``RevocableStore`` that lost its transaction leaves out change sets whose rows others
///    changed meanwhile, and the change sets that build on them. ``commit(_:)`` throws a conflict until
///    ``RevocableStore/restoreAccepted()`` has named them, and then commits the others.
/// 5. **Versions guard.** An update throws a conflict if its row's version is not one above the stored
///    version. A delete or an expected row throws a conflict if its version is not the stored version.
///    The error names each such object.
/// 6. **Constraints hold.** A change set that would break a uniqueness constraint throws
///    ``StoreError/Code-swift.enum/constraint(entity:properties:)``. A change set may pass a unique value
///    from one row to another.
/// 7. **Keys are new.** ``reserveKeys(_:for:)`` never returns a primary key that it returned before or
///    that is in use, in this process or another.
/// 8. **Order is total.** Fetched rows have the order of the sort terms, then of their keys.
/// 9. **Predicates have one meaning.** A fetch returns the rows that `PredicateEvaluator` accepts.
/// 10. **Only rows.** A fetch of an entity returns only rows of its family. Each key names the row's own
///    entity.
/// 11. **Deleting a row removes its links.**
/// 12. **Metadata is kept** with the rows, also entries that the store does not know.
/// 13. **The caller confirms.** ``RevocableStore/execute(_:then:)`` calls its second argument after it has
///    executed the change set, and undoes the change set if that call throws.
/// 14. **A generation stands still.** A request in the ``StoreView/generation(_:)`` view sees the state
///     that was committed when ``GenerationKeepingStore/generation()`` returned, whatever happens meanwhile. The
///     state lasts until nobody holds the generation or the store is closed.
/// 15. **History is of commits.** A store that keeps a history adds one transaction for each committed change set, in the
///     order of the commits. It names each inserted, changed and deleted object once, and the changed properties. A
///     change set that is not committed is not in it.
/// 16. **Others are heard.** A ``SharedStore`` calls an observer after each commit of another process. A shared store with
///     a history names the objects that the other process changed. It leaves out its own changes.
/// 17. **References hold beside others.** A change set that refers to a row which another process deleted, or deletes a
///     row to which another process linked one, throws a conflict. A relationship without an inverse, or with the rule
///     "no action", may lead nowhere.
/// 18. **Commits of several stores are whole.** A store that is an ``IntentKeepingStore`` keeps what other stores lack
///     after a crash, and executes its own missing part once.
/// 19. **Dates have digits.** The store returns each date as it was executed, if it has no more digits than
///     ``datePrecision`` says.
public protocol PersistentStore: AnyObject, Sendable {
  /// The model of the store's rows.
  var model: ManagedObjectModel { get }
  /// An upper-case UUID, the same for as long as the store exists.
  var identifier: String { get }
  /// The configuration of the model whose entities the store holds; nil if it holds all entities.
  var configurationName: String? { get }
  /// The store refuses changes.
  var isReadOnly: Bool { get }

  /// The digits of dates that the store keeps. Whoever makes a change set rounds its dates to them.
  var datePrecision: DatePrecision { get }

  /// The file the store lies in; nil for a store that lies in none.
  var path: String? { get }

  /// Reads the metadata, with the store's identifier under `NSStoreUUID`.
  func metadata() throws(StoreError) -> [String: MetadataValue]
  /// Replaces the metadata.
  func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError)

  /// The rows that satisfy a fetch. Pages hold the rows in order, one page after the other.
  func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage]
  /// The keys of the rows that satisfy a fetch, in order.
  func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey]
  /// The values that a question asks for. All columns of an answer come from one state of the store.
  func answer(_ question: TableQuestion, in view: StoreView) throws(StoreError) -> TableAnswer
  /// The rows with the given keys, in any order; keys without a row are left out.
  ///
  /// All keys belong to one inheritance tree. A key may name a superentity of the row's own entity.
  func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage]
  /// Finds the keys that no accepted row has. A key may name a superentity of the row's own entity.
  func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey]
  /// The rows whose reference in `slot` is one of `owners`. `slot` belongs to `entity.layout`.
  ///
  /// Rows of one owner have the order of the slot `position`, if there is one, then of their keys. Rows of
  /// several owners may be mixed.
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage]
  /// The links of a to-many relationship of the owners, ordered by owner, then by position, then by key.
  func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink]
  /// The position of the last object that an ordered relationship of the owner leads to; nil if there is
  /// none.
  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64?

  /// Reserves `count` primary keys for new rows of an inheritance tree.
  func reserveKeys(_ count: Int, for entity: EntityShape) throws(StoreError) -> Range<Int64>

  /// Executes a change set in the open transaction, and opens one if there is none.
  func execute(_ changes: ChangeSet) throws(StoreError)
  /// Makes all accepted change sets a permanent part of the store.
  func commit(_ durability: Durability) throws(StoreError)
  /// Executes a change set, and commits it with all that is accepted. Throws if the store refuses the change set. Returns
  /// the failure of the commit, after which the change set is accepted. A store for which the two steps are two trips to a
  /// server makes them one.
  func execute(
    _ changes: ChangeSet, committing durability: Durability
  ) throws(StoreError) -> StoreError?

  /// The store keeps a history of its change sets: it can tell its ends, and is a ``HistoryStore``.
  var keepsHistory: Bool { get }
  /// The first and the last place of the committed history.
  func historyEnds() throws(StoreError) -> HistoryEnds

  /// How the work goes that the store does beside requests.
  var upkeep: StoreUpkeep { get }
  /// Removes all rows in one transaction. Identifier and metadata stay.
  func removeAllRows() throws(StoreError)
  /// Writes a copy of the committed store to a file. Other requests go on meanwhile, and the copy shows one state.
  /// The file is there when the copy is complete, and never in part. Throws if there is something at the path,
  /// unless it is a store that `replacing` allows to replace.
  func copy(to path: String, replacing: Bool) throws(StoreError)
  /// Commits the accepted changes and releases the store's resources. Later requests throw
  /// ``StoreError/Code-swift.enum/closed``.
  func close() throws(StoreError)
}

extension PersistentStore {
  public var configurationName: String? { nil }
  public var isReadOnly: Bool { false }
  public var datePrecision: DatePrecision { .exact }
  public var path: String? { nil }

  /// The words of messages after "the store": where it lies, or which one it is if it lies in no
  /// file.
  package var placeText: String { path.map { "at \($0)" } ?? "with the identifier \(identifier)" }

  public var upkeep: StoreUpkeep { StoreUpkeep() }

  public func execute(
    _ changes: ChangeSet, committing durability: Durability
  ) throws(StoreError) -> StoreError? {
    try execute(changes)
    do throws(StoreError) { try commit(durability) } catch { return error }
    return nil
  }

  public func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    try absentByReading(keys)
  }

  /// Finds the keys that no accepted row has, by reading the rows.
  package func absentByReading(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    var absent: [RowKey] = []
    for (_, keys) in Dictionary(grouping: keys, by: { model.shape(numbered: $0.entity).rootNumber })
    {
      let pages = try rows(for: keys, in: .accepted)
      let present = Set(pages.flatMap { page in (0..<page.count).map { page.key($0).identity } })
      absent += keys.filter { !present.contains($0.identity) }
    }
    return absent
  }

  public func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64? {
    try links(of: relationship, owners: [owner], in: view).last?.position
  }

  public func copy(to path: String, replacing: Bool) throws(StoreError) {
    throw StoreError(.unsupported, "This store lies in no file, and can not be copied to one.")
  }

  /// Writes a copy of the committed store to a path where there is nothing yet.
  public func copy(to path: String) throws(StoreError) {
    try copy(to: path, replacing: false)
  }
}
