// SPDX-License-Identifier: MIT
import SporadesModel

/// The links between objects that stay, for which the newer version has no relationship.
struct LinkLosses {
  private let succession: RowSuccession

  init(_ succession: RowSuccession) { self.succession = succession }

  /// A relationship and its inverse show the same links, so one of them counts the links.
  var all: [MigrationLosses.Loss] {
    let old = succession.old
    return old.model.shapes.filter { old.scheme.holds($0.number) }.flatMap { shape in
      shape.relationships.filter {
        $0.entity == shape.number && $0.isStored && isFirst($0)
      }.compactMap(loss)
    }
  }

  private func isFirst(_ relationship: RelationshipShape) -> Bool {
    guard let inverse = succession.old.inverse(of: relationship) else { return true }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
    return relationship.number <= inverse.number
  }

  private func loss(_ relationship: RelationshipShape) -> MigrationLosses.Loss? {
    let old = succession.old
    guard let tables = LinkSearch(succession).tables(relationship)?.tables else { return nil }
    let owners = staying(old.model.shape(numbered: relationship.entity).family)
    let members = staying(relationship.destinationFamily)
    let entity = old.layout.names.row.entity
    let conditions = owners.compactMap { owner -> SQLFragment? in
      let lost = members.filter { !isKept(relationship, from: owner, to: $0) }
      guard !lost.isEmpty else { return nil }
      return """
        (x.\(name: entity) = \(sql: old.mark(owner)) \
        AND y.\(name: entity) IN (\(succession.numbers(lost))))
        """
    }
    guard !conditions.isEmpty else { return nil }
    return MigrationLosses.Loss(
      entity: old.model.shape(numbered: relationship.entity).name, property: relationship.name,
      count: "SELECT COUNT(*) FROM \(tables) WHERE \(conditions.joined(by: " OR "))",
      isInRows: false)
  }

  private func staying(_ entities: some Sequence<Int>) -> [Int] {
    entities.filter { succession.successor(of: $0) != nil }
  }

  /// Whether a relationship of the newer version takes over a link between objects of two entities.
  private func isKept(_ relationship: RelationshipShape, from owner: Int, to member: Int) -> Bool {
    continues(relationship, from: owner, to: member)
      || succession.old.inverse(of: relationship).map {
        continues($0, from: member, to: owner)
      } ?? false
  }

  private func continues(_ relationship: RelationshipShape, from owner: Int, to member: Int) -> Bool
  {
    guard let owner = succession.successor(of: owner),
      let member = succession.successor(of: member)
    else { return false }
    let shape = succession.new.model.shape(numbered: owner)
    return shape.relationships.contains { new in
      new.isStored && new.destinationFamily.contains(member)
        && succession.evolution.source(ofRelationship: new.name, in: shape.name)
          == relationship.name
    }
  }
}
