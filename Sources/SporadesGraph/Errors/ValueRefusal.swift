// SPDX-License-Identifier: MIT
import SporadesModel

// The words for values that an attribute cannot take.

extension AttributeType {
  /// Attributes of the type hold whole numbers.
  var isWhole: Bool { [.integer16, .integer32, .integer64].contains(self) }

  /// The words for a value that an attribute of the type can not take, and the remedy.
  func describeRefusal(of value: Value) -> String {
    if isWhole, let number = value.integer {
      return
        "\(number), which does not lie between \(integerRange.lowerBound) and "
        + "\(integerRange.upperBound). Check the number first, or give the attribute a wider type."
    }
    switch value {
    case .double, .decimal:
      return isWhole
        ? "\(value), which is no whole number of 64 bits. Round it first, or give the attribute another type."
        : "\(value.kindName). Convert the value first."
    case .objectID: return "an object id. Only a relationship leads to an object."
    default: return "\(value.kindName). Convert the value first."
    }
  }
}

extension Value {
  /// The words that an error message uses for the type of the value.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .boolean: "a truth value"
    case .integer: "a whole number"
    case .double: "a double"
    case .decimal: "a decimal"
    case .string: "text"
    case .date: "a date"
    case .data: "data"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .objectID: "an object id"
    case .list: "a list"
    }
  }
}
