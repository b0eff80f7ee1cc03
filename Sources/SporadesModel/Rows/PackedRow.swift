// SPDX-License-Identifier: MIT

/// One row, where it lies in the memory of a ``RowPage``. Valid while the page lives.
///
/// Slots are read and set as words, whatever they take in memory: a truth value as 0 or 1, a text or
/// blob as its ``BytePlace``. Numbers, dates and references lie in the same place in all rows of a
/// layout; where texts and blobs lie, the page knows, as its ``ByteRegion``.
@frozen @unsafe
public struct PackedRow {
  @usableFromInline let start: UnsafeMutableRawPointer

  @inlinable
  init(_ start: UnsafeMutableRawPointer) { unsafe self.start = unsafe start }

  @inlinable public var key: RowKey {
    get { unsafe RowKey(rawValue: start.loadUnaligned(as: UInt64.self)) }
    nonmutating set { unsafe start.storeBytes(of: newValue.rawValue, as: UInt64.self) }
  }

  /// The optimistic-lock number; see ``RowLayout/largestVersion``.
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

  /// Writes a row whose slots are as given, in the form of ``RowLayout/emptyRow``.
  func start(as slots: [UInt8], _ key: RowKey, _ version: Int64) {
    unsafe self.key = key
    unsafe self.version = version
    unsafe slots.withUnsafeBytes {
      unsafe (start + RowLayout.headSize).copyMemory(
        from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
    }
  }

  @inlinable
  public func isNull(_ slot: Int, _ slots: SlotPlaces) -> Bool {
    unsafe nulls(slot, slots).pointee & Self.bit(slot) != 0
  }

  /// The word of a slot that is not null.
  @inlinable
  public func word(_ slot: Int, _ slots: SlotPlaces, _ region: ByteRegion) -> UInt64 {
    let place = unsafe slots.places[slot]
    guard place.form == .bytes else { return unsafe word(at: place) }
    return unsafe bytePlace(place.start, slots, region).rawValue
  }

  /// The place of the text or blob before which so many others of the row lie.
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

  /// One of the places behind a row.
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

  /// The word of a slot that is not null and holds neither text nor blob.
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

  /// Sets a slot; one of a text or blob only in a page that is open.
  @inlinable
  public func set(_ slot: Int, to word: UInt64, _ slots: SlotPlaces) {
    unsafe store(word, slot, slots)
    unsafe setPresent(slot, slots)
  }

  public func setNull(_ slot: Int, _ slots: SlotPlaces) {
    // Rows that hold the same are the same bytes, but for texts and blobs.
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

  /// Says that a slot is not null.
  @inlinable @inline(__always)
  func setPresent(_ slot: Int, _ slots: SlotPlaces) {
    unsafe nulls(slot, slots).pointee &= ~Self.bit(slot)
  }

  /// The byte that has the slot's null bit.
  @inlinable @inline(__always)
  func nulls(_ slot: Int, _ slots: SlotPlaces) -> UnsafeMutablePointer<UInt8> {
    unsafe (start + (slots.nullBits + slot >> 3)).assumingMemoryBound(to: UInt8.self)
  }

  @inlinable
  static func bit(_ slot: Int) -> UInt8 { 1 << UInt8(truncatingIfNeeded: slot & 7) }
}

/// Where the slots of a layout's rows lie.
@frozen @unsafe
public struct SlotPlaces: Sendable {
  // Written by the layout before anyone sees it, and freed with it.
  @usableFromInline nonisolated(unsafe) let places: UnsafePointer<SlotPlace>
  /// Where in a row the null bits begin.
  @usableFromInline let nullBits: Int
  /// Where a row ends, and the places of its texts begin.
  @usableFromInline let rowSize: Int
  /// Where its texts begin in a page that was read.
  @usableFromInline let textStart: Int

  init(_ places: UnsafePointer<SlotPlace>, nullBits: Int, rowSize: Int, textStart: Int) {
    unsafe self.places = unsafe places
    unsafe self.nullBits = nullBits
    unsafe self.rowSize = rowSize
    unsafe self.textStart = textStart
  }
}

/// Where in a row one slot lies, and how.
@frozen @usableFromInline
struct SlotPlace {
  @usableFromInline let form: Form
  @usableFromInline let number: UInt32

  init(_ form: Form, _ start: Int) {
    self.form = form
    number = UInt32(start)
  }

  /// Where in the row the slot lies; of a text or blob, how many others come before it.
  @inlinable var start: Int { Int(number) }

  @frozen @usableFromInline
  enum Form: UInt8 {
    /// Eight bytes.
    case word
    /// One byte.
    case truth
    /// A text or blob, which lies behind the row or elsewhere.
    case bytes
  }
}
