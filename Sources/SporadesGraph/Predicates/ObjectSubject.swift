// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A managed object as predicates and orders ask it, with its unsaved changes.
struct ObjectSubject: PredicateSubject {
  let object: ManagedObject

  var subjectID: ManagedObjectID { object.objectID }

  func value(of attribute: AttributeShape) throws(StoreError) -> Value {
    try load()
    return object.value(of: attribute)
  }

  func related(by relationship: RelationshipShape) throws(StoreError) -> [ObjectSubject] {
    try load()
    return object.objects(of: relationship).map(ObjectSubject.init)
  }

  private func load() throws(StoreError) {
    guard object.isFault, !object.state.contains(.gone) else { return }
    try object.home.context?.fulfil([object])
  }
}
