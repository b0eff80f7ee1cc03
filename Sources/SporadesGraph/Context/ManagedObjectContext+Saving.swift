// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// Hands all changes to the parent, or throws and keeps them.
  ///
  /// Throws a ``ValidationError`` with every failure before anything leaves the context, and a
  /// `StoreError` where the parent refuses the changes. What failed since the last save and could not be
  /// thrown, such as a change of an object whose row is gone, is thrown first, once; another save then
  /// saves the rest. In the block of a service's write, the changes become part of the write, which is
  /// executed when the block ends; in the block of a read, nothing is saved. ``ContextError/notDurable(_:_:)`` alone says that
  /// the changes were taken.
  public func save() throws {
    checkQueue()
    switch savePlace {
    case .parent:
      try throwFailures(after: 0)
      try save(isLast: false)
    case .write(let root): try saveIntoWrite(root)
    case .refused:
      guard hasChanges else { return }
      throw ContextError.savedInRead
    }
  }

  /// One attempt. `isLast` says that nobody will use the context any more; `again`, that the attempt
  /// before met what others saved.
  func saveOnce(isLast: Bool, again: Bool = false) throws {
    let hasChanges = hasChanges
    guard hasChanges || !watched.isEmpty else { return }
    let failuresBefore = failures.count
    try prepare()
    if events != nil { processPendingChanges() }
    let keys = try assignPermanentKeys()
    patchReferences(keys)
    try placeOrdered()
    try deriveValues(again: again)
    let saved = changes.listed
    var builder = ChangeSetBuilder(self)
    let changeSet = builder.build()
    try throwFailures(after: failuresBefore)
    let receipt = changeSet.isEmpty ? SaveReceipt() : try handOver(changeSet)
    if hasChanges {
      observers?.accepted(changeSet, self)
      tellChildren(of: changeSet)
    }
    builder.seal()
    finish(saved, isLast: isLast)
    if !isLast { mergeShown(receipt.changedByTriggers) }
    if let failure = receipt.commitFailure, let receipt = lastReceipt {
      throw ContextError.notDurable(failure, receipt)
    }
  }

  /// Gives new objects the ids they will keep, before they are saved.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    checkQueue()
    let new = objects.filter { $0.isInserted && $0.key.isTemporary }
    patchReferences(try assignPermanentKeys(to: new))
    for object in new { register(object) }
  }

  // MARK: - Steps of a save

  /// Gives the changes to the parent. Where it refuses them, new objects keep the ids they were
  /// given, and are found by them.
  private func handOver(_ changeSet: ChangeSet) throws(StoreError) -> SaveReceipt {
    do {
      let receipt = try source.accept(request(changeSet))
      if let number = receipt.number { lastSave = number }
      if let order = receipt.order { wasAccepted(as: order) }
      return receipt
    } catch {
      for object in changes.listed where object.isInserted && !object.key.isTemporary {
        register(object)
      }
      throw error
    }
  }

  private func request(_ changeSet: ChangeSet) -> SaveRequest {
    var request = SaveRequest(changeSet)
    request.basis = basis
    request.derivationBasis = heard.ofDerivations
    request.lossBasis = heard.ofLosses
    request.hasLinksToFaults = hasLinksToFaults
    request.durability = owedDurability
    request.sender = ObjectIdentifier(self)
    if source.comparesBases { request.bases = bases(of: changeSet) }
    return request
  }

  /// Lets objects finish themselves, and checks them.
  private func prepare() throws {
    var told: Set<ObjectIdentifier> = []
    var rounds = 0
    var open = changes.listed
    while !open.isEmpty {
      rounds += 1
      guard rounds <= 100 else { throw ContextError.endlessWillSave }
      for object in open where !object.state.isSuperset(of: [.inserted, .deleted]) {
        object.willSave()
      }
      guard changes.listed.count > open.count || rounds > 1 else { break }
      told.formUnion(open.map(ObjectIdentifier.init))
      open = changes.listed.filter { !told.contains(ObjectIdentifier($0)) }
    }
    var validation = ObjectValidation()
    checkLinksToDeleted(&validation)
    for object in changes.listed where object.hasChanges { validation.check(object) }
    for object in changes.linked where !object.hasChanges { validation.checkCounts(object) }
    guard validation.failures.isEmpty else { throw ValidationError(failures: validation.failures) }
  }

  private func assignPermanentKeys() throws(StoreError) -> [Int64: RowKey] {
    try assignPermanentKeys(
      to: changes.listed.filter { $0.isInserted && !$0.isDeleted && $0.key.isTemporary })
  }

  /// Returns the new keys of objects that others may refer to, by temporary primary key.
  private func assignPermanentKeys(
    to objects: [ManagedObject]
  ) throws(StoreError) -> [Int64: RowKey] {
    guard !objects.isEmpty else { return [:] }
    var keys: [Int64: RowKey] = [:]
    if let coordinator = stack.coordinator {
      for (object, key) in zip(objects, try newKeys(of: objects, coordinator)) {
        give(object, key, noting: &keys)
      }
      return keys
    }
    var reserved = try reserveKeys(for: objects)
    for object in objects {
      let root = object.home.shape.rootNumber - 1
      let key = RowKey(entity: object.home.shape.number, primaryKey: reserved[root])
      reserved[root] += 1
      give(object, key, noting: &keys)
    }
    return keys
  }

  @inline(__always)
  private func give(
    _ object: ManagedObject, _ key: RowKey, noting keys: inout [Int64: RowKey]
  ) {
    let isKnown = object.state.contains(.registered)
    if isKnown {
      keys[object.key.primaryKey] = key
      unregister(object)
    }
    object.key = key
    if isKnown { register(object) }
    unsafe object.row?.key = key
  }

  /// The first key reserved for the objects of each tree, by number of the root less one.
  private func reserveKeys(for objects: [ManagedObject]) throws(StoreError) -> [Int64] {
    // at first how many, then the first key
    var keys = stack.noKeys
    for object in objects { keys[object.home.shape.rootNumber - 1] += 1 }
    for root in keys.indices where keys[root] > 0 {
      let shape = model.shape(numbered: root + 1)
      keys[root] = try source.reserveKeys(Int(keys[root]), for: shape, inStore: 0).lowerBound
    }
    return keys
  }

  /// Replaces temporary keys in the references of changed rows.
  private func patchReferences(_ keys: [Int64: RowKey]) {
    guard !keys.isEmpty else { return }
    for object in changes.listed where !object.isDeleted {
      guard let row = unsafe object.row else { continue }
      for slot in object.home.shape.layout.referenceSlots {
        let held = unsafe RowKey(rawValue: row.word(slot, object.home.slots))
        if held.isTemporary, let key = keys[held.primaryKey] {
          unsafe row.set(slot, to: key.rawValue, object.home.slots)
        }
      }
    }
  }

  private func finish(_ saved: [ManagedObject], isLast: Bool) {
    for object in saved {
      let isGone = object.isDeleted || object.state.contains(.gone)
      object.state.subtract([.inserted, .updated, .deleted, .open])
      if isGone {
        unregister(object)
        object.becomeFault()
        object.state.insert(.gone)
      } else {
        if !isLast { register(object) }
      }
    }
    for object in changes.linked {
      for links in object.extras?.toMany ?? [] { links.didSave() }
    }
    clearChanges()
    if !watched.isEmpty { watched = [:] }
    events?.forget()
    for object in saved { object.didSave() }
  }
}
