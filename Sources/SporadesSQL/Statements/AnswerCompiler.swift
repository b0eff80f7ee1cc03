// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// Turns a question into a statement.
///
/// | question | statement |
/// |---|---|
/// | for each object | `SELECT t0.ZNAME, t1.ZNAME FROM … ORDER BY …` |
/// | for each group | `SELECT t0.ZTEAM, COUNT(*), MAX(t0.ZAGE) FROM … GROUP BY 1` |
/// | over the first objects of an order | `SELECT MAX(value0) FROM (SELECT t0.ZAGE AS value0 FROM … LIMIT 10)` |
package struct AnswerCompiler {
  private let fetch: FetchCompiler
  private let question: TableQuestion
  private let prepared: PreparedQuestion
  /// The statement gives the answer as memory does.
  package var isExact: Bool { fetch.isExact && context.isExact }
  private var scope: SQLScope { fetch.scope }
  private var context: SQLContext { fetch.context }

  /// Throws `unsupported` if the question does not fit the entity.
  package init(_ question: TableQuestion, _ fetch: FetchCompiler) throws(StoreError) {
    self.fetch = fetch
    self.question = question
    do {
      prepared = try PreparedQuestion(question, fetch.context.model)
    } catch {
      throw StoreError(refusing: error)
    }
  }

  /// The statement. `readsValues` lets memory compute the groups.
  package func statement(readingValues readsValues: Bool = false) throws(StoreError)
    -> AnswerStatement
  {
    do {
      switch prepared.kind {
      case .objects(let shapes):
        checkLimits(shapes)
        let columns = try columns(shapes)
        return answer(.objects(columns), select(columns.flatMap(\.fragments), isOrdered: true))
      case .groups(let groups):
        let shapes = groups.keys + groups.aggregates.compactMap(\.argument)
        checkLimits(shapes)
        if !readsValues, let answer = try groupStatement(groups) { return answer }
        let columns = try columns(shapes)
        let fragments = columns.flatMap(\.fragments)
        return answer(
          .values(groups, columns),
          select(fragments.isEmpty ? ["1"] : fragments, isOrdered: isBounded))
      }
    } catch {
      throw StoreError(refusing: error)
    }
  }

  private func checkLimits(_ shapes: [ExpressionShape]) {
    guard let limits = context.limits, !shapes.allSatisfy(limits.computes) else { return }
    _ = context.undecided()
  }

  private var isBounded: Bool { question.fetch.limit != nil || question.fetch.offset > 0 }

  private func columns(
    _ shapes: [ExpressionShape]
  ) throws(FetchPredicateError) -> [AnswerColumn] {
    var columns: [AnswerColumn] = []
    for shape in shapes { columns.append(try AnswerColumn(shape, scope, context)) }
    return columns
  }

  private func answer(_ form: AnswerStatement.Form, _ statement: SQLFragment) -> AnswerStatement {
    AnswerStatement(question, form, statement.rendered(in: fetch.entity.dialect))
  }

  /// A sub-select without an offset and a limit reads all rows, and their order does not matter.
  private func select(_ fragments: [SQLFragment], isOrdered: Bool) -> SQLFragment {
    let rows: SQLFragment = "SELECT \(fragments.joined(by: ", "))\(fetch.source)"
    return isOrdered ? "\(rows)\(fetch.order)\(fetch.bounds)" : rows
  }

  // MARK: - Groups

  /// Nil if the database would compute other groups than memory.
  private func groupStatement(
    _ groups: PreparedQuestion.Groups
  ) throws(FetchPredicateError) -> AnswerStatement? {
    guard groups.keys.allSatisfy({ context.limits?.groups(by: $0) ?? !$0.readsDecimals }) else {
      return nil
    }
    var keys = try columns(groups.keys)
    var values: [SQLFragment?] = []
    for aggregate in groups.aggregates {
      values.append(
        try aggregate.argument.map { argument throws(FetchPredicateError) in
          try value(of: argument)
        })
    }
    let inner = keys.flatMap(\.fragments) + values.compactMap(\.self)
    if isBounded {
      let names = inner.indices.map { SQLFragment(text: "value\($0)") }
      var place = 0
      keys = keys.map { key in
        defer { place += key.fragments.count }
        return AnswerColumn(key, from: Array(names[place..<(place + key.fragments.count)]))
      }
      values = values.map { value in
        guard value != nil else { return nil }
        defer { place += 1 }
        return names[place]
      }
    }
    var aggregates: [AggregateColumn] = []
    for (shape, value) in zip(groups.aggregates, values) {
      guard let column = AggregateColumn(shape, value, context.limits) else { return nil }
      aggregates.append(column)
    }
    let outer = keys.flatMap(\.fragments) + aggregates.flatMap(\.fragments)
    let source = isBounded ? " FROM (\(boundedRows(inner))) t" : fetch.source
    let statement: SQLFragment = """
      SELECT \((outer.isEmpty ? ["COUNT(*)"] : outer).joined(by: ", "))\(source)\(grouping(keys))\
      \(order(groups, keys, aggregates))
      """
    return answer(.groups(groups, keys, aggregates), statement)
  }

  /// The value that an aggregate takes of each row.
  private func value(of shape: ExpressionShape) throws(FetchPredicateError) -> SQLFragment {
    guard let path = shape.path else {
      return try TermCompiler(scope, context, []).operand(shape.prepared).sql
    }
    return scope.value(path.relationships[...], path.attribute, from: scope.alias, scope.entity)
  }

  /// The number of rows within an offset and a limit does not depend on their order.
  private func boundedRows(_ values: [SQLFragment]) -> SQLFragment {
    guard !values.isEmpty else { return "SELECT 1\(fetch.source)\(fetch.bounds)" }
    let named = values.enumerated().map { "\($1) AS value\(sql: "\($0)")" as SQLFragment }
    return select(named, isOrdered: true)
  }

  /// ` GROUP BY 1, 3`: the places of the first result column of each key. A database with limits wants all places.
  private func grouping(_ keys: [AnswerColumn]) -> SQLFragment {
    guard !keys.isEmpty else { return "" }
    let places =
      context.limits == nil ? places(keys) : Array(1...keys.reduce(0) { $0 + $1.fragments.count })
    return " GROUP BY \(sql: places.map(String.init).joined(separator: ", "))"
  }

  private func places(_ keys: [AnswerColumn]) -> [Int] {
    var place = 1
    return keys.map { key in
      defer { place += key.fragments.count }
      return place
    }
  }

  /// The order and the limit of groups, if the database can cut the groups as memory does. Memory cuts the offset,
  /// and sorts what remains.
  private func order(
    _ groups: PreparedQuestion.Groups, _ keys: [AnswerColumn], _ aggregates: [AggregateColumn]
  ) -> SQLFragment {
    guard let limit = question.limit, !groups.isOne, groups.having == nil, !question.isDistinct,
      context.limits?.ordersGroups(by: groups.keys) ?? true
    else { return "" }
    let keyPlaces = places(keys)
    var aggregatePlaces: [Int] = []
    var next = 1 + keys.reduce(0) { $0 + $1.fragments.count }
    for column in aggregates {
      aggregatePlaces.append(next)
      next += column.fragments.count
    }
    var terms: [SQLFragment] = []
    for step in groups.order {
      guard step.term.options.isEmpty, step.term.collation == nil else { return "" }
      switch step.output {
      case .key(let place):
        terms.append(ordered(keyPlaces[place], step.term))
      case .aggregate(let place) where aggregates[place].isSorted:
        terms.append(ordered(aggregatePlaces[place], step.term))
      default: return ""
      }
    }
    let nils = context.limits == nil ? "" : " NULLS FIRST"
    terms += keyPlaces.map { SQLFragment(text: "\($0)\(nils)") }
    guard let end = ShownPart(offset: question.offset, limit: limit).end else { return "" }
    return " ORDER BY \(terms.joined(by: ", ")) LIMIT \(.integer(Int64(end)))"
  }

  /// A place as a step of the order. Databases differ in where they put nil.
  private func ordered(_ place: Int, _ term: SortTerm) -> SQLFragment {
    var step = SQLFragment(text: "\(place)").ordered(by: term)
    if context.limits != nil, term.nils == nil {
      step += SQLFragment(text: term.ascending ? " NULLS FIRST" : " NULLS LAST")
    }
    return step
  }
}
