// SPDX-License-Identifier: MIT
import SporadesModel

/// The rows at the end of a to-many key path, as `FROM` and `WHERE` of a sub-select.
///
/// Steps up to the last to-many step are inner joins, because a missing row yields no result. Later steps are
/// outer joins, because a missing row yields nil: `FROM owners_pets j JOIN pet t1 ON t1.id = j.pets WHERE
/// j.owners = t0.id`
struct ToManyPath {
  /// The value at the end of the path.
  let value: SQLFragment
  private let from: SQLFragment
  private let condition: SQLFragment

  /// `FROM … WHERE …`, with an optional further condition.
  func selection(_ more: SQLFragment? = nil) -> SQLFragment {
    let both = more.map { "\(condition) AND \($0)" as SQLFragment } ?? condition
    return " FROM \(from) WHERE \(both)"
  }

  init(_ path: KeyPathShape, from outer: SQLScope, _ context: SQLContext) {
    let steps = path.relationships
    let last = steps.lastIndex(where: \.isToMany) ?? 0
    let endsInLinks = path.attribute == nil && last == steps.count - 1
    var chain = Chain(alias: outer.alias, entity: outer.entity)
    for (place, step) in steps[...last].enumerated() {
      chain.follow(step, endingInLinks: endsInLinks && place == last, context)
    }
    let inner = SQLScope(chain.entity, alias: chain.alias, context)
    value =
      chain.link
      ?? inner.value(steps[(last + 1)...], path.attribute, from: chain.alias, chain.entity)
    from = "\(chain.from)\(inner.joins)"
    condition = chain.condition
  }

  /// Tables joined in order.
  private struct Chain {
    var alias: String
    var entity: EntityShape
    var from = SQLFragment()
    var condition = SQLFragment()
    /// The key in the last link. A path that ends in a link uses it and does not read the linked row.
    var link: SQLFragment?

    mutating func follow(
      _ step: RelationshipShape, endingInLinks: Bool, _ context: SQLContext
    ) {
      let destination = context.model.shape(numbered: step.destination)
      let table = context.table(destination)
      let next = context.newAlias()
      let key = context.layout.names.row.key
      switch step.storage {
      case .reference(let slot, _):
        let column = context.table(entity).columns[slot].name
        add(table.name, next, "\(sql: next).\(name: key) = \(sql: alias).\(name: column)")
      case .inverseReference(let slot, _):
        let column = table.columns[slot].name
        add(table.name, next, "\(sql: next).\(name: column) = \(sql: alias).\(name: key)")
      case .join(let index, let isFirst):
        let join = context.layout.joins[index]
        let (near, far) = isFirst ? (join.first, join.second) : (join.second, join.first)
        let links = context.newAlias()
        add(join.name, links, "\(sql: links).\(name: near) = \(sql: alias).\(name: key)")
        if endingInLinks {
          link = "\(sql: links).\(name: far)"
        } else {
          add(table.name, next, "\(sql: next).\(name: key) = \(sql: links).\(name: far)")
        }
      case .memory:
        preconditionFailure("\(step.name) is transient and has no rows; validate predicates first.")
      }
      (alias, entity) = (next, destination)
    }

    private mutating func add(_ table: String, _ alias: String, _ on: SQLFragment) {
      if from.isEmpty {
        from = "\(name: table) \(sql: alias)"
        condition = on
      } else {
        from += " JOIN \(name: table) \(sql: alias) ON \(on)"
      }
    }
  }
}
