// SPDX-License-Identifier: MIT

/// The class of an entity's objects.
package struct EntityClass {
  let type: ManagedObject.Type
  let entity: AnyObject?

  /// Chooses the class, and the object by which another module knows the entity.
  package init(_ type: ManagedObject.Type, entity: AnyObject? = nil) {
    self.type = type
    self.entity = entity
  }
}
