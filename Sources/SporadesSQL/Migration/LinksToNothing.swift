// SPDX-License-Identifier: MIT
import SporadesModel

/// Links that lead to no object, where the newer version gives their relationship an inverse.
///
/// A relationship without inverse may lead nowhere after a deletion. One with an inverse may not: the links of
/// both sides are the same, and a deletion cuts them. So these links go, as they do where links move to another
/// place.
package struct LinksToNothing {
  private let succession: RowSuccession

  package init(_ succession: RowSuccession) { self.succession = succession }

  /// The number of such links of one relationship in the older version, in a sentence.
  package struct Note {
    package let sentence: CountedSentence
    /// Selects the number of links.
    package let count: SQLFragment
  }

  /// A relationship of an entity that gets an inverse.
  private struct Gain {
    let entity: EntityShape
    let relationship: RelationshipShape
    let source: Int
    let former: RelationshipShape
  }

  /// Whether a relationship has an inverse, and the one that it continues had none.
  static func gainsInverse(
    _ relationship: RelationshipShape, over former: RelationshipShape, _ succession: RowSuccession
  ) -> Bool {
    succession.new.inverse(of: relationship) != nil && succession.old.inverse(of: former) == nil
  }

  private var gains: [Gain] {
    let (old, new) = (succession.old, succession.new)
    return new.model.shapes.filter { new.scheme.holds($0.number) && !$0.isAbstract }
      .flatMap { shape -> [Gain] in
        guard let source = succession.source(of: shape.number) else { return [] }
        return shape.relationships.filter(\.isStored).compactMap { relationship in
          guard
            let name = succession.evolution.source(
              ofRelationship: relationship.name, in: shape.name),
            let former = old.relationship(name, of: source),
            Self.gainsInverse(relationship, over: former, succession)
          else { return nil }
          return Gain(entity: shape, relationship: relationship, source: source, former: former)
        }
      }
  }

  // MARK: - Before

  package var notes: [Note] {
    gains.compactMap { gain in
      guard let count = count(gain) else { return nil }
      let name = "\(gain.entity.name).\(gain.relationship.name)"
      return Note(
        sentence: CountedSentence(
          "link of \(name) leads to an object that is gone",
          "links of \(name) lead to objects that are gone",
          ". The relationship gets an inverse, so such links are cut."),
        count: count)
    }
  }

  private func count(_ gain: Gain) -> SQLFragment? {
    let old = succession.old
    // An owner's key in the rows of its members leads to the owner.
    let (holders, slot, target): ([Int], Int, Int)
    switch gain.former.storage {
    case .reference(let place, _):
      (holders, slot, target) = ([gain.source], place, gain.former.destination)
    case .inverseReference(let place, _):
      // Links to an owner that is gone are no owner's any more, so they count with the entity that declares them.
      guard gain.former.entity == gain.source else { return nil }
      (holders, slot, target) = (
        gain.former.destinationFamily.sorted(), place, gain.former.entity
      )
    case .join, .memory: return nil
    }
    guard let first = holders.first else { return nil }
    let table = old.layout.table(ofEntity: first)
    return """
      SELECT COUNT(*) FROM \(name: table.name) o \
      WHERE \(leadsNowhere(table.columns[slot].name, in: "o", to: target, old)) \
      AND o.\(name: old.layout.names.row.entity) IN (\(succession.numbers(holders)))
      """
  }

  private func leadsNowhere(
    _ column: String, in alias: String, to entity: Int, _ side: MigrationSide
  ) -> SQLFragment {
    let table = side.layout.table(ofEntity: entity).name
    return """
      \(sql: alias).\(name: column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(sql: side.main)\(name: table) d \
      WHERE d.\(name: side.layout.names.row.key) = \(sql: alias).\(name: column))
      """
  }

  // MARK: - After

  /// The tables from which links are cut.
  package var tableNames: [String] {
    gains.map { succession.new.layout.table(ofEntity: $0.entity.number).name }
  }

  /// Cuts the links that still lie in their rows. The tables have their new form.
  package var statements: [SQLFragment] {
    let new = succession.new
    return gains.compactMap { gain in
      guard case .reference(let slot, let position) = gain.relationship.storage else { return nil }
      let table = new.layout.table(ofEntity: gain.entity.number)
      let column = table.columns[slot]
      let all = [column.name, column.entityColumn, position.map { table.columns[$0].name }]
      let assignments = all.compactMap { name in
        name.map { "\(name: $0) = NULL" as SQLFragment }
      }
      return """
        UPDATE \(sql: new.main)\(name: table.name) AS o SET \(assignments.joined(by: ", ")) \
        WHERE \(leadsNowhere(column.name, in: "o", to: gain.relationship.destination, new)) \
        AND o.\(name: new.layout.names.row.entity) = \(sql: new.mark(gain.entity.number))
        """
    }
  }
}
