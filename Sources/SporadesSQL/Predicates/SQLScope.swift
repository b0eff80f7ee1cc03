// SPDX-License-Identifier: MIT
import SporadesModel

/// The tables of one `SELECT`: its first table, and the tables that to-one steps join.
final class SQLScope {
  let alias: String
  let entity: EntityShape
  private let context: SQLContext
  /// The tables behind the first one, each with the names in the path of to-one steps.
  private var tables: [(path: [String], table: SQLFragment)] = []
  /// The aliases of joined tables, by the names in the path of to-one steps.
  private var aliases: [[String]: String] = [:]
  /// The paths that lead to a row in each row of the result.
  private var required: Set<[String]> = []

  init(_ entity: EntityShape, alias: String, _ context: SQLContext) {
    self.entity = entity
    self.alias = alias
    self.context = context
  }

  /// ` LEFT JOIN user t1 ON t1.id = t0.owner`. Where each row of the result has a linked row, the join is an inner one.
  var joins: SQLFragment {
    tables.map { path, table in
      required.contains(path) ? " JOIN \(table)" : " LEFT JOIN \(table)"
    }.joined(by: "")
  }

  /// Says that to-one steps lead to a row from each row of the result.
  func require(_ steps: [String]) { required.insert([alias] + steps) }

  /// The value at the end of to-one steps from a table: `t1.name`, `t0.owner`, `t0.id`.
  func value(
    _ steps: ArraySlice<RelationshipShape>, _ attribute: AttributeShape?, from start: String,
    _ startEntity: EntityShape, asStored: Bool = false
  ) -> SQLFragment {
    guard attribute == nil, let last = steps.last else {
      let (table, entity) = joined(steps, from: start, startEntity)
      guard let attribute else { return "\(sql: table).\(name: context.layout.names.row.key)" }
      return context.value(of: attribute, entity, alias: table, asStored: asStored)
    }
    let (table, entity) = joined(steps.dropLast(), from: start, startEntity)
    return "\(sql: table).\(name: context.column(of: last, entity))"
  }

  /// The value at the end of to-one steps from a table, as a side of a comparison.
  func operand(
    _ steps: ArraySlice<RelationshipShape>, _ attribute: AttributeShape?, from start: String,
    _ startEntity: EntityShape
  ) -> SQLOperand {
    let sql = value(steps, attribute, from: start, startEntity)
    guard attribute?.type == .decimal else { return SQLOperand(sql, NumberType(attribute?.type)) }
    let stored = value(steps, attribute, from: start, startEntity, asStored: true)
    return SQLOperand(decimal: sql, digits: "NULLIF(\(stored), 'NaN')")
  }

  /// The number of the entity of the object at the end of to-one steps; nil if each such object has one entity.
  func entityNumber(_ steps: ArraySlice<RelationshipShape>) -> SQLFragment? {
    guard let last = steps.last else {
      guard entity.hasSubentities else { return nil }
      return "\(sql: alias).\(name: context.layout.names.row.entity)"
    }
    let (table, entity) = joined(steps.dropLast(), from: alias, entity)
    return context.entityColumn(of: last, entity).map { "\(sql: table).\(name: $0)" }
  }

  /// The table at the end of to-one steps, which are joined, and its entity.
  private func joined(
    _ steps: ArraySlice<RelationshipShape>, from start: String, _ startEntity: EntityShape
  ) -> (table: String, entity: EntityShape) {
    let key = context.layout.names.row.key
    var (table, entity, path) = (start, startEntity, [start])
    for step in steps {
      let column = context.column(of: step, entity)
      path.append(step.name)
      entity = context.model.shape(numbered: step.destination)
      if let known = aliases[path] {
        table = known
      } else {
        let next = context.newAlias()
        tables.append(
          (
            path,
            "\(name: context.table(entity).name) \(sql: next) ON \(sql: next).\(name: key) = \(sql: table).\(name: column)"
          ))
        aliases[path] = next
        table = next
      }
    }
    return (table, entity)
  }
}

/// The tables of the fetched object, and those of the members that the variables of subqueries stand for.
struct SQLScopes {
  let subject: SQLScope
  private var members: [SQLScope] = []

  /// The number of variables of subqueries.
  var memberCount: Int { members.count }

  init(_ subject: SQLScope) { self.subject = subject }

  func adding(_ member: SQLScope) -> SQLScopes {
    var inner = self
    inner.members.append(member)
    return inner
  }

  subscript(start: PreparedPredicate.Start) -> SQLScope {
    switch start {
    case .subject: subject
    case .member(let index): members[index]
    }
  }
}

/// The state that all scopes of a statement share.
final class SQLContext {
  let model: ManagedObjectModel
  let layout: StoreLayout
  let scope: StoreScope
  let limits: (any SQLLimits)?
  /// The compiled conditions decide all that was asked. Else they accept more rows.
  private(set) var isExact = true
  private var aliasCount = 0

  init(
    _ model: ManagedObjectModel, _ layout: StoreLayout, _ scope: StoreScope,
    _ limits: (any SQLLimits)?
  ) {
    self.model = model
    self.layout = layout
    self.scope = scope
    self.limits = limits
  }

  /// The condition in the place of one that the database does not decide: it accepts every row.
  func undecided() -> SQLFragment {
    isExact = false
    return PredicateCompiler.constant(true)
  }

  /// The function that finds a part in a text.
  var placeFunction: String { limits?.placeFunction ?? "instr" }

  func newAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  func table(_ entity: EntityShape) -> StoreLayout.Table { layout.table(ofEntity: entity.number) }

  /// The column of a to-one relationship.
  func column(of relationship: RelationshipShape, _ entity: EntityShape) -> String {
    layoutColumn(of: relationship, entity).name
  }

  /// The column for the number of the linked row's entity, if there is one.
  func entityColumn(of relationship: RelationshipShape, _ entity: EntityShape) -> String? {
    layoutColumn(of: relationship, entity).entityColumn
  }

  private func layoutColumn(
    of relationship: RelationshipShape, _ entity: EntityShape
  ) -> StoreLayout.Column {
    guard case .reference(let slot, _) = relationship.storage else {
      preconditionFailure("\(relationship.name) leads to many objects and has no column.")
    }
    return table(entity).columns[slot]
  }

  /// The value of an attribute. With `asStored`, the column's content, which only tells whether there is a
  /// value.
  func value(
    of attribute: AttributeShape, _ entity: EntityShape, alias: String, asStored: Bool
  ) -> SQLFragment {
    guard let slot = attribute.slot else {
      preconditionFailure("\(attribute.name) is not stored; validate predicates first.")
    }
    let column = table(entity).columns[slot]
    if asStored { return "\(sql: alias).\(name: column.name)" }
    // The first byte of the column tells whether the value is here or in a file.
    if column.isExternal {
      return "\(sql: SQLFunction.bytes)(\(sql: alias).\(name: column.name))"
    }
    // A decimal with more digits than a double is text in a blob. NaN is text, and equals nil as it does in
    // memory.
    if column.type == .decimal {
      return "CAST(NULLIF(\(sql: alias).\(name: column.name), 'NaN') AS NUMERIC)"
    }
    return "\(sql: alias).\(name: column.name)"
  }
}
