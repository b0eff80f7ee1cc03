// SPDX-License-Identifier: MIT
package import SporadesModel

/// The stored rows and links, as they were before a change set.
package protocol HistoryRows {
  /// Reads the keys that a row holds in some slots.
  mutating func references(
    of row: RowKey, _ slots: [Int]
  ) throws(StoreError) -> [(slot: Int, owner: RowKey)]
  /// Reads the keys of the objects that an object is linked to in a join.
  mutating func linked(
    to row: RowKey, in join: Int, isFirst: Bool
  ) throws(StoreError) -> [RowKey]
}

/// The to-many relationships that a change set changes, by object, and the former references of its rows.
///
/// Core Data counts an object as updated when one of its to-many relationships changes, though the other
/// object's row holds the link.
package struct HistoryLinks {
  /// The numbers of the changed relationships, by the key of their object.
  package private(set) var changed: [RowKey: Set<Int>] = [:]
  /// The former keys in the changed references of updated rows.
  private var former: [Reference: RowKey] = [:]
  private let model: ManagedObjectModel
  /// The owners that were noted, each with the slot that refers to it. Many rows refer to one owner.
  private var noted: Set<NotedOwner> = []

  private struct NotedOwner: Hashable {
    let owner: RowKey
    let slot: Int
    let root: Int
  }

  private struct Reference: Hashable {
    let row: RowKey
    let slot: Int
  }

  /// Compares a change set with the stored rows.
  package init(
    _ changes: ChangeSet, _ model: ManagedObjectModel, _ stored: inout some HistoryRows
  ) throws(StoreError) {
    self.model = model
    for change in changes.links { note(change) }
    for page in changes.inserted { noteInserted(page) }
    for rows in changes.updated { try noteUpdated(rows, &stored) }
    for row in changes.deleted { try noteDeleted(row.key, &stored) }
    guard !changed.isEmpty else { return }
    for page in changes.inserted { for index in 0..<page.count { changed[page.key(index)] = nil } }
    for row in changes.deleted { changed[row.key] = nil }
  }

  /// The former key in a reference of an updated row.
  package func former(_ row: RowKey, _ slot: Int) -> RowKey? {
    former[Reference(row: row, slot: slot)]
  }

  /// An object that is deleted leaves the relationships of all objects that it is linked to.
  private mutating func noteDeleted(
    _ key: RowKey, _ stored: inout some HistoryRows
  ) throws(StoreError) {
    let shape = model.shape(numbered: key.entity)
    let slots = shape.layout.referenceSlots
    if !slots.isEmpty {
      for (slot, owner) in try stored.references(of: key, slots) {
        note(owner, referredToIn: slot, by: key)
      }
    }
    for relationship in shape.relationships {
      guard case .join(let join, let isFirst) = relationship.storage else { continue }
      for other in try stored.linked(to: key, in: join, isFirst: isFirst) {
        note(other, join, isFirst: !isFirst)
      }
    }
  }

  // MARK: - Many-to-many

  private mutating func note(_ change: LinkChange) {
    note(change.owner, change.join, isFirst: change.isFirst)
    for other in change.removed + change.added.map(\.other) {
      note(other, change.join, isFirst: !change.isFirst)
    }
  }

  private mutating func note(_ key: RowKey, _ join: Int, isFirst: Bool) {
    let isReflexive = model.joins[join].isReflexive
    for relationship in model.shape(numbered: key.entity).relationships {
      guard case .join(join, let side) = relationship.storage, isReflexive || side == isFirst
      else { continue }
      changed[key, default: []].insert(relationship.number)
    }
  }

  // MARK: - One-to-many

  private mutating func noteInserted(_ page: RowPage) {
    for slot in page.layout.referenceSlots {
      for index in 0..<page.count {
        guard let owner = page.reference(index, slot: slot) else { continue }
        note(owner, referredToIn: slot, by: page.key(index))
      }
    }
  }

  private mutating func noteUpdated(
    _ rows: UpdatedRows, _ stored: inout some HistoryRows
  ) throws(StoreError) {
    let page = rows.page
    for index in 0..<page.count {
      let slots = page.layout.referenceSlots.filter { rows.isChanged(index, slot: $0) }
      guard !slots.isEmpty else { continue }
      let key = page.key(index)
      for (slot, owner) in try stored.references(of: key, slots) {
        former[Reference(row: key, slot: slot)] = owner
        guard page.reference(index, slot: slot) != owner else { continue }
        note(owner, referredToIn: slot, by: key)
      }
      for slot in slots {
        guard let owner = page.reference(index, slot: slot), former(key, slot) != owner else {
          continue
        }
        note(owner, referredToIn: slot, by: key)
      }
    }
  }

  private mutating func note(_ owner: RowKey, referredToIn slot: Int, by row: RowKey) {
    let root = model.shape(numbered: row.entity).rootNumber
    guard noted.insert(NotedOwner(owner: owner, slot: slot, root: root)).inserted else { return }
    for relationship in model.shape(numbered: owner.entity).relationships {
      guard case .inverseReference(slot, _) = relationship.storage,
        model.shape(numbered: relationship.destination).rootNumber == root
      else { continue }
      changed[owner, default: []].insert(relationship.number)
    }
  }
}
