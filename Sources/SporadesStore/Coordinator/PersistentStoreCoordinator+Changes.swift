// SPDX-License-Identifier: MIT
public import SporadesModel

extension PersistentStoreCoordinator {
  // MARK: - New objects

  /// The store that new objects of an entity go to where nobody says otherwise.
  package func storeForNew(_ entity: EntityShape) throws(StoreError) -> Int {
    let stores = stores.withLock { $0 }
    try checkOpen(stores)
    let holders = stores.added.filter { $0.configuration.holds(entity.number) }
    if let first = holders.first(where: { !$0.store.isReadOnly }) { return first.number }
    guard holders.isEmpty else {
      throw StoreError(
        .readOnly, "Every store that holds \(entity.name) may only be read; add one to write to.")
    }
    throw StoreError(
      .noStore,
      stores.added.isEmpty
        ? "The coordinator has no store to save to; add one, then save again."
        : "No store of the coordinator holds \(entity.name); add one that does, then save again.")
  }

  /// The number of a store that objects of the entity may be assigned to.
  package func number(
    of store: any PersistentStore, holding entity: EntityShape
  ) throws(StoreError) -> Int {
    let member = try member(store)
    guard member.configuration.holds(entity.number) else {
      throw member.configuration.foreign(entity)
    }
    guard !store.isReadOnly else {
      throw StoreError(.readOnly, "The store may only be read; assign the object to another one.")
    }
    return member.number
  }

  public func reserveKeys(
    _ count: Int, for entity: EntityShape
  ) throws(StoreError) -> Range<Int64> {
    try reserveKeys(count, for: entity, inStore: try storeForNew(entity))
  }

  package func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    try reserving.withLock { _ throws(StoreError) in
      let stores = stores.withLock { $0 }
      try checkOpen(stores)
      guard let member = stores[number] else { throw removed([]) }
      return try member.store.reserveKeys(count, for: entity)
    }
  }

  // MARK: - Change sets

  public func execute(_ changes: ChangeSet) throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      try execute(try parts(of: changes)[...], then: nil)
    }
  }

  public func execute(
    _ changes: ChangeSet, then rest: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      let parts = try parts(of: changes)
      try withoutActuallyEscaping(rest) { rest throws(StoreError) in
        try execute(parts[...], then: rest)
      }
    }
  }

  private typealias Part = (member: CoordinatedStore, changes: ChangeSet)

  /// Each store executes its part and keeps it if those after it do.
  private func execute(
    _ parts: ArraySlice<Part>, then rest: (() throws(StoreError) -> Void)?
  ) throws(StoreError) {
    guard let (member, changes) = parts.first else {
      try rest?()
      return
    }
    let others = parts.dropFirst()
    do {
      if others.isEmpty && rest == nil {
        try member.store.execute(changes)
      } else {
        try member.store.execute(changes) { () throws(StoreError) in
          try execute(others, then: rest)
        }
      }
    } catch {
      throw member.shared(error)
    }
  }

  private func parts(of changes: ChangeSet) throws(StoreError) -> [Part] {
    let stores = stores.withLock { $0 }
    try checkOpen(stores)
    if let only = stores.only {
      try only.configuration.check(changes, model)
      return [(only, changes)]
    }
    guard !changes.isEmpty else { return [] }
    let split = SplitChanges(changes)
    if let link = split.firstLinkAcross(model) { throw self.link(link) }
    let gone = split.parts.keys.filter { stores[$0] == nil }
    guard gone.isEmpty else {
      throw removed(changes.keys.filter { gone.contains($0.store) })
    }
    return split.parts.sorted { $0.key < $1.key }.compactMap { number, changes in
      stores[number].map { ($0, $0.own(changes)) }
    }
  }

  private func removed(_ keys: [RowKey]) -> StoreError {
    let names = keys.prefix(10).map { ManagedObjectID(key: $0, scope: scope).description }
    let what = names.isEmpty ? "the objects" : names.joined(separator: ", ")
    return StoreError(
      .noStore,
      "The store of \(what) was removed from the coordinator; give up their changes, or add the "
        + "store again.")
  }

  private func link(_ link: SplitChanges.Link) -> StoreError {
    let (first, second) = (
      ManagedObjectID(key: link.from, scope: scope), ManagedObjectID(key: link.to, scope: scope)
    )
    return StoreError(
      .linkAcrossStores(first, relationship: link.relationship, second),
      "\(first).\(link.relationship) leads to \(second), which is in another store. Assign new "
        + "objects to the store of those they are linked to, or keep a URI in an attribute.")
  }

  public func takeKeysChangedByTriggers() -> [RowKey] {
    stores.withLock { $0.added }.flatMap { member in
      member.store.takeKeysChangedByTriggers().map(member.shared)
    }
  }

  // MARK: - All stores

  /// Commits every store, and throws the first failure: what the others have is not kept back by it.
  public func commit(_ durability: Durability) throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      try inAllStores { store throws(StoreError) in try store.commit(durability) }
    }
  }

  public var keepsGenerations: Bool {
    stores.withLock { $0.added }.allSatisfy(\.store.keepsGenerations)
  }

  /// One state of all stores: no change set is executed by one of them meanwhile and not by another.
  public func generation() throws(StoreError) -> StoreGeneration {
    try writing.withLock { _ throws(StoreError) in
      let all = stores.withLock { $0 }
      try checkOpen(all)
      var parts: [Int: StoreGeneration] = [:]
      for member in all.numbered { parts[member.number] = try member.store.generation() }
      return StoreGeneration(CoordinatedGeneration(byNumber: parts))
    }
  }

  public func removeAllRows() throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      try inAllStores { store throws(StoreError) in
        if !store.isReadOnly { try store.removeAllRows() }
      }
    }
  }

  public func integrityProblems() throws(StoreError) -> [String] {
    var problems: [String] = []
    for store in persistentStores { problems += try store.integrityProblems() }
    return problems
  }

  /// Closes every store. Where one refuses, closing can be tried again.
  public func close() throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      for store in persistentStores {
        do throws(StoreError) {
          try store.close()
        } catch  where error.code == .closed {
          // It was closed by somebody else.
        }
      }
      stores.withLock { $0.isClosed = true }
    }
  }

  private func inAllStores(
    _ body: (any PersistentStore) throws(StoreError) -> Void
  ) throws(StoreError) {
    let all = stores.withLock { $0 }
    try checkOpen(all)
    var failure: StoreError?
    for member in all.numbered {
      do throws(StoreError) {
        try body(member.store)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Writes a copy of the coordinator's only store.
  public func copy(to path: String) throws(StoreError) {
    let all = persistentStores
    guard all.count == 1 else {
      throw StoreError(
        .unsupported,
        "\(all.count) stores can not be copied to one file; copy each of persistentStores.")
    }
    try all[0].copy(to: path)
  }

  // MARK: - Metadata

  /// The metadata of the store that was added first.
  public func metadata() throws(StoreError) -> [String: MetadataValue] {
    try first().metadata()
  }

  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try first().setMetadata(metadata)
  }

  private func first() throws(StoreError) -> any PersistentStore {
    let all = stores.withLock { $0 }
    try checkOpen(all)
    guard let first = all.added.first else {
      throw StoreError(.noStore, "The coordinator has no store, and so no metadata; add one.")
    }
    return first.store
  }

  public func metadata(for store: any PersistentStore) throws(StoreError) -> [String: MetadataValue]
  {
    try member(store).store.metadata()
  }

  public func setMetadata(
    _ metadata: [String: MetadataValue], for store: any PersistentStore
  ) throws(StoreError) {
    try member(store).store.setMetadata(metadata)
  }
}
