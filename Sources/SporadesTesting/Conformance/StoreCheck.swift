// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore
public import Testing

/// How a suite gets at the stores of one make, and what that make can do.
public struct StoreUnderTest: Sendable {
  /// Makes a new, empty store.
  public let make: @Sendable (ManagedObjectModel) throws -> any PersistentStore
  /// Opens the rows of a store anew, as another process would; nil where rows do not outlive it.
  /// The store given may be closed, or left as a crash would leave it, and is not used again.
  public let reopen: (@Sendable (any PersistentStore) throws -> any PersistentStore)?
  /// Makes the next commit of a store fail, once; nil where that cannot be arranged.
  public let failNextCommit: (@Sendable (any PersistentStore) throws -> Void)?

  /// A make of stores. Leave out what the make cannot do; the checks that need it then pass.
  public init(
    make: @escaping @Sendable (ManagedObjectModel) throws -> any PersistentStore,
    reopen: (@Sendable (any PersistentStore) throws -> any PersistentStore)? = nil,
    failNextCommit: (@Sendable (any PersistentStore) throws -> Void)? = nil
  ) {
    self.make = make
    self.reopen = reopen
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
  private let body: @Sendable (any PersistentStore, StoreUnderTest) throws -> Void

  init(
    _ rule: Int, _ name: String,
    _ body: @escaping @Sendable (any PersistentStore, StoreUnderTest) throws -> Void
  ) {
    self.rule = rule
    self.name = name
    self.body = body
  }

  /// A check that looks at one store only.
  init(
    _ rule: Int, _ name: String,
    store body: @escaping @Sendable (any PersistentStore) throws -> Void
  ) {
    self.init(rule, name) { store, _ in try body(store) }
  }

  public var testDescription: String { "rule \(rule): \(name)" }

  /// Runs the check on a new store of the sample library.
  public func run(_ subject: StoreUnderTest) throws {
    let store = try subject.make(SampleLibrary.model)
    try body(store, subject)
    try? store.close()
  }

  /// All checks, those of rules a make cannot be asked about included: they pass.
  public static let all =
    changing + following + keeping + guarding + fetching + meaning + relating + maintaining
    + standing
}

extension PersistentStore {
  /// The primary keys of the rows a fetch finds, in its order.
  func found(
    _ entity: String, where predicate: FetchPredicate? = nil, sortedBy terms: [SortTerm] = [],
    in view: StoreView = .accepted
  ) throws -> [Int64] {
    let fetch = StoreFetch(SampleLibrary.shape(entity), where: predicate, sortedBy: terms)
    return try keys(fetch, in: view).map(\.primaryKey)
  }

  /// The one row with the draft's key, and its place in its page.
  func row(
    _ draft: RowDraft, in view: StoreView = .accepted
  ) throws -> (page: RowPage, index: Int)? {
    try rows(for: [draft.key], in: view).first { $0.count > 0 }.map { ($0, 0) }
  }

  /// The value of an attribute in the one row with the draft's key.
  func value(
    _ name: String, of draft: RowDraft, in view: StoreView = .accepted
  ) throws -> Value? {
    guard case .attribute(let attribute) = draft.shape[name] else { return nil }
    return try row(draft, in: view).map { $0.page.value($0.index, of: attribute) }
  }

  /// The primary keys of the objects the drafts are linked to, in order.
  func linked(
    _ relationship: String, of drafts: RowDraft..., in view: StoreView = .accepted
  ) throws -> [Int64] {
    guard case .relationship(let shape) = drafts[0].shape[relationship] else { return [] }
    return try links(of: shape, owners: drafts.map(\.key), in: view).map(\.other.primaryKey)
  }

  /// The last position in an ordered relationship of the draft.
  func lastPosition(_ relationship: String, of draft: RowDraft) throws -> Int64? {
    guard case .relationship(let shape) = draft.shape[relationship] else { return nil }
    return try lastPosition(in: shape, of: draft.key, in: .accepted)
  }

  /// The code of the error that executing the changes throws.
  func refusal(_ changes: ChangeSet) -> StoreError.Code? {
    do throws(StoreError) {
      try execute(changes)
      return nil
    } catch {
      return error.code
    }
  }
}
