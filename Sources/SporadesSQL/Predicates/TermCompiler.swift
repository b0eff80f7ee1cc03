// SPDX-License-Identifier: MIT
import SporadesModel

/// One side of a comparison in SQL.
struct SQLOperand {
  let sql: SQLFragment
  /// The value, if it is known before the statement runs.
  let constant: SQLValue?
  /// The database stores whole decimals as integers, and SQL divides integers without a fraction.
  let isDecimal: Bool
  let isNullable: Bool
  /// A cheaper expression that is null exactly if the value is null.
  var presence: SQLFragment

  init(_ sql: SQLFragment, isDecimal: Bool = false, isNullable: Bool = true) {
    self.sql = sql
    presence = sql
    constant = nil
    self.isDecimal = isDecimal
    self.isNullable = isNullable
  }

  init(_ sql: SQLFragment, _ path: KeyPathShape) {
    self.init(sql, isDecimal: path.attribute?.type == .decimal)
  }

  init(_ constant: SQLValue, isDecimal: Bool = false) {
    sql = "\(constant)"
    presence = sql
    self.constant = constant
    self.isDecimal = isDecimal
    isNullable = constant == .null
  }
}

/// Turns the sides of a comparison into SQL, and folds text as the comparison asks.
struct TermCompiler {
  private let scope: SQLScope
  private let context: SQLContext
  private let options: FetchPredicate.TextOptions

  init(_ scope: SQLScope, _ context: SQLContext, _ options: FetchPredicate.TextOptions) {
    self.scope = scope
    self.context = context
    self.options = options
  }

  func term(_ expression: FetchExpression) throws(FetchPredicateError) -> SQLOperand {
    switch expression {
    case .constant(let value): return constant(value)
    case .keyPath(let names), .indexed(let names, _):
      let path = try KeyPathShape(names, in: scope.entity, context.model)
      let value = scope.value(
        path.relationships[...], path.attribute, from: scope.alias, scope.entity)
      var operand = SQLOperand(folded(value, path), path)
      if path.isLarge {
        operand.presence = scope.value(
          path.relationships[...], path.attribute, from: scope.alias, scope.entity, asStored: true)
      }
      return operand
    case .subject:
      let key = context.layout.names.row.key
      return SQLOperand("\(sql: scope.alias).\(name: key)", isNullable: false)
    case .variable(let name):
      throw FetchPredicateError(
        .unboundVariable, "The variable $\(name) has no value; substitute one before fetching.")
    case .refused(let error): throw error
    case .list: throw FetchPredicateError(.wrongOperands, "A list stands where a value is needed.")
    case .count(let names):
      let path = try KeyPathShape(names, in: scope.entity, context.model)
      let rows = ToManyPath(path, from: scope, context)
      return SQLOperand("(SELECT COUNT(*)\(rows.selection()))", isNullable: false)
    case .aggregate(let function, let names): return try aggregate(function, names)
    case .arithmetic(let operation, let left, let right):
      return arithmetic(operation, try term(left), try term(right))
    case .function, .conditional, .cast, .element, .collection, .combined:
      throw FetchPredicateError(.unsupported, "The expression is not supported.")
    }
  }

  /// The members of a list.
  func items(_ expression: FetchExpression) throws(FetchPredicateError) -> [SQLOperand] {
    switch expression {
    case .constant(.list(let values)): return values.map(constant)
    case .list(let members):
      var items: [SQLOperand] = []
      for member in members { items.append(try term(member)) }
      return items
    default: return [try term(expression)]
    }
  }

  private func constant(_ value: Value) -> SQLOperand {
    let plain = SQLValue(value, context.scope)
    var isDecimal = false
    if case .decimal = value { isDecimal = true }
    guard case .text(let text) = plain else { return SQLOperand(plain, isDecimal: isDecimal) }
    return SQLOperand(.text(TextFolding.fold(text, options)))
  }

  /// Removes case or marks from text, if the comparison asks for it.
  func folded(_ sql: SQLFragment, _ path: KeyPathShape) -> SQLFragment {
    let type = path.attribute?.type
    guard type == .string || type == .uri else { return sql }
    return Self.folded(sql, options)
  }

  static func folded(
    _ sql: SQLFragment, _ options: FetchPredicate.TextOptions
  ) -> SQLFragment {
    let isFolding =
      !options.contains(.normalized)
      && !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    guard isFolding else { return sql }
    return "\(sql: SQLFunction.fold)(\(sql), \(sql: String(options.rawValue)))"
  }

  private func aggregate(
    _ function: AggregateFunction, _ names: [String]
  ) throws(FetchPredicateError) -> SQLOperand {
    let path = try KeyPathShape(names, in: scope.entity, context.model)
    let rows = ToManyPath(path, from: scope, context)
    let isLarge = function == .sum && path.attribute?.type == .integer64
    let call =
      isLarge ? SQLAggregate.wideSum(rows.value) : SQLAggregate.call(function, rows.value)
    let value: SQLFragment = "(SELECT \(call)\(rows.selection()))"
    if function == .sum {
      return SQLOperand(
        "COALESCE(\(value), 0)", isDecimal: path.attribute?.type == .decimal, isNullable: false)
    }
    return SQLOperand(folded(value, path), path)
  }

  private func arithmetic(
    _ operation: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand
  ) -> SQLOperand {
    let isDecimal = left.isDecimal || right.isDecimal
    let first: SQLFragment =
      isDecimal && operation == .divide ? "CAST(\(left.sql) AS REAL)" : left.sql
    return SQLOperand("(\(first) \(sql: operation.rawValue) \(right.sql))", isDecimal: isDecimal)
  }
}

/// The SQL of aggregates.
enum SQLAggregate {
  /// The sum of 64-bit integers. If the sum exceeds 64 bits, it is a double; `SUM` alone would fail.
  ///
  /// The expression sums the upper and lower halves separately. A small upper sum means that the whole sum is
  /// small.
  static func wideSum(_ value: SQLFragment) -> SQLFragment {
    let (upper, lower): (SQLFragment, SQLFragment) = (
      "SUM(\(value) >> 32)", "SUM(\(value) & 4294967295)"
    )
    return """
      CASE WHEN \(upper) BETWEEN -1073741824 AND 1073741823 \
      THEN \(upper) * 4294967296 + \(lower) ELSE \(upper) * 4294967296.0 + \(lower) END
      """
  }

  static func call(_ function: AggregateFunction, _ value: SQLFragment) -> SQLFragment {
    switch function {
    case .sum: "SUM(\(value))"
    case .min: "MIN(\(value))"
    case .max: "MAX(\(value))"
    case .average: "AVG(\(value))"
    }
  }
}
