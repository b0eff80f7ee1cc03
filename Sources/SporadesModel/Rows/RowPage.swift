// SPDX-License-Identifier: MIT

/// Rows of one inheritance tree as a store gave them or a save made them: packed, immutable, shared
/// by every context that shows them.
///
/// No `String` is made until someone reads it. Building is ``RowPageBuilder``'s business, or a
/// context's, whose changed rows lie in pages that stay open until they are saved.
@safe
public final class RowPage: @unchecked Sendable {
  // @unchecked: memory is written by the builder before the page exists, or by the one context that
  // opened the page, which seals it before another context or a store sees it.
  // @exclusivity(unchecked): no access calls anything that could come back to the page, and each
  // check costs as much as setting a value.
  public let layout: RowLayout
  @exclusivity(unchecked) @usableFromInline final var rowCount: Int
  @inlinable public final var count: Int { unsafe rowCount }
  @exclusivity(unchecked) final var writtenBytes = 0
  @usableFromInline let rows: UnsafeMutableRawPointer
  /// Where each row begins, in a page whose rows are followed by their texts and blobs: who reads a
  /// text has its row at hand, and the next bytes of memory with it. In pages that were open, rows
  /// follow each other.
  @usableFromInline let starts: RowStarts?
  /// What places of texts and blobs count from: the rows', or a region of their own in pages that were
  /// open.
  @exclusivity(unchecked) @usableFromInline package final var bytes: UnsafeMutablePointer<UInt8>
  /// What large slots refer to.
  @exclusivity(unchecked) final var largeValues: [any LargeValue] = []

  // What an open page has beyond its values; see `RowPage+Open.swift`.
  @exclusivity(unchecked) private final var takesRows = false
  /// Which part of the save that was made last has the page's rows; another save's number means
  /// nothing.
  package final var saveGroup = 0
  @exclusivity(unchecked) final var rowCapacity = 0
  @exclusivity(unchecked) final var byteCapacity = 0
  @exclusivity(unchecked) final var arrivedBytes = 0
  @exclusivity(unchecked) final var changedBits: UnsafeMutablePointer<UInt64>?
  package final var bases: [(page: RowPage, index: Int)] = []

  /// A page of rows that are complete, each before its texts and blobs.
  init(
    layout: RowLayout, rows: UnsafeMutableRawPointer, starts: RowStarts, count: Int
  ) {
    self.layout = layout
    unsafe rowCount = count
    unsafe self.rows = rows
    unsafe self.starts = starts
    unsafe bytes = rows.assumingMemoryBound(to: UInt8.self)
    unsafe changedBits = nil
  }

  /// A page without rows, which has room for some; see `RowPage+Open.swift`.
  init(layout: RowLayout, capacity: Int, byteCapacity: Int) {
    self.layout = layout
    unsafe rowCount = 0
    unsafe rows = RowMemory.allocate(capacity * layout.openRowSize)
    unsafe starts = nil
    unsafe bytes = RowMemory.allocate(byteCapacity).assumingMemoryBound(to: UInt8.self)
    unsafe changedBits = nil
    unsafe rowCapacity = capacity
    unsafe self.byteCapacity = byteCapacity
    isOpen = true
  }

  deinit {
    unsafe RowMemory.free(rows)
    if let starts = unsafe starts {
      unsafe RowMemory.free(starts.memory)
    } else {
      unsafe RowMemory.free(bytes)
    }
    unsafe RowMemory.free(changedBits)
  }

  package final var isOpen: Bool {
    get { unsafe takesRows }
    set { unsafe takesRows = newValue }
  }

  /// One row. Valid while the page lives.
  @inlinable @unsafe
  public func row(_ index: Int) -> PackedRow {
    let start = unsafe starts.map { unsafe $0[index] } ?? index * layout.openRowSize
    return unsafe PackedRow(rows + start)
  }

  /// Which of the page's rows it is.
  package func index(of row: PackedRow) -> Int {
    let start = unsafe row.start - rows
    guard let starts = unsafe starts else { return start / layout.openRowSize }
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if unsafe starts[middle] <= start { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Where the texts and blobs lie. Valid while the page lives and is not open.
  @inlinable @unsafe
  public var byteRegion: ByteRegion {
    unsafe ByteRegion(UnsafePointer(bytes), followsRows: starts != nil)
  }

  /// Behind a row of a page that was read, and behind its texts and blobs.
  func end(of row: PackedRow) -> UnsafeRawPointer {
    guard let last = layout.byteSlots.indices.last else {
      return unsafe UnsafeRawPointer(row.start + layout.rowSize)
    }
    return unsafe UnsafeRawPointer(bytes + row.bytePlace(last, layout.places, byteRegion).end)
  }

  public func key(_ index: Int) -> RowKey {
    checkIndex(index)
    return unsafe row(index).key
  }

  public func version(_ index: Int) -> Int64 {
    checkIndex(index)
    return unsafe row(index).version
  }

  public func isNull(_ index: Int, slot: Int) -> Bool {
    checkIndex(index)
    checkSlot(slot)
    return unsafe row(index).isNull(slot, layout.places)
  }

  /// The word of a slot that is not null; see ``PackedRow``.
  public func word(_ index: Int, slot: Int) -> UInt64 {
    checkIndex(index)
    checkSlot(slot)
    return unsafe row(index).word(slot, layout.places, byteRegion)
  }

  /// The text of a slot, nil where it is null.
  public func text(_ index: Int, slot: Int) -> String? {
    unsafe withBytes(index, slot: slot) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a text or blob slot, unless it is null. The bytes of a large slot
  /// may lie elsewhere; see `data(_:slot:)`.
  public func withBytes<Output>(
    _ index: Int, slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Output
  ) -> Output? {
    guard !isNull(index, slot: slot) else { return nil }
    precondition(!layout.isLarge(slot), "The bytes of slot \(slot) may lie elsewhere.")
    let place = BytePlace(rawValue: word(index, slot: slot))
    return unsafe body(byteRegion[place].bindMemory(to: UInt8.self))
  }

  private func checkIndex(_ index: Int) {
    precondition(index >= 0 && index < count, "The page has \(count) rows, not row \(index).")
  }

  private func checkSlot(_ slot: Int) {
    precondition(
      slot >= 0 && slot < layout.slots.count, "A row has \(layout.slots.count) slots, not \(slot).")
  }
}
