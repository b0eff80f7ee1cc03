// SPDX-License-Identifier: MIT
package import SporadesModel

/// The links that a relationship of the newer version takes over, as pairs of objects.
///
/// The links come from the relationship's own source. Without one, they come from the source of its inverse.
package struct LinkPairs: Sendable {
  /// Selects the links. The columns are `a`, `an`, `b`, `bn`: keys and entity numbers of the owner and of the member,
  /// as the newer version has them; `p`: the place of the member among the links of the owner; and `q`, the reverse.
  package let select: SQLFragment
  package let relationship: RelationshipShape

  /// Nil if neither side has a source.
  init?(_ relationship: RelationshipShape, _ succession: RowSuccession) {
    let search = LinkSearch(succession)
    var selects = search.selects(relationship, isReversed: false)
    if selects.isEmpty, let inverse = succession.new.inverse(of: relationship) {
      selects = search.selects(inverse, isReversed: true)
    }
    guard !selects.isEmpty else { return nil }
    select = selects.joined(by: " UNION ALL ")
    self.relationship = relationship
  }
}

/// Finds the links of relationships in the tables of the older version.
struct LinkSearch {
  private let succession: RowSuccession
  private let row: LayoutNames.Row

  init(_ succession: RowSuccession) {
    self.succession = succession
    row = succession.old.layout.names.row
  }

  /// `relationship` is of the newer version. In a reversed select, its members are the owners.
  func selects(_ relationship: RelationshipShape, isReversed: Bool) -> [SQLFragment] {
    let (old, new) = (succession.old, succession.new)
    var owners: [Int: [Int]] = [:]
    var sources: [Int: RelationshipShape] = [:]
    for entity in new.model.shape(numbered: relationship.entity).family {
      guard let source = succession.source(of: entity),
        let name = succession.evolution.source(
          ofRelationship: relationship.name, in: new.model.shape(numbered: entity).name),
        let former = old.relationship(name, of: source)
      else { continue }
      owners[former.number, default: []].append(source)
      sources[former.number] = former
    }
    let members = relationship.destinationFamily.compactMap(succession.source(of:))
    return sources.keys.inOrder().compactMap { number in
      guard let former = sources[number], let owners = owners[number] else { return nil }
      let reachable = members.filter(former.destinationFamily.contains)
      return reachable.isEmpty ? nil : select(former, owners, reachable, isReversed)
    }
  }

  private func select(
    _ relationship: RelationshipShape, _ owners: [Int], _ members: [Int], _ isReversed: Bool
  ) -> SQLFragment? {
    guard let source = tables(relationship) else { return nil }
    let (own, other) = (output("x", owners), output("y", members))
    let (first, second) = isReversed ? (other, own) : (own, other)
    let (p, q) = isReversed ? (source.q, source.p) : (source.p, source.q)
    return """
      SELECT \(first.key) AS a, \(first.number) AS an, \(second.key) AS b, \(second.number) AS bn, \
      \(p) AS p, \(q) AS q FROM \(source.tables) \
      WHERE x.\(name: row.entity) IN (\(succession.numbers(owners))) \
      AND y.\(name: row.entity) IN (\(succession.numbers(members)))
      """
  }

  /// Tables that are joined so that `x` is the owner of a link and `y` its member.
  struct Source {
    let tables: SQLFragment
    var p = Self.none
    var q = Self.none

    /// Databases with types ask for one where several selects are put together.
    static let none: SQLFragment = "CAST(NULL AS INTEGER)"
  }

  /// Nil for a relationship that no store keeps.
  func tables(_ relationship: RelationshipShape) -> Source? {
    let old = succession.old
    let owner = old.layout.table(ofEntity: relationship.entity)
    let member = old.layout.table(ofEntity: relationship.destination)
    let (x, y) = ("\(name: owner.name) x" as SQLFragment, "\(name: member.name) y" as SQLFragment)
    switch relationship.storage {
    case .reference(let slot, let position):
      let column = owner.columns[slot].name
      return Source(
        tables: "\(x) JOIN \(y) ON y.\(name: row.key) = x.\(name: column)",
        q: position.map { "x.\(name: owner.columns[$0].name)" } ?? Source.none)
    case .inverseReference(let slot, let position):
      let column = member.columns[slot].name
      return Source(
        tables: "\(y) JOIN \(x) ON x.\(name: row.key) = y.\(name: column)",
        p: position.map { "y.\(name: member.columns[$0].name)" } ?? Source.none)
    case .join(let index, let isFirst):
      let join = old.layout.joins[index]
      let (near, far) = isFirst ? (join.first, join.second) : (join.second, join.first)
      let (place, back) =
        isFirst
        ? (join.secondPosition, join.firstPosition) : (join.firstPosition, join.secondPosition)
      return Source(
        tables: """
          \(name: join.name) j JOIN \(x) ON x.\(name: row.key) = j.\(name: near) \
          JOIN \(y) ON y.\(name: row.key) = j.\(name: far)
          """, p: place.map { "j.\(name: $0)" } ?? Source.none,
        q: back.map { "j.\(name: $0)" } ?? Source.none)
    case .memory: return nil
    }
  }

  private func output(
    _ alias: String, _ entities: [Int]
  ) -> (key: SQLFragment, number: SQLFragment) {
    let entity = "\(sql: alias).\(name: row.entity)" as SQLFragment
    let key = "\(sql: alias).\(name: row.key)" as SQLFragment
    let keys = entities.compactMap { number -> (String, SQLFragment)? in
      let offset = succession.offset(of: number)
      return offset == 0
        ? nil : (succession.old.mark(number), succession.shifted(key, by: offset))
    }
    let numbers = entities.compactMap { number -> (String, SQLFragment)? in
      succession.successor(of: number).map {
        (succession.old.mark(number), "\(sql: succession.new.mark($0))")
      }
    }
    return (
      keys.isEmpty ? key : RowSuccession.choice(entity, keys, else: key),
      RowSuccession.choice(entity, numbers, else: entity)
    )
  }
}
