// SPDX-License-Identifier: MIT

/// Fills the memory of a ``RowPage``, row by row.
///
/// Start a row, set its slots, start the next; ``finish()`` hands the memory over to the page and
/// leaves the builder empty. A slot not set holds nil.
@safe
public struct RowPageBuilder: ~Copyable {
  public let layout: RowLayout
  public private(set) var count = 0
  /// Where the row begun last begins.
  @usableFromInline var lastStart = 0
  /// Bytes of rows, texts and blobs so far.
  public private(set) var byteCount = 0

  @usableFromInline var memory: UnsafeMutableRawPointer
  private var byteCapacity: Int
  private var starts: UnsafeMutablePointer<UInt32>
  private var capacity: Int

  /// A builder with room for so many rows, and for so many bytes of rows, texts and blobs.
  public init(layout: RowLayout, capacity: Int = 1, byteCapacity: Int = 0) {
    self.layout = layout
    self.capacity = max(1, capacity)
    self.byteCapacity = max(
      byteCapacity, self.capacity * (layout.stride + 16 * layout.byteSlots.count))
    unsafe memory = RowMemory.allocate(self.byteCapacity)
    unsafe starts = Self.resize(nil, to: self.capacity)
  }

  deinit {
    unsafe RowMemory.free(memory)
    unsafe RowMemory.free(starts)
  }

  private static func resize(
    _ starts: UnsafeMutablePointer<UInt32>?, to capacity: Int
  ) -> UnsafeMutablePointer<UInt32> {
    unsafe RowMemory.resize(starts, to: capacity * 4).assumingMemoryBound(to: UInt32.self)
  }

  /// Begins a row all of whose slots are nil.
  public mutating func appendRow(_ key: RowKey, version: Int64) {
    if count == capacity { growRows() }
    let start = byteCount
    reserve(start + layout.stride)
    unsafe starts[count] = UInt32(truncatingIfNeeded: start)
    count += 1
    lastStart = start
    byteCount = start + layout.stride
    unsafe lastRow.start(as: layout.emptyRow, key, version)
  }

  /// The row begun last. It is valid until bytes are appended or another row is begun.
  @inlinable @unsafe
  package var lastRow: PackedRow { unsafe PackedRow(memory + lastStart) }

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
    unsafe lastRow.set(slot, to: word, layout.places)
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

  /// Copies bytes behind the row begun last and returns their place.
  @unsafe
  public mutating func append(_ source: UnsafeRawPointer?, count: Int) -> BytePlace {
    precondition(self.count > 0, "Begin a row before adding bytes to it.")
    precondition(count >= 0, "\(count) is no number of bytes.")
    let end = byteCount + BytePlace.lengthSize(count) + count
    reserve(end)
    let place = unsafe BytePlace.write(
      count, at: byteCount, in: memory.assumingMemoryBound(to: UInt8.self))
    if count > 0, let source = unsafe source {
      unsafe (memory + place.offset).copyMemory(from: source, byteCount: count)
    }
    byteCount = end
    return place
  }

  /// The page of all rows so far; the builder is empty afterwards.
  public mutating func finish() -> RowPage {
    // What is kept for long should not be larger than it is.
    if byteCapacity - byteCount > Self.tolerance { move(to: byteCount) }
    let starts = unsafe RowStarts(starts, count: count, byteCount: byteCount)
    let page = unsafe RowPage(layout: layout, rows: memory, starts: starts, count: count)
    (count, byteCount, capacity, byteCapacity) = (0, 0, 0, 0)
    unsafe memory = RowMemory.allocate(0)
    unsafe self.starts = Self.resize(nil, to: 0)
    return page
  }

  private mutating func growRows() {
    capacity = max(1, capacity * 2)
    unsafe starts = Self.resize(starts, to: capacity)
  }

  private mutating func reserve(_ end: Int) {
    guard end > byteCapacity else { return }
    // Checked here, as capacity never exceeds what a place can name.
    precondition(end <= Self.limit, "One page is limited to 4 GiB; save in parts.")
    move(to: min(max(end, byteCapacity * 2), Self.limit))
  }

  private static let limit = 0xFFFF_FFFF
  private static let tolerance = 64

  private mutating func move(to capacity: Int) {
    unsafe memory = RowMemory.resize(memory, to: capacity)
    byteCapacity = capacity
  }
}
