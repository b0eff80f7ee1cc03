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
  package let fetch: StoreFetch
  let entity: EntityStatements
  let context: SQLContext
  let scope: SQLScope
  private let condition: SQLFragment?
  /// Empty if the database does not order as memory does.
  let order: SQLFragment
  /// The statement gives the rows that the fetch asks for, in its order. Else it gives more rows, in any order.
  package let isExact: Bool
  /// The rows that an R-tree finds, which include all rows that satisfy the predicate.
  private let area: SQLFragment?
  /// The keys of the rows that the statement reads; nil for all.
  package var keyRange: ClosedRange<Int64>?

  /// Throws `unsupported` if the predicate or the order does not fit the entity.
  package init(
    _ fetch: StoreFetch, _ entity: EntityStatements, _ model: ManagedObjectModel,
    _ layout: StoreLayout, _ storeScope: StoreScope
  ) throws(StoreError) {
    var fetch = fetch
    do { try fetch.check(model) } catch { throw StoreError(refusing: error) }
    self.fetch = fetch
    self.entity = entity
    context = SQLContext(model, layout, storeScope, entity.dialect.limits)
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
      let ordered = try Self.order(fetch, scope, context, entity)
      isExact = context.isExact && ordered != nil
      order = isExact ? ordered ?? "" : ""
    } catch {
      throw StoreError(refusing: error)
    }
  }

  // MARK: - Statements

  package func rows() -> SQLStatement {
    ("SELECT \(sql: entity.selectList)\(found)\(order)\(bounds)" as SQLFragment)
      .rendered(in: entity.dialect)
  }

  package func keys() -> SQLStatement {
    ("SELECT \(sql: entity.key), \(sql: entity.entityColumn)\(found)\(order)\(bounds)"
      as SQLFragment)
      .rendered(in: entity.dialect)
  }

  /// The rows of a fetch without bounds, in any order.
  package func rowsInAnyOrder() -> SQLStatement {
    ("SELECT \(sql: entity.selectList)\(source)" as SQLFragment).rendered(in: entity.dialect)
  }

  package func keysInAnyOrder() -> SQLStatement {
    ("SELECT \(sql: entity.key), \(sql: entity.entityColumn)\(source)" as SQLFragment)
      .rendered(in: entity.dialect)
  }

  /// The keys without the numbers of their entities, which an index of an attribute does not hold.
  package func primaryKeys() -> SQLStatement {
    ("SELECT \(sql: entity.key)\(found)\(order)\(bounds)" as SQLFragment)
      .rendered(in: entity.dialect)
  }

  // MARK: - Parts

  /// The ``source``, or the rows whose keys an index finds there.
  ///
  /// The keys are collected first and sorted, so that the rows come in their order. With a limit, a scan in the
  /// order of the keys ends early. Other databases sort the rows that they find.
  private var found: SQLFragment {
    guard collectsKeys else { return source }
    return
      " FROM \(sql: entity.tableName) t0 WHERE \(sql: entity.key) IN (SELECT \(sql: entity.key)\(source))"
  }

  private var collectsKeys: Bool {
    guard context.limits == nil, let predicate = fetch.predicate, fetch.sortTerms.isEmpty,
      fetch.limit == nil,
      fetch.offset == 0, area == nil
    else { return false }
    return IndexedRange(of: fetch.entity, context.model).isNeeded(by: predicate)
  }

  /// ` FROM pet t0 … WHERE …`. It is built last, because compiling a value may add joins.
  var source: SQLFragment { " FROM \(sql: entity.tableName) t0\(scope.joins)\(rowCondition)" }

  /// ` WHERE …`; empty if the fetch returns all rows of the table.
  var rowCondition: SQLFragment {
    let family = fetch.includesSubentities ? entity.familyCondition : entity.familyConditionOfOne
    var parts: [SQLFragment] = []
    if !family.isEmpty {
      // The plus stops SQLite from choosing the index of entities over a better one.
      parts.append(
        "\(sql: condition == nil ? family : entity.dialect.unindexed(family))")
    }
    if let area { parts.append(area) }
    if let condition { parts.append(condition) }
    if let keyRange {
      parts.append(
        "\(sql: entity.key) BETWEEN \(.integer(keyRange.lowerBound)) AND \(.integer(keyRange.upperBound))"
      )
    }
    return parts.isEmpty ? "" : " WHERE \(parts.joined(by: " AND "))"
  }

  private static func order(
    _ fetch: StoreFetch, _ scope: SQLScope, _ context: SQLContext, _ entity: EntityStatements
  ) throws(FetchPredicateError) -> SQLFragment? {
    var terms: [SQLFragment] = []
    for term in fetch.sortTerms {
      guard let limits = context.limits else {
        let step = try Self.step(term, fetch.entity, scope, context)
        terms.append(Self.collated(step, term).ordered(by: term))
        continue
      }
      guard let keyPath = term.keyPath else { return nil }
      let path = try KeyPathShape(keyPath, in: fetch.entity, context.model)
      guard limits.orders(by: path, term) else { return nil }
      let step = try Self.step(term, fetch.entity, scope, context)
      terms.append(step.ordered(by: term, path, limits))
    }
    if fetch.family.count > 1 {
      terms.append("\(sql: context.layout.entityOrder(entity.entityColumn, fetch.family))")
    }
    terms.append("\(sql: entity.key)")
    return " ORDER BY \(terms.joined(by: ", "))"
  }

  /// The key of the value in the order of a language: `SPORADES_COLLATE(t0.ZNAME, 'localized', ?)`
  private static func collated(_ step: SQLFragment, _ term: SortTerm) -> SQLFragment {
    guard let collation = term.collation else { return step }
    let (function, comparison) = (SQLFunction.collate, collation.comparison.rawValue)
    // The check of the fetch has put a locale in place of none.
    return "\(sql: function)(\(step), '\(sql: comparison)', \(.text(collation.locale ?? "")))"
  }

  /// The value that a term of the order compares.
  private static func step(
    _ term: SortTerm, _ entity: EntityShape, _ scope: SQLScope, _ context: SQLContext
  ) throws(FetchPredicateError) -> SQLFragment {
    if term.expression == SortTerm.random.expression { return "RANDOM()" }
    if let keyPath = term.keyPath {
      let path = try KeyPathShape(keyPath, in: entity, context.model)
      let value = scope.value(path.relationships[...], path.attribute, from: "t0", entity)
      return TermCompiler(scope, context, term.compared).folded(value, path)
    }
    let shape = try ExpressionShape(term.expression, in: entity, context.model)
    return try TermCompiler(scope, context, term.compared).operand(shape.prepared).sql
  }

  var bounds: SQLFragment {
    guard isExact, fetch.limit != nil || fetch.offset > 0 else { return "" }
    // Databases write a missing limit in different ways.
    let limit = fetch.limit.map(Int64.init) ?? .max
    return fetch.offset > 0
      ? " LIMIT \(.integer(limit)) OFFSET \(.integer(Int64(fetch.offset)))"
      : " LIMIT \(.integer(limit))"
  }
}

extension SortTerm {
  /// The options that take part in the order: none beside the rules of a language.
  fileprivate var compared: FetchPredicate.TextOptions { collation == nil ? options : [] }
}

extension SQLFragment {
  /// The fragment as a step of an order, in the direction of a term.
  func ordered(by term: SortTerm) -> SQLFragment {
    let directed: SQLFragment = term.ascending ? self : "\(self) DESC"
    return switch term.nils {
    case nil: directed
    case .first: "\(directed) NULLS FIRST"
    case .last: "\(directed) NULLS LAST"
    }
  }

  /// The fragment as a step of an order in a database that orders in its own way.
  fileprivate func ordered(
    by term: SortTerm, _ path: KeyPathShape, _ limits: any SQLLimits
  ) -> SQLFragment {
    term.nils == nil
      ? limits.ordered(self, by: path, ascending: term.ascending) : ordered(by: term)
  }
}
