// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Deletions here meet links that others made meanwhile: the delete rules hold for those, too, as if
// the deletion had come after them.
extension ManagedObjectContext {
  /// Does with what leads to a deleted object now what its delete rules say.
  func extendDeletion(of object: ManagedObject) {
    guard object.isDeleted, !object.isInserted, unsafe object.loadRow() != nil else { return }
    for links in object.extras?.toMany ?? [] { links.outdate() }
    let others = cascaded(object)
    unlinkAll(object)
    for other in others { delete(other) }
  }

  /// Rows that others saved may lead to objects that are deleted here.
  func extendDeletions(reaching saved: ChangeSet) {
    guard changes.hasDeletions else { return }
    var reached: [ManagedObject] = []
    for page in saved.inserted + saved.updated.map(\.page) {
      for slot in page.layout.referenceSlots {
        for index in 0..<page.count {
          guard let target = page.reference(index, slot: slot).flatMap(registered),
            target.isDeleted, !reached.contains(where: { $0 === target })
          else { continue }
          reached.append(target)
        }
      }
    }
    for object in reached { extendDeletion(of: object) }
  }

  /// What others linked to deleted objects and is changed here, too, follows the delete rules; what
  /// was linked to them here is a failure.
  func checkLinksToDeleted(_ validation: inout ObjectValidation) {
    guard changes.hasDeletions else { return }
    for object in changes.listed where object.hasChanges && !object.isDeleted {
      for slot in object.home.shape.layout.referenceSlots {
        guard let target = object.reference(slot).flatMap(registered), target.isDeleted else {
          continue
        }
        if let base = object.basePlace, base.reference(slot) == target.key {
          extendDeletion(of: target)
        } else if !isDenied(object, slot) {
          validation.failLink(object, object.home.shape.layout.slots[slot].name)
        }
      }
    }
  }

  /// Whether the target of the reference must not be deleted anyway, which is a failure of its own.
  private func isDenied(_ object: ManagedObject, _ slot: Int) -> Bool {
    let relationship = object.home.shape.relationships.first {
      if case .reference(slot, _) = $0.storage { true } else { false }
    }
    guard let relationship else { return false }
    return stack.inverses[relationship.number]?.description.deleteRule == .deny
  }

  // MARK: - Saves that were refused

  /// Brings the context in line with what others linked or deleted, so that it can be saved again.
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
      refused(error, SaveConflicts(merges: conflicts, constraints: [], policyError: reason))
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
    var settled = SettledObjects()
    for object in objects { settled.note(object) }
    defer { settled.awake() }
    let targets = Set(lost.map(\.target)).sorted()
    merge(ChangeSet(deleted: targets.map { DeletedRow(key: $0, version: 0) }))
    for (object, resolution) in zip(objects, resolutions) {
      switch resolution {
      case .rollback where !object.isInserted: refresh(object, mergeChanges: false)
      case .values(let values): give(values, to: object)
      default: forgetEmptyChange(of: object)
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
