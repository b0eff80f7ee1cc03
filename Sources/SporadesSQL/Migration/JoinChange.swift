// SPDX-License-Identifier: MIT
package import SporadesModel

/// The source of one table of links of the newer version.
package struct JoinChange: Sendable {
  /// The index of the join in the newer layout.
  package let index: Int
  package let table: StoreLayout.JoinTable
  package let form: Form

  package enum Form: Sendable {
    /// The table is new and empty.
    case made
    /// The old table with this index gets other names.
    case renamed(old: Int, columns: [String: String])
    /// The links are written into a new table.
    case filled(LinkFill)
  }

  package init(_ join: JoinShape, number: Int, _ succession: RowSuccession) {
    index = join.index
    let table = succession.new.layout.joins[join.index]
    self.table = table
    form =
      Self.renamed(join, table, succession)
      ?? Self.filled(join, table, number, succession) ?? .made
  }

  private static func filled(
    _ join: JoinShape, _ table: StoreLayout.JoinTable, _ number: Int, _ succession: RowSuccession
  ) -> Form? {
    let sides = [(join.first, true), (join.second, false)]
    for (side, isFirst) in sides {
      guard let relationship = succession.new.relationship(side.relationship.name, of: side.entity),
        let pairs = LinkPairs(relationship, succession)
      else { continue }
      return .filled(
        LinkFill(
          table, pairs, isFirst: isFirst, number: number, succession.old))
    }
    return nil
  }

  // MARK: - The same table

  /// Nil unless the old table holds the same links in the same form.
  private static func renamed(
    _ join: JoinShape, _ table: StoreLayout.JoinTable, _ succession: RowSuccession
  ) -> Form? {
    let old = succession.old
    guard let index = oldJoin(of: join.first, isFirst: true, succession),
      oldJoin(of: join.second, isFirst: false, succession) == index || join.isReflexive,
      old.model.joins[index].isReflexive == join.isReflexive,
      keeps(old.model.joins[index].first.entity, join.first.entity, succession),
      keeps(old.model.joins[index].second.entity, join.second.entity, succession)
    else { return nil }
    let former = old.layout.joins[index]
    let names = [
      (former.first, table.first), (former.second, table.second),
      (former.firstPosition, table.firstPosition), (former.secondPosition, table.secondPosition),
    ]
    var renamed: [String: String] = [:]
    for case (let from, let to) in names {
      guard (from == nil) == (to == nil) else { return nil }
      if let from, let to, from != to { renamed[from] = to }
    }
    return .renamed(old: index, columns: renamed)
  }

  private static func oldJoin(
    of side: JoinShape.Side, isFirst: Bool, _ succession: RowSuccession
  ) -> Int? {
    let new = succession.new
    let entity = new.model.shape(numbered: side.entity)
    guard let source = succession.source(of: side.entity),
      let name = succession.evolution.source(
        ofRelationship: side.relationship.name, in: entity.name),
      let former = succession.old.relationship(name, of: source),
      case .join(let index, let wasFirst) = former.storage,
      wasFirst == isFirst || succession.old.model.joins[index].isReflexive
    else { return nil }
    return index
  }

  /// Whether all rows of an old entity stay reachable under their keys.
  private static func keeps(_ old: Int, _ new: Int, _ succession: RowSuccession) -> Bool {
    let model = succession.old.model
    let family = succession.new.model.shape(numbered: new).family
    return model.shape(numbered: old).family.allSatisfy { entity in
      if model.shape(numbered: entity).isAbstract { return true }
      return succession.successor(of: entity).map(family.contains) == true
        && succession.offset(of: entity) == 0
    }
  }
}

extension JoinChange {
  /// Whether the table needs no other columns; its own name may still differ.
  package var isUnchanged: Bool {
    if case .renamed(_, let columns) = form { columns.isEmpty } else { false }
  }
}
