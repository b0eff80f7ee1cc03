// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The history of a store in memory. It has the committed transactions; those of accepted change sets are drafts.
struct MemoryHistory: Sendable {
  /// A transaction without its number.
  struct Draft: Sendable {
    fileprivate let timestamp = Date()
    fileprivate let author: String?
    fileprivate let contextName: String?
    fileprivate var changes: [Change] = []

    fileprivate init(author: String?, contextName: String?) {
      self.author = author
      self.contextName = contextName
    }
  }

  fileprivate struct Change: Sendable {
    let type: PersistentHistoryChange.ChangeType
    let key: RowKey
    var details: PersistentHistoryChange.Details?
  }

  private let identifier: String
  private let scope: StoreScope
  private var transactions: [PersistentHistoryTransaction] = []
  private(set) var ends = HistoryEnds(deleted: 0, last: 0)
  private var lastChange: Int64 = 0
  private var readersByName: [String: HistoryReader] = [:]

  init(identifier: String, _ scope: StoreScope) {
    self.identifier = identifier
    self.scope = scope
  }

  // MARK: - Writing

  mutating func commit(_ draft: Draft) {
    ends = HistoryEnds(deleted: ends.deleted, last: ends.last + 1)
    let facts = PersistentHistoryTransaction.Facts(
      number: ends.last, timestamp: draft.timestamp, storeID: identifier, author: draft.author,
      contextName: draft.contextName, processID: HistoryProgram.process)
    let first = lastChange + 1
    let changes = draft.changes.enumerated().map { place, change in
      PersistentHistoryChange(
        first + Int64(place), change.type, of: ManagedObjectID(key: change.key, scope: scope),
        change.details, in: facts)
    }
    lastChange += Int64(changes.count)
    transactions.append(PersistentHistoryTransaction(facts, changes: changes))
  }

  // MARK: - Reading

  func read(_ range: HistoryRange) throws(StoreError) -> [PersistentHistoryTransaction] {
    if let after = range.after { try ends.check(after, of: identifier) }
    var found: [PersistentHistoryTransaction] = []
    var size = 0
    let start = transactions.firstIndex { $0.transactionNumber > range.after ?? 0 }
    for transaction in transactions[(start ?? transactions.endIndex)...] {
      if let through = range.through, transaction.transactionNumber > through { break }
      if let since = range.since, transaction.timestamp <= since { continue }
      guard size < range.limit else { break }
      size += range.includesChanges ? transaction.changes?.count ?? 0 : 1
      found.append(
        range.includesChanges
          ? transaction : PersistentHistoryTransaction(transaction.facts, changes: nil))
    }
    return found
  }

  // MARK: - Deleting

  mutating func delete(before bound: HistoryBound) -> Int {
    let kept =
      switch bound {
      case .number(let number): transactions.firstIndex { $0.transactionNumber >= number }
      case .date(let date): transactions.firstIndex { $0.timestamp >= date }
      }
    let count = kept ?? transactions.count
    guard count > 0 else { return 0 }
    ends = HistoryEnds(deleted: transactions[count - 1].transactionNumber, last: ends.last)
    transactions.removeFirst(count)
    return count
  }

  // MARK: - Readers

  var readers: [HistoryReader] { readersByName.values.inOrder { $0.name } }

  mutating func confirm(_ reader: HistoryReader) { readersByName[reader.name] = reader }

  mutating func removeReader(named name: String) { readersByName[name] = nil }
}

extension MemoryHistory.Draft {
  /// Notes what a change set does to the rows of a state.
  init(
    _ changes: ChangeSet, to state: MemoryState, _ model: ManagedObjectModel
  ) throws(StoreError) {
    self.init(author: changes.author, contextName: changes.contextName)
    var rows = StateRows(state: state, model: model)
    let links = try HistoryLinks(changes, model, &rows)
    for page in changes.inserted {
      for index in 0..<page.count { add(.insert, page.key(index)) }
    }
    var updated: Set<RowKey> = []
    for rows in changes.updated {
      for index in 0..<rows.page.count {
        let key = rows.page.key(index)
        updated.insert(key)
        addUpdate(key, model) { $0.places(of: rows, index, links) }
      }
    }
    for key in links.changed.keys.filter({ !updated.contains($0) }).sorted() {
      addUpdate(key, model) { $0.places(of: key, links) }
    }
    for row in changes.deleted { addDelete(row.key, in: state, model) }
  }

  /// Notes the deletion of all rows.
  init(removing state: MemoryState, _ model: ManagedObjectModel) {
    self.init(author: nil, contextName: nil)
    for key in state.rows.values.flatMap({ $0.values.map(\.key) }).sorted() {
      addDelete(key, in: state, model)
    }
  }

  var isEmpty: Bool { changes.isEmpty }

  private mutating func add(
    _ type: PersistentHistoryChange.ChangeType, _ key: RowKey,
    _ details: PersistentHistoryChange.Details? = nil
  ) { changes.append(.init(type: type, key: key, details: details)) }

  private mutating func addUpdate(
    _ key: RowKey, _ model: ManagedObjectModel, _ places: (HistorySlots) -> [Int]
  ) {
    let shape = model.shape(numbered: key.entity)
    let slots = HistorySlots(shape, model)
    let names = slots.properties(at: places(slots), of: shape)
    add(.update, key, PersistentHistoryChange.Details(updatedProperties: names))
  }

  private mutating func addDelete(
    _ key: RowKey, in state: MemoryState, _ model: ManagedObjectModel
  ) {
    let kept = model.shape(numbered: key.entity).keptInHistory
    guard !kept.isEmpty, let row = state.row(key, model) else { return add(.delete, key) }
    let values = kept.map { ($0.name, row.page.value(row.index, of: $0)) }
    let tombstone = Dictionary(values.filter { !$0.1.isNull }) { first, _ in first }
    add(.delete, key, PersistentHistoryChange.Details(tombstone: tombstone))
  }
}

/// The rows of a state, as the history asks for them.
private struct StateRows: HistoryRows {
  let state: MemoryState
  let model: ManagedObjectModel

  func references(of row: RowKey, _ slots: [Int]) -> [(slot: Int, owner: RowKey)] {
    guard let stored = state.row(row, model) else { return [] }
    return slots.compactMap { slot in
      stored.page.reference(stored.index, slot: slot).map { (slot, $0) }
    }
  }

  func linked(to row: RowKey, in join: Int, isFirst: Bool) -> [RowKey] {
    let shape = model.joins[join]
    let other = isFirst ? shape.second.entity : shape.first.entity
    let rows = state.rows[model.shape(numbered: other).rootNumber, default: [:]]
    let links = state.links[join, default: [:]]
    let keys =
      isFirst
      ? Array(links[row.primaryKey, default: [:]].keys)
      : links.filter { $0.value[row.primaryKey] != nil }.map(\.key)
    return keys.compactMap { rows[$0]?.key }
  }
}
