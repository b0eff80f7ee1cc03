// SPDX-License-Identifier: MIT
import SporadesModel

// Values without a static type, for access by name.
extension ManagedObject {
  /// The values of a struct that is the composite; nil for any other argument.
  final func whole(_ argument: Any?, of attribute: AttributeShape) -> Value? {
    guard attribute.type == .composite, let composite = argument as? any CompositeAttribute else {
      return nil
    }
    var values = CompositeValues(attribute.description.elements)
    composite.write(to: &values)
    return values.value
  }

  /// The value that an argument stands for. An argument that stands for none traps.
  final func converted(_ argument: Any?, _ name: String) -> Value {
    guard let value = Value(converting: argument) else {
      let type = argument.map { "\(Swift.type(of: $0))" } ?? "nil"
      trap(
        """
        \(home.shape.name).\(name) was set to a value of type \(type), which can not be set by key. Set a \
        text, number, date, UUID, URL, data, a case of an enum with raw values, the struct of a composite, an \
        object, or an array or set of objects. A property with a Codable type is set in code, not by key.
        """)
    }
    return value
  }

  /// The objects that a relationship is set to.
  final func related(
    _ argument: Any?, by relationship: RelationshipShape
  ) -> [ManagedObject] {
    switch argument {
    case let object as ManagedObject where !relationship.isToMany: [object]
    case let objects as [ManagedObject] where relationship.isToMany: objects
    case let objects as Set<ManagedObject> where relationship.isToMany: Array(objects)
    default: named(converted(argument, relationship.name), by: relationship)
    }
  }

  /// The objects whose ids a relationship is set to.
  private final func named(
    _ value: Value, by relationship: RelationshipShape
  ) -> [ManagedObject] {
    switch value {
    case .null: return []
    case .objectID(let id) where !relationship.isToMany: return [related(id, by: relationship)]
    case .list(let items) where relationship.isToMany:
      return items.map { item in
        guard case .objectID(let id) = item else { refuse(item, relationship) }
        return related(id, by: relationship)
      }
    default: refuse(value, relationship)
    }
  }

  private final func related(
    _ id: ManagedObjectID, by relationship: RelationshipShape
  ) -> ManagedObject {
    do {
      guard let context = home.context else { throw ContextError.noContext }
      return try context.object(with: id)
    } catch {
      trap(
        "\(home.shape.name).\(relationship.name) can not be set to \(id). \(error)")
    }
  }

  private final func refuse(_ value: Value, _ relationship: RelationshipShape) -> Never {
    let expected =
      relationship.isToMany
      ? "a to-many relationship. Set an array or a set of objects, or use add(_:to:)"
      : "a to-one relationship. Set an object, its id or nil"
    trap(
      "\(home.shape.name).\(relationship.name) was set to \(value.kindName), but it is \(expected)."
    )
  }
}
