// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// A value of one attribute, of any type.
///
/// Values carry single data between layers: default values, constants of predicates, results of
/// aggregates, access by key. Code that reads many rows reads the typed slots of a ``RowPage``
/// instead and builds no values.
///
/// Two values are equal if nothing tells them apart, so that equal predicates have equal answers. Texts that look alike
/// and differ in their bytes, as "é" in one character and in two, are different values, and so are `0.0` and `-0.0`.
/// A number that is not a number equals itself. ``ValueOrder`` compares values as predicates do.
public enum Value: Hashable, Sendable {
  /// No value.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// A number whose decimal digits are exact.
  case decimal(Decimal)
  /// A text.
  case string(String)
  /// A point in time.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A URL.
  case url(URL)
  /// The id of an object.
  case objectID(ManagedObjectID)
  /// Several values, for the right side of a comparison. No attribute holds a list.
  case list([Value])

  /// The value is ``null``.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
}

/// A Swift type whose instances can be constants of a predicate or values by key.
public protocol ValueConvertible {
  /// The instance as a ``Value``.
  var value: Value { get }
}

extension Value: ValueConvertible { public var value: Value { self } }
extension Bool: ValueConvertible { public var value: Value { .boolean(self) } }
extension Int: ValueConvertible { public var value: Value { .integer(Int64(self)) } }
extension Int16: ValueConvertible { public var value: Value { .integer(Int64(self)) } }
extension Int32: ValueConvertible { public var value: Value { .integer(Int64(self)) } }
extension Int64: ValueConvertible { public var value: Value { .integer(self) } }
extension Float: ValueConvertible { public var value: Value { .double(Double(self)) } }
extension Double: ValueConvertible { public var value: Value { .double(self) } }
extension Decimal: ValueConvertible { public var value: Value { .decimal(self) } }
extension String: ValueConvertible { public var value: Value { .string(self) } }
extension Date: ValueConvertible { public var value: Value { .date(self) } }
extension Data: ValueConvertible { public var value: Value { .data(self) } }
extension UUID: ValueConvertible { public var value: Value { .uuid(self) } }
extension URL: ValueConvertible { public var value: Value { .url(self) } }
extension ManagedObjectID: ValueConvertible { public var value: Value { .objectID(self) } }
extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  public var value: Value { map(\.value) ?? .null }
}
extension Array: ValueConvertible where Element: ValueConvertible {
  public var value: Value { .list(map(\.value)) }
}
extension Set: ValueConvertible where Element: ValueConvertible {
  public var value: Value { .list(map(\.value)) }
}
extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
  public var value: Value { rawValue.value }
}
