// SPDX-License-Identifier: MIT
public import SporadesModel

/// The inserts, updates and deletes of one save.
///
/// All keys are permanent. The rows have the state after the save, so contexts later show the same pages that
/// the store executes. A change set never changes. The store, the ledger of commits and every context that will
/// merge it hold it for a while.
public final class ChangeSet: Sendable {
  /// The new rows, with the version 1.
  public let inserted: [RowPage]
  /// The changed rows.
  public let updated: [UpdatedRows]
  /// The rows that the store changed itself, as a batch does. Only an executed change set has such rows.
  public let rewritten: [RewrittenRows]
  /// The keys and versions of the deleted rows.
  public let deleted: [DeletedRow]
  /// The changes of many-to-many relationships.
  public let links: [LinkChange]
  /// The keys of objects with members that joined or left a to-many relationship, or changed their
  /// order. Stores ignore it: the rows and links of the members hold these changes.
  public let relinked: [RowKey]
  /// Unchanged rows that the save relies on. The store compares their versions.
  public let expected: [RowVersion]
  /// The author of the changes, for the store's history.
  public let author: String?
  /// The name of the context that made the changes, for the store's history.
  public let contextName: String?
  /// The number of rows inserted, updated and deleted.
  public let count: Int

  /// Makes a change set of its parts.
  public init(
    inserted: [RowPage] = [], updated: [UpdatedRows] = [], rewritten: [RewrittenRows] = [],
    deleted: [DeletedRow] = [], links: [LinkChange] = [], relinked: [RowKey] = [],
    expected: [RowVersion] = [], author: String? = nil, contextName: String? = nil
  ) {
    self.inserted = inserted
    self.updated = updated
    self.rewritten = rewritten
    self.deleted = deleted
    self.links = links
    self.relinked = relinked
    self.expected = expected
    self.author = author
    self.contextName = contextName
    var count = deleted.count
    for page in inserted { count += page.count }
    for rows in updated { count += rows.page.count }
    for rows in rewritten { count += rows.keys.count }
    self.count = count
  }

  /// The same changes, and more changed rows.
  package func adding(_ rows: [UpdatedRows]) -> ChangeSet {
    ChangeSet(
      inserted: inserted, updated: updated + rows, rewritten: rewritten, deleted: deleted,
      links: links, relinked: relinked, expected: expected, author: author,
      contextName: contextName)
  }

  /// The same changes with all large values in memory, for a store without files.
  package func withLargeValuesInMemory() throws(StoreError) -> ChangeSet {
    let pages = inserted + updated.map(\.page)
    guard pages.contains(where: { !$0.layout.largeSlots.isEmpty }) else { return self }
    do {
      return ChangeSet(
        inserted: try inserted.map { try $0.withLargeValuesInMemory() },
        updated: try updated.map {
          UpdatedRows(page: try $0.page.withLargeValuesInMemory(), changedSlots: $0.changedSlots)
        }, deleted: deleted, links: links, relinked: relinked, expected: expected,
        author: author, contextName: contextName)
    } catch { throw StoreError(reading: error) }
  }

  /// The store has nothing to write and nothing to compare.
  public var isEmpty: Bool { !hasWrites && expected.isEmpty }

  /// The store has something to write.
  public var hasWrites: Bool {
    !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty)
  }

  /// The keys of all rows inserted, updated and deleted.
  public var keys: [RowKey] {
    var keys: [RowKey] = []
    keys.reserveCapacity(count)
    for page in inserted { for index in 0..<page.count { keys.append(page.key(index)) } }
    for rows in updated { for index in 0..<rows.page.count { keys.append(rows.page.key(index)) } }
    for rows in rewritten { keys += rows.keys }
    for row in deleted { keys.append(row.key) }
    return keys
  }
}

/// Changed rows of one inheritance tree, with all their values, and the slots that changed.
public struct UpdatedRows: Sendable {
  /// The rows, with their new version, which is one above the version that the context read.
  public let page: RowPage
  /// One bit per slot, set if the slot changed, in `page.layout.bitWords` words per row.
  public let changedSlots: [UInt64]

  /// Makes updates of rows; the words must fit their number.
  public init(page: RowPage, changedSlots: [UInt64]) {
    trap(
      unless: changedSlots.count == page.count * page.layout.bitWords,
      "Each row needs \(page.layout.bitWords) words of changed slots.")
    self.page = page
    self.changedSlots = changedSlots
  }

  /// A slot of a row changed.
  @inlinable
  public func isChanged(_ index: Int, slot: Int) -> Bool {
    changedSlots[index * page.layout.bitWords + slot >> 6] & (1 << UInt64(slot & 63)) != 0
  }

  /// A row has a changed slot. If it has none, only the links of its object changed.
  package func changesValues(_ index: Int) -> Bool {
    let words = page.layout.bitWords
    return changedSlots[index * words..<(index + 1) * words].contains { $0 != 0 }
  }
}

/// A row to delete.
public struct DeletedRow: Hashable, Sendable {
  /// The key of the row.
  public let key: RowKey
  /// The version of the row when the context read it.
  public let version: Int64

  /// Names a row to delete and its version.
  public init(key: RowKey, version: Int64) {
    self.key = key
    self.version = version
  }
}

/// A row and the version that a context read.
public struct RowVersion: Hashable, Sendable {
  /// The key of the row.
  public let key: RowKey
  /// The version of the row when the context read it.
  public let version: Int64

  /// Names a row and its version.
  public init(key: RowKey, version: Int64) {
    self.key = key
    self.version = version
  }
}

extension ChangeSet {
  /// About the number of bytes that the changes hold in memory.
  package var memory: Int {
    let pages = inserted.map(\.memory) + updated.map { $0.page.memory + $0.changedSlots.count * 8 }
    let linkCount = links.reduce(0) { $0 + $1.added.count + $1.removed.count + $1.moved.count }
    return pages.reduce(0, +) + linkCount * MemoryLayout<LinkChange.Link>.stride
      + links.count * 2 * MemoryLayout<LinkChange>.stride + (deleted.count + relinked.count) * 16
  }
}

/// The added, removed and moved links of one object in a many-to-many relationship.
///
/// Links form a set. To add an existing link changes only its positions, and to remove a missing link changes
/// nothing. A change set names a link between two objects once, from either side. It does not name the links
/// of a deleted object, because stores remove them with the object.
public struct LinkChange: Hashable, Sendable {
  /// The index of the relationship's join in `ManagedObjectModel.joins`.
  public let join: Int
  /// The owner is on the first side of the join.
  public let isFirst: Bool
  /// The key of the object whose links change.
  public let owner: RowKey
  /// The links to add.
  public var added: [Link]
  /// The keys of the objects whose links the store removes.
  public var removed: [RowKey]
  /// The links that get new positions. The store ignores a link that somebody else has removed.
  public var moved: [Link]

  /// Makes a change of one object's links.
  public init(
    join: Int, isFirst: Bool, owner: RowKey, added: [Link] = [], removed: [RowKey] = [],
    moved: [Link] = []
  ) {
    self.join = join
    self.isFirst = isFirst
    self.owner = owner
    self.added = added
    self.removed = removed
    self.moved = moved
  }

  /// No link changes.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && moved.isEmpty }

  /// A link to an object, and its positions.
  public struct Link: Hashable, Sendable {
    /// The key of the linked object.
    public let other: RowKey
    /// The position of `other` among the owner's linked objects, if that side is ordered. With nil, an existing
    /// link keeps its position and a new link becomes the last.
    public let position: Int64?
    /// The position of the owner among the linked objects of `other`, if that side is ordered.
    public let ownerPosition: Int64?

    /// Makes a link to an object.
    public init(other: RowKey, position: Int64? = nil, ownerPosition: Int64? = nil) {
      self.other = other
      self.position = position
      self.ownerPosition = ownerPosition
    }
  }
}
