// SPDX-License-Identifier: MIT
import SporadesModel

extension ManagedObject {
  /// The sentence about a required to-one relationship that a deletion has emptied, with the delete
  /// rules to choose from; nil if the relationship is empty for another reason.
  final func describeLoss(ofRequired slot: Int) -> String? {
    let toOne = home.binding.toOneRelationships.first {
      guard case .reference(slot, _) = $0.storage else { return false }
      return true
    }
    guard let toOne, let context = home.context, let former = formerReference(slot),
      let owner = context.registered(former), owner.isDeleted
    else { return nil }
    let start = "has no value since \(owner.objectID) was deleted, but the model requires one. "
    guard let inverse = toOne.inverse(in: home) else {
      return start + "Set another object, or delete this one too."
    }
    return start
      + "\(owner.home.shape.name).\(inverse.name) has the delete rule \(inverse.description.deleteRule): "
      + "choose cascade, which deletes this object too, or deny, which refuses the deletion; or set "
      + "another object, or make the relationship optional."
  }

  /// The key that a reference slot had at the last save or fetch.
  private final func formerReference(_ slot: Int) -> RowKey? {
    guard let base else { return nil }
    return base.page.reference(base.index, slot: slot)
  }
}
