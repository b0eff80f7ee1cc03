// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

extension PersistentStoreCoordinator {
  // MARK: - New objects

  /// Finds the store for new objects of an entity that their context assigned to no store.
  package func storeForNew(_ entity: EntityShape) throws(StoreError) -> Int {
    let stores = stores.withLock { $0 }
    try checkOpen(stores)
    let holders = stores.added.filter { $0.configuration.holds(entity.number) }
    if let first = holders.first(where: { !$0.store.isReadOnly }) { return first.number }
    guard holders.isEmpty else {
      throw StoreError(
        .readOnly, "Every store that holds \(entity.name) is read-only; add a writable store.")
    }
    throw StoreError(
      .noStore,
      stores.added.isEmpty
        ? "The coordinator has no store to save to; add one, then save again."
        : "No store of the coordinator holds \(entity.name); add one that does, then save again.")
  }

  /// The number of a store, to which a context wants to assign an object of an entity.
  package func number(
    of store: any PersistentStore, holding entity: EntityShape
  ) throws(StoreError) -> Int {
    let member = try member(store)
    guard member.configuration.holds(entity.number) else {
      throw member.configuration.foreign(entity)
    }
    guard !store.isReadOnly else {
      throw StoreError(.readOnly, "The store is read-only; assign the object to another store.")
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
      guard let member = stores[number] else { throw makeStoreRemoved([]) }
      return try member.store.reserveKeys(count, for: entity)
    }
  }

  // MARK: - Change sets

  public func execute(_ changes: ChangeSet) throws(StoreError) {
    try writing.withLock { divided throws(StoreError) in
      let parts = try divide(changes)
      try divided.record(changes, parts) { () throws(StoreError) in
        try execute(parts[...], then: nil)
      }
    }
  }

  public func execute(
    _ changes: ChangeSet, then confirm: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try writing.withLock { divided throws(StoreError) in
      let parts = try divide(changes)
      try divided.record(changes, parts) { () throws(StoreError) in
        try withoutActuallyEscaping(confirm) { confirm throws(StoreError) in
          try execute(parts[...], then: confirm)
        }
      }
    }
  }

  /// A single store carries out its batches. Several stores change objects, which are saved in all of them.
  public func execute(_ batch: StoreBatch) throws(StoreError) -> BatchEffects? {
    try writing.withLock { _ throws(StoreError) in
      guard let only = stores.withLock({ $0.only }), batch.fetch.affectedStores == nil else {
        return nil
      }
      return try only.capabilities.batches?.execute(only.own(batch))
    }
  }

  private typealias Part = DividedChanges.Part

  /// Executes the parts one within the other. Each store keeps its part if all later stores keep theirs.
  private func execute(
    _ parts: ArraySlice<Part>, then confirm: (() throws(StoreError) -> Void)?
  ) throws(StoreError) {
    guard let part = parts.first else {
      try confirm?()
      return
    }
    let (member, changes) = (part.member, part.changes)
    let others = parts.dropFirst()
    do {
      if others.isEmpty && confirm == nil {
        try member.store.execute(changes)
      } else {
        try member.capabilities.revocable().execute(changes) { () throws(StoreError) in
          try execute(others, then: confirm)
        }
      }
    } catch {
      throw member.shared(error)
    }
  }

  /// Divides a change set by the stores of its rows.
  private func divide(_ changes: ChangeSet) throws(StoreError) -> [Part] {
    let stores = stores.withLock { $0 }
    try checkOpen(stores)
    if let only = stores.only {
      try only.configuration.check(changes, model)
      return [Part(member: only, changes: changes)]
    }
    guard !changes.isEmpty else { return [] }
    let split = SplitChanges(changes)
    if let link = split.findLinkAcross(model) { throw makeLinkRefusal(link) }
    let gone = split.parts.keys.filter { stores[$0] == nil }
    guard gone.isEmpty else {
      throw makeStoreRemoved(changes.keys.filter { gone.contains($0.store) })
    }
    return split.parts.inOrder.compactMap { number, changes in
      stores[number].map { Part(member: $0, changes: $0.own(changes)) }
    }
  }

  private func makeStoreRemoved(_ keys: [RowKey]) -> StoreError {
    let names = keys.prefix(10).map { ManagedObjectID(key: $0, scope: scope).description }
    let objects = names.isEmpty ? "the objects" : names.joined(separator: ", ")
    return StoreError(
      .noStore,
      "The store of \(objects) was removed from the coordinator; discard their changes, or add the "
        + "store again.")
  }

  private func makeLinkRefusal(_ link: SplitChanges.Link) -> StoreError {
    let (first, second) = (
      ManagedObjectID(key: link.from, scope: scope), ManagedObjectID(key: link.to, scope: scope)
    )
    return StoreError(
      .linkAcrossStores(first, relationship: link.relationship, second),
      "\(first).\(link.relationship) leads to \(second), which is in another store. Assign linked "
        + "objects to the same store, or keep a URI in an attribute.")
  }

  public func takeKeysChangedByTriggers() -> [RowKey] {
    stores.withLock { $0.added }.flatMap { member in
      member.capabilities.takeKeysChangedByTriggers().map(member.shared)
    }
  }

  // MARK: - All stores

  public func restoreAccepted() throws(StoreError) -> [LostChanges] {
    try writing.withLock { divided throws(StoreError) in
      do throws(StoreError) {
        try restore(&divided)
      } catch  where divided.losses.isEmpty {
        throw error
      } catch {
        // The coordinator reports the known losses first. The next commit meets the failure again.
      }
      return divided.takeLosses()
    }
  }

  public func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try writing.withLock { divided throws(StoreError) in
      divided.mayHaveLosses = true
      for whole in changes {
        guard let parts = divided.parts(of: whole) else {
          for member in stores.withLock({ $0.numbered }) {
            try member.capabilities.revocable().withdraw([whole])
          }
          continue
        }
        for part in parts { try part.member.capabilities.revocable().withdraw([part.changes]) }
      }
    }
  }

  /// Finds the change sets that the stores could not keep, before any store commits, and withdraws their parts
  /// from the other stores. A part that another store has committed stays.
  ///
  /// A store that cannot restore now cannot commit either, and does not stop the others. If a store cannot
  /// withdraw a part now, the function throws and nobody commits.
  func restore(_ divided: inout DividedChanges) throws(StoreError) {
    let members = stores.withLock { $0.numbered }
    repeat {
      try withdrawParts(&divided)
      for member in members {
        // `try?`, because the commit of this store meets the same failure and throws it.
        guard let losses = try? member.capabilities.restoreAccepted() else { continue }
        for loss in losses { divided.recordLoss(loss, of: member) }
      }
    } while !divided.toWithdraw.isEmpty
  }

  private func withdrawParts(_ divided: inout DividedChanges) throws(StoreError) {
    while let part = divided.toWithdraw.last {
      do throws(StoreError) {
        try part.member.capabilities.revocable().withdraw([part.changes])
      } catch  where error.code == .unsupported || error.code == .closed {
        // The store cannot withdraw the part, or has committed it, so the part stays.
      }
      divided.toWithdraw.removeLast()
    }
  }

  /// One of the stores runs triggers.
  public var hasTriggers: Bool {
    stores.withLock { $0.added }.contains(where: \.capabilities.hasTriggers)
  }

  public var keepsGenerations: Bool {
    stores.withLock { $0.added }.allSatisfy(\.capabilities.keepsGenerations)
  }

  /// Keeps one state of all stores. No commit can run meanwhile, so no store is ahead of another. A save that runs
  /// delays nobody, because its rows are not committed.
  public func generation() throws(StoreError) -> StoreGeneration {
    try committing.withLock { _ throws(StoreError) in
      let all = stores.withLock { $0 }
      try checkOpen(all)
      var parts: [Int: StoreGeneration] = [:]
      for member in all.numbered {
        parts[member.number] = try member.capabilities.generation()
      }
      return StoreGeneration(CoordinatedGeneration(byNumber: parts), of: self)
    }
  }

  public func removeAllRows() throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      try inAllStores { store throws(StoreError) in
        if !store.isReadOnly { try store.removeAllRows() }
      }
    }
  }

  /// The upkeep of all stores together.
  public var upkeep: StoreUpkeep {
    persistentStores.reduce(into: StoreUpkeep()) { $0.add($1.upkeep) }
  }

  /// Closes every store. If a store refuses, the caller can try again.
  public func close() throws(StoreError) {
    try writing.withLock { divided throws(StoreError) in
      try commitShared(&divided)
      for store in persistentStores {
        do throws(StoreError) {
          try store.close()
        } catch  where error.code == .closed {
          // The program has closed the store itself.
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
    committing.withLock { _ in
      for member in all.numbered {
        do throws(StoreError) {
          try body(member.store)
        } catch {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
  }

  /// Writes a copy of the coordinator's only store.
  public func copy(to path: String, replacing: Bool) throws(StoreError) {
    let all = persistentStores
    guard all.count == 1 else {
      throw StoreError(
        .unsupported,
        "A copy cannot hold \(all.count) stores in one file; copy each of persistentStores.")
    }
    try all[0].copy(to: path, replacing: replacing)
  }

  // MARK: - Metadata

  /// Reads the metadata of the first store.
  public func metadata() throws(StoreError) -> [String: MetadataValue] {
    try first().metadata()
  }

  /// Sets the metadata of the first store.
  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try first().setMetadata(metadata)
  }

  private func first() throws(StoreError) -> any PersistentStore {
    let all = stores.withLock { $0 }
    try checkOpen(all)
    guard let first = all.added.first else {
      throw StoreError(.noStore, "The coordinator has no metadata without a store; add a store.")
    }
    return first.store
  }

  /// Reads the metadata of one store.
  public func metadata(for store: any PersistentStore) throws(StoreError) -> [String: MetadataValue]
  {
    try member(store).store.metadata()
  }

  /// Sets the metadata of one store.
  public func setMetadata(
    _ metadata: [String: MetadataValue], for store: any PersistentStore
  ) throws(StoreError) {
    try member(store).store.setMetadata(metadata)
  }
}

extension PersistentStoreCoordinator: CheckableStore {
  public func checkIntegrity(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    for store in persistentStores { try store.checkable().checkIntegrity(body) }
  }
}
