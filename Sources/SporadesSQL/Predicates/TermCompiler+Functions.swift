// SPDX-License-Identifier: MIT
import SporadesModel

// Arithmetic and functions. SQLite's own operators stand where they agree with memory on every value. Elsewhere the
// store's functions call what memory calls.
extension TermCompiler {
  func arithmetic(
    _ operation: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand, _ onDates: Bool
  ) -> SQLOperand {
    let sign = operation.rawValue
    // The database stores whole dates as integers.
    if onDates { return SQLOperand("(\(left.real) \(sql: sign) \(right.real))", .real) }
    let type = SQLOperand.NumberType.of(left.number, right.number)
    switch operation {
    case .add, .subtract, .multiply, .divide:
      guard type != .decimal else {
        return SQLOperand(
          "\(sql: SQLFunction.decimal)('\(sql: sign)', \(left.sql), \(right.sql))", .decimal)
      }
      return SQLOperand("(\(left.plain) \(sql: sign) \(right.plain))", type)
    case .modulus, .power:
      let isDecimal = type == .decimal
      let (first, second) = isDecimal ? (left.real, right.real) : (left.plain, right.plain)
      return SQLOperand(
        "\(sql: SQLFunction.name(of: operation))(\(first), \(second))",
        isDecimal ? .real : type)
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight:
      return SQLOperand("\(sql: SQLFunction.name(of: operation))(\(left.sql), \(right.sql))")
    }
  }

  func call(
    _ function: FetchFunction, _ arguments: [Term]
  ) throws(FetchPredicateError) -> SQLOperand {
    guard arguments.count == 1 else {
      var values: [SQLFragment] = []
      for argument in arguments { values.append(try value(argument).plain) }
      return SQLOperand(
        "\(sql: SQLFunction.name(of: function))(\(values.joined(by: ", ")))")
    }
    let argument = try value(arguments[0])
    if function == .withoutIndex {
      return SQLOperand("+\(argument.sql)", argument.number, isNullable: argument.isNullable)
    }
    return SQLOperand(
      "\(sql: SQLFunction.name(of: function))(\(argument.plain))",
      function.keepsWholeNumbers && argument.number == .whole ? .whole : .real)
  }

  /// A function of a list, or of the values of members.
  func gather(
    _ function: FetchFunction, _ argument: Term
  ) throws(FetchPredicateError) -> SQLOperand {
    if let members = try members(argument, folds: false) { return members.gather(function) }
    let items = try plainItems(argument)
    let type = items.map(\.number).reduce(.whole, SQLOperand.NumberType.of)
    let values = items.map(\.sql).joined(by: ", ")
    let isExact = items.contains { $0.number == .decimal }
    guard isExact else {
      return SQLOperand(
        "\(sql: SQLFunction.name(of: function))(\(values))", function.result(of: type))
    }
    // A digit per value says whether it is a decimal.
    let marks = items.map { $0.number == .decimal ? "1" : "0" }.joined()
    return SQLOperand(
      "\(sql: SQLFunction.ofDecimals(function))('\(sql: marks)', \(values))",
      function.result(of: type))
  }

  /// The members of a list without folding.
  private func plainItems(_ term: Term) throws(FetchPredicateError) -> [SQLOperand] {
    guard case .list(let members) = term else { return try items(term) }
    var items: [SQLOperand] = []
    for member in members { items.append(try value(member)) }
    return items
  }

  func conditional(
    _ condition: PreparedPredicate, _ first: Term, _ second: Term
  ) throws(FetchPredicateError) -> SQLOperand {
    let test = try PredicateCompiler(scopes: scopes, context: context).condition(
      condition, is: true)
    let (first, second) = (try value(first), try value(second))
    return SQLOperand(
      "(CASE WHEN \(test) THEN \(first.sql) ELSE \(second.sql) END)",
      .of(first.number, second.number), isNullable: first.isNullable || second.isNullable)
  }

  func cast(_ operand: SQLOperand, _ kind: Term.Kind, _ type: CastType) -> SQLOperand {
    switch (type, kind) {
    case (.date, _), (.number, .date): return SQLOperand(operand.real, .real)
    case (.number, .number), (.text, .text): return operand
    default: break
    }
    let from = kind == .number && operand.number == .decimal ? CastSource.decimal : CastSource(kind)
    return SQLOperand(
      "\(sql: SQLFunction.cast)(\(operand.sql), '\(sql: from.rawValue)', '\(sql: type.rawValue)')",
      type == .decimal ? .decimal : .whole)
  }
}

extension FetchFunction {
  /// Whole numbers give a whole number.
  fileprivate var keepsWholeNumbers: Bool {
    switch self {
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential: false
    default: true
    }
  }

  /// The type of the result of a function of many numbers.
  func result(of type: SQLOperand.NumberType) -> SQLOperand.NumberType {
    switch self {
    case .count: .whole
    case .standardDeviation: .real
    case .average, .median: type == .decimal ? .decimal : .real
    default: type
    }
  }
}

/// What the column of a cast's value does not tell.
package enum CastSource: String {
  case plain, decimal, uuid

  init(_ kind: PreparedPredicate.Term.Kind) { self = kind == .uuid ? .uuid : .plain }
}
