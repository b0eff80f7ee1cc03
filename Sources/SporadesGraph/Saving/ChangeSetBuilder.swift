// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Builds a save's change set from a context's changed objects.
///
/// The pages of the changed rows become the pages of the change set without a copy, unless some of
/// their rows must not be saved.
struct ChangeSetBuilder {
  private let context: ManagedObjectContext
  private var moves: [(object: ManagedObject, page: RowPage, index: Int)] = []
  private var groups: [Group] = []
  /// The updated objects whose rows are not written, because their values are the stored ones again.
  private var unwritten: [ManagedObject] = []

  /// The changed rows of one page.
  private struct Group {
    let page: RowPage
    /// The identity of the page, comparable without reference counting.
    let token: ObjectIdentifier
    let isInserted: Bool
    var count = 0
    /// The objects of the rows, unless they are all rows of the page.
    var objects: [ManagedObject] = []
    var isWhole: Bool { count == page.count }
  }

  init(_ context: ManagedObjectContext) {
    self.context = context
  }

  mutating func build() -> ChangeSet {
    var deleted: [DeletedRow] = []
    var changedLinks: [LinkChange] = []
    var relinked: [RowKey] = []
    context.changes.listed.forEachHeld { object in
      guard object.hasChanges else { return }
      if object.isDeleted {
        deleted.append(deletion(of: object))
      } else {
        if object.writesRow {
          count(object)
        } else if object.isRowChanged {
          unwritten.append(object)
        }
        guard object.extras != nil else { return }
        changedLinks += links(of: object)
        if !object.isInserted && object.hasChangedLinks { relinked.append(object.key) }
      }
    }
    if groups.contains(where: { !$0.isWhole }) { listObjects() }
    var inserted: [RowPage] = []
    var updated: [UpdatedRows] = []
    for group in groups {
      if group.isInserted {
        inserted.append(page(of: group))
      } else {
        updated.append(self.updated(group))
      }
    }
    return ChangeSet(
      inserted: inserted, updated: updated, deleted: deleted, links: changedLinks,
      relinked: relinked,
      expected: context.watched.isEmpty ? [] : context.expectedRows,
      author: context.transactionAuthor, contextName: context.name)
  }

  // MARK: - Rows

  /// Counts a row for the group of its page.
  private mutating func count(_ object: ManagedObject) {
    if let number = groupNumber(of: object) {
      groups[number].count += 1
    } else if let page = object.page {
      page.saveGroup = groups.count
      groups.append(
        Group(
          page: page, token: ObjectIdentifier(page), isInserted: object.isInserted, count: 1))
    }
  }

  /// The number of the group of the object's page. Nil if it has none yet.
  private func groupNumber(of object: ManagedObject) -> Int? {
    let page = unsafe object.pageReference?._withUnsafeGuaranteedRef {
      (token: ObjectIdentifier($0), group: $0.saveGroup)
    }
    guard let page, page.group < groups.count, groups[page.group].token == page.token else {
      return nil
    }
    return page.group
  }

  /// Lists the objects of the pages that have other rows, too.
  private mutating func listObjects() {
    context.changes.listed.forEachHeld { object in
      guard object.writesRow, !object.isDeleted, let number = groupNumber(of: object),
        !groups[number].isWhole
      else { return }
      groups[number].objects.append(object)
    }
  }

  /// Seals the pages after the save was accepted, because others share them from now on.
  func seal() {
    for object in unwritten {
      if let base = object.basePlace { object.show(base.page, base.index) }
    }
    for group in groups { group.page.seal() }
    for (object, page, index) in moves { object.show(page, index) }
  }

  private mutating func page(of group: Group) -> RowPage {
    guard !group.isWhole else { return group.page }
    var builder = RowPageBuilder(layout: group.page.layout, capacity: group.objects.count)
    for object in group.objects { builder.appendCopy(of: object.rowIndex, in: group.page) }
    let page = builder.finish()
    for (index, object) in group.objects.enumerated() { moves.append((object, page, index)) }
    return page
  }

  private mutating func updated(_ group: Group) -> UpdatedRows {
    let rows = group.isWhole ? Array(0..<group.count) : group.objects.map(\.rowIndex)
    let words = group.page.layout.bitWords
    var changed: [UInt64] = []
    changed.reserveCapacity(rows.count * words)
    for row in rows {
      for word in 0..<words { changed.append(group.page.changedSlots(row, word: word)) }
    }
    return UpdatedRows(page: page(of: group), changedSlots: changed)
  }

  private func deletion(of object: ManagedObject) -> DeletedRow {
    let version = object.base.map { $0.page.version($0.index) } ?? object.version
    return DeletedRow(key: object.key, version: version)
  }

  // MARK: - Links

  private func links(of object: ManagedObject) -> [LinkChange] {
    var all: [LinkChange] = []
    for links in object.extras?.toMany ?? [] where links.hasChanges {
      guard case .join(let join, let isFirst) = links.relationship.storage else { continue }
      all += change(object, links.relationship, links, join, isFirst).map { [$0] } ?? []
    }
    return all
  }

  /// The changed links of one relationship. The first side of a join reports a link, or an ordered
  /// side whose order changed.
  private func change(
    _ object: ManagedObject, _ relationship: RelationshipShape, _ links: ToMany, _ join: Int,
    _ isFirst: Bool
  ) -> LinkChange? {
    let shape = context.model.joins[join]
    func reports(_ other: ManagedObject) -> Bool {
      guard shape.isReflexive else { return isFirst || relationship.isOrdered }
      return object.key <= other.key
    }
    var change = LinkChange(join: join, isFirst: isFirst, owner: object.key)
    change.removed = links.removed.filter { !$0.isRemoved && reports($0) }.map(\.key)
    if relationship.isOrdered {
      addOrder(of: object, relationship, links, in: &change)
    } else {
      change.added = links.added.filter {
        !$0.isRemoved && reports($0) && !isOrderedBack(relationship)
      }
      .map { .init(other: $0.key) }
    }
    return change.isEmpty ? nil : change
  }

  /// Adds the members of an order with their positions. If the order is not in memory, new members
  /// come without positions, behind all others; likewise for a parent context whose order did not
  /// change here.
  private func addOrder(
    of object: ManagedObject, _ relationship: RelationshipShape, _ links: ToMany,
    in change: inout LinkChange
  ) {
    let added = links.added.filter { !$0.isRemoved }
    guard links.isReordered || links.isLoaded && context.parent.root != nil else {
      change.added = added.map { .init(other: $0.key) }
      return
    }
    let new = Set(added.map(\.key))
    for link in positionedLinks(object.members(relationship), links) {
      if new.contains(link.other) { change.added.append(link) } else { change.moved.append(link) }
    }
  }

  /// The members with new positions. A parent context gets all members, because it sorts its own by
  /// them; so does a store whose positions are not in memory.
  private func positionedLinks(_ members: [ManagedObject], _ links: ToMany) -> [LinkChange.Link] {
    let isStored = context.parent.root != nil
    let left = Set(links.removed.map(ObjectIdentifier.init))
    let current = members.map { member in
      isStored && !left.contains(ObjectIdentifier(member)) ? links.positions?[member.key] : nil
    }
    let positions = OrderedPositions.rising(current)
    if isStored {
      links.newPositions = Dictionary(
        zip(members.map(\.key), positions), uniquingKeysWith: { one, _ in one })
    }
    return members.indices.filter { current[$0] != positions[$0] }
      .map { .init(other: members[$0].key, position: positions[$0]) }
  }

  /// Whether the other side is ordered and reports the link with its position.
  private func isOrderedBack(_ relationship: RelationshipShape) -> Bool {
    guard let inverse = relationship.inverseName,
      case .relationship(let back)? = context.model.shape(numbered: relationship.destination)[
        inverse]
    else { return false }
    return back.isOrdered && back.storage != relationship.storage
  }
}
