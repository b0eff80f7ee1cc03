// SPDX-License-Identifier: MIT
import SporadesModel

/// The source of the links in one column of keys of the newer version.
package struct ReferenceSource: Sendable {
  package let table: Int
  package let slot: Int
  package let positionSlot: Int?
  package let form: Form
  /// Whether the rows with the column are the members of the relationship and not its owners.
  package let isOfMember: Bool

  package enum Form: Sendable {
    /// The relationship has no source.
    case none
    /// Old columns become the new one.
    case columns
    /// Links that lie elsewhere are collected and written into the column.
    case links(LinkPairs)
    /// Old columns become the new one, and the links get an order.
    case ordered(LinkPairs)
  }

  private let succession: RowSuccession
  private let sources: [Int: Source]

  /// The old columns for the rows of one old entity.
  private struct Source: Sendable {
    let column: StoreLayout.Column
    let position: String?
    let destinations: (old: Int, new: Int)
  }

  /// Nil unless the slot holds keys of relationships.
  package init?(_ table: Int, _ slot: Int, _ succession: RowSuccession) {
    let new = succession.new
    let slots = new.model.shape(numbered: new.table(table).rootEntity).layout.slots
    let declared = slots[slot]
    let found: RelationshipShape?
    switch declared.role {
    case .toOne(let description):
      found = new.relationship(description.name, of: declared.entity)
      isOfMember = false
    case .owner(let entity, let description):
      found = new.relationship(description.name, of: entity)
      isOfMember = true
    case .attribute, .position: return nil
    }
    guard let relationship = found else { return nil }
    self.table = table
    self.slot = slot
    self.succession = succession
    positionSlot = slots.indices.first {
      slots[$0].role == .position(toOne: declared.name) && slots[$0].entity == declared.entity
    }
    let sources = Self.sources(relationship, declared.entity, isOfMember, succession)
    self.sources = sources
    form = Self.form(relationship, sources, isOrdered: positionSlot != nil, succession)
  }

  private static func form(
    _ relationship: RelationshipShape, _ sources: [Int: Source], isOrdered: Bool,
    _ succession: RowSuccession
  ) -> Form {
    let pairs = LinkPairs(relationship, succession)
    let areClear = sources.values.allSatisfy { Self.change($0, succession).isClear }
    guard !sources.isEmpty, areClear else { return pairs.map { .links($0) } ?? .none }
    guard isOrdered, sources.values.contains(where: { $0.position == nil }), let pairs else {
      return .columns
    }
    return .ordered(pairs)
  }

  /// The old columns of the same kind, by the old entities whose rows have them.
  private static func sources(
    _ relationship: RelationshipShape, _ holder: Int, _ isOfMember: Bool,
    _ succession: RowSuccession
  ) -> [Int: Source] {
    let (old, new) = (succession.old, succession.new)
    var sources: [Int: Source] = [:]
    for entity in new.model.shape(numbered: holder).family {
      guard let source = succession.source(of: entity) else { continue }
      let owner = isOfMember ? relationship.entity : entity
      guard let ownerSource = succession.source(of: owner),
        let name = succession.evolution.source(
          ofRelationship: relationship.name, in: new.model.shape(numbered: owner).name),
        let former = old.relationship(name, of: ownerSource)
      else { continue }
      sources[source] =
        isOfMember
        ? Self.ofMember(former, relationship, source, old)
        : Self.ofOwner(former, relationship, source, old)
    }
    return sources
  }

  private static func ofOwner(
    _ former: RelationshipShape, _ relationship: RelationshipShape, _ entity: Int,
    _ old: MigrationSide
  ) -> Source? {
    guard case .reference(let slot, let position) = former.storage else { return nil }
    let columns = old.layout.table(ofEntity: entity).columns
    return Source(
      column: columns[slot], position: position.map { columns[$0].name },
      destinations: (former.destination, relationship.destination))
  }

  private static func ofMember(
    _ former: RelationshipShape, _ relationship: RelationshipShape, _ entity: Int,
    _ old: MigrationSide
  ) -> Source? {
    guard case .inverseReference(let slot, let position) = former.storage,
      old.inverse(of: former) == nil, former.destinationFamily.contains(entity)
    else { return nil }
    let columns = old.layout.table(ofEntity: entity).columns
    return Source(
      column: columns[slot], position: position.map { columns[$0].name },
      destinations: (former.entity, relationship.entity))
  }

  private static func change(_ source: Source, _ succession: RowSuccession) -> ReferenceChange {
    ReferenceChange(
      succession: succession, column: source.column, destinations: source.destinations)
  }

  // MARK: - Contents

  func key(_ piece: RowSuccession.Piece) -> MigratedColumn.Content {
    content(piece) { Self.change($0, succession).key }
  }

  func number(_ piece: RowSuccession.Piece) -> MigratedColumn.Content {
    content(piece) { Self.change($0, succession).number }
  }

  func position(_ piece: RowSuccession.Piece) -> MigratedColumn.Content {
    if case .ordered = form { return .absent }
    return content(piece) { $0.position.map { .kept($0) } ?? .absent }
  }

  private func content(
    _ piece: RowSuccession.Piece, _ term: (Source) -> MigratedColumn.Content
  ) -> MigratedColumn.Content {
    switch form {
    case .none, .links: return .absent
    case .columns, .ordered: break
    }
    var terms = EntityTerms()
    for entity in succession.entities(of: piece) { terms[entity] = sources[entity].map(term) }
    return terms.content(succession, piece) {
      succession.old.users(ofColumn: $0, inTable: piece.old)
    }
  }
}
