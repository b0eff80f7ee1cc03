// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// All rows and links of a store in memory, as one value. A view of the store is a copy of it.
struct MemoryState: Sendable {
  /// A row in a page of a change set.
  struct Row: Sendable {
    let page: RowPage
    let index: Int

    var key: RowKey { page.key(index) }
  }

  /// The positions of a link in the orders of both sides of its join.
  struct Positions: Sendable {
    /// The position of the second object among the objects that the first is linked to.
    var ofSecond: Int64?
    /// The position of the first object among the objects that the second is linked to.
    var ofFirst: Int64?
  }

  /// The rows, by the number of the tree's root entity, then by primary key.
  private(set) var rows: [Int: [Int64: Row]] = [:]
  /// The links, by join, then by the primary keys of the first and the second object.
  private(set) var links: [Int: [Int64: [Int64: Positions]]] = [:]
  private var constraints = MemoryConstraints()

  func row(_ key: RowKey, _ model: ManagedObjectModel) -> Row? {
    rows[model.shape(numbered: key.entity).rootNumber]?[key.primaryKey]
  }

  // MARK: - Changes

  /// Finds the rows that changed since the change set read them.
  func findConflicts(with changes: ChangeSet, _ model: ManagedObjectModel) -> [RowKey] {
    var conflicts = changes.expected.filter { row($0.key, model)?.version != $0.version }.map(\.key)
    for deleted in changes.deleted {
      let stored = row(deleted.key, model)
      if stored?.version != deleted.version { conflicts.append(deleted.key) }
    }
    for page in changes.updated.map(\.page) {
      for index in 0..<page.count
      where row(page.key(index), model)?.version != page.version(index) - 1 {
        conflicts.append(page.key(index))
      }
    }
    for page in changes.inserted {
      for index in 0..<page.count where row(page.key(index), model) != nil {
        conflicts.append(page.key(index))
      }
    }
    return conflicts
  }

  /// Applies a change set. If it breaks a constraint, returns the constraint.
  ///
  /// All rows release their old values before any row claims its new values, so that a unique value can pass
  /// from one row to another.
  mutating func apply(
    _ changes: ChangeSet, _ model: ManagedObjectModel
  ) -> MemoryConstraints.Constraint? {
    let pages = changes.updated.map(\.page) + changes.inserted
    for deleted in changes.deleted { remove(deleted.key, model) }
    for page in changes.updated.map(\.page) {
      for index in 0..<page.count {
        if let old = row(page.key(index), model) { constraints.release(old, model) }
      }
    }
    for page in pages {
      for index in 0..<page.count {
        let row = Row(page: page, index: index)
        if let broken = constraints.claim(row, model) { return broken }
        rows[page.layout.rootEntity, default: [:]][row.key.primaryKey] = row
      }
    }
    for change in changes.links { apply(change, model.joins[change.join]) }
    return nil
  }

  private mutating func remove(_ key: RowKey, _ model: ManagedObjectModel) {
    let root = model.shape(numbered: key.entity).rootNumber
    if let old = rows[root]?.removeValue(forKey: key.primaryKey) { constraints.release(old, model) }
    for join in model.joins {
      if model.shape(numbered: join.first.entity).rootNumber == root {
        links[join.index]?[key.primaryKey] = nil
      }
      if model.shape(numbered: join.second.entity).rootNumber == root {
        for first in links[join.index, default: [:]].keys {
          links[join.index]?[first]?[key.primaryKey] = nil
        }
      }
    }
  }

  // MARK: - Links

  private mutating func apply(_ change: LinkChange, _ join: JoinShape) {
    let owner = change.owner.primaryKey
    for removed in change.removed.map(\.primaryKey) {
      unlink(owner, removed, change.join, ownerIsFirst: change.isFirst)
      if join.isReflexive { unlink(removed, owner, change.join, ownerIsFirst: change.isFirst) }
    }
    for link in change.added { self.link(link, change, join) }
    for link in change.moved where hasLink(change.owner.primaryKey, link.other.primaryKey, change) {
      self.link(link, change, join)
    }
  }

  private func hasLink(_ owner: Int64, _ other: Int64, _ change: LinkChange) -> Bool {
    let (first, second) = change.isFirst ? (owner, other) : (other, owner)
    return links[change.join]?[first]?[second] != nil
  }

  private mutating func link(_ link: LinkChange.Link, _ change: LinkChange, _ join: JoinShape) {
    let (owner, other) = (change.owner.primaryKey, link.other.primaryKey)
    let (first, second) = change.isFirst ? (owner, other) : (other, owner)
    var positions = Positions(ofSecond: link.position, ofFirst: link.ownerPosition)
    if !change.isFirst { swap(&positions.ofSecond, &positions.ofFirst) }
    self.link(first, second, positions, join)
    if join.isReflexive, owner != other {
      swap(&positions.ofSecond, &positions.ofFirst)
      self.link(second, first, positions, join)
    }
  }

  private mutating func unlink(_ owner: Int64, _ other: Int64, _ join: Int, ownerIsFirst: Bool) {
    let (first, second) = ownerIsFirst ? (owner, other) : (other, owner)
    links[join]?[first]?[second] = nil
  }

  private mutating func link(
    _ first: Int64, _ second: Int64, _ new: Positions, _ join: JoinShape
  ) {
    let positions = mergePositions(first, second, new, join)
    links[join.index, default: [:]][first, default: [:]][second] = positions
  }

  /// Computes the positions of a link. A position that the change leaves out stays, or becomes the last one.
  private func mergePositions(
    _ first: Int64, _ second: Int64, _ new: Positions, _ join: JoinShape
  ) -> Positions {
    let all = links[join.index, default: [:]]
    var positions = all[first]?[second] ?? Positions()
    if join.first.relationship.isOrdered {
      positions.ofSecond =
        new.ofSecond ?? positions.ofSecond
        ?? Self.positionAfter(all[first, default: [:]].values.map(\.ofSecond))
    }
    if join.second.relationship.isOrdered {
      positions.ofFirst =
        new.ofFirst ?? positions.ofFirst
        ?? Self.positionAfter(all.values.map { $0[second]?.ofFirst })
    }
    return positions
  }

  private static func positionAfter(_ positions: [Int64?]) -> Int64 {
    (positions.compactMap(\.self).max() ?? -1) + 1
  }
}

extension MemoryState.Row {
  fileprivate var version: Int64 { page.version(index) }
}
