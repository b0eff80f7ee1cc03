// SPDX-License-Identifier: MIT

/// The class of an entity's objects.
package struct EntityClass {
  let type: ManagedObject.Type
  let entity: AnyObject?
  let validatedProperties: [String]

  /// Chooses the class, the object by which another module knows the entity, and the properties that the class checks itself beside
  /// those that it names.
  package init(
    _ type: ManagedObject.Type, entity: AnyObject? = nil, validatedProperties: [String] = []
  ) {
    self.type = type
    self.entity = entity
    self.validatedProperties = validatedProperties
  }
}
