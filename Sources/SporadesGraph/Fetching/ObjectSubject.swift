// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A managed object as predicates and sort orders see it, with its unsaved changes.
struct ObjectSubject: PredicateSubject {
  let object: ManagedObject

  var subjectID: ManagedObjectID { object.objectID }
  var objectInMemory: Any? { object }

  func value(of attribute: AttributeShape) throws(StoreError) -> Value {
    try load()
    guard let slot = attribute.slot, object.home.shape.layout.isLarge(slot) else {
      return object.value(of: attribute)
    }
    return try object.readLarge(slot).map(attribute.type.value) ?? .null
  }

  func isNull(_ attribute: AttributeShape) throws(StoreError) -> Bool {
    guard let slot = attribute.slot, object.home.shape.layout.isLarge(slot) else {
      return try value(of: attribute).isNull
    }
    try load()
    return !object.hasLargeValue(slot)
  }

  func related(by relationship: RelationshipShape) throws(StoreError) -> [ObjectSubject] {
    try load()
    return object.objects(of: relationship).map(ObjectSubject.init)
  }

  /// Reads the values of a fault.
  func load() throws(StoreError) {
    guard object.isFault, !object.state.contains(.gone) else { return }
    try object.home.context?.fulfil([object])
  }
}
