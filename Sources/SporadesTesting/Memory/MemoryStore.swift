// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel
public import SporadesStore

/// A store in memory, whose rows end with the process. Tests compare every other store with it.
///
/// Its rows are one value. So a view is a copy, a failed save changes nothing, and a commit is an
/// assignment.
public final class MemoryStore: RevocableStore, GenerationKeepingStore {
  public let model: ManagedObjectModel
  public let identifier: String
  /// The store records its change sets, and tells what they changed.
  public let keepsHistory: Bool
  public var configurationName: String? { configuration.name }
  private let configuration: StoreConfiguration
  private let scope: StoreScope
  private let contents = Guarded(Contents())

  private struct Contents {
    var accepted = MemoryState()
    var committed = MemoryState()
    /// The change sets accepted since the last commit, in order.
    var executed: [Executed] = []
    /// The change sets that the store could not keep and has not reported yet.
    var losses: [LostChanges] = []
    var metadata: [String: MetadataValue] = [:]
    /// The largest primary key that is reserved or in use, by the number of the root entity.
    var largestKeys: [Int: Int64] = [:]
    /// Nil if the store keeps none.
    var history: MemoryHistory?
    var isClosed = false
  }

  private struct Executed {
    /// The change set that the caller executed, by which `withdraw` finds it.
    let original: ChangeSet
    /// The same changes with all large values in memory.
    let inMemory: ChangeSet
    /// Nil if the store keeps no history.
    let draft: MemoryHistory.Draft?
  }

  /// Makes an empty store of all entities.
  public convenience init(
    model: ManagedObjectModel, identifier: String? = nil, keepsHistory: Bool = false
  ) {
    do {
      try self.init(
        model: model, configuration: nil, identifier: identifier, keepsHistory: keepsHistory)
    } catch {
      trap("A store of all entities cannot divide an inheritance tree: \(error)")
    }
  }

  /// Makes an empty store of the entities of one configuration of the model.
  public init(
    model: ManagedObjectModel, configuration: String?, identifier: String? = nil,
    keepsHistory: Bool = false
  ) throws(StoreError) {
    self.model = model
    self.keepsHistory = keepsHistory
    self.configuration = try StoreConfiguration(configuration, of: model)
    self.identifier = identifier ?? UUID().uuidString
    scope = StoreScope(identifier: self.identifier, entityNames: model.shapes.map(\.name))
    guard keepsHistory else { return }
    let history = MemoryHistory(identifier: self.identifier, scope)
    contents.withLock { $0.history = history }
  }

  public func metadata() throws(StoreError) -> [String: MetadataValue] {
    try withContents { $0.metadata.merging(["NSStoreUUID": .string(identifier)]) { $1 } }
  }

  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try withContents { $0.metadata = metadata }
  }

  private func withContents<Output: Sendable>(
    _ body: (inout Contents) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try contents.withLock { contents throws(StoreError) in
      guard !contents.isClosed else { throw StoreError(.closed, "The store was closed.") }
      return try body(&contents)
    }
  }

  /// Runs `body` on the history; throws if the store keeps none.
  func withHistory<Output: Sendable>(
    _ body: (inout MemoryHistory) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try withContents { contents throws(StoreError) in
      guard var history = contents.history else { throw lackOfHistory }
      contents.history = nil
      defer { contents.history = history }
      return try body(&history)
    }
  }

  private func reader(_ view: StoreView) throws(StoreError) -> MemoryReader {
    let state = try withContents { (contents) throws(StoreError) in
      switch view {
      case .accepted: return contents.accepted
      case .committed: return contents.committed
      case .generation(let generation):
        return try generation.state(of: self)
      }
    }
    return MemoryReader(state, model, scope)
  }

  public var keepsGenerations: Bool { true }

  public func generation() throws(StoreError) -> StoreGeneration {
    StoreGeneration(try withContents { $0.committed }, of: self)
  }

  // MARK: - Fetches

  public func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    pages(of: try found(fetch, view), fetch.entity.layout)
  }

  public func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    try found(fetch, view).map(\.key)
  }

  public func answer(
    _ question: TableQuestion, in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    try reader(view).answer(question)
  }

  private func found(
    _ fetch: StoreFetch, _ view: StoreView
  ) throws(StoreError) -> [MemoryState.Row] {
    try reader(view).rows(fetch)
  }

  private func pages(of rows: [MemoryState.Row], _ layout: RowLayout) -> [RowPage] {
    guard !rows.isEmpty else { return [] }
    var copies = RowCopies(layout, count: rows.count)
    for row in rows { copies.append(row.index, of: row.page) }
    return copies.finish()
  }

  // MARK: - Rows by key

  public func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    let state = try reader(view).state
    guard let first = keys.first else { return [] }
    return pages(
      of: keys.compactMap { state.row($0, model) }, model.shape(numbered: first.entity).layout)
  }

  public func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    let state = try reader(.accepted).state
    return keys.filter { state.row($0, model) == nil }
  }

  public func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    let reader = try reader(view)
    let rows = Set(owners).sorted().flatMap { owner in
      reader.referrers(
        of: owner.primaryKey, root: entity.rootNumber, slot: slot, position: position)
    }
    return pages(of: rows.filter { entity.family.contains($0.key.entity) }, entity.layout)
  }

  public func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    let reader = try reader(view)
    return Set(owners).sorted().flatMap { owner in
      reader.linked(owner.primaryKey, by: relationship)
        .sorted { ($0.position ?? .min, $0.other) < ($1.position ?? .min, $1.other) }
        .map { StoredLink(owner: owner, other: $0.other, position: $0.position) }
    }
  }

  // MARK: - Changes

  public func reserveKeys(
    _ count: Int, for entity: EntityShape
  ) throws(StoreError) -> Range<Int64> {
    trap(unless: count >= 0, "A caller asked for \(count) keys; ask for 0 or more.")
    return try withContents { (contents) throws(StoreError) in
      let last = contents.largestKeys[entity.rootNumber, default: 0]
      guard Int64(count) <= RowKey.largestPrimaryKey - last else {
        throw StoreError(
          .full,
          "\(entity.name) has no keys left: the largest key is \(RowKey.largestPrimaryKey), and an "
            + "object has a key near it.")
      }
      contents.largestKeys[entity.rootNumber] = last + Int64(count)
      return last + 1..<last + 1 + Int64(count)
    }
  }

  public func execute(_ changes: ChangeSet) throws(StoreError) {
    try execute(changes) { () throws(StoreError) in }
  }

  public func execute(
    _ changes: ChangeSet, then confirm: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try configuration.check(changes, model)
    let inMemory = try changes.withLargeValuesInMemory()
    try withContents { contents throws(StoreError) in
      if !contents.losses.isEmpty { try contents.losses.check(changes, model, scope) }
      let draft = try draft(of: inMemory, to: contents.accepted)
      let state = try apply(inMemory, to: contents.accepted)
      if !contents.losses.isEmpty { try checkTargets(of: changes, in: state) }
      try confirm()
      contents.accepted = state
      if changes.hasWrites {
        contents.executed.append(Executed(original: changes, inMemory: inMemory, draft: draft))
      }
      for page in changes.inserted {
        for index in 0..<page.count {
          contents.largestKeys[page.layout.rootEntity] = max(
            contents.largestKeys[page.layout.rootEntity, default: 0], page.key(index).primaryKey)
        }
      }
    }
  }

  private func draft(
    of changes: ChangeSet, to state: MemoryState
  ) throws(StoreError) -> MemoryHistory.Draft? {
    guard keepsHistory, changes.hasWrites else { return nil }
    return try MemoryHistory.Draft(changes, to: state, model)
  }

  /// Refuses a change set with links to rows that do not exist, because lost changes would have inserted
  /// them.
  private func checkTargets(
    of changes: ChangeSet, in state: MemoryState
  ) throws(StoreError) {
    let gone = changes.targets.filter { state.row($0, model) == nil }
    guard gone.isEmpty else { throw .buildsOnLost(gone.map(id)) }
  }

  private func apply(
    _ changes: ChangeSet, to former: MemoryState
  ) throws(StoreError) -> MemoryState {
    var state = former
    let conflicts = state.findConflicts(with: changes, model)
    guard conflicts.isEmpty else {
      let deleted = conflicts.filter { state.row($0, model) == nil }
      throw .conflict(conflicts.map(id), deleted: Set(deleted.map(id)))
    }
    if let broken = state.apply(changes, model) {
      throw .taken(broken.properties, in: model.shape(numbered: broken.entity))
    }
    return state
  }

  private func id(_ key: RowKey) -> ManagedObjectID { ManagedObjectID(key: key, scope: scope) }

  public func commit(_ durability: Durability) throws(StoreError) {
    try withContents { contents throws(StoreError) in
      guard contents.losses.isEmpty else { throw contents.losses.unreported(scope) }
      contents.committed = contents.accepted
      for executed in contents.executed {
        if let draft = executed.draft { contents.history?.commit(draft) }
      }
      contents.executed = []
    }
  }

  public func restoreAccepted() throws(StoreError) -> [LostChanges] {
    try withContents { contents in
      defer { contents.losses = [] }
      return contents.losses
    }
  }

  public func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try withContents { contents throws(StoreError) in
      var state = contents.committed
      var kept: [Executed] = []
      var lostRows = LostRows(model)
      for executed in contents.executed {
        let known = executed.original
        let met = lostRows.met(by: known).map(id)
        var reason: StoreError? = met.isEmpty ? nil : .buildsOnLost(met)
        if changes.contains(where: { $0 === known }) {
          reason = .withdrawn
        }
        do throws(StoreError) {
          if let reason { throw reason }
          let next = try apply(executed.inMemory, to: state)
          if !lostRows.isEmpty { try checkTargets(of: known, in: next) }
          state = next
          kept.append(executed)
        } catch {
          contents.losses.append(LostChanges(known, error))
          lostRows.add(known)
        }
      }
      contents.accepted = state
      contents.executed = kept
    }
  }

  // MARK: - The whole store

  public func removeAllRows() throws(StoreError) {
    try withContents { contents in
      for executed in contents.executed {
        if let draft = executed.draft { contents.history?.commit(draft) }
      }
      let draft = MemoryHistory.Draft(removing: contents.accepted, model)
      if !draft.isEmpty { contents.history?.commit(draft) }
      contents.accepted = MemoryState()
      contents.committed = MemoryState()
      contents.executed = []
    }
  }

  public func close() throws(StoreError) {
    try withContents { contents in
      contents = Contents()
      contents.isClosed = true
    }
  }
}

extension MemoryStore: CheckableStore {
  public func checkIntegrity(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    // Memory has no damage, and a closed store refuses.
    try withContents { _ in }
  }
}
