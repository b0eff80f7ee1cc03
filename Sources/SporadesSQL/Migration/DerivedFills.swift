// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// Computes derived attributes that are new, or that are derived from something else than before, and those that count
/// rows which the migration removes.
package struct DerivedFills {
  private let succession: RowSuccession
  private let changes: LayoutChanges
  /// The program's code has changed values.
  private let followsCode: Bool

  package init(
    _ succession: RowSuccession, _ changes: LayoutChanges, followingCode followsCode: Bool = false
  ) {
    self.succession = succession
    self.changes = changes
    self.followsCode = followsCode
  }

  private var new: MigrationSide { succession.new }
  private var row: LayoutNames.Row { new.layout.names.row }

  /// The statements over the tables of the newer version: `UPDATE ZPERSON AS o SET ZPETCOUNT = (SELECT COUNT(*) …)`
  package var statements: [SQLFragment] {
    new.model.shapes.filter { new.scheme.holds($0.number) }.flatMap { shape in
      shape.attributes.compactMap { attribute in
        guard attribute.entity == shape.number, let slot = attribute.slot,
          let text = attribute.description.derivationExpression,
          let derivation = Derivation(text), needsValue(attribute, derivation, shape),
          let value = value(derivation, shape)
        else { return nil }
        let table = new.layout.table(ofEntity: shape.number)
        let numbers = shape.family.map { String(new.number($0)) }.joined(separator: ", ")
        return """
          UPDATE main.\(name: table.name) AS o SET \(name: table.columns[slot].name) = \(value) \
          WHERE o.\(name: row.entity) IN (\(sql: numbers))
          """
      }
    }
  }

  // MARK: - Need

  private func needsValue(
    _ attribute: AttributeShape, _ derivation: Derivation, _ shape: EntityShape
  ) -> Bool {
    if derivation != .now, followsCode || !changes.fills.isEmpty || losesRows || losesLinks {
      return true
    }
    return shape.family.contains { entity in
      guard let source = succession.source(of: entity) else { return false }
      let name = new.model.shape(numbered: entity).name
      guard let path = succession.evolution.source(ofAttribute: attribute.name, in: name),
        case .attribute(let former)? = succession.old.model.shape(numbered: source)[path],
        let text = former.description.derivationExpression, let before = Derivation(text)
      else { return true }
      return !isSame(before, source, derivation, entity)
    }
  }

  /// Links between objects that stay can go, because a relationship leads to fewer entities.
  private var losesLinks: Bool { !LinkLosses(succession).all.isEmpty }

  private var losesRows: Bool {
    succession.old.tables.contains { place in
      succession.gone(fromTable: place).contains {
        !succession.old.model.shape(numbered: $0).isAbstract
      }
    }
  }

  /// Whether two expressions read the same properties, whatever their names are.
  private func isSame(
    _ before: Derivation, _ source: Int, _ after: Derivation, _ entity: Int
  ) -> Bool {
    guard before.kind == after.kind, before.path.count == after.path.count else { return false }
    var (old, current) = (source, entity)
    for (name, former) in zip(after.path, before.path) {
      let shape = new.model.shape(numbered: current)
      let evolution = succession.evolution
      let expected =
        evolution.source(ofRelationship: name, in: shape.name)
        ?? evolution.source(ofAttribute: name, in: shape.name)
      guard expected == former else { return false }
      guard let step = new.relationship(name, of: current),
        let step0 = succession.old.relationship(former, of: old)
      else { break }
      (old, current) = (step0.destination, step.destination)
    }
    return true
  }

  // MARK: - Values

  private func value(_ derivation: Derivation, _ shape: EntityShape) -> SQLFragment? {
    switch derivation {
    case .now: "\(SQLValue.real(Date().timeIntervalSinceReferenceDate))"
    case .keyPath(let path): single(path, shape)
    case .count(let path): total("COUNT(*)", path, shape, endsInAttribute: false)
    case .sum(let path): total("COALESCE(SUM(v), 0)", path, shape, endsInAttribute: true)
    case .canonical(let path):
      single(path, shape).map { "\(sql: SQLFunction.fold)(\($0), \(sql: Self.canonical))" }
    case .uppercase(let path): single(path, shape).map { "\(sql: SQLFunction.capitals)(\($0), 1)" }
    case .lowercase(let path): single(path, shape).map { "\(sql: SQLFunction.capitals)(\($0), 0)" }
    }
  }

  private static let canonical = String(
    FetchPredicate.TextOptions([.caseInsensitive, .diacriticInsensitive]).rawValue)

  private func single(_ path: [String], _ shape: EntityShape) -> SQLFragment? {
    guard let name = path.last, let steps = steps(path.dropLast(), shape) else { return nil }
    guard let column = column(name, steps.end) else { return nil }
    if path.count == 1 { return "o.\(name: column)" }
    return "(SELECT \(sql: steps.alias).\(name: column) FROM \(steps.tables) LIMIT 1)"
  }

  private func total(
    _ function: String, _ path: [String], _ shape: EntityShape, endsInAttribute: Bool
  ) -> SQLFragment? {
    let names = endsInAttribute ? path.dropLast() : path[...]
    guard !names.isEmpty, let steps = steps(names, shape) else { return nil }
    guard endsInAttribute else {
      return "(SELECT \(sql: function) FROM \(steps.tables))"
    }
    guard let name = path.last, let column = column(name, steps.end) else { return nil }
    return """
      (SELECT \(sql: function) FROM (SELECT \(sql: steps.alias).\(name: column) AS v \
      FROM \(steps.tables)))
      """
  }

  private func column(_ name: String, _ entity: Int) -> String? {
    guard case .attribute(let attribute)? = new.model.shape(numbered: entity)[name],
      let slot = attribute.slot
    else { return nil }
    return new.layout.table(ofEntity: entity).columns[slot].name
  }

  private struct Steps {
    let tables: SQLFragment
    let alias: String
    let end: Int
  }

  /// The tables along relationships from the row `o`, with the conditions that join them. Nil if a step is no stored
  /// relationship.
  private func steps(_ names: ArraySlice<String>, _ shape: EntityShape) -> Steps? {
    var tables: [SQLFragment] = []
    var conditions: [SQLFragment] = []
    var (alias, entity) = ("o", shape.number)
    for (place, name) in names.enumerated() {
      guard let relationship = new.relationship(name, of: entity), relationship.isStored else {
        return nil
      }
      let next = "d\(place)"
      let table = new.layout.table(ofEntity: relationship.destination)
      tables.append("main.\(name: table.name) \(sql: next)")
      let (from, to) = (
        "\(sql: alias).\(name: row.key)" as SQLFragment,
        "\(sql: next).\(name: row.key)" as SQLFragment
      )
      switch relationship.storage {
      case .reference(let slot, _):
        let column = new.layout.table(ofEntity: entity).columns[slot].name
        conditions.append("\(to) = \(sql: alias).\(name: column)")
      case .inverseReference(let slot, _):
        conditions.append("\(sql: next).\(name: table.columns[slot].name) = \(from)")
      case .join(let index, let isFirst):
        let join = new.layout.joins[index]
        let (near, far) = isFirst ? (join.first, join.second) : (join.second, join.first)
        tables.append("main.\(name: join.name) j\(sql: String(place))")
        conditions.append("j\(sql: String(place)).\(name: near) = \(from)")
        conditions.append("\(to) = j\(sql: String(place)).\(name: far)")
      case .memory: return nil
      }
      (alias, entity) = (next, relationship.destination)
    }
    return Steps(
      tables: "\(tables.joined(by: ", ")) WHERE \(conditions.joined(by: " AND "))", alias: alias,
      end: entity)
  }
}

extension Derivation {
  fileprivate var kind: Int {
    switch self {
    case .keyPath: 0
    case .canonical: 1
    case .uppercase: 2
    case .lowercase: 3
    case .count: 4
    case .sum: 5
    case .now: 6
    }
  }

  fileprivate var path: [String] {
    switch self {
    case .keyPath(let path), .canonical(let path), .uppercase(let path), .lowercase(let path),
      .count(let path), .sum(let path):
      path
    case .now: []
    }
  }
}
