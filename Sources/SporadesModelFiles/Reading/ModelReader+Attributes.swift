// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelReader {
  mutating func readAttribute(_ element: ModelElement, entity: String) -> AttributeDescription {
    let name = readPropertyName(element, entity: entity)
    return readAttribute(
      element, named: name, Location(element, entity: entity, property: name), inside: [])
  }

  private mutating func readAttribute(
    _ element: ModelElement, named name: String, _ location: Location, inside composites: [String]
  ) -> AttributeDescription {
    refuseUnknown(in: element, ["userInfo"], location)
    let type = readAttributeType(element, location)
    var attribute = AttributeDescription(
      name, type, isOptional: readFlag("optional", of: element, location),
      isTransient: readFlag("transient", of: element, location))
    attribute.defaultValue = readDefaultValue(element, type, location)
    attribute.validation = readValidation(element, type, location)
    attribute.allowsExternalBinaryDataStorage = readFlag(
      "allowsExternalBinaryDataStorage", of: element, location)
    attribute.preservesValueInHistoryOnDeletion = readFlag(
      "preserveAfterDeletion", of: element, location)
    attribute.isIndexedBySpotlight = readFlag("spotlightIndexingEnabled", of: element, location)
    attribute.valueTransformerName = element["valueTransformerName"]
    attribute.attributeValueClassName = element["customClassName"]
    if readFlag("derived", of: element, location) {
      attribute.derivationExpression = element.attributes["derivationExpression"] ?? ""
    }
    if type == .composite {
      attribute.elements = readElements(element, location, inside: composites)
    }
    attribute.userInfo = readUserInfo(element, location)
    attribute.versionHashModifier = element["versionHashModifier"]
    attribute.renamingIdentifier = readRenamingIdentifier(of: element, name)
    return attribute
  }

  private mutating func readAttributeType(_ element: ModelElement, _ location: Location)
    -> AttributeType
  {
    if element["composite"] != nil { return .composite }
    guard let name = element["attributeType"] else { return .undefined }
    if let type = Self.types[name] { return type }
    report(
      .malformedFile, location,
      "has the type \(name), which no known version of model files contains; choose another type.")
    return .undefined
  }

  private static let types: [String: AttributeType] = [
    "Undefined": .undefined, "Integer 16": .integer16, "Integer 32": .integer32,
    "Integer 64": .integer64, "Decimal": .decimal, "Double": .double, "Float": .float,
    "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binary,
    "Binary Data": .binary, "UUID": .uuid, "URI": .uri, "Transformable": .transformable,
    "ObjectID": .objectID, "Object ID": .objectID, "Composite": .composite,
  ]

  // MARK: - Composites

  /// Reads the elements of the composite that an attribute names. A composite may contain other
  /// composites, but never itself, neither directly nor through others.
  private mutating func readElements(
    _ element: ModelElement, _ location: Location, inside: [String]
  ) -> [AttributeDescription] {
    guard let name = readRequired("composite", of: element, location) else { return [] }
    guard let composite = composites[name] else {
      report(
        .invalidComposite, location,
        "is the composite \(name), which the model does not have; add it or correct the name.")
      return []
    }
    if inside.contains(name) {
      report(
        .invalidComposite, location,
        "contains the composite \(name) within itself; remove the inner one.")
      return []
    }
    var elements: [AttributeDescription] = []
    for child in composite.children("attribute") {
      compositeElementsLeft -= 1
      if compositeElementsLeft < 0 {
        if compositeElementsLeft == -1 {
          report(.tooLarge, location, "makes the model's composites too large; nest them less.")
        }
        break
      }
      let childName = readRequired("name", of: child, location) ?? ""
      elements.append(readAttribute(child, named: childName, location, inside: inside + [name]))
    }
    return elements
  }
}
