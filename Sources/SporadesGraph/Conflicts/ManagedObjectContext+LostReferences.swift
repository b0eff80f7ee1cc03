// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Resolution of references that others broke.
extension ManagedObjectContext {
  /// Merges the links and deletions of others that made the save fail, so that another attempt can
  /// succeed.
  func resolve(
    _ problem: ReferenceProblem, _ error: StoreError, mayResolve: Bool
  ) throws {
    switch problem {
    case .linked(let keys):
      guard mayResolve else { throw error }
      for key in keys { registered(key).map(extendDeletion) }
    case .lost(let references):
      try resolve(references, error, mayResolve: mayResolve)
    }
  }

  private func resolve(
    _ lost: [LostReference], _ error: StoreError, mayResolve: Bool
  ) throws {
    let owners = lost.map(\.owner).reduce(into: [RowKey]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let objects = owners.compactMap { owner in changes.listed.first { $0.key == owner } }
    let failuresBefore = failures.count
    let conflicts = objects.map { object in
      conflict(of: object, losing: lost.filter { $0.owner == object.key })
    }
    func refusal(_ reason: (any Error)?) -> StoreError {
      attachConflicts(
        to: error, SaveConflicts(merges: conflicts, constraints: [], policyError: reason))
    }
    guard mayResolve else { throw refusal(nil) }
    try checkSnapshots(after: failuresBefore)
    var resolutions: [MergePolicy.Resolution] = []
    for conflict in conflicts {
      try decide(.merge(conflict), refusal) { resolution in
        resolutions.append(resolution)
        return true
      }
    }
    var resolved = ResolvedObjects()
    for object in objects { resolved.note(object) }
    defer { resolved.awakeChanged() }
    let targets = Set(lost.map(\.target)).sorted()
    merge(ChangeSet(deleted: targets.map { DeletedRow(key: $0, version: 0) }))
    for (object, resolution) in zip(objects, resolutions) {
      switch resolution {
      case .rollback where !object.isInserted: refresh(object, mergeChanges: false)
      case .values(let values): setValues(values, of: object)
      default: clearEmptyChange(of: object)
      }
    }
  }

  private func conflict(
    of object: ManagedObject, losing references: [LostReference]
  ) -> MergeConflict {
    let shape = object.home.shape
    let readsFiles = mergePolicy.readsFiles
    let base = object.basePlace?.snapshot(shape, for: object, readingFiles: readsFiles)
    let version = object.basePlace?.version ?? 0
    let lost = references.map {
      ($0.property, ManagedObjectID(key: $0.target, scope: stack.scope))
    }
    return MergeConflict(
      objectID: object.objectID,
      objectSnapshot: object.place?.snapshot(shape, for: object, readingFiles: readsFiles),
      cachedSnapshot: base, persistedSnapshot: base, oldVersionNumber: version,
      newVersionNumber: version, lostReferences: Dictionary(lost) { first, _ in first })
  }
}
