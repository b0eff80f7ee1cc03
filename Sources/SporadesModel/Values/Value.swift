// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// What one attribute can hold in a store.
///
/// A value is what crosses seams where rows would be too early or too late: default values,
/// constants of predicates, results of aggregates, access by key. Hot paths read typed slots of a
/// ``RowPage`` instead and never build one.
public enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case data(Data)
  case uuid(UUID)
  case url(URL)
  case objectID(ManagedObjectID)
  case list([Value])

  public var isNull: Bool { self == .null }
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
