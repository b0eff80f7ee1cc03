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
  /// How many of its texts and blobs are there, in the order of their slots.
  private var lastTexts = 0
  /// Bytes of rows, texts and blobs so far.
  public private(set) var byteCount = 0

  /// What large slots of the rows refer to.
  var largeValues: [any LargeValue] = []

  @usableFromInline var memory: UnsafeMutableRawPointer
  private var byteCapacity: Int
  private var starts: UnsafeMutablePointer<UInt32>
  private var capacity: Int

  /// A builder with room for so many rows, and for so many bytes of rows, texts and blobs.
  public init(layout: RowLayout, capacity: Int = 1, byteCapacity: Int = 0) {
    self.layout = layout
    self.capacity = max(1, capacity)
    self.byteCapacity = max(
      byteCapacity, self.capacity * (layout.rowSize + 16 * layout.byteSlots.count))
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
    endRow()
    if count == capacity { growRows() }
    let start = byteCount
    reserve(start + textStart)
    unsafe starts[count] = UInt32(truncatingIfNeeded: start)
    count += 1
    lastStart = start
    lastTexts = 0
    byteCount = start + textStart
    unsafe lastRow.start(as: layout.emptyRow, key, version)
  }

  /// The row begun last. It is valid until a text or blob is set or another row is begun.
  @inlinable @unsafe
  package var lastRow: PackedRow { unsafe PackedRow(memory + lastStart) }

  /// Begins a row that is a copy of one of a page with the same layout.
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

  /// Sets a slot of the row begun last to a word that is not nil; texts and blobs are set as bytes.
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

  public mutating func set(_ slot: Int, to number: Int64) {
    set(slot, to: UInt64(bitPattern: number))
  }

  public mutating func set(_ slot: Int, to number: Double) { set(slot, to: number.bitPattern) }

  public mutating func set(_ slot: Int, to key: RowKey) { set(slot, to: key.rawValue) }

  public mutating func set(_ slot: Int, to text: String) {
    var text = text
    text.withUTF8 { unsafe setBytes(slot, UnsafeRawBufferPointer($0)) }
  }

  public mutating func set(_ slot: Int, to bytes: some Collection<UInt8>) {
    let isSet: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe setBytes(slot, UnsafeRawBufferPointer($0))
    }
    if isSet == nil {
      unsafe Array(bytes).withUnsafeBytes { unsafe setBytes(slot, $0) }
    }
  }

  /// Sets a text or blob of the row begun last.
  @unsafe
  public mutating func setBytes(_ slot: Int, _ source: UnsafeRawBufferPointer) {
    if layout.isLarge(slot) {
      unsafe setLarge(slot, source)
    } else {
      unsafe setForm(slot, source)
    }
  }

  /// Sets what lies in the page for a text or blob.
  @unsafe
  mutating func setForm(_ slot: Int, _ source: UnsafeRawBufferPointer) {
    let place = place(of: slot)
    precondition(place.form == .bytes, "Slot \(slot) holds a word and no bytes.")
    if place.start >= lastTexts {
      if place.start > lastTexts { fillTexts(to: place.start) }
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

  /// Writes over a text of the row begun last, and moves those behind it.
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
    for leap in number / BytePlace.leap..<(lastTexts - 1) / BytePlace.leap {
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

  /// Counts one text more, which begins here.
  @inline(__always)
  private mutating func beginText() {
    if lastTexts > 0 && lastTexts % BytePlace.leap == 0 {
      unsafe PackedRow.writePlace(
        byteCount - lastStart, lastTexts / BytePlace.leap - 1,
        in: lastRow.start + layout.rowSize)
    }
    lastTexts += 1
  }

  /// Empty texts for those that were not set before so many others.
  private mutating func fillTexts(to number: Int) {
    reserve(byteCount + number - lastTexts)
    while lastTexts < number {
      beginText()
      unsafe _ = BytePlace.write(0, at: byteCount, in: bytes)
      byteCount += 1
    }
  }

  private var textStart: Int { unsafe layout.places.textStart }

  private mutating func endRow() {
    let texts = layout.byteSlots.count
    if count > 0 && lastTexts < texts { fillTexts(to: texts) }
  }

  private var bytes: UnsafeMutablePointer<UInt8> {
    unsafe memory.assumingMemoryBound(to: UInt8.self)
  }

  /// The page of all rows so far; the builder is empty afterwards.
  public mutating func finish() -> RowPage {
    endRow()
    // What is kept for long should not be larger than it is.
    if byteCapacity - byteCount > Self.tolerance { move(to: byteCount) }
    let starts = unsafe RowStarts(starts, count: count, byteCount: byteCount)
    let page = unsafe RowPage(layout: layout, rows: memory, starts: starts, count: count)
    unsafe page.largeValues = largeValues
    largeValues = []
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
    precondition(
      end <= Self.limit,
      "The rows of one page exceed 4 GiB, where a row of a store holds one at most.")
    move(to: min(max(end, byteCapacity * 2), Self.limit))
  }

  private static let limit = 0xFFFF_FFFF
  private static let tolerance = 64

  private mutating func move(to capacity: Int) {
    unsafe memory = RowMemory.resize(memory, to: capacity)
    byteCapacity = capacity
  }
}
