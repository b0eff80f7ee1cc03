// SPDX-License-Identifier: MIT
import SporadesModel

// Members of relationships, and the question about them.
extension TermCompiler {
  /// The rows of a term that leads to many values.
  struct Members {
    let rows: MemberRows
    /// The value of a row.
    var value: SQLOperand
    let type: AttributeType?
    var conditions: [SQLFragment] = []
    var isDistinct = false

    func selection(_ more: [SQLFragment] = []) -> SQLFragment { rows.selection(conditions + more) }

    /// `t0.id IN (SELECT t1.owner FROM …)`: the rows to which these rows are linked.
    func owners(_ more: [SQLFragment]) -> SQLFragment { rows.owners(conditions + more) }

    /// `(SELECT MAX(t1.age) FROM …)`
    func aggregate(_ function: AggregateFunction) -> SQLOperand { gather(FetchFunction(function)) }

    func gather(_ function: FetchFunction) -> SQLOperand {
      let type = function.result(ofMany: value.number)
      guard type == .decimal else {
        let result = select { call(function, $0) }
        guard function == .sum else {
          return SQLOperand(result, type, isNullable: function != .count)
        }
        return SQLOperand("COALESCE(\(result), 0)", type, isNullable: false)
      }
      var digits = select(digits: true) { collect(function, $0) }
      switch function {
      case .min, .max:
        return SQLOperand(decimal: select { call(function, $0) }, digits: digits)
      case .sum:
        digits = "COALESCE(\(digits), 0)"
        return .computed(digits, isNullable: false)
      default: return .computed(digits)
      }
    }

    private func call(_ function: FetchFunction, _ value: SQLFragment) -> SQLFragment {
      switch function {
      case .count: "COUNT(\(value))"
      case .min: "MIN(\(value))"
      case .max: "MAX(\(value))"
      case .sum: SQLAggregate.sum(value, type)
      case .average: SQLAggregate.average(value, type)
      default: collect(function, value)
      }
    }

    private func collect(_ function: FetchFunction, _ value: SQLFragment) -> SQLFragment {
      "\(sql: SQLFunction.collector(of: function))(\(value), \(sql: type == .decimal ? "1" : "0"))"
    }

    /// The number of values.
    var count: SQLOperand {
      let result: SQLFragment =
        isDistinct
        ? select { "COUNT(\($0))" } : "(SELECT COUNT(*)\(selection()))"
      return SQLOperand(result, isNullable: false)
    }

    private func select(
      digits: Bool = false, _ call: (SQLFragment) -> SQLFragment
    ) -> SQLFragment {
      guard isDistinct else {
        return "(SELECT \(call(digits ? value.digits : value.sql))\(selection()))"
      }
      return
        "(SELECT \(call("value")) FROM (SELECT DISTINCT \(value.sql) AS value\(selection())))"
    }
  }

  /// Nil for a term with one value and for a list. The value is folded as the comparison asks.
  func members(_ term: Term, folds: Bool = true) throws(FetchPredicateError) -> Members? {
    var members: Members
    switch term {
    case .path(let path) where path.shape.isToMany:
      let (rows, value) = MemberRows.following(path.shape, from: scopes[path.start], context)
      members = Members(rows: rows, value: value, type: path.shape.attribute?.type)
    case .collection(let collection) where collection.question == .members:
      members = try self.members(of: collection)
    default: return nil
    }
    if folds, term.isText { members.value.sql = fold(members.value.sql) }
    return members
  }

  /// The rows that a term counts; nil for a term that counts none, or different values.
  func counted(_ term: Term) throws(FetchPredicateError) -> Members? {
    switch term {
    case .count(let path):
      let steps = path.shape.relationships
      let rows = MemberRows(steps[...], from: scopes[path.start], context, endingInLinks: true)
      return Members(rows: rows, value: SQLOperand(rows.key), type: nil)
    case .collection(let collection)
    where collection.question == .count && collection.union == .all:
      return try members(of: collection)
    default: return nil
    }
  }

  func answer(_ collection: PreparedPredicate.Collection) throws(FetchPredicateError) -> SQLOperand
  {
    let members = try members(of: collection)
    switch collection.question {
    case .members:
      throw FetchPredicateError(.wrongOperands, "A collection stands where a value is needed.")
    case .count: return members.count
    case .aggregate(let function): return members.aggregate(function)
    }
  }

  private func members(
    of collection: PreparedPredicate.Collection
  ) throws(FetchPredicateError) -> Members {
    var rows = MemberRows(
      collection.steps[...], from: scopes[collection.start], context,
      endingInLinks: collection.condition == nil && collection.values == nil
        && collection.computed == nil)
    var conditions: [SQLFragment] = []
    let scopes = scopes.adding(rows.scope)
    if let condition = collection.condition {
      let inner = PredicateCompiler(scopes: scopes, context: context)
      inner.require(condition, of: .member(scopes.memberCount))
      conditions.append(try inner.condition(condition, is: true))
    }
    var type = collection.values?.attribute?.type
    var value = collection.values.map { rows.value($0) } ?? SQLOperand(rows.key)
    if let computed = collection.computed {
      value = try TermCompiler(scopes, context, []).value(computed)
      // The functions of the store tell a whole number from another by itself.
      type = value.number == .decimal ? .decimal : nil
    }
    if collection.union != .all { conditions.append("\(value.sql) IS NOT NULL") }
    return Members(
      rows: rows, value: value, type: type, conditions: conditions,
      isDistinct: collection.union == .distinct)
  }

  /// `(SELECT t1.name FROM … ORDER BY t1.place, t1.id LIMIT 1 OFFSET 2)`
  func element(_ element: PreparedPredicate.Element) throws(FetchPredicateError) -> SQLOperand {
    var rows = MemberRows(
      element.steps[...], from: scopes[element.start], context,
      endingInLinks: element.values == nil)
    let (position, key) = (rows.position ?? rows.key, rows.key)
    let value = element.values.map { rows.value($0) } ?? SQLOperand(key)
    let isLast = element.place == .last
    let order: SQLFragment =
      isLast ? "\(position) DESC, \(key) DESC" : "\(position), \(key)"
    var bounds: SQLFragment = " LIMIT 1"
    if case .index(let index) = element.place { bounds += " OFFSET \(.integer(Int64(index)))" }
    func pick(_ value: SQLFragment) -> SQLFragment {
      "(SELECT \(value)\(rows.selection()) ORDER BY \(order)\(bounds))"
    }
    guard value.number == .decimal else { return SQLOperand(pick(value.sql), value.number) }
    return SQLOperand(decimal: pick(value.sql), digits: pick(value.digits))
  }
}
