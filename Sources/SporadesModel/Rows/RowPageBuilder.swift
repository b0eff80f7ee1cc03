// SPDX-License-Identifier: MIT

/// Fills the memory of a ``RowPage``, row by row.
///
/// Begin a row, set its slots, begin the next row. ``finish()`` hands the memory over to a page and
/// leaves the builder empty. A slot that is not set holds nil.
@safe
public struct RowPageBuilder: ~Copyable {
  /// The arrangement of the rows.
  public let layout: RowLayout
  /// The number of rows so far.
  public private(set) var count = 0
  /// The offset of the last row.
  @usableFromInline var lastStart = 0
  /// The number of texts and blobs that the last row has so far, in the order of their slots.
  private var lastTextCount = 0
  /// The number of bytes of rows, texts and blobs so far.
  public private(set) var byteCount = 0

  /// The values outside the page that large slots refer to.
  var largeValues: [any LargeValue] = []

  /// Nil after the memory went to a page.
  @usableFromInline var block: UnsafeMutableRawPointer?
  private var byteCapacity: Int
  /// The offsets of the rows; nil while there is no room for more than one row, which begins at 0.
  private var starts: UnsafeMutablePointer<UInt32>?
  private var capacity: Int

  /// Makes a builder with room for a number of rows, and for a number of bytes of rows, texts and blobs.
  public init(layout: RowLayout, capacity: Int = 1, byteCapacity: Int = 0) {
    self.layout = layout
    self.capacity = max(1, capacity)
    // A single row gets room for texts of usual length, because growing costs more than the row.
    let room = self.capacity == 1 ? 32 : 16
    self.byteCapacity = max(
      byteCapacity, self.capacity * (layout.rowSize + room * layout.byteSlots.count))
    unsafe block = RowMemory.allocate(self.byteCapacity)
    unsafe starts = nil
    if self.capacity > 1 { resizeStarts() }
  }

  deinit {
    unsafe RowMemory.free(block)
    unsafe RowMemory.free(starts)
  }

  private mutating func resizeStarts() {
    let isFirst = unsafe starts == nil
    let memory = unsafe RowMemory.resize(starts, to: capacity * 4)
    unsafe starts = memory.assumingMemoryBound(to: UInt32.self)
    if isFirst { unsafe starts?[0] = 0 }
  }

  @inlinable var memory: UnsafeMutableRawPointer { unsafe block.unsafelyUnwrapped }

  /// Begins a row whose slots are nil.
  public mutating func appendRow(_ key: RowKey, version: Int64) {
    endRow()
    if count == capacity { growRows() }
    let start = byteCount
    reserve(start + textStart)
    if count > 0 { unsafe starts?[count] = UInt32(truncatingIfNeeded: start) }
    count += 1
    lastStart = start
    lastTextCount = 0
    byteCount = start + textStart
    unsafe lastRow.write(layout.emptyRow, key, version)
  }

  /// The last row. The pointer is valid until the builder sets a text or blob or begins another row.
  @inlinable @unsafe
  package var lastRow: PackedRow { unsafe PackedRow(memory + lastStart) }

  /// Begins a row as a copy of a row of a page with the same layout.
  public mutating func appendCopy(of index: Int, in page: RowPage) {
    precondition(
      page.layout === layout || page.layout.slots == layout.slots,
      "A row of \(page.layout.rootEntityName) cannot be copied to a page of"
        + " \(layout.rootEntityName).")
    appendRow(page.key(index), version: page.version(index))
    unsafe lastRow.start.copyMemory(from: page.row(index).start, byteCount: layout.rowSize)
    for slot in layout.byteSlots {
      if layout.isLarge(slot) {
        copyLarge(slot, of: index, in: page)
      } else {
        unsafe page.withBytes(index, slot: slot) {
          unsafe setBytes(slot, UnsafeRawBufferPointer($0))
        }
      }
    }
  }

  /// Appends a row of a whole page with the same layout, as it is.
  package mutating func appendWhole(_ index: Int, of page: RowPage) {
    precondition(
      page.layout === layout && page.isWhole && index < page.count,
      "Only a row of a whole page of \(layout.rootEntityName) can be copied as it is.")
    endRow()
    if count == capacity { growRows() }
    let row = unsafe page.row(index).start
    let size = unsafe page.end(of: page.row(index)) - UnsafeRawPointer(row)
    let start = byteCount
    reserve(start + size)
    if count > 0 { unsafe starts?[count] = UInt32(truncatingIfNeeded: start) }
    count += 1
    lastStart = start
    lastTextCount = layout.byteSlots.count
    byteCount = start + size
    unsafe (memory + start).copyMemory(from: row, byteCount: size)
  }

  /// Sets a slot of the last row to a word. Texts and blobs are set as bytes instead.
  public mutating func set(_ slot: Int, to word: UInt64) {
    let place = place(of: slot)
    precondition(place.form != .bytes, "Slot \(slot) holds a text or blob; set its bytes.")
    unsafe lastRow.set(slot, to: word, layout.places)
  }

  private func place(of slot: Int) -> SlotPlace {
    precondition(count > 0, "Begin a row before setting its slots.")
    precondition(
      slot >= 0 && slot < layout.slots.count, "A row has \(layout.slots.count) slots, not \(slot).")
    return unsafe layout.places.places[slot]
  }

  /// Sets a slot of the last row to a whole number.
  public mutating func set(_ slot: Int, to number: Int64) {
    set(slot, to: UInt64(bitPattern: number))
  }

  /// Sets a slot of the last row to a floating-point number. A row has no negative zero, because a column has none.
  public mutating func set(_ slot: Int, to number: Double) {
    set(slot, to: (number + 0).bitPattern)
  }

  /// Sets a slot of the last row to the key of another row.
  public mutating func set(_ slot: Int, to key: RowKey) { set(slot, to: key.rawValue) }

  /// Sets a slot of the last row to a text.
  public mutating func set(_ slot: Int, to text: String) {
    var text = text
    text.withUTF8 { unsafe setBytes(slot, UnsafeRawBufferPointer($0)) }
  }

  /// Sets a slot of the last row to bytes.
  public mutating func set(_ slot: Int, to bytes: some Collection<UInt8>) {
    let isSet: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe setBytes(slot, UnsafeRawBufferPointer($0))
    }
    if isSet == nil {
      unsafe Array(bytes).withUnsafeBytes { unsafe setBytes(slot, $0) }
    }
  }

  /// Sets a text or blob of the last row to the bytes in a buffer.
  @unsafe
  public mutating func setBytes(_ slot: Int, _ source: UnsafeRawBufferPointer) {
    if layout.isLarge(slot) {
      unsafe setLarge(slot, source)
    } else {
      unsafe setForm(slot, source)
    }
  }

  /// Writes the bytes that the page itself holds for a text or blob.
  @unsafe
  mutating func setForm(_ slot: Int, _ source: UnsafeRawBufferPointer) {
    let place = place(of: slot)
    precondition(place.form == .bytes, "Slot \(slot) holds a word; set no bytes.")
    if place.start >= lastTextCount {
      if place.start > lastTextCount { appendEmptyTexts(to: place.start) }
      beginText()
      let start = byteCount
      byteCount = start + BytePlace.lengthSize(source.count) + source.count
      reserve(byteCount)
      unsafe write(source, at: start)
    } else {
      unsafe replaceText(place.start, by: source)
    }
    unsafe lastRow.setPresent(slot, layout.places)
  }

  /// Writes over a text of the last row, and moves the texts after it.
  private mutating func replaceText(_ number: Int, by source: UnsafeRawBufferPointer) {
    let region = unsafe ByteRegion(bytes, followsRows: true)
    let former = unsafe lastRow.bytePlace(number, layout.places, region)
    let start = former.offset - BytePlace.lengthSize(former.length)
    let end = start + BytePlace.lengthSize(source.count) + source.count
    let growth = end - former.end
    reserve(byteCount + growth)
    unsafe (memory + end).copyMemory(
      from: memory + former.end, byteCount: byteCount - former.end)
    byteCount += growth
    let leaps = unsafe lastRow.start + layout.rowSize
    for leap in number / BytePlace.leap..<(lastTextCount - 1) / BytePlace.leap {
      let moved = unsafe PackedRow.readPlace(leap, in: leaps) + growth
      unsafe PackedRow.writePlace(moved, leap, in: leaps)
    }
    unsafe write(source, at: start)
  }

  @inline(__always)
  private func write(_ source: UnsafeRawBufferPointer, at start: Int) {
    let place = unsafe BytePlace.write(source.count, at: start, in: bytes)
    if let content = source.baseAddress, place.length > 0 {
      unsafe (memory + place.offset).copyMemory(from: content, byteCount: place.length)
    }
  }

  /// Counts a text that begins at the end of the memory in use.
  @inline(__always)
  private mutating func beginText() {
    if lastTextCount > 0 && lastTextCount % BytePlace.leap == 0 {
      unsafe PackedRow.writePlace(
        byteCount - lastStart, lastTextCount / BytePlace.leap - 1,
        in: lastRow.start + layout.rowSize)
    }
    lastTextCount += 1
  }

  /// Appends empty texts for slots that are not set, until the row has a number of texts.
  private mutating func appendEmptyTexts(to number: Int) {
    reserve(byteCount + number - lastTextCount)
    while lastTextCount < number {
      beginText()
      unsafe _ = BytePlace.write(0, at: byteCount, in: bytes)
      byteCount += 1
    }
  }

  private var textStart: Int { unsafe layout.places.textStart }

  private mutating func endRow() {
    let texts = layout.byteSlots.count
    if count > 0 && lastTextCount < texts { appendEmptyTexts(to: texts) }
  }

  private var bytes: UnsafeMutablePointer<UInt8> {
    unsafe memory.assumingMemoryBound(to: UInt8.self)
  }

  /// Makes a page of all rows so far, and leaves the builder empty.
  public mutating func finish() -> RowPage {
    endRow()
    let size = unsafe RowStarts.blockSize(count: count, byteCount: byteCount)
    // A page may live long, so it should not keep memory that it does not use.
    if unsafe block == nil || byteCapacity < size || byteCapacity - size > Self.largestWaste {
      move(to: size)
    }
    let starts = unsafe RowStarts(starts, count: count, byteCount: byteCount, into: memory)
    let page = unsafe RowPage(layout: layout, rows: memory, starts: starts, count: count)
    if !largeValues.isEmpty {
      unsafe page.largeValues = largeValues
      largeValues = []
    }
    unsafe RowMemory.free(self.starts)
    (count, byteCount, capacity, byteCapacity) = (0, 0, 0, 0)
    unsafe block = nil
    unsafe self.starts = nil
    return page
  }

  private mutating func growRows() {
    capacity = max(1, capacity * 2)
    if capacity > 1 { resizeStarts() }
  }

  private mutating func reserve(_ end: Int) {
    guard end > byteCapacity else { return }
    // The capacity never exceeds the reach of an offset, so this check covers all writes.
    precondition(
      end <= Self.limit,
      "The rows of one page exceed 4 GiB; a row of a store holds 1 GiB at most.")
    move(to: min(max(end, byteCapacity * 2), Self.limit))
  }

  private static let limit = 0xFFFF_FFFF
  private static let largestWaste = 96

  private mutating func move(to capacity: Int) {
    unsafe block = RowMemory.resize(block, to: capacity)
    byteCapacity = capacity
  }
}
