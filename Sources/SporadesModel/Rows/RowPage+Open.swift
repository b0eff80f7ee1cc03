// SPDX-License-Identifier: MIT

// A page that is open belongs to one context, whose changed rows lie in it. Rows never move; the
// byte region may. For rows that were read before they changed, the page knows which slots changed
// and the rows they were.
extension RowPage {
  /// An empty page for new rows, or for changed ones.
  package convenience init(openFor layout: RowLayout, capacity: Int, ofChangedRows: Bool) {
    self.init(layout: layout, capacity: capacity, byteCapacity: capacity * 32)
    guard ofChangedRows else { return }
    let bits = unsafe RowMemory.allocate(capacity * layout.bitWords * 8)
      .assumingMemoryBound(to: UInt64.self)
    unsafe bits.initialize(repeating: 0, count: capacity * layout.bitWords)
    unsafe changedBits = unsafe bits
    bases.reserveCapacity(capacity)
  }

  package var isFull: Bool {
    unsafe !isOpen || count == rowCapacity || writtenBytes > Self.roomyByteCount
  }

  /// A page takes no more rows once its texts and blobs are so many bytes: places in it are of four
  /// bytes, and what is kept for one row keeps the page.
  package static let roomyByteCount = 1 << 24

  /// The longest text or blob that a row holds, which is above what SQLite takes.
  package static let longestValue = 1 << 30

  /// The most bytes that the places of a page reach.
  package static let largestRegion = 0xFFFF_FFFF

  /// An open page can take so many bytes more. One whose values were set again and again holds the
  /// former ones too, and is left for another. What a row brought with it is no such waste.
  package func hasRoom(for length: Int) -> Bool {
    let written = unsafe writtenBytes
    guard length <= Self.longestValue else { return false }
    if written <= Self.roomyByteCount { return true }
    let bound = max(4 * Self.roomyByteCount, 2 * (unsafe arrivedBytes))
    return written + Self.regionBytes(length) <= min(bound, Self.largestRegion)
  }

  /// Tells the page that a row came to it from another one, with all its texts and blobs.
  package func noteArrival() { unsafe arrivedBytes = unsafe writtenBytes }

  /// How many bytes the texts and blobs of a row take in the region.
  package func regionBytes(of index: Int) -> Int {
    layout.byteSlots.reduce(0) { sum, slot in
      guard !isNull(index, slot: slot) else { return sum }
      let count = unsafe byteRegion[BytePlace(rawValue: word(index, slot: slot))].count
      return sum + Self.regionBytes(count)
    }
  }

  /// How many bytes a text or blob of a length takes in the region.
  package static func regionBytes(_ length: Int) -> Int { BytePlace.lengthSize(length) + length }

  /// Begins a row whose slots are nil.
  @unsafe
  package func openRow(_ key: RowKey, version: Int64) -> PackedRow {
    let row = unsafe nextRow()
    unsafe row.start(as: layout.emptyOpenRow, key, version)
    return unsafe row
  }

  /// Begins the row of a new object, with its slots as ``RowLayout/openRow(with:)`` made them.
  @unsafe
  package func openRow(_ key: RowKey, startingAs slots: [UInt8]) -> PackedRow {
    let row = unsafe nextRow()
    unsafe row.start(as: slots, key, 1)
    return unsafe row
  }

  /// Begins a row that starts as a copy of another page's, one version on.
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

  /// Gives a slot of one of the page's rows what a row of another page with its layout holds there.
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
    precondition(!isFull, "An open page was asked for more rows than it has room for.")
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
      // because the bytes may be the page's own, which move
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
    precondition(isOpen, "A sealed page was asked to take bytes.")
    precondition(
      needed <= Self.largestRegion,
      "The texts and blobs of a row exceed 4 GiB, where a row of a store holds one at most.")
    let larger = unsafe max(needed, min(byteCapacity * 2, Self.largestRegion))
    unsafe bytes = RowMemory.resize(bytes, to: larger).assumingMemoryBound(to: UInt8.self)
    unsafe byteCapacity = larger
  }

  /// What a row holds, but for key and version: texts and blobs by their places while the page is
  /// open, where each change gives a new one.
  package func content(of row: PackedRow) -> [UInt8] {
    let start = unsafe UnsafeRawPointer(row.start + RowLayout.headSize)
    let end = unsafe starts == nil ? UnsafeRawPointer(row.start + layout.openRowSize) : end(of: row)
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: end - start))
  }

  /// One bit per slot of a changed row, `layout.bitWords` words; set where the slot changed.
  package func changedSlots(_ index: Int, word: Int) -> UInt64 {
    unsafe changedBits.map { unsafe $0[index * layout.bitWords + word] } ?? 0
  }

  package func noteChange(_ index: Int, slot: Int) {
    unsafe changedBits?[index * layout.bitWords + slot >> 6] |= 1 << UInt64(slot & 63)
  }

  /// Ends the time of change; from here on the page may be shared.
  package func seal() {
    isOpen = false
    bases = []
    unsafe RowMemory.free(changedBits)
    unsafe changedBits = nil
    unsafe byteCapacity = unsafe writtenBytes
  }
}
