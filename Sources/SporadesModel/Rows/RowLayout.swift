// SPDX-License-Identifier: MIT

/// The arrangement of a row's values in a ``RowPage``.
///
/// All entities of one inheritance tree share a layout, as they share a table. A row consists of, in
/// this order:
///
/// | bytes | hold |
/// |---|---|
/// | 8 | the row's ``RowKey`` |
/// | 6 | its version, which each write increases |
/// | 8 each | numbers, dates, references |
/// | 1 each | truth values |
/// | 1 per 8 slots | one bit per slot, set where the slot holds nil |
///
/// Its texts and blobs follow, or their offsets; see ``ByteRegion``.
@safe
public final class RowLayout: Sendable {
  /// The name of the entity at the top of the inheritance tree.
  public let rootEntityName: String
  /// The number of the entity at the top of the inheritance tree.
  public let rootEntity: Int
  /// The values of a row. Their indexes are the numbers of the slots.
  public let slots: [Slot]
  /// The number of words that hold one bit per slot, to mark changed slots.
  public let bitWords: Int
  /// The number of bytes of a row without its texts and blobs.
  public let rowSize: Int
  /// The number of bytes of a row in an open page, including the offsets of its texts and blobs.
  public let openRowSize: Int
  /// The offsets of the slots within a row.
  public let places: SlotPlaces
  /// The bytes after key and version in a row whose slots are nil.
  let emptyRow: [UInt8]
  /// The bytes after key and version in a row of an open page whose slots are nil.
  let emptyOpenRow: [UInt8]
  /// The number of bytes of key and version.
  static let headSize = 14
  /// The largest version of a row, 2⁴⁸ − 1.
  public static let largestVersion: Int64 = 0xFFFF_FFFF_FFFF
  /// The slots whose values lie in the byte region.
  public let byteSlots: [Int]
  /// The slots whose values may lie outside the page; see ``LargeValue``.
  package let largeSlots: [Int]
  private let hasLargeSlots: Bool
  /// The slots that hold keys of other rows.
  public let referenceSlots: [Int]
  /// The slots that hold positions in an order.
  package let positionSlots: [Int]

  init(rootEntityName: String, rootEntity: Int, slots: [Slot]) {
    self.rootEntityName = rootEntityName
    self.rootEntity = rootEntity
    self.slots = slots
    bitWords = max(1, (slots.count + 63) / 64)
    let arrangement = Arrangement(slots.map(\.kind.form))
    byteSlots = slots.indices.filter { slots[$0].kind.isBytes }
    largeSlots = slots.indices.filter { slots[$0].kind == .large }
    hasLargeSlots = !largeSlots.isEmpty
    rowSize = arrangement.rowSize
    openRowSize = rowSize + byteSlots.count * BytePlace.storedSize
    emptyRow = arrangement.emptyRow(rowSize)
    emptyOpenRow = arrangement.emptyRow(openRowSize)
    unsafe places = arrangement.allocate()
    referenceSlots = slots.indices.filter { slots[$0].kind == .reference }
    positionSlots = slots.indices.filter {
      if case .position = slots[$0].role { true } else { false }
    }
  }

  deinit { unsafe places.places.deallocate() }

  /// The value of the slot may lie outside the page.
  package func isLarge(_ slot: Int) -> Bool {
    hasLargeSlots && slots[slot].kind == .large
  }

  /// The slot of the owner whose order a position belongs to; nil if the slot holds no position.
  package func reference(ofPosition slot: Int) -> Int? {
    guard positionSlots.contains(slot) else { return nil }
    return referenceSlots.first {
      slots[$0].entity == slots[slot].entity && slots[$0].name == slots[slot].name
    }
  }

  /// Makes the bytes after key and version in a row of an open page. The row holds the given words, and
  /// nil in its other slots.
  package func openRow(with words: [Int: UInt64]) -> [UInt8] {
    var row = [UInt8](repeating: 0, count: Self.headSize) + emptyOpenRow
    unsafe row.withUnsafeMutableBytes {
      let row = unsafe PackedRow($0.baseAddress.unsafelyUnwrapped)
      for (slot, word) in words { unsafe row.set(slot, to: word, places) }
    }
    return Array(row.dropFirst(Self.headSize))
  }

  /// One value of a row, and the property that it belongs to.
  public struct Slot: Hashable, Sendable {
    /// The form of the value.
    public let kind: Kind
    /// The property that the value belongs to.
    public let role: Role
    /// The number of the entity that declares the property.
    public let entity: Int
    /// The name of the property. The name of a composite's member follows after a point.
    public let name: String
  }

  /// The form of a value within a row.
  public enum Kind: UInt8, Hashable, Sendable {
    /// A whole number.
    case integer
    /// 0 or 1.
    case truth
    /// A `Double`. A date is its seconds since 2001.
    case real
    /// UTF-8 in the page's byte region.
    case text
    /// Bytes in the page's byte region.
    case bytes
    /// The ``RowKey`` of the linked row.
    case reference
    /// Bytes that may lie outside the page, because the attribute allows external storage.
    case large

    fileprivate var form: SlotPlace.Form {
      switch self {
      case .integer, .real, .reference: .word
      case .truth: .truth
      case .text, .bytes, .large: .bytes
      }
    }

    /// The value lies in the page's byte region.
    public var isBytes: Bool { form == .bytes }
  }

  /// The property that a slot belongs to.
  public indirect enum Role: Hashable, Sendable {
    /// The value of an attribute.
    case attribute(AttributeDescription)
    /// The key of the row that a to-one relationship leads to.
    case toOne(RelationshipDescription)
    /// The position of the row in the order of the inverse of its to-one relationship.
    case position(toOne: String)
    /// The key of the row whose to-many relationship without inverse leads to this row.
    case owner(entity: Int, RelationshipDescription)
  }
}

/// Computes the offsets of slots from their forms.
private struct Arrangement {
  private let places: [SlotPlace]
  private let nullBits: Int
  let rowSize: Int

  init(_ forms: [SlotPlace.Form]) {
    var word = RowLayout.headSize
    var truth = word + 8 * forms.count { $0 == .word }
    var number = 0
    places = forms.map { form in
      switch form {
      case .word:
        defer { word += 8 }
        return SlotPlace(form, word)
      case .truth:
        defer { truth += 1 }
        return SlotPlace(form, truth)
      case .bytes:
        defer { number += 1 }
        return SlotPlace(form, number)
      }
    }
    nullBits = truth
    rowSize = nullBits + (forms.count + 7) / 8
  }

  func emptyRow(_ size: Int) -> [UInt8] {
    var row = [UInt8](repeating: 0, count: size - RowLayout.headSize)
    let first = nullBits - RowLayout.headSize
    for slot in places.indices { unsafe row[first + slot >> 3] |= PackedRow.bit(slot) }
    return row
  }

  func allocate() -> SlotPlaces {
    let memory = UnsafeMutablePointer<SlotPlace>.allocate(capacity: max(1, places.count))
    unsafe memory.initialize(from: places, count: places.count)
    let leaps = max(0, places.count { $0.form == .bytes } - 1) / BytePlace.leap
    return unsafe SlotPlaces(
      UnsafePointer(memory), nullBits: nullBits, rowSize: rowSize,
      textStart: rowSize + leaps * BytePlace.storedSize)
  }
}
