// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

// Default values and bounds.
extension ModelReader {
  mutating func readDefaultValue(
    _ element: ModelElement, _ type: AttributeType, _ location: Location
  ) -> Value {
    if type == .date, let interval = element["defaultDateTimeInterval"] {
      return readDate(
        interval, "defaultDateTimeInterval", .invalidDefault, location, orElse: "It is left out.")
    }
    guard let text = element.attributes["defaultValueString"] else { return .null }
    if type == .string { return .string(text) }
    if text.isEmpty { return .null }
    if let value = Self.parseValue(text, type) { return value }
    let value = Self.parseLeniently(text, type)
    warn(
      .invalidDefault, location,
      "has a defaultValueString that is not a value of its type. "
        + (value.isNull ? "It is left out." : "It is read as \(value.debugDescription)."))
    return value
  }

  mutating func readValidation(
    _ element: ModelElement, _ type: AttributeType, _ location: Location
  ) -> AttributeValidation {
    var validation = AttributeValidation()
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      validation.minimum = readBound("minValueString", of: element, type, location)
      validation.maximum = readBound("maxValueString", of: element, type, location)
    case .date:
      validation.minimum = readDateBound("min", of: element, location)
      validation.maximum = readDateBound("max", of: element, location)
    case .string:
      validation.minimumLength = readLength("minValueString", of: element, location)
      validation.maximumLength = readLength("maxValueString", of: element, location)
      validation.pattern = element["regularExpressionString"]
    default: break
    }
    return validation
  }

  private mutating func readBound(
    _ name: String, of element: ModelElement, _ type: AttributeType, _ location: Location
  ) -> Value {
    guard let text = element[name] else { return .null }
    if let value = Self.parseValue(text, type) { return value }
    warn(
      .invalidBounds, location,
      "has a \(name) that is not a value of its type. The bound is left out.")
    return .null
  }

  private mutating func readDateBound(
    _ side: String, of element: ModelElement, _ location: Location
  ) -> Value {
    for name in ["\(side)DateTimeInterval", "\(side)ValueString"] {
      if let text = element[name] {
        return readDate(text, name, .invalidBounds, location, orElse: "The bound is left out.")
      }
    }
    return .null
  }

  private mutating func readDate(
    _ text: String, _ name: String, _ code: ModelError.Code, _ location: Location,
    orElse remedy: String
  ) -> Value {
    if let value = Self.parseValue(text, .date) { return value }
    warn(code, location, "has a \(name) that is not a number of seconds since 2001. \(remedy)")
    return .null
  }

  private mutating func readLength(_ name: String, of element: ModelElement, _ location: Location)
    -> Int?
  {
    guard case .integer(let length) = readBound(name, of: element, .integer64, location) else {
      return nil
    }
    return Int(length)
  }

  /// The value of a text; nil if it is not a value of the type.
  static func parseValue(_ text: String, _ type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: parseInteger(text).map { .integer($0) }
    case .double, .float: parseFinite(text).map { .double($0) }
    case .date: parseFinite(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .decimal: parseFinite(text).flatMap { _ in Decimal(string: text) }.map { .decimal($0) }
    case .boolean: truth(text).map { .boolean($0) }
    case .string: .string(text)
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: URL(string: text).map { .url($0) }
    case .undefined, .binary, .transformable, .objectID, .composite: nil
    }
  }

  /// The value that Apple's tools read from a text that is not a value of the type; null if they read none.
  private static func parseLeniently(_ text: String, _ type: AttributeType) -> Value {
    switch type {
    case .integer16, .integer32, .integer64: .integer(LenientNumber.integer(text))
    case .double, .float: .double(LenientNumber.double(text))
    case .boolean: .boolean(LenientNumber.truth(text))
    case .decimal:
      LenientNumber.decimalPrefix(text).flatMap { Decimal(string: $0) }.map { .decimal($0) }
        ?? .null
    case .date, .string, .uuid, .uri, .undefined, .binary, .transformable, .objectID, .composite:
      .null
    }
  }

  /// Parses a whole number. A file contains `0.0` after somebody changed the type of an attribute to an
  /// integer by hand.
  private static func parseInteger(_ text: String) -> Int64? {
    Int64(text) ?? parseFinite(text).flatMap { Int64(exactly: $0) }
  }

  private static func parseFinite(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
