// SPDX-License-Identifier: MIT
import SporadesModel

/// The rows at the end of steps with to-many ones among them, as `FROM` and `WHERE` of a sub-select.
///
/// The steps are inner joins, because a missing row yields no result. Steps behind the last to-many step of a key path
/// are outer joins, because a missing row yields nil: `FROM owners_pets j JOIN pet t1 ON t1.id = j.pets WHERE
/// j.owners = t0.id`
struct MemberRows {
  /// The tables of one chain of steps, and those that values at its end join.
  private struct Leg {
    let from: SQLFragment
    let scope: SQLScope
  }

  private let context: SQLContext
  private var legs: [Leg] = []
  /// The two sides of the link to the row from which the steps lead.
  private let link: StepChain.Link
  /// The place of a row among the members of an ordered relationship.
  let position: SQLFragment?
  /// The key of a row.
  private(set) var key: SQLFragment
  /// The tables in which conditions and values of a row are found.
  private(set) var scope: SQLScope

  /// Follows steps. `endingInLinks` says that nothing but the key of a row is needed.
  init(
    _ steps: ArraySlice<RelationshipShape>, from outer: SQLScope, _ context: SQLContext,
    endingInLinks: Bool
  ) {
    self.context = context
    var chain = StepChain(alias: outer.alias, entity: outer.entity)
    for (place, step) in zip(steps.indices, steps) {
      chain.follow(step, endingInLinks: endingInLinks && place == steps.endIndex - 1, context)
    }
    link = chain.first ?? ("1", "1")
    position = chain.position
    scope = SQLScope(chain.entity, alias: chain.alias, context)
    key = chain.link ?? "\(sql: chain.alias).\(name: context.layout.names.row.key)"
    legs.append(Leg(from: chain.from, scope: scope))
  }

  /// Follows a to-many key path. The second result is the value at its end.
  static func following(
    _ path: KeyPathShape, from outer: SQLScope, _ context: SQLContext
  ) -> (rows: MemberRows, value: SQLOperand) {
    let steps = path.relationships
    let last = steps.lastIndex(where: \.isToMany) ?? 0
    let endsInLinks = path.attribute == nil && last == steps.count - 1
    let rows = MemberRows(steps[...last], from: outer, context, endingInLinks: endsInLinks)
    if endsInLinks { return (rows, SQLOperand(rows.key)) }
    return (rows, rows.value(steps[(last + 1)...], path.attribute))
  }

  /// The value at the end of a key path from the rows. A to-many key path makes the rows those at its end.
  mutating func value(_ path: KeyPathShape) -> SQLOperand {
    let steps = path.relationships
    guard let last = steps.lastIndex(where: \.isToMany) else {
      return value(steps[...], path.attribute)
    }
    var chain = StepChain(alias: scope.alias, entity: scope.entity, continues: true)
    let endsInLinks = path.attribute == nil && last == steps.count - 1
    for (place, step) in steps[...last].enumerated() {
      chain.follow(step, endingInLinks: endsInLinks && place == last, context)
    }
    scope = SQLScope(chain.entity, alias: chain.alias, context)
    key = chain.link ?? "\(sql: chain.alias).\(name: context.layout.names.row.key)"
    legs.append(Leg(from: chain.from, scope: scope))
    return endsInLinks ? SQLOperand(key) : value(steps[(last + 1)...], path.attribute)
  }

  private func value(
    _ steps: ArraySlice<RelationshipShape>, _ attribute: AttributeShape?
  ) -> SQLOperand {
    scope.operand(steps, attribute, from: scope.alias, scope.entity)
  }

  /// ` FROM … WHERE …`, with further conditions. It is written last, because a value may join tables.
  func selection(_ more: [SQLFragment] = []) -> SQLFragment {
    " FROM \(tables) WHERE \((["\(link.member) = \(link.owner)"] + more).joined(by: " AND "))"
  }

  /// The rows from which the steps lead to rows that satisfy conditions: `t0.id IN (SELECT t1.owner FROM … WHERE …)`.
  func owners(_ conditions: [SQLFragment]) -> SQLFragment {
    "\(link.owner) IN (SELECT \(link.member) FROM \(tables) WHERE \(conditions.joined(by: " AND ")))"
  }

  private var tables: SQLFragment {
    legs.map { "\($0.from)\($0.scope.joins)" as SQLFragment }.joined(by: "")
  }
}

/// Tables joined in order.
private struct StepChain {
  var alias: String
  var entity: EntityShape
  var from = SQLFragment()
  /// The columns that link a table with the one before it.
  typealias Link = (member: SQLFragment, owner: SQLFragment)
  /// The link of the first table; nil if the chain continues another one.
  var first: Link?
  /// The key in the last link. A path that ends in a link uses it and does not read the linked row.
  var link: SQLFragment?
  /// The place in the last step, if its relationship is ordered.
  var position: SQLFragment?
  private let continues: Bool

  init(alias: String, entity: EntityShape, continues: Bool = false) {
    self.alias = alias
    self.entity = entity
    self.continues = continues
  }

  mutating func follow(
    _ step: RelationshipShape, endingInLinks: Bool, _ context: SQLContext
  ) {
    let destination = context.model.shape(numbered: step.destination)
    let table = context.table(destination)
    let next = context.newAlias()
    let key = context.layout.names.row.key
    position = nil
    switch step.storage {
    case .reference(let slot, _):
      let column = context.table(entity).columns[slot].name
      add(table.name, next, ("\(sql: next).\(name: key)", "\(sql: alias).\(name: column)"))
    case .inverseReference(let slot, let place):
      let column = table.columns[slot].name
      add(table.name, next, ("\(sql: next).\(name: column)", "\(sql: alias).\(name: key)"))
      position = place.map { "\(sql: next).\(name: table.columns[$0].name)" }
    case .join(let index, let isFirst):
      let join = context.layout.joins[index]
      let (near, far) = isFirst ? (join.first, join.second) : (join.second, join.first)
      let links = context.newAlias()
      add(join.name, links, ("\(sql: links).\(name: near)", "\(sql: alias).\(name: key)"))
      position = (isFirst ? join.secondPosition : join.firstPosition)
        .map { "\(sql: links).\(name: $0)" }
      if endingInLinks {
        link = "\(sql: links).\(name: far)"
      } else {
        add(table.name, next, ("\(sql: next).\(name: key)", "\(sql: links).\(name: far)"))
      }
    case .memory:
      preconditionFailure("\(step.name) is transient and has no rows; validate predicates first.")
    }
    (alias, entity) = (next, destination)
  }

  private mutating func add(_ table: String, _ alias: String, _ link: Link) {
    if from.isEmpty, !continues {
      from = "\(name: table) \(sql: alias)"
      first = link
    } else {
      from += " JOIN \(name: table) \(sql: alias) ON \(link.member) = \(link.owner)"
    }
  }
}
