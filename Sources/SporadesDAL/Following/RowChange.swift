// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// Some slots of a row.
struct SlotSet {
  private var low: UInt64 = 0
  /// The words of the slots from 64 on. Most rows have fewer slots.
  private var high: [UInt64] = []
  /// Every slot is in the set.
  private(set) var isAll = false

  init() {}

  static let all: SlotSet = {
    var set = SlotSet()
    set.isAll = true
    return set
  }()

  /// The changed slots of a row.
  init(_ rows: UpdatedRows, _ index: Int) {
    let words = rows.page.layout.bitWords
    low = rows.changedSlots[index * words]
    if words > 1 { high = Array(rows.changedSlots[(index * words + 1)..<(index + 1) * words]) }
  }

  mutating func insert(_ slot: Int) {
    guard slot >= 64 else {
      low |= 1 << UInt64(slot)
      return
    }
    while high.count < slot >> 6 { high.append(0) }
    high[slot >> 6 - 1] |= 1 << UInt64(slot & 63)
  }

  mutating func formUnion(_ other: SlotSet) {
    isAll = isAll || other.isAll
    low |= other.low
    while high.count < other.high.count { high.append(0) }
    for (place, word) in other.high.enumerated() { high[place] |= word }
  }

  /// Whether a slot is in both sets.
  func meets(_ other: SlotSet) -> Bool {
    isAll || other.isAll || low & other.low != 0
      || zip(high, other.high).contains { $0 & $1 != 0 }
  }

  /// Calls `body` with the number of each slot. The set of all slots has no end.
  func visit(_ body: (Int) -> Void) {
    Self.visit(low, 0, body)
    for (place, word) in high.enumerated() { Self.visit(word, place + 1, body) }
  }

  private static func visit(_ word: UInt64, _ place: Int, _ body: (Int) -> Void) {
    var rest = word
    while rest != 0 {
      body(place << 6 + rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

/// The change of one row since the last look.
struct RowChange {
  let key: RowKey
  /// The row as it is now; nil if it is gone.
  var row: RowPlace?
  /// The slots whose values may have changed.
  var slots: SlotSet
  /// The makers of the change.
  var origin = ChangeOrigin()
}

/// The changes of a stretch of the order of saves, each row once.
struct RowChanges {
  private(set) var rows: [RowKey: RowChange] = [:]
  /// Rows that changed in a way that nobody asked for.
  private(set) var unread: Set<RowKey> = []
  /// The joins whose links changed.
  private(set) var joins: Set<Int> = []
  /// All rows may have changed.
  private(set) var isUnknown = false
  /// The store lost all its rows before the other changes.
  private(set) var isReset = false
  /// Stores have come or gone.
  private(set) var changesStores = false
  private(set) var origin = ChangeOrigin()

  var isEmpty: Bool {
    rows.isEmpty && unread.isEmpty && joins.isEmpty && !isUnknown && !isReset
  }

  mutating func noteUnknown() { isUnknown = true }

  mutating func noteStores() {
    changesStores = true
    noteUnknown()
  }

  mutating func noteReset() {
    rows = [:]
    unread = []
    isReset = true
  }

  mutating func noteOther() { origin.isOfAnotherProcess = true }

  mutating func add(_ changes: ChangeSet) {
    let own = ChangeOrigin(changes)
    origin.formUnion(own)
    for page in changes.inserted {
      for index in 0..<page.count { put(RowPlace(page: page, index: index), .all, own) }
    }
    for updated in changes.updated {
      for index in 0..<updated.page.count {
        put(RowPlace(page: updated.page, index: index), SlotSet(updated, index), own)
      }
    }
    for row in changes.deleted {
      rows[row.key] = RowChange(key: row.key, row: nil, slots: .all, origin: own)
    }
    for links in changes.links { joins.insert(links.join) }
  }

  private mutating func put(_ row: RowPlace, _ slots: SlotSet, _ origin: ChangeOrigin) {
    var change = RowChange(key: row.key, row: row, slots: slots, origin: origin)
    if let former = rows[change.key] {
      change.slots.formUnion(former.slots)
      change.origin.formUnion(former.origin)
    }
    rows[change.key] = change
  }

  /// Notes rows as a state of the store has them, behind all other changes.
  mutating func put(_ keys: some Sequence<RowKey>, _ pages: [RowPage]) {
    for key in keys { rows[key] = RowChange(key: key, row: nil, slots: .all, origin: origin) }
    for page in pages {
      for index in 0..<page.count {
        let row = RowPlace(page: page, index: index)
        rows[row.key] = RowChange(key: row.key, row: row, slots: .all, origin: origin)
      }
    }
  }

  mutating func leaveUnread(_ keys: some Sequence<RowKey>) { unread.formUnion(keys) }

  /// The changes concern what somebody has read.
  func meet(_ notes: ReadNotes) -> Bool {
    if isUnknown || isReset { return true }
    if notes.readsEverything { return !isEmpty }
    if !joins.isDisjoint(with: notes.joins) { return true }
    func meets(_ key: RowKey) -> Bool {
      notes.entities.contains(key.entity) || notes.keys.contains(key)
    }
    return rows.keys.contains(where: meets) || unread.contains(where: meets)
  }
}
