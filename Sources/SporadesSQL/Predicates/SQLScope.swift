// SPDX-License-Identifier: MIT
import SporadesModel

/// The tables one `SELECT` reads: the one it starts from, and those that to-one steps lead to.
final class SQLScope {
  let alias: String
  let entity: EntityShape
  private let context: SQLContext
  private(set) var joins = SQLFragment()
  /// The alias of the table a path of to-one steps leads to, by the path's names.
  private var aliases: [[String]: String] = [:]

  init(_ entity: EntityShape, alias: String, _ context: SQLContext) {
    self.entity = entity
    self.alias = alias
    self.context = context
  }

  /// The value to-one steps lead to, from a table on: `t1.name`, `t0.owner`, `t0.id`.
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

/// What all scopes of a statement share.
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

  /// What an attribute holds, or only what its column does, which tells whether there is a value.
  func value(
    of attribute: AttributeShape, _ entity: EntityShape, alias: String, asStored: Bool
  ) -> SQLFragment {
    guard let slot = attribute.slot else {
      preconditionFailure("\(attribute.name) is not stored; validate predicates first.")
    }
    let column = table(entity).columns[slot]
    if asStored { return "\(sql: alias).\(name: column.name)" }
    // The first byte of such a value says whether it lies here or in a file.
    if column.isExternal {
      return "\(sql: SQLFunction.bytes)(\(sql: alias).\(name: column.name))"
    }
    // Decimals with more digits than a double holds lie as text in blobs. One that is no number lies as
    // a text, and equals nil as it does in memory.
    if column.type == .decimal {
      return "CAST(NULLIF(\(sql: alias).\(name: column.name), 'NaN') AS NUMERIC)"
    }
    return "\(sql: alias).\(name: column.name)"
  }
}
