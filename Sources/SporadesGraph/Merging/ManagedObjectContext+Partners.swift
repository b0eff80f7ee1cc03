// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// One-to-one relationships after saved rows came under changed objects. Each side lies in a row of
// its own, and a merge puts the change of one side on top of a row whose partner still leads back.
extension ManagedObjectContext {
  /// Takes the objects out of the partners that others gave them, where this context gave them
  /// another partner, or none.
  func unlinkSavedPartners(of objects: [ManagedObject]) {
    for object in objects {
      for (partner, back) in savedPartners(of: object) where !partner.isRemoved {
        do throws(StoreError) {
          try fulfil(faultsAmong: [partner])
        } catch {
          report(.unfulfilled(partner.objectID, error))
        }
        if partner.referenceInMemory(back) == object.key { partner.setNull(back) }
      }
      unlinkGivenPartners(of: object)
    }
  }

  /// Ends the links by which others gave the object partners that this context gave another object, or none.
  func unlinkGivenPartners(of object: ManagedObject) {
    guard !object.isRemoved else { return }
    for relationship in object.home.binding.toOneRelationships {
      guard case .reference(let slot, _) = relationship.storage,
        let inverse = relationship.inverse(in: object.home), case .reference = inverse.storage,
        let partner = object.referenceInMemory(slot).flatMap({ registered($0) })
      else { continue }
      let isLeft =
        partner.isDeleted
        ? inverse.description.deleteRule != .noAction
        : savedPartners(of: partner).contains { $0.0 === object }
      if isLeft { object.setNull(slot) }
    }
  }

  /// The one-to-one partners in the row that the object's changes start from, where the object leads
  /// elsewhere now, each with the slot that leads back.
  func savedPartners(of object: ManagedObject) -> [(ManagedObject, back: Int)] {
    guard !object.isRemoved, let base = object.base else { return [] }
    return object.home.binding.toOneRelationships.compactMap { relationship in
      guard case .reference(let slot, _) = relationship.storage,
        case .reference(let back, _)? = relationship.inverse(in: object.home)?.storage,
        let saved = base.page.reference(base.index, slot: slot), saved != object.reference(slot)
      else { return nil }
      return (self.object(forKey: saved), back)
    }
  }
}
