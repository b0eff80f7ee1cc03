// SPDX-License-Identifier: MIT
import SporadesModel

/// The parts that few objects have: to-many relationships in memory, transient values and transient
/// links.
final class ObjectExtras {
  /// An array, because an object has so few that a search is faster than a hash.
  var toMany: [ToMany] {
    get { unsafe uncheckedToMany }
    _modify { yield unsafe &uncheckedToMany }
  }
  // @exclusivity(unchecked): no code that changes the array calls back into the object. A check costs as much as the
  // search.
  @exclusivity(unchecked) private var uncheckedToMany: [ToMany] = []
  /// By index of the property in the entity's shape.
  var transients: [Int: Value] = [:]
  /// The objects of transient relationships, by number of the relationship.
  var transientLinks: [Int: MemberList] = [:]

  /// Drops the links to other objects. Linked objects keep each other alive.
  func dropLinks() {
    toMany = []
    transientLinks = [:]
  }
}

extension ManagedObject {
  /// Drops the values outside the row, and ends the transient links.
  final func dropExtras() {
    guard let former = extras else { return }
    extras = nil
    guard !former.transientLinks.isEmpty else { return }
    for relationship in home.shape.relationships {
      guard var links = former.transientLinks[relationship.number],
        let inverse = relationship.inverse(in: home), !inverse.isStored
      else { continue }
      for member in links.objects where member !== self { member.removeTransient(self, inverse) }
    }
  }

  final func removeTransient(_ object: ManagedObject, _ relationship: RelationshipShape) {
    _ = extras?.transientLinks[relationship.number]?.erase(object)
  }
}
