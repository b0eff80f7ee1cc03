// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

extension ManagedForm {
  /// The declarations of an entity's own properties, sorted by name within each kind.
  func lines(of entity: EntityDescription) -> [String] {
    let notes = options.notes
    let attributes = entity.attributes.filter { !notes.ignores($0.userInfo) }
      .sorted { $0.name < $1.name }
    let relationships = entity.relationships.filter { !notes.ignores($0.userInfo) }
      .sorted { $0.name < $1.name }
    return attributes.map { line($0.name, type(of: $0, in: entity), $0.userInfo) }
      + relationships.map { line($0.name, type(of: $0), $0.userInfo) }
      + entity.fetchedProperties.sorted { $0.name < $1.name }.map {
        line($0.name, type(of: $0), $0.userInfo)
      }
  }

  private func line(_ name: String, _ type: String, _ userInfo: [String: String]) -> String {
    let access = options.notes.isReadOnly(userInfo) ? "public private(set)" : "public"
    return options.notes.comment(userInfo, indent: "  ")
      + "@NSManaged \(access) var \(SwiftText.identifier(name)): \(type)"
  }

  /// The type that Xcode gives the property: a scalar type, or an optional class.
  func type(of attribute: AttributeDescription, in entity: EntityDescription) -> String {
    if let type = options.notes.scalarType(of: attribute) { return type }
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean:
      let scalar = ClassWriter.plainType(of: attribute.type).map(shown) ?? ""
      return isScalar(attribute, entity) ? scalar : shown(("NSNumber", "Foundation")) + "?"
    case .date where options.scalarAttributes != nil && isScalar(attribute, entity):
      return shown(("TimeInterval", "Foundation"))
    case .string, .date, .binary, .uuid, .uri:
      return (ClassWriter.plainType(of: attribute.type).map(shown) ?? "") + "?"
    case .decimal: return shown(("NSDecimalNumber", "Foundation")) + "?"
    case .composite: return "[String: Any]?"
    case .objectID: return "NSManagedObjectID?"
    case .transformable, .undefined: return valueType(of: attribute) + "?"
    }
  }

  private func isScalar(_ attribute: AttributeDescription, _ entity: EntityDescription) -> Bool {
    guard let names = options.scalarAttributes else { return true }
    return names[entity.name]?.contains(attribute.name) == true
  }

  /// The class of a transformable attribute's values, with the protocols that a note names.
  private func valueType(of attribute: AttributeDescription) -> String {
    let named = ClassNotes.typeName(
      attribute.userInfo[ClassNotes.Key.className] ?? attribute.attributeValueClassName)
    let protocols = ClassNotes.list(attribute.userInfo[ClassNotes.Key.protocols])
    guard !protocols.isEmpty else { return named ?? shown(("NSObject", "Foundation")) }
    let type = ([named ?? "NSObject"] + protocols).joined(separator: " & ")
    return "(any \(type))"
  }

  func type(of relationship: RelationshipDescription) -> String {
    guard relationship.isToMany else { return destination(of: relationship) + "?" }
    return shown((collection(of: relationship), "Foundation")) + "?"
  }

  func type(of fetched: FetchedPropertyDescription) -> String {
    "[\(classes[fetched.request.entityName] ?? "NSManagedObject")]?"
  }

  func destination(of relationship: RelationshipDescription) -> String {
    classes[relationship.destinationEntityName] ?? "NSManagedObject"
  }

  private func collection(of relationship: RelationshipDescription) -> String {
    relationship.isOrdered ? "NSOrderedSet" : "NSSet"
  }

  private func shown(_ type: (name: String, module: String)) -> String {
    takenNames.contains(type.name) ? "\(type.module).\(type.name)" : type.name
  }

  // MARK: - Accessors

  /// The functions by which objects enter and leave a to-many relationship; empty for another one.
  func accessors(for relationship: RelationshipDescription, of type: String) -> String {
    let notes = options.notes
    guard relationship.isToMany, !notes.ignores(relationship.userInfo),
      !notes.isReadOnly(relationship.userInfo)
    else { return "" }
    let (name, member) = (relationship.name.capitalizedFirst, destination(of: relationship))
    let set = shown((collection(of: relationship), "Foundation"))
    var functions = relationship.isOrdered ? orderedAccessors(name, member) : []
    functions += [
      ("add\(name)Object:", "addTo\(name)(_ value: \(member))"),
      ("remove\(name)Object:", "removeFrom\(name)(_ value: \(member))"),
      ("add\(name):", "addTo\(name)(_ values: \(set))"),
      ("remove\(name):", "removeFrom\(name)(_ values: \(set))"),
    ]
    let texts = functions.map { selector, signature in
      "  " + Self.objectiveC("@objc(\(selector))", indent: "  ")
        + "@NSManaged public func \(signature)\n"
    }
    return """

      // The accessors for \(relationship.name).
      extension \(type) {
      \(texts.joined(separator: "\n"))}

      """
  }

  private func orderedAccessors(_ name: String, _ member: String) -> [(String, String)] {
    let indexes = shown(("NSIndexSet", "Foundation"))
    return [
      ("insertObject:in\(name)AtIndex:", "insertInto\(name)(_ value: \(member), at idx: Int)"),
      ("removeObjectFrom\(name)AtIndex:", "removeFrom\(name)(at idx: Int)"),
      (
        "insert\(name):atIndexes:",
        "insertInto\(name)(_ values: [\(member)], at indexes: \(indexes))"
      ),
      ("remove\(name)AtIndexes:", "removeFrom\(name)(at indexes: \(indexes))"),
      (
        "replaceObjectIn\(name)AtIndex:withObject:",
        "replace\(name)(at idx: Int, with value: \(member))"
      ),
      (
        "replace\(name)AtIndexes:with\(name):",
        "replace\(name)(at indexes: \(indexes), with values: [\(member)])"
      ),
    ]
  }
}
