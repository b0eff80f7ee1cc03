// SPDX-License-Identifier: MIT

// A page that is open belongs to one context, whose changed rows lie in it. Rows never move; the
// byte region may. For rows that were read before they changed, the page knows which slots changed
// and the rows they were.
extension RowPage {
  /// An empty page for new rows, or for changed ones.
  package convenience init(openFor layout: RowLayout, capacity: Int, ofChangedRows: Bool) {
    let byteCapacity = capacity * 32
    unsafe self.init(
      layout: layout, count: 0, byteCount: 0,
      words: .allocate(capacity: capacity * layout.stride),
      bytes: .allocate(capacity: byteCapacity))
    isOpen = true
    rowCapacity = capacity
    unsafe self.byteCapacity = byteCapacity
    guard ofChangedRows else { return }
    let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * layout.nullWords)
    unsafe bits.initialize(repeating: 0, count: capacity * layout.nullWords)
    unsafe changedBits = unsafe bits
    bases.reserveCapacity(capacity)
  }

  package var isFull: Bool { !isOpen || count == rowCapacity }

  /// Begins a row whose slots are nil.
  @unsafe
  package func openRow(_ key: RowKey, version: Int64) -> UnsafeMutablePointer<UInt64> {
    let row = unsafe nextRow()
    unsafe row[0] = key.rawValue
    unsafe row[1] = UInt64(bitPattern: version)
    for word in 2..<layout.firstSlotWord { unsafe row[word] = .max }
    for word in layout.firstSlotWord..<layout.stride { unsafe row[word] = 0 }
    return unsafe row
  }

  /// Begins the row of a new object: null words and slot words as given.
  @unsafe
  package func openRow(_ key: RowKey, startingAs start: [UInt64]) -> UnsafeMutablePointer<UInt64> {
    let row = unsafe nextRow()
    unsafe row[0] = key.rawValue
    unsafe row[1] = 1
    unsafe start.withUnsafeBufferPointer {
      unsafe (row + 2).update(from: $0.baseAddress.unsafelyUnwrapped, count: $0.count)
    }
    return unsafe row
  }

  /// Begins a row that starts as a copy of another page's, one version on.
  @unsafe
  package func openCopy(of index: Int, in page: RowPage) -> UnsafeMutablePointer<UInt64> {
    let row = unsafe nextRow()
    unsafe row.update(from: page.words + index * layout.stride, count: layout.stride)
    unsafe row[1] &+= 1
    for slot in layout.byteSlots {
      let word = layout.firstSlotWord + slot
      guard unsafe row[2 + slot >> 6] & (1 << UInt64(slot & 63)) == 0 else { continue }
      let place = unsafe BytePlace(rawValue: row[word])
      let copy = unsafe openBytes(UnsafeRawPointer(page.bytes + place.offset), place.length)
      unsafe row[word] = copy.rawValue
    }
    bases.append((page, index))
    return unsafe row
  }

  private func nextRow() -> UnsafeMutablePointer<UInt64> {
    precondition(!isFull, "An open page was asked for more rows than it has room for.")
    defer { count += 1 }
    return unsafe words + count * layout.stride
  }

  /// Copies bytes into the region and returns their place.
  @unsafe
  package func openBytes(_ source: UnsafeRawPointer?, _ length: Int) -> BytePlace {
    let offset = unsafe writtenBytes
    var source = unsafe source
    if unsafe offset + length > byteCapacity {
      // because the bytes may be the page's own, which move
      let own = unsafe source.map { unsafe $0 - UnsafeRawPointer(bytes) } ?? -1
      growBytes(to: offset + length)
      if (0..<max(offset, 1)).contains(own) { unsafe source = UnsafeRawPointer(bytes) + own }
    }
    if length > 0, let source = unsafe source {
      unsafe UnsafeMutableRawPointer(bytes + offset).copyMemory(from: source, byteCount: length)
    }
    unsafe writtenBytes = offset + length
    return BytePlace(offset: offset, length: length)
  }

  private func growBytes(to needed: Int) {
    precondition(isOpen, "A sealed page was asked to take bytes.")
    precondition(
      needed <= 0xFFFF_FFFF,
      "The text and blobs of \(rowCapacity) changed rows exceed 4 GiB; save more often.")
    let larger = unsafe max(needed, byteCapacity * 2)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: bytes, count: writtenBytes)
    unsafe bytes.deallocate()
    unsafe bytes = unsafe memory
    unsafe byteCapacity = larger
  }

  /// One bit per slot of a changed row, `layout.nullWords` words; set where the slot changed.
  package func changedSlots(_ index: Int, word: Int) -> UInt64 {
    unsafe changedBits.map { unsafe $0[index * layout.nullWords + word] } ?? 0
  }

  package func noteChange(_ index: Int, slot: Int) {
    unsafe changedBits?[index * layout.nullWords + slot >> 6] |= 1 << UInt64(slot & 63)
  }

  /// Ends the time of change; from here on the page may be shared.
  package func seal() {
    isOpen = false
    bases = []
    unsafe changedBits?.deallocate()
    unsafe changedBits = nil
    unsafe byteCapacity = unsafe writtenBytes
  }
}
