// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Resolution of conflicts that made a save fail.
extension ManagedObjectContext {
  /// Resolves the conflicts by the merge policy. If the policy refuses or `mayResolve` is false,
  /// throws the error with the conflicts.
  func resolve(_ error: StoreError, mayResolve: Bool) throws {
    if let problem = error.underlying as? ReferenceProblem {
      return try resolve(problem, error, mayResolve: mayResolve)
    }
    if error.underlying is OutdatedDerivations {
      guard mayResolve else { throw error }
      return
    }
    var resolved = ResolvedObjects()
    defer { resolved.awakeChanged() }
    switch error.code {
    case .conflict(let ids): try resolve(ids, error, mayResolve: mayResolve, &resolved)
    case .constraint(let entity, let properties):
      let found = try rivals(entity, properties)
      try resolve(found, error, mayResolve: mayResolve, &resolved)
    default: throw error
    }
  }

  /// Resolves conflicts about changed or deleted objects.
  private func resolve(
    _ ids: [ManagedObjectID], _ error: StoreError, mayResolve: Bool,
    _ resolved: inout ResolvedObjects
  ) throws {
    let met = try collisions(ids)
    guard !met.isEmpty else { throw error }
    let found = met.filter(\.isConflict)
    let others = met.filter { !$0.isConflict }
    let resolutions = try decideAll(found, error, mayResolve: mayResolve)
    for (collision, resolution) in zip(found, resolutions) {
      resolved.note(collision.object, showing: collision.watched)
      guard try resolveCollision(collision, resolution) else { throw error }
    }
    for collision in others { combineChanges(collision) }
    if let lost = error.underlying as? LostBases { hearing.known.ofLosses = lost.number }
  }

  /// Resolves conflicts about values that must be unique.
  private func resolve(
    _ found: [Rivals], _ error: StoreError, mayResolve: Bool, _ resolved: inout ResolvedObjects
  ) throws {
    guard !found.isEmpty else { throw error }
    let readsFiles = mergePolicy.readsFiles
    let failuresBefore = failures.count
    let constraints = found.map { $0.conflict(scope: stack.scope, readingFiles: readsFiles) }
    func refusal(_ reason: (any Error)? = nil) -> StoreError {
      attachConflicts(
        to: error, SaveConflicts(merges: [], constraints: constraints, policyError: reason))
    }
    guard mayResolve else { throw refusal() }
    try checkSnapshots(after: failuresBefore)
    var union = Union(self)
    defer { union.finish() }
    for (rivals, conflict) in zip(found, constraints) {
      for object in rivals.objects { resolved.note(object) }
      if let known = rivals.stored.flatMap({ registered($0.key) }) { resolved.note(known) }
      try decide(.constraint(conflict), refusal) { try union.resolve(rivals, $0) }
    }
  }

  /// The policy's resolution of each conflict. No object changes before all are decided, so that
  /// each decision sees the rows of the collision. The snapshots of only one conflict are in memory
  /// at a time.
  private func decideAll(
    _ found: [Collision], _ error: StoreError, mayResolve: Bool
  ) throws -> [MergePolicy.Resolution] {
    let readsFiles = mergePolicy.readsFiles
    func conflict(_ collision: Collision) -> MergeConflict {
      collision.conflict(scope: stack.scope, readingFiles: readsFiles)
    }
    func refusal(_ reason: (any Error)?) -> StoreError {
      attachConflicts(
        to: StoreError(
          .conflict(found.map(\.object.objectID)), error.detail + sequel(of: found)),
        SaveConflicts(merges: found.map(conflict), constraints: [], policyError: reason))
    }
    guard mayResolve else { throw found.isEmpty ? error : refusal(nil) }
    var resolutions: [MergePolicy.Resolution] = []
    for collision in found {
      let failuresBefore = failures.count
      let conflict = conflict(collision)
      try checkSnapshots(after: failuresBefore)
      try decide(.merge(conflict), refusal) { resolution in
        resolutions.append(resolution)
        return true
      }
    }
    return resolutions
  }

  /// The fate of changes that nobody takes back: as with Core Data's contexts that merge by themselves, they end up on
  /// top of what others saved.
  private func sequel(of found: [Collision]) -> String {
    guard case .parent = saving.place, parent.context == nil, automaticallyMergesChangesFromParent,
      found.contains(where: { $0.persisted != nil && $0.watched == nil })
    else { return "" }
    return
      " Otherwise the context puts its changes on top of what they saved before its next block, and save() "
      + "writes over theirs."
  }

  /// Throws if a snapshot value could not be read. A custom policy must not decide without it.
  func checkSnapshots(after failuresBefore: Int) throws {
    if case .custom = mergePolicy { try throwFailures(after: failuresBefore) }
  }

  func decide(
    _ conflict: MergePolicy.Conflict, _ refusal: ((any Error)?) -> StoreError,
    _ settle: (MergePolicy.Resolution) throws -> Bool
  ) throws {
    let resolution: MergePolicy.Resolution
    do {
      resolution = try mergePolicy.resolution(of: conflict)
    } catch {
      throw refusal(error)
    }
    if case .refuse = resolution { throw refusal(nil) }
    guard try settle(resolution) else { throw refusal(nil) }
  }

  func attachConflicts(to error: StoreError, _ conflicts: SaveConflicts) -> StoreError {
    StoreError(error.code, error.detail, underlying: conflicts)
  }

  /// The objects with the ids, each with the row that the store or the parent has.
  private func collisions(_ ids: [ManagedObjectID]) throws -> [Collision] {
    let objects = ids.compactMap { registeredObject(for: $0) ?? watched[$0.key]?.object }
    var rows: [RowKey: RowPlace] = [:]
    for (_, objects) in Dictionary(grouping: objects, by: \.home.shape.rootNumber) {
      for page in try source.rows(for: objects.map(\.key)) {
        for index in 0..<page.count { rows[page.key(index)] = RowPlace(page: page, index: index) }
      }
    }
    return objects.map { object in
      Collision(
        object: object, persisted: rows[object.key],
        watched: object.writesRow ? nil : watched[object.key]?.base)
    }
  }
}

/// A changed or watched object, with the row that it collides with.
struct Collision {
  let object: ManagedObject
  /// The present row; nil if it is gone.
  let persisted: RowPlace?
  /// The row that a watched object showed; nil for a changed object.
  let watched: RowPlace?

  /// Whether both sides changed values.
  ///
  /// Derived values do not count, because the save computes them anew. Links do not count, because
  /// they lie in no row: a side that changed only links loses nothing, unless it linked an object
  /// that the other side deleted. A watched object is in conflict if others changed or deleted it.
  var isConflict: Bool {
    if let watched { return persisted.map { !watched.hasSameValues(as: $0) } ?? true }
    let slots = object.home.shape.layout.slots
    let isChangedHere = object.isDeleted || object.changedSlots.contains { !slots[$0].isDerived }
    guard let base = object.basePlace, let persisted else {
      return isChangedHere || object.hasNewLinks
    }
    let isChangedThere = slots.indices.contains {
      !slots[$0].isDerived && !base.agrees(with: persisted, slot: $0)
    }
    return isChangedHere && isChangedThere
  }

  func conflict(scope: StoreScope, readingFiles: Bool) -> MergeConflict {
    let shape = object.home.shape
    let base = watched ?? object.basePlace
    func snapshot(_ row: RowPlace) -> [String: Value] {
      row.snapshot(
        shape, for: object, readingFiles: readingFiles, isReplaced: isReplaced)
    }
    return MergeConflict(
      objectID: object.objectID,
      objectSnapshot: object.isDeleted ? nil : (watched ?? object.place).map(snapshot),
      cachedSnapshot: base.map(snapshot),
      persistedSnapshot: persisted?.snapshot(shape, for: object, readingFiles: readingFiles),
      oldVersionNumber: base?.version ?? 0, newVersionNumber: persisted?.version ?? 0,
      lostReferences: [:])
  }

  /// Whether only others changed the attribute. The file of its former value may then be deleted.
  private func isReplaced(_ attribute: AttributeShape) -> Bool {
    guard let base = watched ?? object.basePlace, let persisted else { return false }
    let slots = attribute.allSlots
    return !slots.contains { watched == nil && object.changedSlots.contains($0) }
      && slots.contains { !base.agrees(with: persisted, slot: $0) }
  }
}

extension ManagedObject {
  /// Whether members were added that lie in no row of this object.
  fileprivate final var hasNewLinks: Bool {
    extras?.toMany.contains { !$0.added.isEmpty } ?? false
  }
}
