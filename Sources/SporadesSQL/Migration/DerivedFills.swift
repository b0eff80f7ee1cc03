// SPDX-License-Identifier: MIT
package import SporadesModel

/// Computes derived attributes that are new, or that are derived from something else than before, and those whose sources
/// the migration changes or removes.
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

  /// An attribute that is computed, by the entity that declares it.
  private struct Name: Hashable {
    let entity: Int
    let attribute: String

    init(_ attribute: AttributeShape) {
      (entity, self.attribute) = (attribute.entity, attribute.name)
    }
  }

  /// An attribute that is computed, in the rows of its entity.
  package struct Fill {
    package let derived: DerivedAttribute
    package let shape: EntityShape
    package let table: String
    package let column: String
    let value: SQLFragment
    /// The condition on rows.
    package let isOfEntity: SQLFragment
    let key: String
  }

  /// The attributes to compute. One that is derived from another one comes after it.
  package var fills: [Fill] {
    let changesAll = followsCode || !changes.fills.isEmpty || losesRows || losesLinks
    let row = new.layout.names.row
    var computed: Set<Name> = []
    return DerivedAttribute.all(of: new.model).compactMap { derived in
      let term = DerivedTerm(derived, new.layout)
      let entity = derived.attribute.entity
      guard new.scheme.holds(entity), let column = term.column,
        derived.derivation != .now && changesAll || !isKept(derived)
          || derived.source.map({ computed.contains(Name($0)) }) == true,
        let value = term.value
      else { return nil }
      computed.insert(Name(derived.attribute))
      let marks = derived.family.map(new.mark).joined(separator: ", ")
      return Fill(
        derived: derived, shape: new.model.shape(numbered: entity),
        table: new.layout.table(ofEntity: entity).name, column: column, value: value,
        isOfEntity: "\(name: row.entity) IN (\(sql: marks))", key: row.key)
    }
  }

  // MARK: - Need

  /// Whether the values stay, because the older version derived them from the same values by the same expression.
  private func isKept(_ derived: DerivedAttribute) -> Bool {
    let name = derived.attribute.name
    let keepsExpression = derived.family.allSatisfy { entity in
      guard let source = succession.source(of: entity) else { return true }
      let shape = new.model.shape(numbered: entity)
      guard let path = succession.evolution.source(ofAttribute: name, in: shape.name),
        case .attribute(let former)? = succession.old.model.shape(numbered: source)[path],
        former.type == derived.attribute.type,
        let text = former.description.derivationExpression, let before = Derivation(text)
      else { return false }
      return isSame(before, source, derived.derivation, entity)
    }
    return keepsExpression && keepsValues(derived.source)
  }

  /// Whether an attribute keeps its type and its values in all rows.
  private func keepsValues(_ attribute: AttributeShape?) -> Bool {
    guard let attribute, let slot = attribute.slot else { return true }
    let slots = new.model.shape(numbered: attribute.entity).layout.slots
    return AttributeContents(
      succession: succession, slot: slots[slot], attribute: attribute.description
    ).changes.allSatisfy { change in
      guard case .kept = change.content else { return false }
      return change.old?.type == change.new.type
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
    for (place, (name, former)) in zip(after.path, before.path).enumerated() {
      let shape = new.model.shape(numbered: current)
      let evolution = succession.evolution
      guard let step = new.relationship(name, of: current) else {
        // The rest is the path of an attribute, which may be a member of a composite.
        let path = after.path[place...].joined(separator: ".")
        return evolution.source(ofAttribute: path, in: shape.name)
          == before.path[place...].joined(separator: ".")
      }
      guard evolution.source(ofRelationship: name, in: shape.name) == former,
        let earlier = succession.old.relationship(former, of: old)
      else { return false }
      (old, current) = (earlier.destination, step.destination)
    }
    return true
  }
}

extension DerivedFills.Fill {
  /// Computes the values: `UPDATE ZPERSON AS o SET ZPETCOUNT = (SELECT COUNT(*) …)`
  package var statement: SQLFragment {
    "UPDATE main.\(name: table) AS o SET \(name: column) = \(value) WHERE \(isOfEntity)"
  }

  /// Finds computed numbers that the attribute cannot hold; nil if it holds all. A total beyond 64 bits is a real number.
  package var check: MigrationCheck? {
    let attribute = derived.attribute
    switch attribute.type {
    case .integer16, .integer32, .integer64: break
    default: return nil
    }
    let range = attribute.type.integerRange
    let (least, greatest) = (String(range.lowerBound), String(range.upperBound))
    return MigrationCheck(
      kind: .inconvertibleValue, entity: shape.name, property: attribute.name,
      rows: """
        SELECT \(name: key) AS k FROM main.\(name: table) WHERE \(isOfEntity) \
        AND (typeof(\(name: column)) = 'real' \
        OR \(name: column) NOT BETWEEN \(sql: least) AND \(sql: greatest))
        """,
      sentence: CountedSentence(
        "object of \(shape.name) has", "objects of \(shape.name) have",
        " a value of the derived \(attribute.name) that its type does not hold. Give the attribute a wider type."
      ))
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
}
