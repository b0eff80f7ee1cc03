// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A change set divided by the stores of its rows.
struct SplitChanges {
  let parts: [Int: ChangeSet]
  private let changes: ChangeSet

  private struct Part {
    var inserted: [RowPage] = []
    var updated: [UpdatedRows] = []
    var deleted: [DeletedRow] = []
    var links: [LinkChange] = []
    var expected: [RowVersion] = []
  }

  /// A link from a row to a row of another store.
  struct Link {
    let from: RowKey
    let relationship: String
    let to: RowKey
  }

  init(_ changes: ChangeSet) {
    self.changes = changes
    var parts: [Int: Part] = [:]
    for page in changes.inserted {
      for (store, rows) in Self.groupRows(of: page) {
        parts[store, default: Part()].inserted.append(Self.copy(rows, of: page))
      }
    }
    for updated in changes.updated {
      let words = updated.page.layout.bitWords
      for (store, rows) in Self.groupRows(of: updated.page) {
        let slots = rows.flatMap { updated.changedSlots[$0 * words..<($0 + 1) * words] }
        parts[store, default: Part()].updated.append(
          UpdatedRows(page: Self.copy(rows, of: updated.page), changedSlots: slots))
      }
    }
    for row in changes.deleted {
      parts[row.key.store, default: Part()].deleted.append(row)
    }
    for link in changes.links {
      parts[link.owner.store, default: Part()].links.append(link)
    }
    for row in changes.expected {
      parts[row.key.store, default: Part()].expected.append(row)
    }
    self.parts = parts.mapValues {
      ChangeSet(
        inserted: $0.inserted, updated: $0.updated, deleted: $0.deleted, links: $0.links,
        expected: $0.expected, author: changes.author, contextName: changes.contextName)
    }
  }

  /// Groups the indexes of a page's rows by store.
  private static func groupRows(of page: RowPage) -> [Int: [Int]] {
    Dictionary(grouping: 0..<page.count) { page.key($0).store }
  }

  /// Copies some rows of a page; all rows are the page itself.
  private static func copy(_ rows: [Int], of page: RowPage) -> RowPage {
    guard rows.count < page.count else { return page }
    var builder = RowPageBuilder(layout: page.layout, capacity: rows.count)
    for row in rows { builder.appendCopy(of: row, in: page) }
    return builder.finish()
  }

  // MARK: - Links across stores

  /// Finds a link between rows of different stores, which no store can keep.
  func findLinkAcross(_ model: ManagedObjectModel) -> Link? {
    for page in changes.inserted + changes.updated.map(\.page) {
      for index in 0..<page.count {
        if let link = Self.findLinkAcross(page, index) { return link }
      }
    }
    for change in changes.links {
      let side = model.joins[change.join]
      let relationship = (change.isFirst ? side.first : side.second).relationship.name
      if let link = change.added.first(where: { $0.other.store != change.owner.store }) {
        return Link(from: change.owner, relationship: relationship, to: link.other)
      }
    }
    return nil
  }

  private static func findLinkAcross(_ page: RowPage, _ index: Int) -> Link? {
    let key = page.key(index)
    for slot in page.layout.referenceSlots {
      guard let other = page.reference(index, slot: slot), other.store != key.store else {
        continue
      }
      switch page.layout.slots[slot].role {
      case .owner(_, let relationship):
        return Link(from: other, relationship: relationship.name, to: key)
      default: return Link(from: key, relationship: page.layout.slots[slot].name, to: other)
      }
    }
    return nil
  }
}
