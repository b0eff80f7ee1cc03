// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelReader {
  mutating func attribute(_ element: ModelElement, entity: String) -> AttributeDescription {
    let name = propertyName(element, entity: entity)
    return attribute(
      element, named: name, Place(element, entity: entity, property: name), inside: [])
  }

  private mutating func attribute(
    _ element: ModelElement, named name: String, _ place: Place, inside composites: [String]
  ) -> AttributeDescription {
    refuseUnknown(in: element, ["userInfo"], place)
    let type = attributeType(element, place)
    var attribute = AttributeDescription(
      name, type, isOptional: flag("optional", of: element, place),
      isTransient: flag("transient", of: element, place))
    attribute.defaultValue = defaultValue(element, type, place)
    attribute.validation = validation(element, type, place)
    attribute.allowsExternalBinaryDataStorage = flag(
      "allowsExternalBinaryDataStorage", of: element, place)
    attribute.preservesValueInHistoryOnDeletion = flag("preserveAfterDeletion", of: element, place)
    attribute.isIndexedBySpotlight = flag("spotlightIndexingEnabled", of: element, place)
    attribute.valueTransformerName = element["valueTransformerName"]
    attribute.attributeValueClassName = element["customClassName"]
    if flag("derived", of: element, place) {
      attribute.derivationExpression = element.attributes["derivationExpression"] ?? ""
    }
    if type == .composite {
      attribute.elements = elements(element, place, inside: composites)
    }
    attribute.userInfo = userInfo(element, place)
    attribute.versionHashModifier = element["versionHashModifier"]
    attribute.renamingIdentifier = element["elementID"]
    return attribute
  }

  private mutating func attributeType(_ element: ModelElement, _ place: Place) -> AttributeType {
    if element["composite"] != nil { return .composite }
    guard let name = element["attributeType"] else { return .undefined }
    if let type = Self.types[name] { return type }
    report(
      .malformedFile, place,
      "has the type \(name), which no known version of model files has; choose another type.")
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

  /// The elements of the composite an attribute names; composites may name others, but never
  /// themselves by any way.
  private mutating func elements(
    _ element: ModelElement, _ place: Place, inside: [String]
  ) -> [AttributeDescription] {
    guard let name = required("composite", of: element, place) else { return [] }
    guard let composite = composites[name] else {
      report(
        .invalidComposite, place,
        "is the composite \(name), which the model does not have; add it or correct the name.")
      return []
    }
    if inside.contains(name) {
      report(
        .invalidComposite, place, "holds the composite \(name) within itself; remove it there.")
      return []
    }
    var elements: [AttributeDescription] = []
    for child in composite.children("attribute") {
      compositeElementsLeft -= 1
      if compositeElementsLeft < 0 {
        if compositeElementsLeft == -1 {
          report(.tooLarge, place, "makes the model's composites too large; nest them less.")
        }
        break
      }
      let childName = required("name", of: child, place) ?? ""
      elements.append(attribute(child, named: childName, place, inside: inside + [name]))
    }
    return elements
  }
}
