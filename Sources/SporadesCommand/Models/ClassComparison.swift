// SPDX-License-Identifier: MIT
import SporadesModel

/// A place where a model and the classes of a program do not agree.
struct Drift {
  enum Kind: String {
    case missingClass, missingEntity, missingInClass, missingInModel, type, optionality, cardinality
    case order, destination
  }

  let kind: Kind
  let entity: String?
  let property: String?
  /// The place in the source; nil where the source has nothing.
  let place: (file: String, line: Int)?
  let sentence: String

  var json: JSON {
    .object([
      ("kind", .text(kind.rawValue)), ("entity", .optional(entity)),
      ("property", .optional(property)), ("file", .optional(place?.file)),
      ("line", place.map { .count($0.line) } ?? .null), ("text", .text(sentence)),
    ])
  }
}

/// Compares a model with the classes of a program.
struct ClassComparison {
  private let model: ManagedObjectModel
  private let classes: DeclaredClasses
  /// The names of the classes by those of the entities.
  private var classNames: [String: String] = [:]
  /// The names of these classes.
  private var entityClasses: Set<String> = []
  private(set) var drifts: [Drift] = []

  init(_ model: ManagedObjectModel, _ classes: DeclaredClasses) {
    (self.model, self.classes) = (model, classes)
    pair()
    entityClasses = Set(classNames.values)
    for shape in model.shapes.inOrder(of: { $0.name }) { compare(shape) }
    findStrangers()
  }

  /// The number of entities with a class.
  var pairedCount: Int { classNames.count }

  /// Finds the class of each entity: one that names the entity, or one with the name that the model gives.
  private mutating func pair() {
    let named = Dictionary(
      classes.all.compactMap { found in found.entityName.map { ($0, found.name) } }
    ) { first, _ in first }
    for entity in model.entities {
      let names = [named[entity.name], entity.declaredClassName, entity.name].compactMap(\.self)
      classNames[entity.name] = names.first { name in
        guard let found = classes[name] else { return false }
        // A class with this name may belong to another entity.
        return found.entityName == nil || found.entityName == entity.name
      }
    }
  }

  private mutating func add(
    _ kind: Drift.Kind, _ entity: String?, _ property: String?,
    at declared: SwiftProperty? = nil,
    in found: SwiftClass? = nil, _ sentence: String
  ) {
    let place = declared.map { ($0.file, $0.line) } ?? found.map { ($0.file, $0.line) }
    drifts.append(
      Drift(kind: kind, entity: entity, property: property, place: place, sentence: sentence))
  }

  // MARK: - Entities

  private mutating func compare(_ shape: EntityShape) {
    let entity = shape.description
    guard let name = classNames[entity.name], let found = classes[name] else {
      // Without a class in the model, the objects are of the general class.
      guard let wished = entity.declaredClassName else { return }
      add(
        .missingClass, entity.name, nil,
        "No class \(wished) is in the folder. Add it, or remove the entity from the model.")
      return
    }
    for attribute in entity.attributes { compare(attribute, entity.name, found) }
    for relationship in entity.relationships { compare(relationship, entity.name, found) }
    for property in found.properties where isStored(property, of: found) {
      guard shape[property.name] == nil, !isPrimitive(property.name, shape) else { continue }
      let near = NearNames(property.name, among: shape.properties.map(\.name)).nearest
      add(
        .missingInModel, entity.name, property.name, at: property,
        "The entity \(entity.name) of the model has no such property.\(near.map { " The nearest name is \($0)." } ?? "")"
      )
    }
  }

  private mutating func findStrangers() {
    for found in classes.all where !entityClasses.contains(found.name) {
      let hasProperties = found.properties.contains { $0.attributes.contains("NSManaged") }
      guard found.isEntity || hasProperties else { continue }
      let name = found.entityName ?? found.name
      let near = NearNames(name, among: model.entities.map(\.name)).nearest
      add(
        .missingEntity, nil, nil, in: found,
        "The model has no entity for the class \(found.name).\(near.map { " The nearest name is \($0)." } ?? "")"
      )
    }
  }

  /// Whether the class wants the property from the model.
  private func isStored(_ property: SwiftProperty, of found: SwiftClass) -> Bool {
    if property.attributes.contains("NSManaged") { return true }
    return found.isEntity && !property.isComputed && !property.attributes.contains("Ignored")
  }

  /// Whether the name is that of the value behind an accessor: `primitiveName` of `name`.
  private func isPrimitive(_ name: String, _ shape: EntityShape) -> Bool {
    guard name.hasPrefix("primitive") else { return false }
    let rest = name.dropFirst("primitive".count)
    return shape[String(rest)] != nil
      || shape[rest.prefix(1).lowercased() + rest.dropFirst()] != nil
  }

  // MARK: - Properties

  /// The declaration of a property of the model that the class wants from it.
  private mutating func declared(
    _ name: String, _ entity: String, _ found: SwiftClass, _ words: String
  ) -> SwiftProperty? {
    guard let property = classes.property(name, of: found.name) else {
      add(
        .missingInClass, entity, name, in: found,
        "The class \(found.name) does not have this \(words) of the model.")
      return nil
    }
    // The program itself computes the others.
    return isStored(property, of: found) ? property : nil
  }

  private mutating func compare(
    _ attribute: AttributeDescription, _ entity: String, _ found: SwiftClass
  ) {
    guard let property = declared(attribute.name, entity, found, "attribute"),
      let type = property.type
    else { return }
    if let expected = attribute.type.swiftNames {
      let isForeign =
        type.collection != .none || entityClasses.contains(type.name)
        || AttributeType.knownSwiftNames.contains(type.name)
      if isForeign, type.collection != .none || !expected.contains(type.name) {
        add(
          .type, entity, attribute.name, at: property,
          "The class has the type \(type.text), and the model \(attribute.type.spelling). Write \(expected[0]), or change the model."
        )
        return
      }
    }
    guard !attribute.isTransient, !attribute.isDerived else { return }
    compareOptionality(
      property, type, isOptional: attribute.isOptional, entity,
      isScalar: AttributeType.scalarSwiftNames.contains(type.name))
  }

  private mutating func compareOptionality(
    _ property: SwiftProperty, _ type: SwiftType, isOptional: Bool, _ entity: String, isScalar: Bool
  ) {
    if isOptional, !type.isOptional {
      // Xcode writes scalars without nil for optional attributes, too.
      if property.attributes.contains("NSManaged"), isScalar { return }
      add(
        .optionality, entity, property.name, at: property,
        "The value may be nil in the model, and not in the class. Write \(type.text)?, or change the model."
      )
    } else if !isOptional, type.isOptional, !property.attributes.contains("NSManaged") {
      // Xcode writes optional types for all objects, because a new object has no values yet.
      add(
        .optionality, entity, property.name, at: property,
        "The value may be nil in the class, and not in the model. Remove the sign ?, or change the model."
      )
    }
  }

  private mutating func compare(
    _ relationship: RelationshipDescription, _ entity: String, _ found: SwiftClass
  ) {
    guard let property = declared(relationship.name, entity, found, "relationship"),
      let type = property.type
    else { return }
    let name = relationship.name
    guard relationship.isToMany == (type.collection != .none) else {
      let words = relationship.isToMany ? "many objects" : "one object"
      add(
        .cardinality, entity, name, at: property,
        "The relationship leads to \(words) in the model, and the class has the type \(type.text).")
      return
    }
    if relationship.isToMany, relationship.isOrdered != (type.collection == .array) {
      add(
        .order, entity, name, at: property,
        "The relationship \(relationship.isOrdered ? "has an order" : "has no order") in the model, and the class has the type \(type.text)."
      )
    }
    let destination = relationship.destinationEntityName
    if let expected = classNames[destination], !type.name.isEmpty, type.name != expected,
      isOtherClass(type.name)
    {
      add(
        .destination, entity, name, at: property,
        "The relationship leads to \(destination) in the model, and the class has the type \(type.text)."
      )
    }
    guard !relationship.isToMany, !relationship.isTransient else { return }
    compareOptionality(
      property, type, isOptional: relationship.isOptional, entity, isScalar: false)
  }

  /// Whether the type is the class of an entity, or a value.
  private func isOtherClass(_ name: String) -> Bool {
    entityClasses.contains(name) || AttributeType.knownSwiftNames.contains(name)
  }
}

extension EntityDescription {
  /// The class that the model names, without its module; nil for the general class.
  fileprivate var declaredClassName: String? {
    let name = managedObjectClassName?.split(separator: ".").last.map(String.init)
    return name == "NSManagedObject" || name == "ManagedObject" ? nil : name
  }
}
