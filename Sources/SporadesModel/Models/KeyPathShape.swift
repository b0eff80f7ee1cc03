// SPDX-License-Identifier: MIT

/// A key path whose names were found in the model.
public struct KeyPathShape: Sendable {
  /// The names of the properties, from the fetched entity on.
  public let names: [String]
  /// The relationships that the key path follows.
  public let relationships: [RelationshipShape]
  /// The attribute at the end; nil if the key path ends in a relationship.
  public let attribute: AttributeShape?

  /// The key path may lead to several values.
  public var isToMany: Bool { relationships.contains(where: \.isToMany) }

  /// The most names in a key path. A database joins a table for each step, and SQLite joins no more than 64.
  static let largestCount = 60

  /// The refusal of a key path with more names.
  static func refusal(of names: some Collection<String>) -> FetchPredicateError {
    FetchPredicateError(
      .tooDeep,
      "A key path that begins \(names.prefix(3).joined(separator: ".")) has more than \(largestCount) names, and no store "
        + "follows so many. Follow a part of it, and ask again from the object that it leads to.")
  }

  /// Finds the properties that the names of a key path stand for, from `entity` on.
  public init(
    _ names: [String], in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    guard !names.isEmpty, !names.contains("") else {
      throw FetchPredicateError(
        .unknownKeyPath,
        "The key path \"\(names.joined(separator: "."))\" has an empty name; write names with one "
          + "point between them.")
    }
    guard names.count <= Self.largestCount else { throw Self.refusal(of: names) }
    var relationships: [RelationshipShape] = []
    var attribute: AttributeShape?
    var entity = entity
    for (index, name) in names.enumerated() {
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
            "\(entity.name).\(name) is a transient relationship, which no store keeps; compare a "
              + "stored property.")
        }
        relationships.append(found)
        if index + 1 < names.count { entity = model.shape(numbered: found.destination) }
      case .fetched:
        throw FetchPredicateError(
          .notStored, "\(entity.name).\(name) is a fetched property, which no store can compare.")
      case nil:
        throw Self.missing(names, at: index, in: entity, after: relationships.last)
      }
    }
    try Self.check(attribute, names)
    self.names = names
    self.relationships = relationships
    self.attribute = attribute
  }

  /// The key path ends in an attribute whose values may lie in separate files.
  package var isLarge: Bool { attribute?.description.isLarge == true }

  private static func missing(
    _ names: [String], at index: Int, in entity: EntityShape, after relationship: RelationshipShape?
  ) -> FetchPredicateError {
    let name = names[index]
    if name == "count" || name == "size", relationship?.isToMany == true {
      let path = names[..<index].joined(separator: ".")
      return FetchPredicateError(
        .unknownKeyPath, "\(path) has no \(name); write \(path).@count for the number of objects.")
    }
    let place = names.count > 1 ? "In \(names.joined(separator: ".")): " : ""
    return FetchPredicateError(
      .unknownKeyPath,
      place
        + entity.describeMissingProperty(
          name, unlessNear: " A computed property of a class is in no store."))
  }

  private static func element(
    _ name: String, of attribute: AttributeShape, _ names: [String]
  ) throws(FetchPredicateError) -> AttributeShape {
    guard let element = attribute.elements.first(where: { $0.name == name }) else {
      throw FetchPredicateError(
        attribute.elements.isEmpty ? .notAnAttribute : .unknownKeyPath,
        "\(names.joined(separator: ".")) continues after the attribute \(attribute.name), "
          + "\(reason(without: name, of: attribute))")
    }
    return element
  }

  /// Why an attribute has no member with a name, and what to write.
  private static func reason(without name: String, of attribute: AttributeShape) -> String {
    let functions: [FetchFunction] =
      switch attribute.type {
      case .string, .uri: [.length, .lowercase, .uppercase, .canonical, .trim]
      case .date: [.year, .month, .day, .hour, .minute, .second, .weekday]
      default: []
      }
    if functions.contains(where: { $0.rawValue == name }) {
      return "which has no member \(name). A function computes it: \(name):(\(attribute.name))."
    }
    guard attribute.elements.isEmpty, [.binary, .transformable].contains(attribute.type) else {
      let names = attribute.elements.map(\.name)
      return "which has no member \(name).\(NearNames(name, among: names).hint)"
    }
    return "which is stored as bytes. Make its type a @Composite, and its members are stored by "
      + "themselves."
  }

  private static func check(
    _ attribute: AttributeShape?, _ names: [String]
  ) throws(FetchPredicateError) {
    guard let attribute, attribute.slot == nil else { return }
    let name = names.joined(separator: ".")
    throw FetchPredicateError(
      .notStored,
      attribute.description.isTransient
        ? "\(name) is transient, so no store keeps it; compare stored properties, or fetch and filter the objects."
        : "\(name) is not stored by itself; compare the values that it is made of."
    )
  }
}
