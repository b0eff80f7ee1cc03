// SPDX-License-Identifier: MIT

/// Rows of one inheritance tree: packed, immutable, and shared by all contexts that show them.
///
/// A page makes a `String` when somebody reads it. A ``RowPageBuilder`` fills pages with a store's
/// rows. A context keeps its changed rows in open pages until it saves them.
@safe
public final class RowPage: @unchecked Sendable {
  // @unchecked: the builder writes the memory before the page exists. In an open page only the context
  // that opened it writes rows. It writes no row any more once it hands the page to its parent, and seals
  // the page when the parent has taken it.
  // @exclusivity(unchecked): no access calls code that could come back to the page, and each check
  // costs as much as setting a value.

  /// The arrangement of the page's rows.
  public let layout: RowLayout
  @exclusivity(unchecked) @usableFromInline final var rowCount: Int
  /// The number of rows.
  @inlinable public final var count: Int { unsafe rowCount }
  @exclusivity(unchecked) final var writtenBytes = 0
  @usableFromInline let rows: UnsafeMutableRawPointer
  /// The offsets of the rows, in a page whose texts and blobs follow their rows; nil in a page that a
  /// context opened, where rows follow each other.
  ///
  /// A text lies next to its row, because the processor then often has both in its cache.
  @usableFromInline let starts: RowStarts?
  /// The address that the offsets of texts and blobs count from: the start of the rows, or of separate
  /// memory in a page that a context opened.
  @exclusivity(unchecked) @usableFromInline package final var bytes: UnsafeMutablePointer<UInt8>
  /// The values outside the page that large slots refer to.
  @exclusivity(unchecked) final var largeValues: [any LargeValue] = []

  // The parts of an open page beyond its values; see `RowPage+Open.swift`.
  @exclusivity(unchecked) private final var takesRows = false
  /// The index of the page's group within the change set that the context built last. The number has no
  /// meaning for other change sets.
  package final var saveGroup = 0
  @exclusivity(unchecked) final var rowCapacity = 0
  @exclusivity(unchecked) final var byteCapacity = 0
  @exclusivity(unchecked) final var arrivedBytes = 0
  @exclusivity(unchecked) final var changedBits: UnsafeMutablePointer<UInt64>?
  package final var bases: [(page: RowPage, index: Int)] = []

  /// Makes a page of complete rows. The texts and blobs of each row follow it.
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

  /// Makes an open page without rows; see `RowPage+Open.swift`.
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
    if unsafe starts == nil { unsafe RowMemory.free(bytes) }
    unsafe RowMemory.free(changedBits)
  }

  package final var isOpen: Bool {
    get { unsafe takesRows }
    set { unsafe takesRows = newValue }
  }

  /// Finds a row. The result is valid while the page lives.
  @inlinable @unsafe
  public func row(_ index: Int) -> PackedRow {
    let start = unsafe starts.map { unsafe $0[index] } ?? index * layout.openRowSize
    return unsafe PackedRow(rows + start)
  }

  /// Finds the index of one of the page's rows.
  package func index(of row: PackedRow) -> Int {
    let start = unsafe row.start - rows
    guard let starts = unsafe starts else { return start / layout.openRowSize }
    return (1..<count).division { unsafe starts[$0] <= start } - 1
  }

  /// The memory of the texts and blobs. It is valid while the page lives and is closed.
  @inlinable @unsafe
  public var byteRegion: ByteRegion {
    unsafe ByteRegion(UnsafePointer(bytes), followsRows: starts != nil)
  }

  /// The address after the last text of a row, in a page whose texts follow their rows.
  func end(of row: PackedRow) -> UnsafeRawPointer {
    guard let last = layout.byteSlots.indices.last else {
      return unsafe UnsafeRawPointer(row.start + layout.rowSize)
    }
    return unsafe UnsafeRawPointer(bytes + row.bytePlace(last, layout.places, byteRegion).end)
  }

  /// The page is closed, its texts and blobs follow their rows, and nothing that belongs to it lies elsewhere.
  package var isWhole: Bool { unsafe starts != nil && !isOpen && largeValues.isEmpty }

  /// The number of bytes of a whole page's rows, and of their offsets.
  package var byteCount: Int {
    guard count > 0 else { return 0 }
    return unsafe end(of: row(count - 1)) - UnsafeRawPointer(rows) + count * 4
  }

  /// The number of bytes that the page holds in memory, but for values outside of it.
  package var memory: Int {
    unsafe starts == nil ? rowCapacity * layout.openRowSize + byteCapacity : byteCount
  }

  /// Reads the key of a row.
  public func key(_ index: Int) -> RowKey {
    checkIndex(index)
    return unsafe row(index).key
  }

  /// Reads the version of a row.
  public func version(_ index: Int) -> Int64 {
    checkIndex(index)
    return unsafe row(index).version
  }

  /// The slot of a row holds nil.
  public func isNull(_ index: Int, slot: Int) -> Bool {
    checkIndex(index)
    checkSlot(slot)
    return unsafe row(index).isNull(slot, layout.places)
  }

  /// Reads the word of a slot that is not nil; see ``PackedRow``.
  public func word(_ index: Int, slot: Int) -> UInt64 {
    checkIndex(index)
    checkSlot(slot)
    return unsafe row(index).word(slot, layout.places, byteRegion)
  }

  /// Reads the text of a slot; nil if the slot is nil.
  public func text(_ index: Int, slot: Int) -> String? {
    unsafe withBytes(index, slot: slot) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a text or blob slot, unless the slot is nil.
  ///
  /// The function traps on a large slot, whose bytes may lie outside the page; see `data(_:slot:)`.
  public func withBytes<Output>(
    _ index: Int, slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Output
  ) -> Output? {
    guard !isNull(index, slot: slot) else { return nil }
    precondition(
      !layout.isLarge(slot),
      "The bytes of slot \(slot) may lie outside the page; read them with data(_:slot:).")
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
