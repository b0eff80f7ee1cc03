// SPDX-License-Identifier: MIT

/// The kind of value that an attribute holds.
///
/// The raw values are Core Data's numbers, because version hashes contain them.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  /// A value that no store keeps.
  case undefined = 0
  /// A whole number of 16 bits.
  case integer16 = 100
  /// A whole number of 32 bits.
  case integer32 = 200
  /// A whole number of 64 bits.
  case integer64 = 300
  /// A number whose decimal digits are exact.
  case decimal = 400
  /// A floating-point number of 64 bits.
  case double = 500
  /// A floating-point number of 32 bits.
  case float = 600
  /// A text.
  case string = 700
  /// A truth value.
  case boolean = 800
  /// A point in time.
  case date = 900
  /// Bytes.
  case binary = 1000
  /// A UUID.
  case uuid = 1100
  /// A URI.
  case uri = 1200
  /// An object that a transformer turns into bytes.
  case transformable = 1800
  /// The id of an object. A model cannot store it.
  case objectID = 2000
  /// A group of other attributes.
  case composite = 2100
}

extension AttributeType {
  /// The whole numbers that an attribute of the type can hold: all of 64 bits, but for the two smaller types.
  package var integerRange: ClosedRange<Int64> {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    default: Int64.min...Int64.max
    }
  }
}
