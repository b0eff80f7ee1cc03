// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

extension ModelWriter {
  mutating func element(
    of attribute: AttributeDescription, _ entity: EntityDescription, isIndexed: Bool
  ) -> WrittenElement {
    element(of: attribute, [attribute.name], entity.name, isIndexed)
  }

  private mutating func element(
    of attribute: AttributeDescription, _ path: [String], _ entity: String, _ isIndexed: Bool
  ) -> WrittenElement {
    var element = WrittenElement("attribute")
    element.set("name", attribute.name)
    element.setFlag("optional", attribute.isOptional)
    element.setFlag("transient", attribute.isTransient)
    element.set("attributeType", spelling(of: attribute.type, path, entity))
    setBounds(of: attribute, path, entity, in: &element)
    setDefault(of: attribute, path, entity, in: &element)
    if let expression = attribute.derivationExpression {
      element.set("derived", "YES")
      element.set("derivationExpression", expression)
    }
    element.set("usesScalarValueType", attribute.type.usesScalars)
    element.setUnlessEmpty("valueTransformerName", attribute.valueTransformerName)
    element.setUnlessEmpty("customClassName", attribute.attributeValueClassName)
    element.setFlag("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
    element.setFlag("indexed", isIndexed)
    element.setFlag("spotlightIndexingEnabled", attribute.isIndexedBySpotlight)
    element.setFlag("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
    element.setUnlessEmpty("elementID", attribute.renamingIdentifier)
    element.setUnlessEmpty("versionHashModifier", attribute.versionHashModifier)
    if attribute.type == .composite {
      element.set("composite", composite(of: attribute, path, entity))
    }
    element.children = userInfo(attribute.userInfo)
    return element
  }

  private mutating func spelling(
    of type: AttributeType, _ path: [String], _ entity: String
  ) -> String? {
    if let spelling = Self.types[type] { return spelling }
    if type == .objectID {
      omit(
        .misplacedOption, entity, path.joined(separator: "."),
        "holds ids of objects, for which model files have no type. It is written without one.")
    }
    return nil
  }

  /// Xcode leaves out the type of an undefined attribute.
  private static let types: [AttributeType: String] = [
    .integer16: "Integer 16", .integer32: "Integer 32", .integer64: "Integer 64",
    .decimal: "Decimal", .double: "Double", .float: "Float", .string: "String",
    .boolean: "Boolean", .date: "Date", .binary: "Binary", .uuid: "UUID", .uri: "URI",
    .transformable: "Transformable", .composite: "Composite",
  ]

  // MARK: - Values

  private mutating func setDefault(
    of attribute: AttributeDescription, _ path: [String], _ entity: String,
    in element: inout WrittenElement
  ) {
    guard !attribute.defaultValue.isNull else { return }
    guard let text = text(of: attribute.defaultValue, attribute.type) else {
      omit(
        .invalidDefault, entity, path.joined(separator: "."),
        "has a default that no model file can hold. It is left out.")
      return
    }
    element.set(
      attribute.type == .date ? "defaultDateTimeInterval" : "defaultValueString", text)
  }

  private mutating func setBounds(
    of attribute: AttributeDescription, _ path: [String], _ entity: String,
    in element: inout WrittenElement
  ) {
    let bounds = attribute.validation
    let suffix = attribute.type == .date ? "DateTimeInterval" : "ValueString"
    for (side, bound) in [("min", bounds.minimum), ("max", bounds.maximum)] where !bound.isNull {
      guard let text = text(of: bound, attribute.type) else {
        omitBounds(path, entity, "has a bound that no model file can hold. It is left out.")
        continue
      }
      element.set(side + suffix, text)
    }
    element.set("minValueString", bounds.minimumLength.map { "\($0)" })
    element.set("maxValueString", bounds.maximumLength.map { "\($0)" })
    if bounds.pattern == "" {
      omitBounds(path, entity, "has an empty pattern, which means none in a file. It is left out.")
    }
    element.setUnlessEmpty("regularExpressionString", bounds.pattern)
    if !bounds.predicates.isEmpty {
      omitBounds(
        path, entity,
        "has validation predicates, which model files cannot hold. They are left out.")
    }
  }

  private mutating func omitBounds(_ path: [String], _ entity: String, _ detail: String) {
    omit(.invalidBounds, entity, path.joined(separator: "."), detail)
  }

  /// The text from which the reader takes the value; nil if there is none.
  private func text(of value: Value, _ type: AttributeType) -> String? {
    let text: String
    switch value {
    case .string(let string): text = string
    case .boolean(let truth): text = truth ? "YES" : "NO"
    case .integer(let number): text = "\(number)"
    case .double(let number): text = "\(number)"
    case .decimal(let number): text = "\(number)"
    case .uuid(let id): text = id.uuidString
    case .url(let url): text = url.absoluteString
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      text = Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    case .null, .data, .objectID, .list: return nil
    }
    return ModelReader.parseValue(text, type) == value ? text : nil
  }

  // MARK: - Composites

  /// The name of the composite with an attribute's elements, which is added unless there is one.
  private mutating func composite(
    of attribute: AttributeDescription, _ path: [String], _ entity: String
  ) -> String {
    if let name = compositeNames[attribute.elements] { return name }
    let words = path.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let plain = entity + words.joined()
    var name = plain
    var number = 2
    while compositeNames.values.contains(name) {
      name = "\(plain)\(number)"
      number += 1
    }
    compositeNames[attribute.elements] = name
    var element = WrittenElement("composite")
    element.set("name", name)
    element.children = attribute.elements.map {
      self.element(of: $0, path + [$0.name], entity, false)
    }
    composites.append(element)
    return name
  }
}

extension AttributeType {
  /// Whether Xcode's generated classes have a plain number or an object. It is what Xcode writes for a new
  /// attribute, and of no effect on the model.
  fileprivate var usesScalars: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "YES"
    case .date, .uuid: "NO"
    case .undefined, .decimal, .string, .binary, .uri, .transformable, .objectID, .composite: nil
    }
  }
}
