// SPDX-License-Identifier: MIT
import SporadesModel

/// Objects without a link that the newer version requires.
package struct LinkLacks {
  private let succession: RowSuccession

  package init(_ succession: RowSuccession) { self.succession = succession }

  /// Objects that stay, and break a rule of the newer version: a to-many relationship must lead somewhere. They can be read,
  /// and a save of them is refused.
  package struct Note {
    package let sentence: CountedSentence
    /// Selects the number of objects.
    package let count: SQLFragment
  }

  /// The to-many relationships that become required.
  package var notes: [Note] {
    lacks { $0.isToMany }.map { lack in
      Note(
        sentence: CountedSentence(
          "object has no link", "objects have no link",
          " of \(lack.name), which becomes required. A save that changes such an object is refused until it has one."
        ), count: "SELECT COUNT(*) FROM (\(lack.rows)) l")
    }
  }

  /// The to-one relationships that become required. The type of such a property has no value for an object without a link, so that
  /// nobody could read it.
  var checks: [MigrationCheck] {
    lacks { !$0.isToMany }.map { lack in
      MigrationCheck(
        kind: .missingLink, entity: lack.shape.name, property: lack.relationship.name,
        rows: lack.rows,
        sentence: CountedSentence(
          "object has", "objects have",
          " no link of \(lack.name), which is required. Link them before, delete them, make it optional, or link them "
            + "in a custom stage."), isOfNewProperty: lack.isNew)
    }
  }

  private struct Lack {
    let shape: EntityShape
    let relationship: RelationshipShape
    /// Selects the keys of the objects without a link, as `k`.
    let rows: SQLFragment
    /// The older version has no such relationship.
    let isNew: Bool
    var name: String { "\(shape.name).\(relationship.name)" }
  }

  private func lacks(of isMeant: (RelationshipShape) -> Bool) -> [Lack] {
    let new = succession.new
    return new.model.shapes.filter { new.scheme.holds($0.number) && !$0.isAbstract }
      .flatMap { shape -> [Lack] in
        guard let source = succession.source(of: shape.number) else { return [] }
        return shape.relationships.filter {
          $0.isStored && isMeant($0) && canLack($0, shape, source)
        }.map { relationship in
          Lack(
            shape: shape, relationship: relationship, rows: rows(relationship, source),
            isNew: former(relationship, shape, source) == nil)
        }
      }
  }

  /// Whether the migration makes objects that lack a required link: the relationship becomes required, or leads to
  /// objects that go, or gets an inverse, so that links to nothing are cut.
  private func canLack(
    _ relationship: RelationshipShape, _ shape: EntityShape, _ source: Int
  ) -> Bool {
    guard !relationship.description.isOptional else { return false }
    guard let former = former(relationship, shape, source), !former.description.isOptional else {
      return true
    }
    if LinksToNothing.gainsInverse(relationship, over: former, succession) { return true }
    return former.destinationFamily.contains { member in
      guard !succession.old.model.shape(numbered: member).isAbstract else { return false }
      return succession.successor(of: member).map(relationship.destinationFamily.contains) != true
    }
  }

  private func former(
    _ relationship: RelationshipShape, _ shape: EntityShape, _ source: Int
  ) -> RelationshipShape? {
    succession.evolution.source(ofRelationship: relationship.name, in: shape.name)
      .flatMap { succession.old.relationship($0, of: source) }
  }

  private func rows(_ relationship: RelationshipShape, _ source: Int) -> SQLFragment {
    let old = succession.old
    let row = old.layout.names.row
    let key = succession.shifted("o.\(name: row.key)", by: succession.offset(of: source))
    let isUnlinked =
      LinkPairs(relationship, succession).map {
        " AND \(key) NOT IN (SELECT a FROM (\($0.select)) l)" as SQLFragment
      } ?? ""
    return """
      SELECT o.\(name: row.key) AS k FROM \(name: old.layout.table(ofEntity: source).name) o \
      WHERE o.\(name: row.entity) = \(sql: old.mark(source))\(isUnlinked)
      """
  }
}
