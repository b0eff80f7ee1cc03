// SPDX-License-Identifier: MIT

/// Fills the memory of a ``RowPage``, row by row.
///
/// Start a row, set its slots, start the next; ``finish()`` hands the memory over to the page and
/// leaves the builder empty. A slot not set holds nil.
@safe
public struct RowPageBuilder: ~Copyable {
  public let layout: RowLayout
  public private(set) var count = 0
  /// Bytes of text and blobs written so far.
  public private(set) var byteCount = 0

  private var rows: UnsafeMutableRawPointer
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var byteCapacity: Int

  public init(layout: RowLayout, capacity: Int = 16, byteCapacity: Int = 256) {
    self.layout = layout
    self.capacity = max(1, capacity)
    self.byteCapacity = max(16, byteCapacity)
    unsafe rows = RowPage.allocateRows(self.capacity, layout)
    unsafe bytes = .allocate(capacity: self.byteCapacity)
  }

  deinit {
    unsafe rows.deallocate()
    unsafe bytes.deallocate()
  }

  /// Begins a row all of whose slots are nil. It is valid until the next one is begun.
  @discardableResult @unsafe
  public mutating func beginRow(_ key: RowKey, version: Int64) -> PackedRow {
    if count == capacity { growRows() }
    let row = unsafe PackedRow(rows + count * layout.stride)
    unsafe row.start(as: layout.emptyRow, key, version)
    count += 1
    return unsafe row
  }

  /// Begins a row and leaves it to `set(_:to:)` to fill.
  public mutating func appendRow(_ key: RowKey, version: Int64) {
    unsafe _ = beginRow(key, version: version)
  }

  /// Begins a row that is a copy of one of a page with the same layout.
  public mutating func appendCopy(of index: Int, in page: RowPage) {
    precondition(
      page.layout === layout || page.layout.slots == layout.slots,
      "A row of \(page.layout.rootEntityName) cannot be copied to a page of"
        + " \(layout.rootEntityName).")
    appendRow(page.key(index), version: page.version(index))
    for slot in layout.slots.indices where !page.isNull(index, slot: slot) {
      var word = page.word(index, slot: slot)
      if layout.slots[slot].kind.isBytes {
        let from = BytePlace(rawValue: word)
        word = unsafe append(UnsafeRawPointer(page.byteRegion + from.offset), count: from.length)
          .rawValue
      }
      set(slot, to: word)
    }
  }

  /// Sets a slot of the row begun last to a word that is not nil.
  public mutating func set(_ slot: Int, to word: UInt64) {
    precondition(count > 0, "Begin a row before setting its slots.")
    precondition(
      slot >= 0 && slot < layout.slots.count, "A row has \(layout.slots.count) slots, not \(slot).")
    unsafe PackedRow(rows + (count - 1) * layout.stride).set(slot, to: word, layout.places)
  }

  public mutating func set(_ slot: Int, to number: Int64) {
    set(slot, to: UInt64(bitPattern: number))
  }

  public mutating func set(_ slot: Int, to number: Double) { set(slot, to: number.bitPattern) }

  public mutating func set(_ slot: Int, to key: RowKey) { set(slot, to: key.rawValue) }

  public mutating func set(_ slot: Int, to text: String) {
    var text = text
    let place = text.withUTF8 { utf8 in
      unsafe append(UnsafeRawPointer(utf8.baseAddress), count: utf8.count)
    }
    set(slot, to: place.rawValue)
  }

  public mutating func set(_ slot: Int, to bytes: some Collection<UInt8>) {
    let place =
      bytes.withContiguousStorageIfAvailable { memory in
        unsafe append(UnsafeRawPointer(memory.baseAddress), count: memory.count)
      } ?? appendCopy(of: bytes)
    set(slot, to: place.rawValue)
  }

  private mutating func appendCopy(of bytes: some Collection<UInt8>) -> BytePlace {
    unsafe Array(bytes).withUnsafeBufferPointer { memory in
      unsafe append(UnsafeRawPointer(memory.baseAddress), count: memory.count)
    }
  }

  /// Copies bytes into the page's byte region and returns their place.
  @unsafe
  public mutating func append(_ source: UnsafeRawPointer?, count: Int) -> BytePlace {
    let end = byteCount + BytePlace.lengthSize(count) + count
    // Checked here and not where memory grows, because capacity may exceed what a place can name.
    precondition(
      count >= 0 && end <= 0xFFFF_FFFF,
      "The text and blobs of one page are limited to 4 GiB; save in parts.")
    if end > byteCapacity { growBytes(to: end) }
    let place = unsafe BytePlace.write(count, at: byteCount, in: bytes)
    if count > 0, let source = unsafe source {
      unsafe UnsafeMutableRawPointer(bytes + place.offset).copyMemory(
        from: source, byteCount: count)
    }
    byteCount = end
    return place
  }

  /// The page of all rows so far; the builder is empty afterwards.
  public mutating func finish() -> RowPage {
    let page = unsafe RowPage(
      layout: layout, count: count, byteCount: byteCount, rows: rows, bytes: bytes)
    count = 0
    byteCount = 0
    capacity = 1
    byteCapacity = 16
    unsafe rows = RowPage.allocateRows(1, layout)
    unsafe bytes = .allocate(capacity: 16)
    return page
  }

  private mutating func growRows() {
    let larger = capacity * 2
    let memory = unsafe RowPage.allocateRows(larger, layout)
    unsafe memory.copyMemory(from: rows, byteCount: count * layout.stride)
    unsafe rows.deallocate()
    unsafe rows = unsafe memory
    capacity = larger
  }

  private mutating func growBytes(to needed: Int) {
    let larger = max(needed, byteCapacity * 2)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: bytes, count: byteCount)
    unsafe bytes.deallocate()
    unsafe bytes = memory
    byteCapacity = larger
  }
}
