// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

extension ManagedForm {
  /// A property of a class.
  struct Property {
    let name: String
    let type: String
    let userInfo: [String: String]
  }

  /// An entity's own properties, sorted by name within each kind.
  func properties(of entity: EntityDescription) -> [Property] {
    let notes = options.notes
    let attributes = entity.attributes.filter { !notes.ignores($0.userInfo) }
      .sorted { $0.name < $1.name }
    let relationships = entity.relationships.filter { !notes.ignores($0.userInfo) }
      .sorted { $0.name < $1.name }
    return attributes.map {
      Property(name: $0.name, type: type(of: $0, in: entity), userInfo: $0.userInfo)
    } + relationships.map { Property(name: $0.name, type: type(of: $0), userInfo: $0.userInfo) }
      + entity.fetchedProperties.sorted { $0.name < $1.name }.map {
        Property(name: $0.name, type: type(of: $0), userInfo: $0.userInfo)
      }
  }

  /// The declaration of a property, without the code of its accessors.
  func declaration(of property: Property) -> String {
    let access = options.notes.isReadOnly(property.userInfo) ? "public private(set)" : "public"
    return "\(access) var \(SwiftText.identifier(property.name)): \(property.type)"
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

  func collection(of relationship: RelationshipDescription) -> String {
    relationship.isOrdered ? "NSOrderedSet" : "NSSet"
  }

  func shown(_ type: (name: String, module: String)) -> String {
    takenNames.contains(type.name) ? "\(type.module).\(type.name)" : type.name
  }
}
