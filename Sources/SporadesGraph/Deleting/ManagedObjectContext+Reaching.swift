// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Deletions and later links. If others link objects to an object that this context deletes, the
// delete rules apply to those links as if the deletion came after them.
extension ManagedObjectContext {
  /// Applies the delete rules of a deleted object to the objects that lead to it now.
  func extendDeletion(of object: ManagedObject) {
    guard object.isDeleted, unsafe object.loadRow() != nil else { return }
    for links in object.extras?.toMany ?? [] { links.invalidate() }
    let others = cascaded(object)
    unlinkAll(object)
    for other in others { delete(other) }
  }

  /// Applies the delete rules of deleted objects that the rows saved by others refer to.
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

  /// Applies delete rules to links that others made to deleted objects. A link that this context
  /// made to a deleted object is a failure.
  func checkLinksToDeleted(_ validation: inout ObjectValidation) {
    guard changes.hasDeletions else { return }
    for object in changes.listed where object.isRowChanged && !object.isDeleted {
      for slot in object.home.shape.layout.referenceSlots {
        guard let target = object.reference(slot).flatMap(registered), target.isRemoved else {
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

  /// Whether a delete rule denies the deletion of the reference's target. That is a failure of its
  /// own.
  private func isDenied(_ object: ManagedObject, _ slot: Int) -> Bool {
    let relationship = object.home.shape.relationships.first {
      if case .reference(slot, _) = $0.storage { true } else { false }
    }
    guard let relationship else { return false }
    return stack.inverses[relationship.number]?.description.deleteRule == .deny
  }
}
