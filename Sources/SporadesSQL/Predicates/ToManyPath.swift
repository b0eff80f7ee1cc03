// SPDX-License-Identifier: MIT
import SporadesModel

/// The rows a to-many key path leads to, as the `FROM` and `WHERE` of a sub-select.
///
/// Steps up to the last to-many one are inner joins, since nothing comes of a step that leads
/// nowhere; steps after it are outer joins, since they give nil:
/// `FROM Z_1PETS j JOIN ZPET t1 ON t1.Z_PK = j.Z_2PETS WHERE j.Z_1OWNERS = t0.Z_PK`
struct ToManyPath {
  /// The value at the end of the path.
  let value: SQLFragment
  private let from: SQLFragment
  private let condition: SQLFragment

  /// `FROM … WHERE …`, with one more condition if there is one.
  func selection(_ more: SQLFragment? = nil) -> SQLFragment {
    let both = more.map { "\(condition) AND \($0)" as SQLFragment } ?? condition
    return " FROM \(from) WHERE \(both)"
  }

  init(_ path: KeyPathShape, from outer: SQLScope, _ context: SQLContext) {
    let steps = path.relationships
    let last = steps.lastIndex(where: \.isToMany) ?? 0
    var from = SQLFragment()
    var condition = SQLFragment()
    var source: SQLFragment = "\(sql: outer.alias).Z_PK"
    var (alias, entity) = (outer.alias, outer.entity)
    var value: SQLFragment?
    for (place, step) in steps[...last].enumerated() {
      let destination = context.model.shape(numbered: step.destination)
      let table = context.table(destination)
      let isEnd = place == last && path.attribute == nil && last == steps.count - 1
      func add(_ table: String, _ alias: String, _ on: SQLFragment) {
        if from.isEmpty {
          from = "\(name: table) \(sql: alias)"
          condition = on
        } else {
          from += " JOIN \(name: table) \(sql: alias) ON \(on)"
        }
      }
      let next = context.newAlias()
      switch step.storage {
      case .reference(let slot, _):
        let column = context.table(entity).columns[slot].name
        add(table.name, next, "\(sql: next).Z_PK = \(sql: alias).\(name: column)")
      case .inverseReference(let slot, _):
        add(table.name, next, "\(sql: next).\(name: table.columns[slot].name) = \(source)")
      case .join(let index, let isFirst):
        let join = context.layout.joins[index]
        let (near, far) = isFirst ? (join.first, join.second) : (join.second, join.first)
        let link = context.newAlias()
        add(join.name, link, "\(sql: link).\(name: near) = \(source)")
        if isEnd {
          value = "\(sql: link).\(name: far)"
        } else {
          add(table.name, next, "\(sql: next).Z_PK = \(sql: link).\(name: far)")
        }
      }
      (alias, entity, source) = (next, destination, "\(sql: next).Z_PK")
    }
    let inner = SQLScope(entity, alias: alias, context)
    self.value = value ?? inner.value(steps[(last + 1)...], path.attribute, from: alias, entity)
    from += inner.joins
    self.from = from
    self.condition = condition
  }
}
