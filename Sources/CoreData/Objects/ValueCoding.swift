// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesMissingFoundation
import SporadesModel

/// Turns the values of an attribute into the objects that Core Data's programs see, and back.
struct ValueCoding {
  let type: AttributeType
  /// The name of the transformer of a transformable attribute.
  let transformer: String?

  init(_ type: AttributeType, transformer: String? = nil) {
    self.type = type
    self.transformer = transformer
  }

  init(_ attribute: AttributeDescription) {
    self.init(attribute.type, transformer: attribute.valueTransformerName)
  }

  // MARK: - Out of the library

  /// The object that a program sees: an `NSNumber` for numbers and truth values.
  func plain(_ value: Value) -> Any? {
    if type == .transformable, case .data(let bytes) = value {
      return StoredTransformation.named(transformer).object(from: bytes)
    }
    return Self.plain(value, isBoolean: type == .boolean)
  }

  /// The object for a value whose attribute is not known.
  static func plain(_ value: Value, isBoolean: Bool = false) -> Any? {
    switch value {
    case .null: nil
    case .boolean(let value): NSNumber(value: value)
    case .integer(let value) where isBoolean: NSNumber(value: value != 0)
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): value
    case .date(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .url(let value): value
    case .objectID(let value): value
    case .list(let values): values.map { plain($0) }
    }
  }

  // MARK: - Into the library

  /// The value of an object that a program sets. `subject` names what is set, for the error.
  func value(of object: Any?, for subject: @autoclosure () -> String) throws -> Value {
    guard let object = Self.unwrapped(object) else { return .null }
    if type == .transformable {
      return .data(try StoredTransformation.named(transformer).bytes(of: object, for: subject()))
    }
    if let number = object as? NSNumber, let value = self.number(number) { return value }
    if let value = Value(converting: PlainValue.of(object)) { return value }
    throw NSError.coreData(
      .general,
      "\(subject()) was set to a value of the type \(Swift.type(of: object)), which an attribute of the type \(type) does not take."
    )
  }

  private func number(_ number: NSNumber) -> Value? {
    switch type {
    case .boolean: .boolean(number.boolValue)
    case .integer16, .integer32, .integer64: .integer(number.int64Value)
    case .double, .float: .double(number.doubleValue)
    case .decimal: .decimal(number.decimalValue)
    default: nil
    }
  }

  /// The object inside of optionals; nil for all forms of nothing.
  static func unwrapped(_ object: Any?) -> Any? {
    guard let object else { return nil }
    if object is NSNull { return nil }
    guard let optional = object as? any OptionalObject else { return object }
    return unwrapped(optional.content)
  }
}

/// An optional of any type.
private protocol OptionalObject {
  var content: Any? { get }
}

extension Optional: OptionalObject {
  fileprivate var content: Any? { self }
}
