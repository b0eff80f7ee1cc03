// SPDX-License-Identifier: MIT
import SporadesModel

/// Where kept rows lie, by their keys.
///
/// A dictionary would spend more time on the hash of a key than the rest of a search takes. Its hash withstands keys that
/// somebody chose to collide. Here a search passes few others, and a row that would lie further away is not kept.
struct KeptPlaces {
  struct Place {
    let page: Int32
    let row: Int32
    /// The number of the state in which the row was read.
    let number: Int
  }

  private struct Entry {
    var key: UInt64
    var place: Place
  }

  private(set) var count = 0
  /// As many as a power of two, of which at least half are free. A key is in the first place from its own that is free.
  private var entries: [Entry] = []

  /// No row has this key: it would be temporary.
  private static let none: UInt64 = .max
  private static let free = Entry(key: none, place: Place(page: -1, row: -1, number: 0))
  private static let smallest = 64
  private static let longestSearch = 64

  private func home(_ key: UInt64) -> Int {
    // The upper bits of the product depend on all bits of the key.
    let mixed = key &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32) & (entries.count - 1)
  }

  /// The index of the key's entry, or of the free one where it would be; nil if that is too far away.
  private func index(of key: UInt64) -> Int? {
    let mask = entries.count - 1
    var index = home(key)
    for _ in 0..<Self.longestSearch {
      let found = entries[index].key
      if found == key || found == Self.none { return index }
      index = (index + 1) & mask
    }
    return nil
  }

  subscript(key: RowKey) -> Place? {
    guard count > 0, let index = index(of: key.rawValue), entries[index].key != Self.none else {
      return nil
    }
    return entries[index].place
  }

  /// Returns whether the table has taken the place.
  mutating func set(_ place: Place, for key: RowKey) -> Bool {
    precondition(!key.isTemporary, "Only rows are kept; report this to Sporades.")
    if (count + 1) * 2 > entries.count { grow() }
    return put(Entry(key: key.rawValue, place: place))
  }

  private mutating func put(_ entry: Entry) -> Bool {
    guard let index = index(of: entry.key) else { return false }
    if entries[index].key == Self.none { count += 1 }
    entries[index] = entry
    return true
  }

  mutating func remove(_ key: RowKey) -> Place? {
    guard count > 0, var gap = index(of: key.rawValue), entries[gap].key != Self.none else {
      return nil
    }
    let place = entries[gap].place
    let mask = entries.count - 1
    count -= 1
    // Entries behind the gap move into it if a search for them begins at it or before.
    var index = (gap + 1) & mask
    while entries[index].key != Self.none {
      let distance = (index - home(entries[index].key)) & mask
      if distance >= (index - gap) & mask {
        entries[gap] = entries[index]
        gap = index
      }
      index = (index + 1) & mask
    }
    entries[gap] = Self.free
    return place
  }

  private mutating func grow() {
    let former = entries
    entries = Array(repeating: Self.free, count: max(Self.smallest, former.count * 2))
    count = 0
    // One that lies too far away is no longer found, like a row that was never kept.
    for entry in former where entry.key != Self.none { _ = put(entry) }
  }
}
