// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// Values as model files spell them.
extension ModelReader {
  mutating func defaultValue(
    _ element: ModelElement, _ type: AttributeType, _ place: Place
  ) -> Value {
    if type == .date, let interval = element["defaultDateTimeInterval"] {
      return date(
        interval, "defaultDateTimeInterval", .invalidDefault, place, orElse: "It is left out.")
    }
    guard let text = element.attributes["defaultValueString"] else { return .null }
    if type == .string { return .string(text) }
    if text.isEmpty { return .null }
    if let value = Self.value(text, type) { return value }
    let value = Self.lenientValue(text, type)
    warn(
      .invalidDefault, place,
      "has a defaultValueString that is no value of its type. "
        + (value.isNull ? "It is left out." : "It is read as \(value)."))
    return value
  }

  mutating func validation(
    _ element: ModelElement, _ type: AttributeType, _ place: Place
  ) -> AttributeValidation {
    var validation = AttributeValidation()
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      validation.minimum = bound("minValueString", of: element, type, place)
      validation.maximum = bound("maxValueString", of: element, type, place)
    case .date:
      validation.minimum = dateBound("min", of: element, place)
      validation.maximum = dateBound("max", of: element, place)
    case .string:
      validation.minimumLength = length("minValueString", of: element, place)
      validation.maximumLength = length("maxValueString", of: element, place)
      validation.pattern = element["regularExpressionString"]
    default: break
    }
    return validation
  }

  private mutating func bound(
    _ name: String, of element: ModelElement, _ type: AttributeType, _ place: Place
  ) -> Value {
    guard let text = element[name] else { return .null }
    if let value = Self.value(text, type) { return value }
    warn(
      .invalidBounds, place, "has a \(name) that is no value of its type. The bound is left out.")
    return .null
  }

  private mutating func dateBound(
    _ side: String, of element: ModelElement, _ place: Place
  ) -> Value {
    for name in ["\(side)DateTimeInterval", "\(side)ValueString"] {
      if let text = element[name] {
        return date(text, name, .invalidBounds, place, orElse: "The bound is left out.")
      }
    }
    return .null
  }

  private mutating func date(
    _ text: String, _ name: String, _ code: ModelError.Code, _ place: Place,
    orElse remedy: String
  ) -> Value {
    if let value = Self.value(text, .date) { return value }
    warn(code, place, "has a \(name) that is no number of seconds since 2001. \(remedy)")
    return .null
  }

  private mutating func length(_ name: String, of element: ModelElement, _ place: Place) -> Int? {
    guard case .integer(let length) = bound(name, of: element, .integer64, place) else {
      return nil
    }
    return Int(length)
  }

  private static func value(_ text: String, _ type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: integer(text).map { .integer($0) }
    case .double, .float: finite(text).map { .double($0) }
    case .date: finite(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .decimal: finite(text).flatMap { _ in Decimal(string: text) }.map { .decimal($0) }
    case .boolean: truth(text).map { .boolean($0) }
    case .string: .string(text)
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: URL(string: text).map { .url($0) }
    case .undefined, .binary, .transformable, .objectID, .composite: nil
    }
  }

  /// What Apple's tools make of a text that is no value of the type; null where they make nothing.
  private static func lenientValue(_ text: String, _ type: AttributeType) -> Value {
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

  /// Files hold `0.0` for integers whose type was changed by hand.
  private static func integer(_ text: String) -> Int64? {
    Int64(text) ?? finite(text).flatMap { Int64(exactly: $0) }
  }

  private static func finite(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
