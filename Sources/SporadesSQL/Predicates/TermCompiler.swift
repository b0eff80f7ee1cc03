// SPDX-License-Identifier: MIT
import SporadesModel

/// Turns the sides of a comparison into SQL, and folds text as the comparison asks.
struct TermCompiler {
  typealias Term = PreparedPredicate.Term

  let scopes: SQLScopes
  let context: SQLContext
  private let options: FetchPredicate.TextOptions

  init(_ scopes: SQLScopes, _ context: SQLContext, _ options: FetchPredicate.TextOptions) {
    self.scopes = scopes
    self.context = context
    self.options = options
  }

  init(_ scope: SQLScope, _ context: SQLContext, _ options: FetchPredicate.TextOptions) {
    self.init(SQLScopes(scope), context, options)
  }

  /// The value of an expression that was prepared for the rows of the scope.
  func operand(_ expression: PreparedExpression) throws(FetchPredicateError) -> SQLOperand {
    try operand(expression.term)
  }

  /// The value of a term, with folded text. The text of constants is folded already.
  func operand(
    _ term: Term, _ rounding: DateRounding = .nearest
  ) throws(FetchPredicateError) -> SQLOperand {
    if case .constant(let value) = term { return constant(value, rounding) }
    var operand = try value(term)
    if operand.constant == nil, term.isText { operand.sql = Self.folded(operand.sql, options) }
    return operand
  }

  /// The members of a list.
  func items(
    _ term: Term, _ rounding: DateRounding = .nearest
  ) throws(FetchPredicateError) -> [SQLOperand] {
    switch term {
    case .constant(.list(let values)): return values.map { constant($0, rounding) }
    case .list(let members):
      var items: [SQLOperand] = []
      for member in members { items.append(try operand(member, rounding)) }
      return items
    default: return [try operand(term)]
    }
  }

  /// The values of a list that holds nothing to compute; nil for another term.
  func constants(_ term: Term) -> [SQLValue]? {
    guard case .constant(.list(let values)) = term else { return nil }
    return values.map { SQLValue($0, context.scope) }
  }

  // MARK: - Values

  func value(_ term: Term) throws(FetchPredicateError) -> SQLOperand {
    switch term {
    case .constant(let value): return constant(value)
    case .path(let path): return self.path(path)
    case .subject(let start):
      let key = context.layout.names.row.key
      return SQLOperand("\(sql: scopes[start].alias).\(name: key)", isNullable: false)
    case .list, .combined:
      throw FetchPredicateError(.wrongOperands, "A list stands where a value is needed.")
    case .count(let path):
      let steps = path.shape.relationships
      let rows = MemberRows(
        steps[...], from: scopes[path.start], context, endingInLinks: true)
      return SQLOperand("(SELECT COUNT(*)\(rows.selection()))", isNullable: false)
    case .aggregate(let function, let path):
      let (rows, value) = MemberRows.following(path.shape, from: scopes[path.start], context)
      return Members(rows: rows, value: value, type: path.shape.attribute?.type)
        .aggregate(function)
    case .arithmetic(let operation, let left, let right, let onDates):
      return arithmetic(operation, try value(left), try value(right), onDates)
    case .function(let function, let arguments):
      guard let argument = arguments.first else { return SQLOperand(.null) }
      return function.takesMany ? try gather(function, argument) : try call(function, arguments)
    case .conditional(let condition, let first, let second, isText: _):
      return try conditional(condition, first, second)
    case .cast(let inner, let kind, let type): return cast(try value(inner), kind, type)
    case .real(let inner): return SQLOperand(try value(inner).real, .real)
    case .element(let element): return try self.element(element)
    case .collection(let collection): return try answer(collection)
    }
  }

  private func constant(_ value: Value, _ rounding: DateRounding = .nearest) -> SQLOperand {
    if case .decimal(let number) = value { return SQLOperand(number) }
    var operand = SQLOperand(SQLValue(value, context.scope))
    if let form = context.limits?.constant(value, rounding) { operand.sql = form }
    return operand
  }

  private func path(_ path: PreparedPredicate.Path) -> SQLOperand {
    let (scope, shape) = (scopes[path.start], path.shape)
    let steps = shape.relationships[...]
    var operand = scope.operand(steps, shape.attribute, from: scope.alias, scope.entity)
    if shape.isLarge {
      operand.presence = scope.value(
        steps, shape.attribute, from: scope.alias, scope.entity, asStored: true)
    }
    return operand
  }

  // MARK: - Folding

  /// Removes case or marks from text, if the comparison asks for it.
  func folded(_ sql: SQLFragment, _ path: KeyPathShape) -> SQLFragment {
    let type = path.attribute?.type
    guard type == .string || type == .uri else { return sql }
    return Self.folded(sql, options)
  }

  /// Removes case or marks from a value that is text.
  func fold(_ sql: SQLFragment) -> SQLFragment { Self.folded(sql, options) }

  static func folded(
    _ sql: SQLFragment, _ options: FetchPredicate.TextOptions
  ) -> SQLFragment {
    let isFolding =
      !options.contains(.normalized)
      && !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    guard isFolding else { return sql }
    return "\(sql: SQLFunction.fold)(\(sql), \(sql: String(options.rawValue)))"
  }
}
