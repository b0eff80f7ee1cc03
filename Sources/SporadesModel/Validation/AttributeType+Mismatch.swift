// SPDX-License-Identifier: MIT
import FoundationEssentials

extension AttributeType {
  /// Describes why an attribute of the type cannot hold a value, with the remedy; nil if it can.
  func describeMismatch(with value: Value) -> String? {
    switch (self, value) {
    case (_, .null), (.undefined, _): nil
    case (.integer16, .integer(let number)): checkRange(of: number, in: Int16.self)
    case (.integer32, .integer(let number)): checkRange(of: number, in: Int32.self)
    case (.integer64, .integer), (.double, .double), (.float, .double), (.decimal, .decimal): nil
    case (.string, .string), (.boolean, .boolean), (.date, .date), (.binary, .data): nil
    case (.uuid, .uuid), (.uri, .url), (.transformable, .data), (.objectID, .objectID): nil
    default: "is not \(expected)."
    }
  }

  /// Values of the type have an order, so that an attribute can have a minimum and a maximum.
  var isOrderedByValue: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: true
    default: false
    }
  }

  private func checkRange<Number: FixedWidthInteger>(
    of number: Int64, in type: Number.Type
  ) -> String? {
    guard Number(exactly: number) == nil else { return nil }
    return
      "is \(number), which does not lie between \(type.min) and \(type.max); choose a wider integer type."
  }

  private var expected: String {
    switch self {
    case .integer16, .integer32, .integer64: "an integer; write one without decimals"
    case .double, .float: "a floating-point number; write it with decimals, as in 0.0"
    case .decimal: "a decimal; make it one with Decimal(…)"
    case .string: "a string; quote it or change the attribute's type"
    case .boolean: "a truth value; write true or false"
    case .date: "a date; use .date(…)"
    case .binary: "data; use .data(…)"
    case .transformable: "data; write the bytes that the transformer makes of the default"
    case .uuid: "a UUID; use .uuid(…)"
    case .uri: "a URL; use .url(…)"
    case .objectID: "an object id; remove the default"
    case .composite: "possible for a composite; give its elements defaults instead"
    case .undefined: "anything the attribute can hold"
    }
  }
}

extension Value {
  /// Both values have the same ordered kind, and this value is the larger one.
  func isAbove(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left > right
    case (.double(let left), .double(let right)): left > right
    case (.decimal(let left), .decimal(let right)): left > right
    case (.date(let left), .date(let right)): left > right
    default: false
    }
  }
}
