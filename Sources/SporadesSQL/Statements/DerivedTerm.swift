// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// The SQL of a derived attribute's value, computed from stored rows as a save computes it from objects.
package struct DerivedTerm {
  private let derived: DerivedAttribute
  private let layout: StoreLayout
  private var row: LayoutNames.Row { layout.names.row }

  package init(_ derived: DerivedAttribute, _ layout: StoreLayout) {
    self.derived = derived
    self.layout = layout
  }

  /// The column of the attribute itself; nil if no store keeps it.
  var column: String? {
    derived.attribute.slot.map {
      layout.table(ofEntity: derived.attribute.entity).columns[$0].name
    }
  }

  /// The column at the end of the path.
  private var source: String? {
    let end = derived.steps.last?.destination ?? derived.attribute.entity
    return derived.source?.slot.map { layout.table(ofEntity: end).columns[$0].name }
  }

  /// The value for the row `o`, such as `(SELECT COUNT(*) FROM pet d0 WHERE d0.owner = o.id)`.
  var value: SQLFragment? {
    switch derived.derivation {
    case .now: return "\(SQLValue.real(Date().timeIntervalSinceReferenceDate))"
    case .keyPath: return single.map(typed)
    case .count: return steps.map { "(SELECT COUNT(*) FROM \($0.tables))" }
    case .sum: return sum.map(typed)
    case .canonical:
      return single.map { "\(sql: SQLFunction.fold)(\($0), \(sql: Self.canonical))" }
    case .uppercase: return single.map { "\(sql: SQLFunction.capitals)(\($0), 1)" }
    case .lowercase: return single.map { "\(sql: SQLFunction.capitals)(\($0), 0)" }
    }
  }

  private static let canonical = String(
    FetchPredicate.TextOptions([.caseInsensitive, .diacriticInsensitive]).rawValue)

  /// The value in the form of the attribute's column. A column of real numbers would keep the text of a decimal.
  private func typed(_ value: SQLFragment) -> SQLFragment {
    let isReal = derived.attribute.type == .double || derived.attribute.type == .float
    return isReal && derived.source?.type == .decimal ? "CAST(\(value) AS REAL)" : value
  }

  /// The value at the end of a path without members.
  package var single: SQLFragment? {
    guard let name = source else { return nil }
    guard !derived.steps.isEmpty else { return "o.\(name: name)" }
    return steps.map { "(SELECT \(sql: $0.alias).\(name: name) FROM \($0.tables) LIMIT 1)" }
  }

  /// The sum. `SUM` would add decimals as doubles, doubles by the order of the rows, and would fail where the first numbers
  /// exceed 64 bits and the whole sum does not.
  private var sum: SQLFragment? {
    guard let name = source, let type = derived.source?.type else { return nil }
    return steps.map { steps in
      let value: SQLFragment = "\(sql: steps.alias).\(name: name)"
      let total: SQLFragment =
        switch type {
        case .decimal: "\(sql: SQLFunction.collector(of: .sum))(\(value), 1)"
        case .integer64, .double, .float: "\(sql: SQLFunction.total)(\(value))"
        default: "SUM(\(value))"
        }
      return "(SELECT COALESCE(\(total), 0) FROM \(steps.tables))"
    }
  }

  // MARK: - Steps

  /// The tables along the path from the row `o` with their conditions, and the value at the end of it.
  package var members: (tables: SQLFragment, value: SQLFragment?)? {
    steps.map { steps in
      (steps.tables, source.map { "\(sql: steps.alias).\(name: $0)" })
    }
  }

  private struct Steps {
    let tables: SQLFragment
    let alias: String
  }

  /// The tables along the relationships from the row `o`, with the conditions that join them. Nil if there is no step, or
  /// one that no store keeps.
  private var steps: Steps? {
    guard !derived.steps.isEmpty else { return nil }
    var tables: [SQLFragment] = []
    var conditions: [SQLFragment] = []
    var (alias, entity) = ("o", derived.attribute.entity)
    for (place, relationship) in derived.steps.enumerated() {
      let next = "d\(place)"
      let table = layout.table(ofEntity: relationship.destination)
      tables.append("\(name: table.name) \(sql: next)")
      let (from, to) = (
        "\(sql: alias).\(name: row.key)" as SQLFragment,
        "\(sql: next).\(name: row.key)" as SQLFragment
      )
      switch relationship.storage {
      case .reference(let slot, _):
        let column = layout.table(ofEntity: entity).columns[slot].name
        conditions.append("\(to) = \(sql: alias).\(name: column)")
      case .inverseReference(let slot, _):
        conditions.append("\(sql: next).\(name: table.columns[slot].name) = \(from)")
      case .join(let index, let isFirst):
        let join = layout.joins[index]
        let (near, far) = isFirst ? (join.first, join.second) : (join.second, join.first)
        tables.append("\(name: join.name) j\(sql: String(place))")
        conditions.append("j\(sql: String(place)).\(name: near) = \(from)")
        conditions.append("\(to) = j\(sql: String(place)).\(name: far)")
      case .memory: return nil
      }
      (alias, entity) = (next, relationship.destination)
    }
    return Steps(
      tables: "\(tables.joined(by: ", ")) WHERE \(conditions.joined(by: " AND "))", alias: alias)
  }
}
