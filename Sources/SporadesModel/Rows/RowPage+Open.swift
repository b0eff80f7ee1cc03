// SPDX-License-Identifier: MIT

// An open page belongs to one context and holds its changed rows. Rows never move, but the byte region
// may. If the rows came from a store, the page also marks their changed slots and refers to the rows
// before the change.
extension RowPage {
  /// Makes an empty page for the rows of new objects. They begin as copies of one row, which holds the words that
  /// ``RowLayout/openRow(with:)`` put into its slots, and the texts and blobs of `bytes`.
  package convenience init(
    openFor layout: RowLayout, capacity: Int, startingAs slots: [UInt8],
    _ bytes: [(slot: Int, bytes: [UInt8])]
  ) {
    // The row that the others copy lies behind them.
    self.init(layout: layout, capacity: capacity + 1, byteCapacity: capacity * 32)
    unsafe rowCapacity = capacity
    let start = unsafe row(capacity)
    unsafe start.write(slots, RowKey(rawValue: 0), 1)
    for (slot, bytes) in bytes {
      let place = unsafe bytes.withUnsafeBytes { unsafe openBytes($0.baseAddress, $0.count) }
      unsafe start.set(slot, to: place.rawValue, layout.places)
    }
  }

  /// Makes an empty page for changed rows.
  package convenience init(openForChangedRowsOf layout: RowLayout, capacity: Int) {
    self.init(layout: layout, capacity: capacity, byteCapacity: capacity * 32)
    let bits = unsafe RowMemory.allocate(capacity * layout.bitWords * 8)
      .assumingMemoryBound(to: UInt64.self)
    unsafe bits.initialize(repeating: 0, count: capacity * layout.bitWords)
    unsafe changedBits = unsafe bits
    bases.reserveCapacity(capacity)
  }

  /// The page takes no further rows.
  package var isFull: Bool {
    unsafe !isOpen || count == rowCapacity || writtenBytes > Self.roomyByteCount
  }

  /// The number of bytes of texts and blobs from which on a page takes no more rows.
  ///
  /// Offsets in a page have four bytes, and one row that is still in use keeps the whole page alive.
  package static let roomyByteCount = 1 << 24

  /// The length of the longest text or blob of a row, which is above SQLite's limit.
  package static let longestValue = 1 << 30

  /// The largest number of bytes that the offsets of a page reach.
  package static let largestRegion = 0xFFFF_FFFF

  /// An open page has room for a text or blob of a length.
  ///
  /// A page also holds the former values of slots that a program set again and again. When they take
  /// too much room, the context moves on to another page. The values that a row brought from its
  /// former page do not count as such waste.
  package func hasRoom(for length: Int) -> Bool {
    let written = unsafe writtenBytes
    guard length <= Self.longestValue else { return false }
    if written <= Self.roomyByteCount { return true }
    let bound = max(4 * Self.roomyByteCount, 2 * (unsafe arrivedBytes))
    return written + Self.regionBytes(length) <= min(bound, Self.largestRegion)
  }

  /// Counts all bytes so far as values that a row brought from its former page.
  package func countBytesAsArrived() { unsafe arrivedBytes = unsafe writtenBytes }

  /// Counts the bytes that the texts and blobs of a row take in the region.
  package func regionBytes(of index: Int) -> Int {
    layout.byteSlots.reduce(0) { sum, slot in
      guard !isNull(index, slot: slot) else { return sum }
      let count = unsafe byteRegion[BytePlace(rawValue: word(index, slot: slot))].count
      return sum + Self.regionBytes(count)
    }
  }

  /// Counts the bytes that a text or blob of a length takes in the region.
  package static func regionBytes(_ length: Int) -> Int { BytePlace.lengthSize(length) + length }

  /// Begins a row whose slots are nil.
  @unsafe
  package func openRow(_ key: RowKey, version: Int64) -> PackedRow {
    let row = unsafe nextRow()
    unsafe row.write(layout.emptyOpenRow, key, version)
    return unsafe row
  }

  /// Begins the row of a new object, in a page for such rows.
  @unsafe
  package func openRow(_ key: RowKey) -> PackedRow {
    let row = unsafe nextRow()
    unsafe row.start.copyMemory(
      from: self.row(rowCapacity).start, byteCount: layout.openRowSize)
    unsafe row.key = key
    return unsafe row
  }

  /// Gives up the row that was begun last.
  package func dropLastRow() {
    precondition(isOpen && count > 0, "Only an open page can give up a row.")
    unsafe rowCount -= 1
  }

  /// Begins a row as a copy of another page's row, with the next version.
  @unsafe
  package func openCopy(of index: Int, in page: RowPage) -> PackedRow {
    let row = unsafe nextRow()
    unsafe row.start.copyMemory(from: page.row(index).start, byteCount: layout.rowSize)
    unsafe row.version &+= 1
    for slot in layout.byteSlots {
      unsafe copySlot(slot, to: row, from: page, index, isNew: true)
    }
    bases.append((page, index))
    return unsafe row
  }

  /// Copies a slot from a row of another page with the same layout.
  @unsafe
  package func copySlot(
    _ slot: Int, to row: PackedRow, from page: RowPage, _ index: Int, isNew: Bool = false
  ) {
    let source = unsafe page.row(index)
    guard unsafe !source.isNull(slot, layout.places) else {
      return unsafe row.setNull(slot, layout.places)
    }
    var word = unsafe source.word(slot, layout.places, page.byteRegion)
    if layout.isLarge(slot) {
      let form = unsafe page.byteRegion[BytePlace(rawValue: word)]
      word = unsafe openCopyOfLarge(slot, form, in: page, for: isNew ? nil : row).rawValue
    } else if layout.slots[slot].kind.isBytes {
      let bytes = unsafe page.byteRegion[BytePlace(rawValue: word)]
      word = unsafe openBytes(bytes.baseAddress, bytes.count).rawValue
    }
    unsafe row.set(slot, to: word, layout.places)
  }

  private func nextRow() -> PackedRow {
    precondition(!isFull, "An open page has no room for another row.")
    defer { unsafe rowCount += 1 }
    return unsafe row(count)
  }

  /// Copies bytes into the region and returns their place.
  @unsafe
  package func openBytes(_ source: UnsafeRawPointer?, _ length: Int) -> BytePlace {
    let former = unsafe writtenBytes
    let end = former + BytePlace.lengthSize(length) + length
    var source = unsafe source
    if unsafe end > byteCapacity {
      // The bytes may lie in the page itself, and then move with it.
      let own = unsafe source.map { unsafe $0 - UnsafeRawPointer(bytes) } ?? -1
      growBytes(to: end)
      if (0..<max(former, 1)).contains(own) { unsafe source = UnsafeRawPointer(bytes) + own }
    }
    let place = unsafe BytePlace.write(length, at: former, in: bytes)
    if length > 0, let source = unsafe source {
      unsafe UnsafeMutableRawPointer(bytes + place.offset).copyMemory(
        from: source, byteCount: length)
    }
    unsafe writtenBytes = end
    return place
  }

  private func growBytes(to needed: Int) {
    precondition(isOpen, "A sealed page cannot take bytes.")
    precondition(
      needed <= Self.largestRegion,
      "The texts and blobs of a row exceed 4 GiB; a row of a store holds 1 GiB at most.")
    let larger = unsafe max(needed, min(byteCapacity * 2, Self.largestRegion))
    unsafe bytes = RowMemory.resize(bytes, to: larger).assumingMemoryBound(to: UInt8.self)
    unsafe byteCapacity = larger
  }

  /// The bytes of a row after key and version.
  ///
  /// In an open page, texts and blobs count by their offsets; each change gives a new offset.
  package func content(of row: PackedRow) -> [UInt8] {
    let start = unsafe UnsafeRawPointer(row.start + RowLayout.headSize)
    let end = unsafe starts == nil ? UnsafeRawPointer(row.start + layout.openRowSize) : end(of: row)
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: end - start))
  }

  /// Whether the content of a row is the one that ``content(of:)`` returned before.
  @unsafe
  package func hasContent(_ content: [UInt8], _ row: PackedRow) -> Bool {
    let start = unsafe UnsafeRawPointer(row.start + RowLayout.headSize)
    let end = unsafe starts == nil ? UnsafeRawPointer(row.start + layout.openRowSize) : end(of: row)
    guard unsafe content.count == end - start else { return false }
    let words = content.count / 8
    return unsafe content.withUnsafeBytes { held in
      for word in 0..<words {
        let (one, other) = unsafe (
          held.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self),
          start.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
        )
        guard one == other else { return false }
      }
      return unsafe held.dropFirst(words * 8).elementsEqual(
        UnsafeRawBufferPointer(start: start + words * 8, count: content.count - words * 8))
    }
  }

  /// One word of the bits that mark the changed slots of a row. A row has `layout.bitWords` words.
  package func changedSlots(_ index: Int, word: Int) -> UInt64 {
    unsafe changedBits.map { unsafe $0[index * layout.bitWords + word] } ?? 0
  }

  /// A slot of a row differs from the row that it was opened with.
  package func isChanged(_ index: Int, slot: Int) -> Bool {
    changedSlots(index, word: slot >> 6) & (1 << UInt64(slot & 63)) != 0
  }

  /// Whether a row has a changed slot.
  package func hasChangedSlots(_ index: Int) -> Bool {
    (0..<layout.bitWords).contains { changedSlots(index, word: $0) != 0 }
  }

  /// Marks a slot of a row that got another value. A slot that has its former value again is no
  /// longer marked. Only a second change can lead back, so the first one compares nothing.
  package func markChanged(_ index: Int, slot: Int) {
    let (word, bit) = (index * layout.bitWords + slot >> 6, UInt64(1) << UInt64(slot & 63))
    let base = isChanged(index, slot: slot) ? bases[index] : nil
    if let base, holds(index, slot: slot, sameAs: base.page, base.index) {
      unsafe changedBits?[word] &= ~bit
    } else {
      unsafe changedBits?[word] |= bit
    }
  }

  /// Closes the page. Its rows do not change any more, so that contexts may share it.
  package func seal() {
    isOpen = false
    bases = []
    unsafe RowMemory.free(changedBits)
    unsafe changedBits = nil
    unsafe byteCapacity = unsafe writtenBytes
  }
}
