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
}
