// SPDX-License-Identifier: MIT
import SporadesModel

/// Turns a predicate into a `WHERE` condition that selects exactly the rows that ``PredicateEvaluator``
/// accepts.
///
/// SQL returns *unknown* where Swift returns *false*, and `NOT` leaves it unknown. The compiler therefore
/// never writes `NOT`. It passes the negation down to the comparisons, each of which has an opposite. The
/// result contains plain comparisons, which can use an index.
struct PredicateCompiler {
  let scopes: SQLScopes
  let context: SQLContext

  init(scope: SQLScope, context: SQLContext) {
    self.init(scopes: SQLScopes(scope), context: context)
  }

  init(scopes: SQLScopes, context: SQLContext) {
    self.scopes = scopes
    self.context = context
  }

  /// The condition on the rows of a statement.
  func condition(_ predicate: FetchPredicate) throws(FetchPredicateError) -> SQLFragment {
    let entity = scopes.subject.entity
    let prepared = try PredicatePreparation(entity, context.model).prepare(predicate)
    require(prepared, of: .subject)
    let parts = prepared.conjuncts
    let sought = SoughtMembers(of: entity, context.model).places(among: parts)
    guard !sought.isEmpty else { return try condition(prepared, is: true) }
    var conditions: [SQLFragment] = []
    for (place, part) in parts.enumerated() {
      if sought.contains(place), let owners = try ownersOfMembers(part) {
        conditions.append(owners)
      } else {
        conditions.append(try condition(part, is: true))
      }
    }
    return Self.join(conditions, every: true)
  }

  /// Joins the tables of an object by inner joins where the predicate requires their rows.
  func require(_ predicate: PreparedPredicate, of start: PreparedPredicate.Start) {
    for steps in RequiredSteps(of: predicate).all where steps.start == start {
      scopes[start].require(steps.names)
    }
  }

  func condition(
    _ predicate: PreparedPredicate, is expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    switch predicate {
    case .constant(let answer): return Self.constant(answer == expected)
    case .comparison(let comparison): return try condition(comparison, expected)
    case .not(let inner): return try condition(inner, is: !expected)
    case .and(let parts): return try join(parts, expected, every: expected)
    case .or(let parts): return try join(parts, expected, every: !expected)
    case .open(let open) where context.limits != nil: return try preselected(open, expected)
    case .open(let open): return try condition(open, expected)
    }
  }

  static func constant(_ answer: Bool) -> SQLFragment { answer ? "1=1" : "1=0" }

  private func join(
    _ parts: [PreparedPredicate], _ expected: Bool, every: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    guard !parts.isEmpty else { return Self.constant(every) }
    var conditions: [SQLFragment] = []
    for part in parts { conditions.append(try condition(part, is: expected)) }
    return Self.join(conditions, every: every)
  }

  /// SQLite counts each condition of a chain as a level of nesting and accepts 1,000. A longer chain is split
  /// in two.
  private static let longestJoin = PreparedPredicate.longestChain

  static func join(_ conditions: [SQLFragment], every: Bool) -> SQLFragment {
    if conditions.count == 1 { return conditions[0] }
    guard conditions.count <= longestJoin else {
      let half = conditions.count / 2
      let halves = [conditions[..<half], conditions[half...]]
      return join(halves.map { join(Array($0), every: every) }, every: every)
    }
    return "(\(conditions.joined(by: every ? " AND " : " OR ")))"
  }

  // MARK: - Comparisons

  private func condition(
    _ comparison: PreparedPredicate.Comparison, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    if let limits = context.limits, !limits.decides(comparison) { return context.undecided() }
    let terms = TermCompiler(scopes, context, comparison.folding)
    guard comparison.quantifier == .direct else {
      return try quantified(comparison, terms, expected)
    }
    if let (members, isThere) = try existence(comparison, terms) {
      return exists(members, where: nil, isThere == expected)
    }
    let left = try terms.operand(
      comparison.left, DateRounding(leftOf: comparison.comparator))
    if comparison.comparator == .isIn {
      return try membership(left, comparison.right, terms, expected)
    }
    let answer = try compare(left, comparison, terms, expected)
    guard expected, let twin = CanonicalTwin(of: comparison, scopes, context) else { return answer }
    // The twin's index finds the rows, and the comparison itself decides.
    return Self.join([try compare(twin.operand, comparison, terms, true), answer], every: true)
  }

  /// `ANY` looks for an object that satisfies the comparison, `ALL` for an object that does not.
  private func quantified(
    _ comparison: PreparedPredicate.Comparison, _ terms: TermCompiler, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    let isAny = comparison.quantifier == .any
    guard let members = try terms.members(comparison.left) else {
      return Self.constant(expected != isAny)
    }
    let inner = try condition(on: members, comparison, terms, isAny)
    return exists(members, where: inner, isAny == expected)
  }

  private func condition(
    on members: TermCompiler.Members, _ comparison: PreparedPredicate.Comparison,
    _ terms: TermCompiler, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    comparison.comparator == .isIn
      ? try membership(members.value, comparison.right, terms, expected)
      : try compare(members.value, comparison, terms, expected)
  }

  private func exists(
    _ members: TermCompiler.Members, where condition: SQLFragment?, _ expected: Bool
  ) -> SQLFragment {
    let conditions = condition.map { [$0] } ?? []
    let exists: SQLFragment = "EXISTS (SELECT 1\(members.selection(conditions)))"
    return expected ? exists : "NOT \(exists)"
  }

  /// The members whose number is compared with zero, and whether there must be some.
  private func existence(
    _ comparison: PreparedPredicate.Comparison, _ terms: TermCompiler
  ) throws(FetchPredicateError) -> (TermCompiler.Members, Bool)? {
    guard case .constant(.integer(let number)) = comparison.right,
      let isThere = comparison.tellsExistence(number)
    else { return nil }
    return try terms.counted(comparison.left).map { ($0, isThere) }
  }

  /// `t0.id IN (SELECT t1.owner FROM pet t1 WHERE t1.name = ?)`; nil for a condition that ``SoughtMembers`` leaves.
  private func ownersOfMembers(
    _ predicate: PreparedPredicate
  ) throws(FetchPredicateError) -> SQLFragment? {
    guard case .comparison(let comparison) = predicate else { return nil }
    let terms = TermCompiler(scopes, context, comparison.folding)
    if let (members, _) = try existence(comparison, terms) { return members.owners([]) }
    if comparison.quantifier == .any {
      guard let members = try terms.members(comparison.left) else { return nil }
      return members.owners([try condition(on: members, comparison, terms, true)])
    }
    guard let members = try terms.members(comparison.right) else { return nil }
    let value = try terms.operand(comparison.left)
    return members.owners([SQLComparison.equal(members.value, value, true)])
  }

  private func compare(
    _ left: SQLOperand, _ comparison: PreparedPredicate.Comparison, _ terms: TermCompiler,
    _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    let comparator = comparison.comparator
    if comparator == .between {
      // A lower bound stands on the left of its comparison.
      let lower = try terms.items(comparison.right, DateRounding(leftOf: .lessOrEqual))
      let upper = try terms.items(comparison.right, DateRounding(rightOf: .lessOrEqual))
      guard lower.count == 2 else { return Self.constant(!expected) }
      return Self.join(
        [
          SQLComparison.ordered(lower[0], .lessOrEqual, left, expected),
          SQLComparison.ordered(left, .lessOrEqual, upper[1], expected),
        ], every: expected)
    }
    let right = try terms.operand(comparison.right, DateRounding(rightOf: comparator))
    return switch comparator {
    case .equal: SQLComparison.equal(left, right, expected)
    case .notEqual: SQLComparison.equal(left, right, !expected)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      // Ids of different stores have no order.
      comparison.right.isID(outside: context.scope)
        ? Self.constant(!expected) : SQLComparison.ordered(left, comparator, right, expected)
    default:
      SQLComparison.text(
        left, comparator, right, comparison.options, expected, place: context.placeFunction)
    }
  }

  // MARK: - Membership

  private func membership(
    _ left: SQLOperand, _ right: PreparedPredicate.Term, _ terms: TermCompiler, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    if case .combined(let operation, let some, let more) = right {
      let isMinus = operation == .minus
      return Self.join(
        [
          try membership(left, some, terms, expected),
          try membership(left, more, terms, isMinus ? !expected : expected),
        ], every: operation == .union ? !expected : expected)
    }
    if let members = try terms.members(right) {
      return exists(members, where: SQLComparison.equal(members.value, left, true), expected)
    }
    guard right.isList else {
      return SQLComparison.text(
        try terms.operand(right), .contains, left, [], expected, place: context.placeFunction)
    }
    if context.limits == nil, let constants = terms.constants(right) {
      return SQLComparison.isIn(left, constants, expected)
    }
    let items = try terms.items(right)
    let constants = items.compactMap(\.constant)
    guard constants.count == items.count else {
      guard !items.isEmpty else { return Self.constant(!expected) }
      return Self.join(items.map { SQLComparison.equal(left, $0, expected) }, every: !expected)
    }
    // A list of constants with forms of their own is written item by item.
    let forms = context.limits == nil ? nil : items.filter { $0.constant != .null }.map(\.sql)
    return SQLComparison.isIn(left, constants, expected, writtenAs: forms?.joined(by: ", "))
  }
}

extension PreparedPredicate.Term {
  /// The term is the id of an object that no row of the store can be.
  fileprivate func isID(outside scope: StoreScope) -> Bool {
    if case .constant(.objectID(let id)) = self { id.scope != scope } else { false }
  }
}
