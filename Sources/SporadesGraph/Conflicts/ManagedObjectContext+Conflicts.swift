// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// How a context comes in line with others after they made its save impossible.
extension ManagedObjectContext {
  /// Does what the policy says, or throws the error again, with all that is known of it.
  func resolve(_ error: StoreError, mayResolve: Bool) throws {
    if let problem = error.underlying as? ReferenceProblem {
      return try resolve(problem, error, mayResolve: mayResolve)
    }
    if error.underlying is OutdatedDerivations {
      guard mayResolve else { throw error }
      return
    }
    var settled = SettledObjects()
    defer { settled.awake() }
    switch error.code {
    case .conflict(let ids):
      let met = try collisions(ids)
      guard !met.isEmpty else { throw error }
      let found = met.filter(\.isConflict)
      let others = met.filter { !$0.isConflict }
      let resolutions = try decided(found, error, mayResolve: mayResolve)
      for (collision, resolution) in zip(found, resolutions) {
        settled.note(collision.object, showing: collision.watched)
        guard try settle(collision, resolution) else { throw error }
      }
      for collision in others { putTogether(collision) }
      if let lost = error.underlying as? LostBases { heard.ofLosses = lost.number }
    case .constraint(let entity, let properties):
      try resolveConstraint(entity, properties, error, mayResolve: mayResolve, &settled)
    default: throw error
    }
  }

  /// Makes one object of each group whose unique values are the same, as the policy says.
  private func resolveConstraint(
    _ entity: String, _ properties: [String], _ error: StoreError, mayResolve: Bool,
    _ settled: inout SettledObjects
  ) throws {
    let found = try rivals(entity, properties)
    guard !found.isEmpty else { throw error }
    let readsFiles = mergePolicy.readsFiles
    let failuresBefore = failures.count
    let constraints = found.map { $0.conflict(scope: stack.scope, readingFiles: readsFiles) }
    func refusal(_ reason: (any Error)? = nil) -> StoreError {
      refused(error, SaveConflicts(merges: [], constraints: constraints, policyError: reason))
    }
    guard mayResolve else { throw refusal() }
    try checkSnapshots(after: failuresBefore)
    var union = Union(self)
    defer { union.finish() }
    for (rivals, conflict) in zip(found, constraints) {
      for object in rivals.objects { settled.note(object) }
      if let known = rivals.stored.flatMap({ registered($0.key) }) { settled.note(known) }
      try decide(.constraint(conflict), refusal) { try union.settle(rivals, $0) }
    }
  }

  /// What the policy says of each conflict. No object changes before all is decided, so each sees the
  /// rows as they met, and one conflict's values are in memory at a time.
  private func decided(
    _ found: [Collision], _ error: StoreError, mayResolve: Bool
  ) throws -> [MergePolicy.Resolution] {
    let readsFiles = mergePolicy.readsFiles
    func conflict(_ collision: Collision) -> MergeConflict {
      collision.conflict(scope: stack.scope, readingFiles: readsFiles)
    }
    func refusal(_ reason: (any Error)?) -> StoreError {
      refused(
        StoreError(.conflict(found.map(\.object.objectID)), error.detail),
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

  /// A policy of one's own is not asked about values that could not be read.
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

  func refused(_ error: StoreError, _ conflicts: SaveConflicts) -> StoreError {
    StoreError(error.code, error.detail, underlying: conflicts)
  }

  /// The objects with the ids beside the rows the store or the parent has of them.
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
        watched: object.hasChanges ? nil : watched[object.key]?.base)
    }
  }
}

/// An object with changes, and the row they meet.
struct Collision {
  let object: ManagedObject
  /// Nil where the row is gone.
  let persisted: RowPlace?
  /// What the object showed, where it was only read.
  let watched: RowPlace?

  /// Whether both sides changed values of their own. What is derived follows from other values and is
  /// computed again, and links are in no row: nobody's change is lost where one side changed these
  /// alone, unless it linked to what the other deleted. Of an object that was only read, others changed
  /// or deleted what was read.
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

  /// Others gave the attribute another value, and nobody did so here: the file of the former one may
  /// be gone by right.
  private func isReplaced(_ attribute: AttributeShape) -> Bool {
    guard let base = watched ?? object.basePlace, let persisted else { return false }
    let slots = attribute.allSlots
    return !slots.contains { watched == nil && object.changedSlots.contains($0) }
      && slots.contains { !base.agrees(with: persisted, slot: $0) }
  }
}

extension ManagedObject {
  /// Objects were linked to this one, in no row of either.
  fileprivate final var hasNewLinks: Bool {
    extras?.toMany.contains { !$0.added.isEmpty } ?? false
  }
}
