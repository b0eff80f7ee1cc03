// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// Turns a fetch into statements.
///
/// ```sql
/// SELECT t0.id, t0.entity, t0.version, t0.name FROM pet t0 LEFT JOIN user t1
/// ON t1.id = t0.owner WHERE t1.name = ? ORDER BY t0.name, t0.id LIMIT ?
/// ```
package struct FetchCompiler {
  private let fetch: StoreFetch
  private let entity: EntityStatements
  private let context: SQLContext
  private let scope: SQLScope
  private let condition: SQLFragment?
  private let order: SQLFragment
  /// The rows that an R-tree finds, which include all rows that satisfy the predicate.
  private let area: SQLFragment?

  /// Throws `unsupported` if the predicate or the order does not fit the entity.
  package init(
    _ fetch: StoreFetch, _ entity: EntityStatements, _ model: ManagedObjectModel,
    _ layout: StoreLayout, _ storeScope: StoreScope
  ) throws(StoreError) {
    var fetch = fetch
    do { try fetch.check(model) } catch { throw StoreError(refusing: error) }
    self.fetch = fetch
    self.entity = entity
    context = SQLContext(model, layout, storeScope)
    let scope = SQLScope(fetch.entity, alias: "t0", context)
    self.scope = scope
    area =
      layout.areas.isEmpty
      ? nil : fetch.predicate.flatMap { AreaSearch($0).condition(scope, layout) }
    do {
      let compiler = PredicateCompiler(scope: scope, context: context)
      condition = try fetch.predicate.map { predicate throws(FetchPredicateError) in
        try compiler.condition(predicate)
      }
      order = try Self.order(fetch, scope, context, entity)
    } catch {
      throw StoreError(refusing: error)
    }
  }

  // MARK: - Statements

  package func rows() -> SQLStatement {
    ("SELECT \(sql: entity.selectList)\(source)\(order)\(bounds)" as SQLFragment)
      .rendered(in: entity.dialect)
  }

  package func keys() -> SQLStatement {
    ("SELECT \(sql: entity.key), \(sql: entity.entityColumn)\(source)\(order)\(bounds)"
      as SQLFragment)
      .rendered(in: entity.dialect)
  }

  /// `SELECT COUNT(*), MAX(t0.ZAGE) FROM ZPET t0 …`. If the database computes a column differently from
  /// memory, the statement selects the values of all rows.
  package func answer(
    _ columns: [TableQuestion.Column]
  ) throws(StoreError) -> AnswerStatement {
    let columns = try prepared(columns)
    let values = columns.map { column -> SQLFragment? in
      guard case .aggregate(let shape) = column else { return nil }
      return scope.value(
        shape.path.relationships[...], shape.attribute, from: "t0", fetch.entity,
        asStored: shape.attribute.type == .decimal)
    }
    let read = values.compactMap(\.self)
    let statement: SQLFragment
    let isBounded = fetch.limit != nil || fetch.offset > 0
    if AnswerStatement.readsRows(columns) {
      let rows = "SELECT \(read.joined(by: ", "))\(source)" as SQLFragment
      // Without an offset and a limit, the statement reads all rows, and their order does not matter.
      statement = isBounded ? "\(rows)\(order)\(bounds)" : rows
    } else if !isBounded {
      statement = "SELECT \(AnswerStatement.results(columns, over: values))\(source)"
    } else if read.isEmpty {
      // The number of rows within an offset and a limit does not depend on their order.
      statement =
        "SELECT \(AnswerStatement.results(columns, over: values)) FROM (SELECT 1\(source)\(bounds))"
    } else {
      let names = values.indices.map { SQLFragment(text: "value\($0)") }
      let named = zip(values, names).compactMap { value, name in
        value.map { "\($0) AS \(name)" as SQLFragment }
      }
      let inner: SQLFragment = "SELECT \(named.joined(by: ", "))\(source)\(order)\(bounds)"
      statement = "SELECT \(AnswerStatement.results(columns, over: names)) FROM (\(inner))"
    }
    return AnswerStatement(columns, statement.rendered(in: entity.dialect))
  }

  private func prepared(
    _ columns: [TableQuestion.Column]
  ) throws(StoreError) -> [PreparedQuestion.Column] {
    do {
      return try PreparedQuestion(TableQuestion(fetch, columns), context.model).columns
    } catch {
      throw StoreError(refusing: error)
    }
  }

  // MARK: - Parts

  /// ` FROM pet t0 … WHERE …`. It is built last, because compiling a value may add joins.
  private var source: SQLFragment {
    let family = fetch.includesSubentities ? entity.familyCondition : entity.familyConditionOfOne
    var parts: [SQLFragment] = []
    if !family.isEmpty {
      // The plus stops SQLite from choosing the index of entities over a better one.
      parts.append(condition == nil ? "\(sql: family)" : "+\(sql: family)")
    }
    if let area { parts.append(area) }
    if let condition { parts.append(condition) }
    let clause: SQLFragment = parts.isEmpty ? "" : " WHERE \(parts.joined(by: " AND "))"
    return " FROM \(sql: entity.tableName) t0\(scope.joins)\(clause)"
  }

  private static func order(
    _ fetch: StoreFetch, _ scope: SQLScope, _ context: SQLContext, _ entity: EntityStatements
  ) throws(FetchPredicateError) -> SQLFragment {
    var terms: [SQLFragment] = []
    for term in fetch.sortTerms {
      let path = try KeyPathShape(term.keyPath, in: fetch.entity, context.model)
      let value = scope.value(path.relationships[...], path.attribute, from: "t0", fetch.entity)
      let folded = TermCompiler(scope, context, term.options).folded(value, path)
      terms.append(term.ascending ? folded : "\(folded) DESC")
    }
    if fetch.family.count > 1 { terms.append("\(sql: entity.entityColumn)") }
    terms.append("\(sql: entity.key)")
    return " ORDER BY \(terms.joined(by: ", "))"
  }

  private var bounds: SQLFragment {
    guard fetch.limit != nil || fetch.offset > 0 else { return "" }
    // Databases write a missing limit in different ways.
    let limit = fetch.limit.map(Int64.init) ?? .max
    return fetch.offset > 0
      ? " LIMIT \(.integer(limit)) OFFSET \(.integer(Int64(fetch.offset)))"
      : " LIMIT \(.integer(limit))"
  }
}
