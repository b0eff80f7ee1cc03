// SPDX-License-Identifier: MIT
public import SporadesModel

/// The inserts, updates and deletes of one save.
///
/// All keys are permanent. The rows carry the state after the save, so the same pages that a store
/// executes are what contexts show afterwards. It never changes, and many keep it for a while: the
/// store, the ledger of commits, every context that is to merge it.
public final class ChangeSet: Sendable {
  /// Rows the store does not have; their version is 1.
  public let inserted: [RowPage]
  public let updated: [UpdatedRows]
  public let deleted: [DeletedRow]
  public let links: [LinkChange]
  /// Rows that are not changed, and that somebody relied on as they were.
  public let expected: [RowVersion]
  /// Who made the changes, and the name of the context they were made in, for histories.
  public let author: String?
  public let contextName: String?
  /// Rows inserted, updated and deleted.
  public let count: Int

  public init(
    inserted: [RowPage] = [], updated: [UpdatedRows] = [], deleted: [DeletedRow] = [],
    links: [LinkChange] = [], expected: [RowVersion] = [], author: String? = nil,
    contextName: String? = nil
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.links = links
    self.expected = expected
    self.author = author
    self.contextName = contextName
    var count = deleted.count
    for page in inserted { count += page.count }
    for rows in updated { count += rows.page.count }
    self.count = count
  }

  /// The same changes, with all large values in memory: for a store that keeps no files.
  package func withLargeValuesInMemory() throws(StoreError) -> ChangeSet {
    let pages = inserted + updated.map(\.page)
    guard pages.contains(where: { !$0.layout.largeSlots.isEmpty }) else { return self }
    do {
      return ChangeSet(
        inserted: try inserted.map { try $0.withLargeValuesInMemory() },
        updated: try updated.map {
          UpdatedRows(page: try $0.page.withLargeValuesInMemory(), changedSlots: $0.changedSlots)
        }, deleted: deleted, links: links, expected: expected, author: author,
        contextName: contextName)
    } catch { throw StoreError(reading: error) }
  }

  public var isEmpty: Bool { !hasWrites && expected.isEmpty }

  /// There is something to write, and not only something to compare.
  public var hasWrites: Bool {
    !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty)
  }

  /// The keys of all rows inserted, updated and deleted.
  public var keys: [RowKey] {
    var keys: [RowKey] = []
    keys.reserveCapacity(count)
    for page in inserted { for index in 0..<page.count { keys.append(page.key(index)) } }
    for rows in updated { for index in 0..<rows.page.count { keys.append(rows.page.key(index)) } }
    for row in deleted { keys.append(row.key) }
    return keys
  }
}

/// Changed rows of one inheritance tree, complete, and which of their slots are new.
public struct UpdatedRows: Sendable {
  /// Rows carry the version they will have, one above the version they were read with.
  public let page: RowPage
  /// `page.layout.bitWords` words per row; a bit is set where the slot changed.
  public let changedSlots: [UInt64]

  public init(page: RowPage, changedSlots: [UInt64]) {
    precondition(
      changedSlots.count == page.count * page.layout.bitWords,
      "Each row needs \(page.layout.bitWords) words of changed slots.")
    self.page = page
    self.changedSlots = changedSlots
  }

  /// Whether a row has a changed slot; without one, only links of its object changed.
  package func changesValues(_ index: Int) -> Bool {
    let words = page.layout.bitWords
    return changedSlots[index * words..<(index + 1) * words].contains { $0 != 0 }
  }
}

public struct DeletedRow: Hashable, Sendable {
  public let key: RowKey
  /// The version the row was read with.
  public let version: Int64

  public init(key: RowKey, version: Int64) {
    self.key = key
    self.version = version
  }
}

/// A row as somebody read it.
public struct RowVersion: Hashable, Sendable {
  public let key: RowKey
  public let version: Int64

  public init(key: RowKey, version: Int64) {
    self.key = key
    self.version = version
  }
}

/// Links added to and removed from one object of a many-to-many relationship, and those whose places
/// are new.
///
/// Links are a set: adding one that is there, and removing one that is not, changes nothing but
/// places. A link between two objects is told once, from either side. The links of a deleted object need
/// no telling: stores remove them with it.
public struct LinkChange: Hashable, Sendable {
  /// The index in `ManagedObjectModel.joins`.
  public let join: Int
  /// The object stands on the join's first side.
  public let isFirst: Bool
  public let owner: RowKey
  public var added: [Link]
  public var removed: [RowKey]
  /// Links that get the positions given. One that is not there is not made: somebody else removed it.
  public var moved: [Link]

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

  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && moved.isEmpty }

  /// A linked object. A link that is there already and is added again takes the new positions.
  public struct Link: Hashable, Sendable {
    public let other: RowKey
    /// The place of `other` among the objects the owner is linked to, where that side is ordered; nil
    /// leaves it where it is, and puts a new link last.
    public let position: Int64?
    /// The same for the owner among the objects `other` is linked to.
    public let ownerPosition: Int64?

    public init(other: RowKey, position: Int64? = nil, ownerPosition: Int64? = nil) {
      self.other = other
      self.position = position
      self.ownerPosition = ownerPosition
    }
  }
}
