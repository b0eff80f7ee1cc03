// SPDX-License-Identifier: MIT

/// A pointer to one row in the memory of a ``RowPage``. It is valid while the page lives.
///
/// Code reads and sets every slot as a word: a truth value as 0 or 1, a text or blob as its
/// ``BytePlace``. Numbers, dates and references have the same offset in all rows of a layout. The page
/// gives the places of texts and blobs by its ``ByteRegion``.
@frozen @unsafe
public struct PackedRow {
  @usableFromInline let start: UnsafeMutableRawPointer

  @inlinable
  init(_ start: UnsafeMutableRawPointer) { unsafe self.start = unsafe start }

  /// The key of the row.
  @inlinable public var key: RowKey {
    get { unsafe RowKey(rawValue: start.loadUnaligned(as: UInt64.self)) }
    nonmutating set { unsafe start.storeBytes(of: newValue.rawValue, as: UInt64.self) }
  }

  /// The number that the store increases with each write of the row, up to
  /// ``RowLayout/largestVersion``.
  @inlinable public var version: Int64 {
    get {
      let low = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
      let high = unsafe start.loadUnaligned(fromByteOffset: 12, as: UInt16.self)
      return Int64(high) << 32 | Int64(low)
    }
    nonmutating set {
      unsafe start.storeBytes(
        of: UInt32(truncatingIfNeeded: newValue), toByteOffset: 8, as: UInt32.self)
      unsafe start.storeBytes(
        of: UInt16(truncatingIfNeeded: newValue >> 32), toByteOffset: 12, as: UInt16.self)
    }
  }

  /// Writes a whole row. The slots have the form of ``RowLayout/emptyRow``.
  func write(_ slots: [UInt8], _ key: RowKey, _ version: Int64) {
    unsafe self.key = key
    unsafe self.version = version
    unsafe slots.withUnsafeBytes {
      unsafe (start + RowLayout.headSize).copyMemory(
        from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
    }
  }

  /// The slot holds nil.
  @inlinable
  public func isNull(_ slot: Int, _ slots: SlotPlaces) -> Bool {
    unsafe nulls(slot, slots).pointee & Self.bit(slot) != 0
  }

  /// Reads the word of a slot that is not nil.
  @inlinable
  public func word(_ slot: Int, _ slots: SlotPlaces, _ region: ByteRegion) -> UInt64 {
    let place = unsafe slots.places[slot]
    guard place.form == .bytes else { return unsafe word(at: place) }
    return unsafe bytePlace(place.start, slots, region).rawValue
  }

  /// Finds the place of a text or blob, by the number of texts and blobs before it in the row.
  @inlinable
  func bytePlace(_ number: Int, _ slots: SlotPlaces, _ region: ByteRegion) -> BytePlace {
    let places = unsafe start + slots.rowSize
    guard unsafe region.followsRows else {
      return unsafe BytePlace(at: Self.readPlace(number, in: places), in: region.start)
    }
    let leaps = number / BytePlace.leap
    let first = unsafe leaps == 0 ? slots.textStart : Self.readPlace(leaps - 1, in: places)
    let own = unsafe UnsafeRawPointer(start) - UnsafeRawPointer(region.start)
    var place = unsafe BytePlace(at: own + first, in: region.start)
    for _ in 0..<number % BytePlace.leap {
      place = unsafe BytePlace(at: place.end, in: region.start)
    }
    return place
  }

  /// Reads one of the offsets that follow a row.
  @inlinable
  static func readPlace(_ number: Int, in places: UnsafeMutableRawPointer) -> Int {
    Int(unsafe places.loadUnaligned(fromByteOffset: number * BytePlace.storedSize, as: UInt32.self))
  }

  @inlinable
  static func writePlace(_ place: Int, _ number: Int, in places: UnsafeMutableRawPointer) {
    unsafe places.storeBytes(
      of: UInt32(truncatingIfNeeded: place), toByteOffset: number * BytePlace.storedSize,
      as: UInt32.self)
  }

  /// Reads the word of a slot that is not nil and holds neither text nor blob.
  @inlinable
  public func word(_ slot: Int, _ slots: SlotPlaces) -> UInt64 {
    unsafe word(at: slots.places[slot])
  }

  @inlinable
  func word(at place: SlotPlace) -> UInt64 {
    place.form == .word
      ? unsafe start.loadUnaligned(fromByteOffset: place.start, as: UInt64.self)
      : UInt64(unsafe start.load(fromByteOffset: place.start, as: UInt8.self))
  }

  /// Sets a slot to a word. The slot of a text or blob can be set in an open page only.
  @inlinable
  public func set(_ slot: Int, to word: UInt64, _ slots: SlotPlaces) {
    unsafe store(word, slot, slots)
    unsafe setPresent(slot, slots)
  }

  /// Sets a slot to nil.
  public func setNull(_ slot: Int, _ slots: SlotPlaces) {
    // Rows with equal values must have equal bytes, apart from texts and blobs.
    unsafe store(0, slot, slots)
    unsafe nulls(slot, slots).pointee |= Self.bit(slot)
  }

  @inlinable
  func store(_ word: UInt64, _ slot: Int, _ slots: SlotPlaces) {
    let place = unsafe slots.places[slot]
    switch place.form {
    case .word: unsafe start.storeBytes(of: word, toByteOffset: place.start, as: UInt64.self)
    case .truth:
      unsafe start.storeBytes(of: word == 0 ? 0 : 1, toByteOffset: place.start, as: UInt8.self)
    case .bytes:
      let stored = BytePlace(rawValue: word).stored
      unsafe Self.writePlace(stored, place.start, in: start + slots.rowSize)
    }
  }

  /// Clears the null bit of a slot.
  @inlinable @inline(__always)
  func setPresent(_ slot: Int, _ slots: SlotPlaces) {
    unsafe nulls(slot, slots).pointee &= ~Self.bit(slot)
  }

  /// The byte with the slot's null bit.
  @inlinable @inline(__always)
  func nulls(_ slot: Int, _ slots: SlotPlaces) -> UnsafeMutablePointer<UInt8> {
    unsafe (start + (slots.nullBits + slot >> 3)).assumingMemoryBound(to: UInt8.self)
  }

  @inlinable
  static func bit(_ slot: Int) -> UInt8 { 1 << UInt8(truncatingIfNeeded: slot & 7) }
}

/// The offsets of a layout's slots within a row.
@frozen @unsafe
public struct SlotPlaces: Sendable {
  // The layout writes this memory before it shares it, and frees it when it goes away.
  @usableFromInline nonisolated(unsafe) let places: UnsafePointer<SlotPlace>
  /// The offset of the null bits within a row.
  @usableFromInline let nullBits: Int
  /// The offset at which a row ends and the offsets of its texts begin.
  @usableFromInline let rowSize: Int
  /// The offset of the first text, in a page that a store filled.
  @usableFromInline let textStart: Int

  init(_ places: UnsafePointer<SlotPlace>, nullBits: Int, rowSize: Int, textStart: Int) {
    unsafe self.places = unsafe places
    unsafe self.nullBits = nullBits
    unsafe self.rowSize = rowSize
    unsafe self.textStart = textStart
  }
}

/// The offset and the form of one slot within a row.
@frozen @usableFromInline
struct SlotPlace {
  @usableFromInline let form: Form
  @usableFromInline let number: UInt32

  init(_ form: Form, _ start: Int) {
    self.form = form
    number = UInt32(start)
  }

  /// The offset of the slot within the row; for a text or blob, the number of texts before it.
  @inlinable var start: Int { Int(number) }

  @frozen @usableFromInline
  enum Form: UInt8 {
    /// Eight bytes.
    case word
    /// One byte.
    case truth
    /// A text or blob, which lies outside the row's fixed part.
    case bytes
  }
}
