// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// Turns a fetch into statements.
///
/// ```sql
/// SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME FROM ZPET t0 LEFT JOIN ZUSER t1
/// ON t1.Z_PK = t0.ZOWNER WHERE t1.ZNAME = ? ORDER BY t0.ZNAME, t0.Z_PK LIMIT ?
/// ```
package struct FetchCompiler {
  package typealias Compiled = (sql: String, bindings: [SQLValue])

  private let fetch: StoreFetch
  private let entity: EntityStatements
  private let context: SQLContext
  private let scope: SQLScope
  private let condition: SQLFragment?
  private let order: SQLFragment

  /// Throws `unsupported` where the predicate or the order does not fit the entity.
  package init(
    _ fetch: StoreFetch, _ entity: EntityStatements, _ model: ManagedObjectModel,
    _ layout: StoreLayout, _ storeScope: StoreScope
  ) throws(StoreError) {
    var fetch = fetch
    do { try fetch.check(model) } catch { throw StoreError(refusing: error) }
    self.fetch = fetch
    self.entity = entity
    context = SQLContext(model, layout, storeScope)
    scope = SQLScope(fetch.entity, alias: "t0", context)
    do {
      let compiler = PredicateCompiler(scope: scope, context: context)
      condition = try fetch.predicate.map { predicate throws(FetchPredicateError) in
        try compiler.condition(predicate)
      }
      order = try Self.order(fetch, scope, context)
    } catch {
      throw StoreError(refusing: error)
    }
  }

  // MARK: - Statements

  package func rows() -> Compiled {
    ("SELECT \(sql: entity.selectList)\(source)\(order)\(bounds)" as SQLFragment).rendered()
  }

  package func keys() -> Compiled {
    ("SELECT t0.Z_PK, t0.Z_ENT\(source)\(order)\(bounds)" as SQLFragment).rendered()
  }

  /// `SELECT COUNT(*), MAX(t0.ZAGE) FROM ZPET t0 …`, or the values of all rows where the database does
  /// not compute a column as memory does.
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
    if AnswerStatement.readsRows(columns) {
      statement = "SELECT \(read.joined(by: ", "))\(source)\(order)\(bounds)"
    } else if fetch.limit == 0 && fetch.offset == 0 {
      statement = "SELECT \(AnswerStatement.results(columns, over: values))\(source)"
    } else if read.isEmpty {
      // The number of rows within the bounds does not depend on their order.
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
    return AnswerStatement(columns, statement)
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

  /// ` FROM ZPET t0 … WHERE …`. Compiling a value may add joins, so this comes last.
  private var source: SQLFragment {
    let family = fetch.includesSubentities ? entity.familyCondition : entity.familyConditionOfOne
    var parts: [SQLFragment] = []
    if !family.isEmpty {
      // The plus keeps SQLite from preferring the index of entities to a better one.
      parts.append(condition == nil ? "\(sql: family)" : "+\(sql: family)")
    }
    if let condition { parts.append(condition) }
    let clause: SQLFragment = parts.isEmpty ? "" : " WHERE \(parts.joined(by: " AND "))"
    return " FROM \(sql: entity.tableName) t0\(scope.joins)\(clause)"
  }

  private static func order(
    _ fetch: StoreFetch, _ scope: SQLScope, _ context: SQLContext
  ) throws(FetchPredicateError) -> SQLFragment {
    var terms: [SQLFragment] = []
    for term in fetch.sortTerms {
      let path = try KeyPathShape(term.keyPath, in: fetch.entity, context.model)
      let value = scope.value(path.relationships[...], path.attribute, from: "t0", fetch.entity)
      let folded = TermCompiler(scope, context, term.options).folded(value, path)
      terms.append(term.ascending ? folded : "\(folded) DESC")
    }
    if fetch.family.count > 1 { terms.append("t0.Z_ENT") }
    terms.append("t0.Z_PK")
    return " ORDER BY \(terms.joined(by: ", "))"
  }

  private var bounds: SQLFragment {
    guard fetch.limit > 0 || fetch.offset > 0 else { return "" }
    let limit = fetch.limit > 0 ? Int64(fetch.limit) : -1
    return fetch.offset > 0
      ? " LIMIT \(.integer(limit)) OFFSET \(.integer(Int64(fetch.offset)))"
      : " LIMIT \(.integer(limit))"
  }
}
