// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The to-many relationships that a change set changes, by object, and the former references of its rows.
///
/// Core Data counts an object as updated when one of its to-many relationships changes, though the other
/// object's row holds the link.
struct HistoryLinks {
  /// The numbers of the changed relationships, by the key of their object.
  private(set) var changed: [RowKey: Set<Int>] = [:]
  /// The former keys in the changed references of updated rows.
  private var former: [Reference: RowKey] = [:]
  private let plan: StorePlan
  private var statements: [StatementKey: SQLStatement] = [:]

  private struct StatementKey: Hashable {
    let entity: Int
    let slots: [Int]
  }

  private struct Reference: Hashable {
    let row: RowKey
    let slot: Int
  }

  init(
    _ changes: ChangeSet, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) {
    self.plan = plan
    for change in changes.links { note(change) }
    for page in changes.inserted { noteInserted(page) }
    for rows in changes.updated { try noteUpdated(rows, connection) }
    for row in changes.deleted {
      let slots = plan.model.shape(numbered: row.key.entity).layout.referenceSlots
      for (slot, owner) in try references(of: row.key, slots, connection) {
        note(owner, referredToIn: slot, by: row.key)
      }
    }
    for page in changes.inserted { for index in 0..<page.count { changed[page.key(index)] = nil } }
    for row in changes.deleted { changed[row.key] = nil }
  }

  /// The former key in a reference of an updated row.
  func former(_ row: RowKey, _ slot: Int) -> RowKey? { former[Reference(row: row, slot: slot)] }

  // MARK: - Many-to-many

  private mutating func note(_ change: LinkChange) {
    note(change.owner, change.join, isFirst: change.isFirst)
    for other in change.removed + change.added.map(\.other) {
      note(other, change.join, isFirst: !change.isFirst)
    }
  }

  private mutating func note(_ key: RowKey, _ join: Int, isFirst: Bool) {
    let isReflexive = plan.model.joins[join].isReflexive
    for relationship in plan.model.shape(numbered: key.entity).relationships {
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
    _ rows: UpdatedRows, _ connection: Connection
  ) throws(StoreError) {
    let page = rows.page
    for index in 0..<page.count {
      let slots = page.layout.referenceSlots.filter { rows.isChanged(index, slot: $0) }
      guard !slots.isEmpty else { continue }
      let key = page.key(index)
      for (slot, owner) in try references(of: key, slots, connection) {
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
    let shape = plan.model.shape(numbered: owner.entity)
    for relationship in shape.relationships {
      guard case .inverseReference(slot, _) = relationship.storage,
        plan.model.shape(numbered: relationship.destination).rootNumber
          == plan.model.shape(numbered: row.entity).rootNumber
      else { continue }
      changed[owner, default: []].insert(relationship.number)
    }
  }

  /// The keys that the stored row holds in the slots.
  private mutating func references(
    of row: RowKey, _ slots: [Int], _ connection: Connection
  ) throws(StoreError) -> [(slot: Int, owner: RowKey)] {
    guard !slots.isEmpty else { return [] }
    let table = plan.layout.table(ofEntity: row.entity)
    let statement = try connection.statement(statement(of: row.entity, slots))
    statement.bind(row.primaryKey, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return [] }
    let values = statement.row()
    return slots.enumerated().compactMap { place, slot in
      guard let key = values[2 * place].integer else { return nil }
      let column = table.columns[slot]
      let entity =
        column.entityColumn == nil
        ? column.destination
        : plan.numbers.modelNumber(values[2 * place + 1].integer ?? 0, else: column.destination)
      return (slot, RowKey(entity: entity, primaryKey: key))
    }
  }
}

extension HistoryLinks {
  /// The statement is prepared once for many rows.
  private mutating func statement(of entity: Int, _ slots: [Int]) -> SQLStatement {
    let key = StatementKey(entity: entity, slots: slots)
    if let known = statements[key] { return known }
    let statement = plan.tableStatements(ofEntity: entity).references(slots)
    statements[key] = statement
    return statement
  }
}
