// SPDX-License-Identifier: MIT
public import SporadesModel

/// Where rows live.
///
/// A store keeps rows of one model, hands them out in pages, and takes change sets. It is called
/// from many threads, blocks its caller, and knows no objects.
///
/// The contract:
///
/// 1. **Atomic.** ``execute(_:)`` does all of a change set or throws and does nothing.
/// 2. **Accepted is visible.** What ``execute(_:)`` has taken is seen by every later request in the
///    ``StoreView/accepted`` view, and by none in the ``StoreView/committed`` view until
///    ``commit(_:)`` returns.
/// 3. **Committed is kept.** After ``commit(_:)`` a store opened anew holds the rows.
/// 4. **A failed commit loses nothing.** The accepted changes stay accepted; commit may be tried again.
///    Only a change set whose rows others changed after the store had lost its transaction is left out,
///    with those that build on it: ``commit(_:)`` throws a conflict until ``restoreAccepted()`` has
///    named them, and then commits the others.
/// 5. **Versions guard.** An update whose row's version is not one above the stored version, and a
///    delete or an expected row whose version is not the stored one, throw a conflict that names each
///    such object.
/// 6. **Constraints hold.** A change set that would leave two rows equal where the model forbids
///    it throws ``StoreError/Code-swift.enum/constraint(entity:properties:)``. A change set may
///    hand a unique value from one row to another.
/// 7. **Keys are new.** ``reserveKeys(_:for:)`` never returns a primary key that was returned
///    before or is in use, in this process or another.
/// 8. **Order is total.** Fetched rows come in the order of the sort terms, then by key.
/// 9. **Predicates mean what memory says.** A fetch returns the rows that
///    `PredicateEvaluator` accepts.
/// 10. **Only rows.** A fetch of an entity returns rows of its family and no others; keys carry the
///    row's own entity.
/// 11. **Deleting a row removes its links.**
/// 12. **Metadata is kept** with the rows, entries the store does not know included.
/// 13. **What follows decides.** ``execute(_:then:)`` calls its second argument when the change set is
///    done, and undoes it where that throws.
/// 14. **A generation stands still.** What is read in the ``StoreView/generation(_:)`` view is what was
///     committed when ``generation()`` returned, whatever is done meanwhile, until the generation is
///     let go of or the store closed. A store that can not keep one says so.
public protocol PersistentStore: AnyObject, Sendable {
  var model: ManagedObjectModel { get }
  /// An upper-case UUID, the same for as long as the store exists.
  var identifier: String { get }
  /// The configuration of the model whose entities alone the store holds; nil where it holds all.
  var configurationName: String? { get }
  var isReadOnly: Bool { get }

  func metadata() throws(StoreError) -> [String: MetadataValue]
  func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError)

  /// The rows that satisfy a fetch. Pages hold the rows in order, one page after the other.
  func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage]
  /// The keys of the rows that satisfy a fetch, in order.
  func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey]
  /// The values that a question asks for. All columns of an answer come from one state of the store.
  func answer(_ question: TableQuestion, in view: StoreView) throws(StoreError) -> TableAnswer
  /// The rows with the given keys, in any order; keys without a row are left out.
  ///
  /// All keys are of one inheritance tree. The entity in a key may be a superentity of the row's own.
  func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage]
  /// Those of the keys that no accepted row has. The entity in a key may be a superentity of the row's
  /// own.
  func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey]
  /// The rows whose reference in `slot` is one of `owners`. Rows of one owner come in the order of
  /// the slot `position` if there is one, then by key; rows of several owners may come mixed. The
  /// slot is one of `entity.layout`.
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage]
  /// What a to-many relationship of the owners leads to, wherever it is kept, ordered by owner, then by
  /// position, then by key.
  func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink]
  /// The position of the last object that an ordered relationship of the owner leads to; nil where
  /// there is none.
  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64?

  /// Whether the store can go on showing a state that was written over since.
  var keepsGenerations: Bool { get }
  /// Keeps the committed state as it is now.
  func generation() throws(StoreError) -> StoreGeneration

  /// Sets aside `count` primary keys for new rows of an inheritance tree.
  func reserveKeys(_ count: Int, for entity: EntityShape) throws(StoreError) -> Range<Int64>

  /// Takes a change set into the open transaction, opening one if there is none.
  func execute(_ changes: ChangeSet) throws(StoreError)
  /// Takes a change set as ``execute(_:)`` does, and calls `rest`; where that throws, the change set is
  /// undone and the error thrown on. A coordinator makes one change set of several stores so.
  ///
  /// `rest` does not come back to this store.
  func execute(
    _ changes: ChangeSet, then rest: () throws(StoreError) -> Void
  ) throws(StoreError)
  /// Takes the keys of rows that the last change set changed beyond what it says: an app's own triggers
  /// did, in the file. Contexts read these rows again.
  func takeKeysChangedByTriggers() -> [RowKey]
  /// Makes everything executed so far part of the store.
  func commit(_ durability: Durability) throws(StoreError)
  /// Executes accepted change sets anew where their transaction was lost, and returns those that could
  /// not be kept, each once.
  func restoreAccepted() throws(StoreError) -> [LostChanges]
  /// Gives up accepted change sets that are not committed, with those that build on them. All are among
  /// what ``restoreAccepted()`` returns next. A coordinator does so where one of its stores lost its
  /// part of a change set.
  func withdraw(_ changes: [ChangeSet]) throws(StoreError)

  /// Reads the whole store and reports what is damaged; an empty answer means nothing is.
  func integrityProblems() throws(StoreError) -> [String]
  /// Removes all rows, in one transaction; identifier and metadata stay.
  func removeAllRows() throws(StoreError)
  /// Writes a copy of the committed store to a file that does not exist yet.
  func copy(to path: String) throws(StoreError)
  /// Commits what is accepted and gives up the store's resources. Later requests throw
  /// ``StoreError/Code-swift.enum/closed``.
  func close() throws(StoreError)
}

extension PersistentStore {
  public var configurationName: String? { nil }
  public var isReadOnly: Bool { false }
  public var keepsGenerations: Bool { false }

  public func takeKeysChangedByTriggers() -> [RowKey] { [] }

  public func generation() throws(StoreError) -> StoreGeneration {
    throw lackOfGenerations
  }

  public func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    try absentByReading(keys)
  }

  /// What ``absent(_:)`` answers, found by reading the rows.
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

  public func restoreAccepted() throws(StoreError) -> [LostChanges] { [] }

  public func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    throw StoreError(.unsupported, "This store can not give up changes that it has accepted.")
  }

  public func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64? {
    try links(of: relationship, owners: [owner], in: view).last?.position
  }

  public func copy(to path: String) throws(StoreError) {
    throw StoreError(.unsupported, "This store lies in no file, and can not be copied to one.")
  }
}

/// A value of a store's metadata: what a property list can hold.
public indirect enum MetadataValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  case date(Double)
  case data([UInt8])
  case list([MetadataValue])
  case dictionary([String: MetadataValue])

  /// Whether an entry with the key says what the store is, and not what an application keeps there.
  package static func isCoreData(key: String) -> Bool {
    ["NSStore", "NSPersistence", "_NS"].contains { key.hasPrefix($0) }
  }
}
