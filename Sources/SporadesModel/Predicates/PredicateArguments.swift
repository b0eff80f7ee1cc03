// SPDX-License-Identifier: MIT

/// The arguments of a format, taken one by one by its placeholders.
struct PredicateArguments {
  private let values: [Value]
  private var taken = 0

  init(_ arguments: [(any ValueConvertible)?]) { values = arguments.map { $0?.value ?? .null } }

  /// All arguments have found their placeholders.
  func checkNoneIsLeft() throws(FetchPredicateError) {
    guard taken < values.count else { return }
    throw FetchPredicateError(
      .arguments, "The format takes \(taken) arguments, and there are \(values.count).")
  }

  private mutating func next(_ position: Int) throws(FetchPredicateError) -> Value {
    guard taken < values.count else {
      throw FetchPredicateError(
        .arguments,
        "There is no argument left for this placeholder; the format was given \(values.count).",
        position: position)
    }
    taken += 1
    return values[taken - 1]
  }

  /// The text of a `%K`.
  mutating func keyPath(_ position: Int) throws(FetchPredicateError) -> String {
    guard case .string(let text) = try next(position) else {
      throw FetchPredicateError(.arguments, "%K takes the text of a key path.", position: position)
    }
    return text
  }

  /// The constant of a placeholder other than `%K`.
  mutating func constant(
    _ conversion: Character, _ position: Int
  ) throws(FetchPredicateError) -> Value {
    let value = try next(position)
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
      .arguments, "%\(conversion) and its argument are of different kinds; %@ takes any.",
      position: position)
  }
}
