// SPDX-License-Identifier: MIT
import SporadesModel

/// Rows by their keys, in the pages that brought them. Each row has the number of the state in which it was read.
///
/// The pages together stay below a number of bytes. The oldest go first; one whose rows were used since goes behind the
/// others instead, if half of its rows still count.
struct KeptRows {
  private struct Held {
    let page: RowPage
    let byteCount: Int
    /// The number of rows that are found in the page.
    var live: Int
    var wasUsed = false
    /// The neighbours in the order of age; −1 at the ends.
    var older: Int
    var newer = -1
  }

  private var places = KeptPlaces()
  private var pages: [Held?] = []
  private var free: [Int] = []
  private var oldest = -1
  private var newest = -1
  /// The number of bytes of all pages, with an estimate for what finds their rows.
  private(set) var byteCount = 0
  /// The entities of the rows that were kept so far.
  private var entities: [Int] = []
  private let limit: Int

  /// The largest number of rows of a page, and of a request that asks for rows.
  static let mostRows = 256
  private static let bytesPerRow = 64
  private static let bytesPerPage = 256

  init(limit: Int) { self.limit = limit }

  var count: Int { places.count }

  // MARK: - Taking

  /// Appends the rows that are found and are not newer than a state, in the order of the keys. Returns the indexes of
  /// the other keys.
  mutating func take(
    _ keys: [RowKey], upTo number: Int, into builder: inout RowPageBuilder
  ) -> [Int] {
    var missing: [Int] = []
    // Rows that are asked for together were often kept together.
    var last: (slot: Int, page: RowPage)?
    for (index, key) in keys.enumerated() {
      guard let place = places[key], place.number <= number else {
        missing.append(index)
        continue
      }
      let slot = Int(place.page)
      if last?.slot != slot { last = use(slot) }
      guard let last else {
        missing.append(index)
        continue
      }
      builder.appendWhole(Int(place.row), of: last.page)
    }
    return missing
  }

  private mutating func use(_ slot: Int) -> (slot: Int, page: RowPage)? {
    guard let page = pages[slot]?.page else { return nil }
    pages[slot]?.wasUsed = true
    return (slot, page)
  }

  // MARK: - Keeping

  /// Keeps the rows of a page that are not found yet. Returns the number of rows that were found.
  mutating func keep(_ page: RowPage, number: Int) -> Int {
    guard page.count > 0, page.count <= Self.mostRows, page.isWhole else { return 0 }
    let new = (0..<page.count).filter { places[page.key($0)] == nil }
    // A few rows get a page of their own, because others would stay with them.
    if new.count * 2 > page.count {
      hold(page, new, number)
    } else if !new.isEmpty {
      var builder = RowPageBuilder(layout: page.layout, capacity: new.count)
      for row in new { builder.appendWhole(row, of: page) }
      hold(builder.finish(), Array(new.indices), number)
    }
    return page.count - new.count
  }

  private mutating func hold(_ page: RowPage, _ rows: [Int], _ number: Int) {
    let byteCount = page.byteCount + Self.bytesPerPage + rows.count * Self.bytesPerRow
    guard byteCount <= limit / 8 else { return }
    let entity = page.layout.rootEntity
    if !entities.contains(entity) { entities.append(entity) }
    let held = Held(page: page, byteCount: byteCount, live: rows.count, older: newest)
    let slot: Int
    if let last = free.popLast() {
      slot = last
      pages[slot] = held
    } else {
      slot = pages.count
      pages.append(held)
    }
    append(slot)
    for row in rows {
      let place = KeptPlaces.Place(page: Int32(slot), row: Int32(row), number: number)
      if !places.set(place, for: page.key(row)) { pages[slot]?.live -= 1 }
    }
    self.byteCount += byteCount
    while self.byteCount > limit { dropOldest() }
  }

  // MARK: - Dropping

  /// Forgets the rows with a primary key, of all entities.
  mutating func remove(_ primaryKey: Int64) {
    guard 0...RowKey.largestPrimaryKey ~= primaryKey else { return }
    for entity in entities {
      let key = RowKey(entity: entity, primaryKey: primaryKey)
      guard let place = places.remove(key) else { continue }
      let slot = Int(place.page)
      pages[slot]?.live -= 1
      if pages[slot]?.live == 0 { drop(slot) }
    }
  }

  mutating func removeAll() {
    guard !pages.isEmpty else { return }
    self = KeptRows(limit: limit)
  }

  private mutating func dropOldest() {
    let slot = oldest
    guard let held = pages[slot] else { return }
    if held.wasUsed, held.live * 2 >= held.page.count {
      unlink(slot)
      pages[slot]?.wasUsed = false
      append(slot)
      return
    }
    for row in 0..<held.page.count {
      let key = held.page.key(row)
      if places[key].map({ Int($0.page) }) == slot { _ = places.remove(key) }
    }
    drop(slot)
  }

  private mutating func drop(_ slot: Int) {
    byteCount -= pages[slot]?.byteCount ?? 0
    unlink(slot)
    pages[slot] = nil
    free.append(slot)
  }

  // MARK: - The order of age

  private mutating func append(_ slot: Int) {
    pages[slot]?.older = newest
    pages[slot]?.newer = -1
    if newest >= 0 { pages[newest]?.newer = slot } else { oldest = slot }
    newest = slot
  }

  private mutating func unlink(_ slot: Int) {
    guard let held = pages[slot] else { return }
    if held.older >= 0 { pages[held.older]?.newer = held.newer } else { oldest = held.newer }
    if held.newer >= 0 { pages[held.newer]?.older = held.older } else { newest = held.older }
  }
}
