// SPDX-License-Identifier: MIT

/// What an open page knows of its rows beyond their values: which slots changed, and the rows
/// they were before.
@safe
package final class OpenRows {
  package let capacity: Int
  var byteCapacity: Int
  /// `layout.nullWords` words per row; a bit is set where the slot changed.
  @exclusivity(unchecked) package final var changedSlots: UnsafeMutablePointer<UInt64>
  /// The row each changed row was read from; nothing for rows of new objects.
  package var bases: [(page: RowPage, index: Int)] = []
  private let maskWords: Int

  init(capacity: Int, byteCapacity: Int, nullWords: Int) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
    maskWords = capacity * nullWords
    unsafe changedSlots = .allocate(capacity: maskWords)
    unsafe changedSlots.initialize(repeating: 0, count: maskWords)
  }

  deinit { unsafe changedSlots.deallocate() }
}

// A page that is open belongs to one context. Its rows never move; its byte region may.
extension RowPage {
  /// An empty page for the changed rows of one context.
  package convenience init(openFor layout: RowLayout, capacity: Int) {
    let byteCapacity = capacity * 32
    unsafe self.init(
      layout: layout, count: 0, byteCount: 0,
      words: .allocate(capacity: capacity * layout.stride),
      bytes: .allocate(capacity: byteCapacity))
    openRows = OpenRows(
      capacity: capacity, byteCapacity: byteCapacity, nullWords: layout.nullWords)
  }

  package var isFull: Bool { openRows.map { count == $0.capacity } ?? true }

  /// Begins a row whose slots are nil.
  @unsafe
  package func openRow(_ key: RowKey, version: Int64) -> UnsafeMutablePointer<UInt64> {
    precondition(!isFull, "An open page was asked for more rows than it has room for.")
    let row = unsafe words + count * layout.stride
    unsafe row[0] = key.rawValue
    unsafe row[1] = UInt64(bitPattern: version)
    for word in 2..<layout.firstSlotWord { unsafe row[word] = .max }
    for word in layout.firstSlotWord..<layout.stride { unsafe row[word] = 0 }
    count += 1
    return unsafe row
  }

  /// Begins a row that starts as a copy of another page's, one version on.
  @unsafe
  package func openCopy(of index: Int, in page: RowPage) -> UnsafeMutablePointer<UInt64> {
    precondition(!isFull, "An open page was asked for more rows than it has room for.")
    let row = unsafe words + count * layout.stride
    unsafe row.update(from: page.words + index * layout.stride, count: layout.stride)
    unsafe row[1] &+= 1
    for slot in layout.byteSlots {
      let word = layout.firstSlotWord + slot
      guard unsafe row[2 + slot >> 6] & (1 << UInt64(slot & 63)) == 0 else { continue }
      let place = unsafe BytePlace(rawValue: row[word])
      let copy = unsafe openBytes(UnsafeRawPointer(page.bytes + place.offset), place.length)
      unsafe row[word] = copy.rawValue
    }
    openRows?.bases.append((page, index))
    count += 1
    return unsafe row
  }

  /// Copies bytes into the region and returns their place.
  @unsafe
  package func openBytes(_ source: UnsafeRawPointer?, _ length: Int) -> BytePlace {
    guard let openRows else { preconditionFailure("A sealed page was asked to take bytes.") }
    let offset = byteCount
    var source = unsafe source
    if offset + length > openRows.byteCapacity {
      // because the bytes may be the page's own, which move
      let own = unsafe source.map { unsafe $0 - UnsafeRawPointer(bytes) } ?? -1
      growBytes(openRows, to: offset + length)
      if (0..<max(offset, 1)).contains(own) { unsafe source = UnsafeRawPointer(bytes) + own }
    }
    if length > 0, let source = unsafe source {
      unsafe UnsafeMutableRawPointer(bytes + offset).copyMemory(from: source, byteCount: length)
    }
    byteCount = offset + length
    return BytePlace(offset: offset, length: length)
  }

  private func growBytes(_ openRows: OpenRows, to needed: Int) {
    precondition(
      needed <= 0xFFFF_FFFF,
      "The text and blobs of \(openRows.capacity) changed rows exceed 4 GiB; save more often.")
    let larger = max(needed, openRows.byteCapacity * 2)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: bytes, count: byteCount)
    unsafe bytes.deallocate()
    unsafe bytes = memory
    openRows.byteCapacity = larger
  }

  /// The words of a row of an open page.
  @unsafe
  package func openWords(_ index: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe words + index * layout.stride
  }

  /// Ends the time of change; from here on the page may be shared.
  package func seal() { openRows = nil }
}
