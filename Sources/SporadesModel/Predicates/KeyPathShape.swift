// SPDX-License-Identifier: MIT

/// A key path whose names were found in the model: the relationships it follows, and the attribute
/// it ends in, if it does not end in a relationship.
public struct KeyPathShape: Sendable {
  public let names: [String]
  public let relationships: [RelationshipShape]
  public let attribute: AttributeShape?

  /// The key path leads to any number of values.
  public var isToMany: Bool { relationships.contains(where: \.isToMany) }

  /// Finds the names of a key path, from `entity` on.
  public init(
    _ names: [String], in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    guard !names.isEmpty, !names.contains("") else {
      throw FetchPredicateError(
        .unknownKeyPath,
        "The key path \"\(names.joined(separator: "."))\" has an empty name; write names with one "
          + "point between them.")
    }
    var relationships: [RelationshipShape] = []
    var attribute: AttributeShape?
    var entity = entity
    for (place, name) in names.enumerated() {
      if let outer = attribute {
        attribute = try Self.element(name, of: outer, names)
        continue
      }
      switch entity[name] {
      case .attribute(let found): attribute = found
      case .relationship(let found):
        guard found.isStored else {
          throw FetchPredicateError(
            .notStored,
            "\(entity.name).\(name) is a transient relationship, which no store keeps; compare what "
              + "is stored.")
        }
        relationships.append(found)
        if place + 1 < names.count { entity = model.shape(numbered: found.destination) }
      case .fetched:
        throw FetchPredicateError(
          .notStored, "\(entity.name).\(name) is a fetched property, which no store can compare.")
      case nil:
        throw FetchPredicateError(
          .unknownKeyPath,
          names.count > 1
            ? "In \(names.joined(separator: ".")): \(entity.lacks(name))" : entity.lacks(name))
      }
    }
    try Self.check(attribute, names)
    self.names = names
    self.relationships = relationships
    self.attribute = attribute
  }

  /// The path leads to a value that may lie in a file of its own.
  package var isLarge: Bool { attribute?.description.isLarge == true }

  private static func element(
    _ name: String, of attribute: AttributeShape, _ names: [String]
  ) throws(FetchPredicateError) -> AttributeShape {
    guard let element = attribute.elements.first(where: { $0.name == name }) else {
      throw FetchPredicateError(
        attribute.elements.isEmpty ? .notAnAttribute : .unknownKeyPath,
        "\(names.joined(separator: ".")) goes on after the attribute \(attribute.name), "
          + "which has no member \(name).")
    }
    return element
  }

  private static func check(
    _ attribute: AttributeShape?, _ names: [String]
  ) throws(FetchPredicateError) {
    guard let attribute, attribute.slot == nil else { return }
    throw FetchPredicateError(
      .notStored,
      "\(names.joined(separator: ".")) is not stored by itself; compare what it is made of.")
  }
}
