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
    let type = operation.result(of: left.number, right.number)
    switch operation {
    case .add, .subtract, .multiply, .divide:
      guard type != .decimal else {
        return .computed(
          "\(sql: SQLFunction.decimal)('\(sql: sign)', \(left.digits), \(right.digits))")
      }
      return SQLOperand("(\(left.plain) \(sql: sign) \(right.plain))", type)
    case .modulus, .power:
      let isDecimal = left.number == .decimal || right.number == .decimal
      let (first, second) = isDecimal ? (left.real, right.real) : (left.plain, right.plain)
      return SQLOperand("\(sql: SQLFunction.name(of: operation))(\(first), \(second))", type)
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
    if function == .withoutIndex { return argument.withoutIndex }
    // The bits of a decimal are those of its digits.
    let taken = function == .onesComplement ? argument.sql : argument.plain
    return SQLOperand(
      "\(sql: SQLFunction.name(of: function))(\(taken))",
      function.result(ofOne: argument.number))
  }

  /// A function of a list, or of the values of members.
  func gather(
    _ function: FetchFunction, _ argument: Term
  ) throws(FetchPredicateError) -> SQLOperand {
    if let members = try members(argument, folds: false) { return members.gather(function) }
    let items = try plainItems(argument)
    let type = function.result(ofMany: argument.number)
    guard argument.number == .decimal else {
      let values = items.map(\.sql).joined(by: ", ")
      return SQLOperand("\(sql: SQLFunction.name(of: function))(\(values))", type)
    }
    // The numbers of a list are of one type, so that all of them are decimals here.
    let digits = items.map(\.digits).joined(by: ", ")
    let result: SQLFragment = "\(sql: SQLFunction.ofDecimals(function))(\(digits))"
    return type == .decimal ? .computed(result) : SQLOperand(result, type)
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
    func choice(_ first: SQLFragment, _ second: SQLFragment) -> SQLFragment {
      "(CASE WHEN \(test) THEN \(first) ELSE \(second) END)"
    }
    let type = NumberType.widest(first.number, second.number)
    let isNullable = first.isNullable || second.isNullable
    let result = choice(first.sql, second.sql)
    guard type == .decimal else { return SQLOperand(result, type, isNullable: isNullable) }
    return SQLOperand(
      decimal: result, digits: choice(first.digits, second.digits), isNullable: isNullable)
  }

  func cast(_ operand: SQLOperand, _ kind: Term.Kind, _ type: CastType) -> SQLOperand {
    switch (type, kind) {
    case (.date, _), (.number, .date): return SQLOperand(operand.real, .real)
    case (.number, .number), (.text, .text): return operand
    default: break
    }
    let isDecimal = kind == .number && operand.number == .decimal
    if isDecimal, type == .decimal { return operand }
    let from = isDecimal ? CastSource.decimal : CastSource(kind)
    let result: SQLFragment =
      "\(sql: SQLFunction.cast)(\(operand.digits), '\(sql: from.rawValue)', '\(sql: type.rawValue)')"
    return type == .decimal ? .computed(result) : SQLOperand(result)
  }
}

/// The facts that the column of a cast's value does not tell.
package enum CastSource: String {
  case plain, decimal, uuid

  init(_ kind: PreparedPredicate.Term.Kind) { self = kind == .uuid ? .uuid : .plain }
}
