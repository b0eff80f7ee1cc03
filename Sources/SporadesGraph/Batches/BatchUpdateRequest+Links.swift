// SPDX-License-Identifier: MIT
public import SporadesModel

// A relationship takes an object as an attribute takes a value, and the id of an object as follows.
extension BatchUpdateRequest {
  /// Sets the relationship to the object with the id.
  public func update<Target: ManagedObject>(
    _ keyPath: KeyPath<Object, Target>, to id: ManagedObjectID
  ) -> Self { setting(keyPath, .constant(id.value)) }

  /// Sets the optional relationship to the object with the id.
  @_disfavoredOverload
  public func update<Target: ManagedObject>(
    _ keyPath: KeyPath<Object, Target?>, to id: ManagedObjectID
  ) -> Self { setting(keyPath, .constant(id.value)) }
}

extension TypedRequest {
  /// The batch that sets a relationship to the object with the id.
  public func update<Target: ManagedObject>(
    _ keyPath: KeyPath<Object, Target>, to id: ManagedObjectID
  ) -> BatchUpdateRequest<Object> { BatchUpdateRequest(self).update(keyPath, to: id) }

  /// The batch that sets an optional relationship to the object with the id.
  @_disfavoredOverload
  public func update<Target: ManagedObject>(
    _ keyPath: KeyPath<Object, Target?>, to id: ManagedObjectID
  ) -> BatchUpdateRequest<Object> { BatchUpdateRequest(self).update(keyPath, to: id) }
}

/// A relationship that a batch sets, and the id of the object that it leads to afterwards.
struct BatchLink {
  let relationship: RelationshipShape
  let target: ManagedObjectID?

  /// Nil if the path is not that of a stored relationship to one object. Throws if it can not lead to the object.
  init?(
    _ value: (path: [String], expression: FetchExpression), _ shape: EntityShape,
    in context: ManagedObjectContext
  ) throws {
    guard value.path.count == 1, case .relationship(let relationship)? = shape[value.path[0]],
      !relationship.isToMany, relationship.isStored
    else { return nil }
    let name = "\(shape.name).\(relationship.name)"
    self.relationship = relationship
    switch value.expression {
    case .constant(.null): target = nil
    case .constant(.objectID(let id)):
      let id = context.permanentID(of: id)
      guard !id.isTemporaryID else { throw ContextError.objectNotFound(id) }
      guard id.scope == context.stack.scope else { throw ContextError.foreignObject(id) }
      guard relationship.destinationFamily.contains(id.key.entity) else {
        throw ContextError.unsupportedRequest(
          "A batch sets \(name) to an object of \(id.entityName). Set an object of "
            + "\(relationship.description.destinationEntityName).")
      }
      target = id
    default:
      throw ContextError.unsupportedRequest(
        "A batch sets the relationship \(name) to something else than an object. Set an object, its id, or nil."
      )
    }
  }
}

extension ManagedObjectContext {
  /// Lets the relationships of the objects lead to other objects, on both sides.
  func link(_ objects: [ManagedObject], _ links: [BatchLink]) throws {
    for link in links {
      let target = try link.target.map { try existingObject(with: $0) }
      for object in objects { object.setToOne(link.relationship, target) }
    }
  }
}
