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
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
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
    layout: RowLayout, count: Int, byteCount: Int, words: UnsafeMutablePointer<UInt64>,
    bytes: UnsafeMutablePointer<UInt8>
  ) {
    self.layout = layout
    self.count = count
    unsafe writtenBytes = byteCount
    unsafe self.words = words
    unsafe self.bytes = bytes
    unsafe changedBits = nil
  }

  deinit {
    unsafe words.deallocate()
    unsafe bytes.deallocate()
    unsafe changedBits?.deallocate()
  }

  /// The words of one row; see ``RowLayout`` for their meaning. Valid while the page lives.
  @inlinable @unsafe
  public func row(_ index: Int) -> UnsafePointer<UInt64> {
    unsafe UnsafePointer(words + index * layout.stride)
  }

  /// Which of the page's rows the words are.
  package func index(of row: UnsafePointer<UInt64>) -> Int {
    unsafe (row - UnsafePointer(words)) / layout.stride
  }

  /// The region text and blobs lie in. Valid while the page lives and is not open.
  @inlinable @unsafe
  public var byteRegion: UnsafePointer<UInt8> { unsafe UnsafePointer(bytes) }

  public func key(_ index: Int) -> RowKey {
    checkIndex(index)
    return unsafe RowKey(rawValue: row(index)[0])
  }

  public func version(_ index: Int) -> Int64 {
    checkIndex(index)
    return unsafe Int64(bitPattern: row(index)[1])
  }

  public func isNull(_ index: Int, slot: Int) -> Bool {
    checkIndex(index)
    checkSlot(slot)
    return unsafe row(index)[2 + slot >> 6] & (1 << UInt64(slot & 63)) != 0
  }

  public func word(_ index: Int, slot: Int) -> UInt64 {
    checkIndex(index)
    checkSlot(slot)
    return unsafe row(index)[layout.firstSlotWord + slot]
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

/// Where text or a blob lies in the byte region of its page.
@frozen
public struct BytePlace: Hashable, Sendable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  @inlinable
  public init(offset: Int, length: Int) {
    rawValue = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) << 32
  }

  @inlinable public var offset: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
  @inlinable public var length: Int { Int(truncatingIfNeeded: rawValue >> 32) }
}
