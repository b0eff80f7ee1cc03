// SPDX-License-Identifier: MIT
import SporadesModel

/// The tables of one `SELECT`: its first table, and the tables that to-one steps join.
final class SQLScope {
  let alias: String
  let entity: EntityShape
  private let context: SQLContext
  private(set) var joins = SQLFragment()
  /// The aliases of joined tables, by the names in the path of to-one steps.
  private var aliases: [[String]: String] = [:]

  init(_ entity: EntityShape, alias: String, _ context: SQLContext) {
    self.entity = entity
    self.alias = alias
    self.context = context
  }

  /// The value at the end of to-one steps from a table: `t1.name`, `t0.owner`, `t0.id`.
  func value(
    _ steps: ArraySlice<RelationshipShape>, _ attribute: AttributeShape?, from start: String,
    _ startEntity: EntityShape, asStored: Bool = false
  ) -> SQLFragment {
    let key = context.layout.names.row.key
    var (table, entity, path) = (start, startEntity, [start])
    for (place, step) in zip(steps.indices, steps) {
      let column = context.column(of: step, entity)
      if attribute == nil, place == steps.endIndex - 1 {
        return "\(sql: table).\(name: column)"
      }
      path.append(step.name)
      entity = context.model.shape(numbered: step.destination)
      if let known = aliases[path] {
        table = known
      } else {
        let next = context.newAlias()
        joins +=
          " LEFT JOIN \(name: context.table(entity).name) \(sql: next) ON \(sql: next).\(name: key) = \(sql: table).\(name: column)"
        aliases[path] = next
        table = next
      }
    }
    guard let attribute else { return "\(sql: table).\(name: key)" }
    return context.value(of: attribute, entity, alias: table, asStored: asStored)
  }
}

/// The tables of the fetched object, and those of the members that the variables of subqueries stand for.
struct SQLScopes {
  let subject: SQLScope
  private var members: [SQLScope] = []

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
  private var aliasCount = 0

  init(_ model: ManagedObjectModel, _ layout: StoreLayout, _ scope: StoreScope) {
    self.model = model
    self.layout = layout
    self.scope = scope
  }

  func newAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  func table(_ entity: EntityShape) -> StoreLayout.Table { layout.table(ofEntity: entity.number) }

  /// The column of a to-one relationship.
  func column(of relationship: RelationshipShape, _ entity: EntityShape) -> String {
    guard case .reference(let slot, _) = relationship.storage else {
      preconditionFailure("\(relationship.name) leads to many objects and has no column.")
    }
    return table(entity).columns[slot].name
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
