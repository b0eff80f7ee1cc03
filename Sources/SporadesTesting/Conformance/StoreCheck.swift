// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore
public import Testing

/// A kind of store, with the functions by which a suite makes and opens its stores.
public struct StoreUnderTest: Sendable {
  /// Makes a new, empty store.
  public let makeStore: @Sendable (ManagedObjectModel) throws -> any PersistentStore
  /// Opens the rows of a store again, as another process would; nil if the rows end with the store.
  ///
  /// The function may close the former store, or leave it as a crash would. The suite does not use it again.
  public let reopen: (@Sendable (any PersistentStore) throws -> any PersistentStore)?
  /// Opens the rows of a store a second time while the store is open, as another process would; nil if a store can be
  /// open once only.
  public let openBeside: (@Sendable (any PersistentStore) throws -> any PersistentStore)?
  /// Makes the next commit of a store fail once; nil if the kind of store has no way to do so.
  public let failNextCommit: (@Sendable (any PersistentStore) throws -> Void)?

  /// Describes a kind of store. If it has no function for an argument, leave the argument out; the checks that
  /// need it then pass.
  public init(
    makeStore: @escaping @Sendable (ManagedObjectModel) throws -> any PersistentStore,
    reopen: (@Sendable (any PersistentStore) throws -> any PersistentStore)? = nil,
    openBeside: (@Sendable (any PersistentStore) throws -> any PersistentStore)? = nil,
    failNextCommit: (@Sendable (any PersistentStore) throws -> Void)? = nil
  ) {
    self.makeStore = makeStore
    self.reopen = reopen
    self.openBeside = openBeside
    self.failNextCommit = failNextCommit
  }
}

/// One rule of ``/SporadesStore/PersistentStore`` that every store keeps, as a test that takes the store.
///
/// ```swift
/// @Test(arguments: StoreCheck.all)
/// func conforms(to check: StoreCheck) throws {
///   try check.run(StoreUnderTest { MemoryStore(model: $0) })
/// }
/// ```
public struct StoreCheck: Sendable, CustomTestStringConvertible {
  /// The number of the rule in the contract.
  public let rule: Int
  /// The rule in a few words.
  public let name: String
  private let model: ManagedObjectModel
  private let body: @Sendable (any PersistentStore, StoreUnderTest) throws -> Void

  /// Makes a check whose store has the rows of a model.
  package init(
    _ rule: Int, _ name: String, of model: ManagedObjectModel,
    _ body: @escaping @Sendable (any PersistentStore, StoreUnderTest) throws -> Void
  ) {
    self.rule = rule
    self.name = name
    self.model = model
    self.body = body
  }

  init(
    _ rule: Int, _ name: String,
    _ body: @escaping @Sendable (any PersistentStore, StoreUnderTest) throws -> Void
  ) {
    self.init(rule, name, of: SampleLibrary.model, body)
  }

  /// Makes a check that needs one store only.
  init(
    _ rule: Int, _ name: String,
    store body: @escaping @Sendable (any PersistentStore) throws -> Void
  ) {
    self.init(rule, name) { store, _ in try body(store) }
  }

  public var testDescription: String { "rule \(rule): \(name)" }

  /// Runs the check on a new store of its model, which is mostly that of the sample library.
  public func run(_ subject: StoreUnderTest) throws {
    let store = try subject.makeStore(model)
    try body(store, subject)
    // `try?`, because some checks close the store, and a second close fails.
    try? store.close()
  }

  /// All checks. A check that a kind of store cannot run passes.
  public static let all =
    changing + committing + following + keeping + guarding + fetching + questions + meaning
    + relating
    + maintaining + standing + history + besideOthers + sharing
}

extension PersistentStore {
  /// The rows of the sample library, with the digits of dates that the store keeps.
  func libraryRows(seed: UInt64) -> ChangeSet {
    let rows = SampleLibrary.rows(seed: seed)
    rows.roundDates(to: datePrecision)
    return rows
  }

  /// Fetches the primary keys of rows, in order.
  func found(
    _ entity: String, where predicate: FetchPredicate? = nil, sortedBy terms: [SortTerm] = [],
    in view: StoreView = .accepted
  ) throws -> [Int64] {
    let fetch = StoreFetch(SampleLibrary.shape(entity), where: predicate, sortedBy: terms)
    return try keys(fetch, in: view).map(\.primaryKey)
  }

  /// Reads the row with the draft's key: a page and an index in it.
  func row(
    _ draft: RowDraft, in view: StoreView = .accepted
  ) throws -> (page: RowPage, index: Int)? {
    try rows(for: [draft.key], in: view).first { $0.count > 0 }.map { ($0, 0) }
  }

  /// Reads the value of an attribute in the row with the draft's key.
  func value(
    _ name: String, of draft: RowDraft, in view: StoreView = .accepted
  ) throws -> Value? {
    guard case .attribute(let attribute) = draft.shape[name] else { return nil }
    return try row(draft, in: view).map { $0.page.value($0.index, of: attribute) }
  }

  /// Reads the primary keys of the objects that the drafts are linked to, in order.
  func linked(
    _ relationship: String, of drafts: RowDraft..., in view: StoreView = .accepted
  ) throws -> [Int64] {
    guard case .relationship(let shape) = drafts[0].shape[relationship] else { return [] }
    return try links(of: shape, owners: drafts.map(\.key), in: view).map(\.other.primaryKey)
  }

  /// Reads the last position in an ordered relationship of the draft.
  func lastPosition(_ relationship: String, of draft: RowDraft) throws -> Int64? {
    guard case .relationship(let shape) = draft.shape[relationship] else { return nil }
    return try lastPosition(in: shape, of: draft.key, in: .accepted)
  }

  /// Executes the changes, and returns the code of the error; nil if the store accepts them.
  func refusal(_ changes: ChangeSet) -> StoreError.Code? {
    do throws(StoreError) {
      try execute(changes)
      return nil
    } catch {
      return error.code
    }
  }

  /// Finds the damages of a store that searches itself for them. A store that does not has none.
  func damages() throws -> [String] {
    var found: [String] = []
    guard let store = self as? any CheckableStore else { return [] }
    try store.checkIntegrity { found.append($0.description) }
    return found
  }
}
