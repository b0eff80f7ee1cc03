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
  public let layout: RowLayout
  public package(set) final var count: Int
  @exclusivity(unchecked) final var writtenBytes: Int
  public var byteCount: Int { unsafe writtenBytes }
  @usableFromInline let rows: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline package final var bytes: UnsafeMutablePointer<UInt8>

  // What an open page has beyond its values; see `RowPage+Open.swift`.
  package final var isOpen = false
  /// Which part of the save that was made last has the page's rows; another save's number means
  /// nothing.
  package final var saveGroup = 0
  final var rowCapacity = 0
  @exclusivity(unchecked) final var byteCapacity = 0
  @exclusivity(unchecked) final var changedBits: UnsafeMutablePointer<UInt64>?
  package final var bases: [(page: RowPage, index: Int)] = []

  init(
    layout: RowLayout, count: Int, byteCount: Int, rows: UnsafeMutableRawPointer,
    bytes: UnsafeMutablePointer<UInt8>
  ) {
    self.layout = layout
    self.count = count
    unsafe writtenBytes = byteCount
    unsafe self.rows = rows
    unsafe self.bytes = bytes
    unsafe changedBits = nil
  }

  deinit {
    unsafe rows.deallocate()
    unsafe bytes.deallocate()
    unsafe changedBits?.deallocate()
  }

  /// Memory for rows, each of which should lie in few cache lines.
  static func allocateRows(_ count: Int, _ layout: RowLayout) -> UnsafeMutableRawPointer {
    .allocate(byteCount: count * layout.stride, alignment: 64)
  }

  /// One row. Valid while the page lives.
  @inlinable @unsafe
  public func row(_ index: Int) -> PackedRow { unsafe PackedRow(rows + index * layout.stride) }

  /// Which of the page's rows it is.
  package func index(of row: PackedRow) -> Int { unsafe (row.start - rows) / layout.stride }

  /// The region text and blobs lie in. Valid while the page lives and is not open.
  @inlinable @unsafe
  public var byteRegion: UnsafePointer<UInt8> { unsafe UnsafePointer(bytes) }

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
    return unsafe row(index).word(slot, layout.places, bytes)
  }

  /// The text of a slot, nil where it is null.
  public func text(_ index: Int, slot: Int) -> String? {
    unsafe withBytes(index, slot: slot) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a text or blob slot, unless it is null.
  public func withBytes<Output>(
    _ index: Int, slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Output
  ) -> Output? {
    guard !isNull(index, slot: slot) else { return nil }
    let place = BytePlace(rawValue: word(index, slot: slot))
    return unsafe body(
      UnsafeBufferPointer(start: UnsafePointer(bytes + place.offset), count: place.length))
  }

  private func checkIndex(_ index: Int) {
    precondition(index >= 0 && index < count, "The page has \(count) rows, not row \(index).")
  }

  private func checkSlot(_ slot: Int) {
    precondition(
      slot >= 0 && slot < layout.slots.count, "A row has \(layout.slots.count) slots, not \(slot).")
  }
}
