// SPDX-License-Identifier: MIT

/// The arguments of a format. Each placeholder takes the next argument.
struct PredicateArguments {
  private let values: [Any?]
  private var taken = 0
  /// Nobody passes arguments: the format is still being written.
  private let areUnknown: Bool
  /// Arguments without a placeholder are no mistake.
  private let mayBeMore: Bool

  init(_ arguments: [Any?], mayBeMore: Bool = false) {
    values = arguments
    areUnknown = false
    self.mayBeMore = mayBeMore
  }

  /// The arguments of a format that is still being written.
  private init() {
    values = []
    areUnknown = true
    mayBeMore = false
  }

  /// Arguments that nobody passes yet. Each placeholder stands for nil.
  static var unknown: PredicateArguments { PredicateArguments() }

  /// Refuses a format with fewer placeholders than arguments.
  func checkAllAreTaken(texts: [String]) throws(FetchPredicateError) {
    guard taken < values.count, !mayBeMore else { return }
    let isQuoted = texts.contains { $0.contains("%") }
    throw FetchPredicateError(
      .arguments,
      "The number of placeholders is \(taken), but the number of arguments is \(values.count)."
        + (isQuoted ? " A placeholder in quotes is text; write it without the quotes." : ""))
  }

  private mutating func takeNext(_ position: Int) throws(FetchPredicateError) -> Any? {
    guard taken < values.count else {
      throw FetchPredicateError(
        .arguments,
        "This placeholder has no argument; the number of arguments is \(values.count).",
        position: position)
    }
    taken += 1
    return values[taken - 1]
  }

  /// Takes the next argument if it is a range of Swift.
  mutating func takeRange() -> PredicateRange? {
    guard taken < values.count, let range = PredicateRange(values[taken]) else { return nil }
    taken += 1
    return range
  }

  /// Takes the text of a `%K`.
  mutating func takeKeyPath(_ position: Int) throws(FetchPredicateError) -> String {
    if areUnknown { return "%K" }
    guard let value = Value(converting: try takeNext(position)), case .string(let text) = value
    else {
      throw FetchPredicateError(
        .arguments, "%K takes the text of a key path, such as \"owner.name\".", position: position)
    }
    return text
  }

  /// Takes the constant of a placeholder other than `%K`.
  mutating func takeConstant(
    _ conversion: Character, _ position: Int
  ) throws(FetchPredicateError) -> Value {
    if areUnknown { return .null }
    let argument = try takeNext(position)
    guard PredicateRange(argument) == nil else {
      throw FetchPredicateError(
        .arguments,
        "A range is the argument of %@ on the right side of IN or BETWEEN; write age BETWEEN %@.",
        position: position)
    }
    guard let value = Value(converting: argument) else {
      throw FetchPredicateError(
        .arguments, FetchExpression.describeRefusal(of: argument), position: position)
    }
    switch (conversion, value) {
    case ("@", _): return value
    case ("s", .string), ("S", .string), ("c", .string), ("C", .string): return value
    case (let letter, .integer), (let letter, .boolean):
      if "diuDUxXoOcC".contains(letter) { return value }
      if "fFeEgGaA".contains(letter), let number = ValueOrder.Number(value) {
        return .double(number.nearestDouble)
      }
    case (let letter, .double), (let letter, .decimal):
      if "fFeEgGaA".contains(letter) { return value }
    default: break
    }
    throw FetchPredicateError(
      .arguments, Self.describeMismatch(conversion, value), position: position)
  }

  private static func describeMismatch(_ conversion: Character, _ value: Value) -> String {
    let wanted =
      switch conversion {
      case "s", "S": "text"
      case "c", "C": "a character"
      case "f", "F", "e", "E", "g", "G", "a", "A": "a number"
      default: "a whole number"
      }
    let given =
      switch value {
      case .null: "nil"
      case .boolean: "a truth value"
      case .integer: "a whole number"
      case .double, .decimal: "a number with a fraction"
      case .string, .url: "text"
      case .date: "a date"
      case .data: "data"
      case .uuid: "a UUID"
      case .objectID: "an object"
      case .list: "a list"
      }
    return
      "%\(conversion) takes \(wanted), and its argument is \(given). Pass \(wanted) for a property with such values; "
      + "%@ takes \(given) as it is."
  }
}
