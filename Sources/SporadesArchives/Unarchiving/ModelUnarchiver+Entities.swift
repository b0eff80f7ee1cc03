// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelUnarchiver {
  mutating func read(entity: ArchivedValue) throws(PropertyListError) -> EntityDescription {
    let name = try Self.text(entity.field("NSEntityName"))
    var description = EntityDescription(name)
    description.managedObjectClassName = try Self.className(entity)
    description.isAbstract = try Self.flag(entity["NSIsAbstract"])
    let parent = try entity["NSSuperentity"]
    if let parent { description.superentityName = try Self.text(parent.field("NSEntityName")) }
    let inherited = Set(try Self.entries(parent?["NSProperties"]).map(\.name))
    let own = try Self.entries(entity["NSProperties"]).filter { !inherited.contains($0.name) }
    for (_, property) in own.inByteOrder(of: { $0.name }) {
      try read(property: property, into: &description)
    }
    for tuple in try Self.items(entity["NSUniqueTuples"]) {
      description.uniquenessConstraints.append(try propertyNames(tuple))
    }
    description.userInfo = try readUserInfo(entity, name, nil)
    description.versionHashModifier = try Self.optionalText(entity["NSVersionHashModifier"])
    description.renamingIdentifier = try Self.renamingIdentifier(entity, name)
    description.indexes = try readIndexes(entity, own.map(\.value), name)
    return description
  }

  /// The name of the class; nil for the class that every entity without one has.
  private static func className(_ entity: ArchivedValue) throws(PropertyListError) -> String? {
    guard let name = try optionalText(entity["NSClassNameForEntity"]), name != "NSManagedObject",
      !name.isEmpty
    else { return nil }
    return name.hasPrefix(".") ? String(name.dropFirst()) : name
  }

  /// Archives hold the name itself where the author chose no renaming identifier.
  static func renamingIdentifier(
    _ value: ArchivedValue, _ name: String
  ) throws(PropertyListError) -> String? {
    guard let identifier = try optionalText(value["NSRenamingIdentifier"]), identifier != name
    else { return nil }
    return identifier
  }

  mutating func readUserInfo(
    _ value: ArchivedValue, _ entity: String, _ property: String?
  ) throws(PropertyListError) -> [String: String] {
    var notes: [String: String] = [:]
    for (key, note) in try Self.entries(value["NSUserInfo"]) {
      guard let text = try note.text else {
        warn(
          .malformedFile, entity, property,
          "has a note \(key) in its user info that is no text. It is left out.")
        continue
      }
      notes[key] = text
    }
    return notes
  }

  /// The names in a constraint or compound index: texts, or the properties themselves.
  private func propertyNames(_ tuple: ArchivedValue) throws(PropertyListError) -> [String] {
    var names: [String] = []
    for item in try Self.items(tuple) {
      names.append(try Self.text(item["NSPropertyName"] ?? item))
    }
    return names
  }

  // MARK: - Indexes

  /// Reads indexes. Older archives have compound indexes and indexed attributes in their place, and newer ones
  /// repeat indexes in these forms.
  private mutating func readIndexes(
    _ entity: ArchivedValue, _ own: [ArchivedValue], _ name: String
  ) throws(PropertyListError) -> [FetchIndexDescription] {
    var indexes: [FetchIndexDescription] = []
    if let newer = try entity["NSFetchIndexDescriptions"] {
      for index in try Self.items(newer) {
        if let index = try read(index: index, name) { indexes.append(index) }
      }
      return indexes
    }
    var names: Set<String> = []
    for compound in try Self.items(entity["NSCompoundIndexes"]) {
      let properties = try propertyNames(compound)
      let index = FetchIndexDescription(
        properties.joined(separator: "_"), properties.map { .init($0) })
      if names.insert(index.name).inserted { indexes.append(index) }
    }
    for property in own where try Self.flag(property["NSIsIndexed"]) {
      let indexed = try Self.text(property.field("NSPropertyName"))
      if try property["NSAttributeType"] != nil, names.insert(indexed).inserted {
        indexes.append(FetchIndexDescription(indexed, on: indexed))
      }
    }
    return indexes
  }

  private mutating func read(
    index: ArchivedValue, _ entity: String
  ) throws(PropertyListError) -> FetchIndexDescription? {
    let name = try Self.text(index.field("NSIndexName"))
    var elements: [FetchIndexDescription.Element] = []
    for element in try Self.items(index["NSIndexElements"]) {
      guard let property = try indexedProperty(element) else {
        warn(
          .unknownProperty, entity, nil,
          "has the index \(name) over an expression that cannot be read. The index is left out.")
        return nil
      }
      elements.append(
        .init(
          property, isAscending: try Self.flag(element["NSAscending"]),
          collation: try Self.flag(element["NSFetchIndexElementType"]) ? .rTree : .binary))
    }
    var predicate: FetchPredicate?
    if let partial = try index["NSPartialIndexPredicate"] {
      predicate = try readPredicate(partial, entity, nil, orElse: "The index contains all rows.")
    }
    return FetchIndexDescription(name, elements, where: predicate)
  }

  /// The name of an indexed property, or the expression that is indexed in its place.
  private func indexedProperty(
    _ element: ArchivedValue
  ) throws(PropertyListError) -> String? {
    guard let expression = try element["NSIndexedProperty"]?["NSExpression"] else {
      return try Self.text(element.field("NSPropertyName"))
    }
    // `try?`, because a failure means that the expression is none that an index can have.
    switch try? PredicateUnarchiver().expression(expression) {
    case .keyPath(let names)?: return names.joined(separator: ".")
    case .subject?: return "self"
    default: return nil
    }
  }
}
