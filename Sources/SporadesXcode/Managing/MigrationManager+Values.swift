// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
public import SporadesModelFiles

// The values of attributes and relationships.
extension MigrationManager {
  /// Sets the attributes of an object of the newer version as a mapping says.
  ///
  /// A required attribute that has a default keeps it where the source has no value.
  public func setAttributes(
    of destination: ManagedObject, forSource source: ManagedObject, in mapping: EntityMapping
  ) throws {
    var evaluator = MappingEvaluator(
      manager: self, mapping: mapping, source: source, destination: destination)
    for property in mapping.attributeMappings {
      guard let expression = property.valueExpression else { continue }
      place.property = property.name
      evaluator.property = property
      try setAttribute(property.name, to: evaluator.evaluate(expression), of: destination)
    }
    place.property = nil
  }

  private func setAttribute(
    _ path: String, to result: MappingValue, of destination: ManagedObject
  ) throws {
    guard let attribute = destination.entityShape.attribute(atPath: path) else {
      throw MappingFailure("\(destination.entity.name) has no attribute \(path).")
    }
    guard let value = result.value else {
      throw MappingFailure("the value of an attribute cannot be \(result.kindName).")
    }
    if value.isNull {
      let description = attribute.description
      let keepsDefault = !description.isOptional && !description.defaultValue.isNull
      return keepsDefault ? () : destination.set(.null, of: attribute)
    }
    if let value = attribute.accepted(value) { return destination.set(value, of: attribute) }
    guard let converted = value.converted(to: attribute.type), converted != .null else {
      throw MappingFailure(
        "a value of the older version cannot become a value of the type \(attribute.type). Convert it in the "
          + "mapping's expression or in a policy.", .inconvertibleValue)
    }
    destination.set(converted, of: attribute)
  }

  /// Sets the relationships of an object of the newer version as a mapping says.
  public func setRelationships(
    of destination: ManagedObject, in mapping: EntityMapping
  ) throws {
    let source = sourceInstances(
      forEntityMappingNamed: mapping.name, destinationInstances: [destination]
    ).first
    var evaluator = MappingEvaluator(
      manager: self, mapping: mapping, source: source, destination: destination)
    for property in mapping.relationshipMappings {
      guard let expression = property.valueExpression else { continue }
      place.property = property.name
      evaluator.property = property
      let result = try evaluator.evaluate(expression)
      guard let objects = result.objects else {
        throw MappingFailure("a relationship cannot lead to \(result.kindName).")
      }
      try setRelationship(property.name, to: objects, of: destination)
    }
    place.property = nil
  }

  private func setRelationship(
    _ name: String, to objects: [ManagedObject], of destination: ManagedObject
  ) throws {
    guard case .relationship(let relationship)? = destination.entityShape[name] else {
      throw MappingFailure("\(destination.entity.name) has no relationship \(name).")
    }
    for object in objects {
      guard object.isMade(by: destinationContext) else {
        throw MappingFailure(
          "the relationship leads to an object of the older version; ask the manager for its successor."
        )
      }
      guard relationship.destinationFamily.contains(object.entityShape.number) else {
        throw MappingFailure(
          "the relationship leads to \(relationship.description.destinationEntityName) and not to "
            + "\(object.entity.name).")
      }
    }
    guard !relationship.isToMany else { return destination.setMembers(relationship, objects) }
    guard objects.count <= 1 else {
      throw MappingFailure(
        "the relationship leads to one object, and \(objects.count) were found.", .tooManyLinks)
    }
    destination.setToOne(relationship, objects.first)
  }
}

extension EntityShape {
  /// The attribute at the end of a path through composites.
  func attribute(atPath path: String) -> AttributeShape? {
    let names = path.propertyNames
    guard let first = names.first, case .attribute(var attribute)? = self[first] else { return nil }
    for name in names.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == name }) else { return nil }
      attribute = element
    }
    return attribute
  }
}

extension AttributeShape {
  /// The value, if the attribute takes it as it is.
  func accepted(_ value: Value) -> Value? {
    // Optional.none is written out, because a plain nil beside a value would be the value null.
    switch (type, value) {
    case (.composite, .list), (.binary, .data), (.transformable, .data): return .some(value)
    case (.composite, _), (_, .data): return Optional.none
    default: return type.holds(value) ? .some(value) : Optional.none
    }
  }
}
