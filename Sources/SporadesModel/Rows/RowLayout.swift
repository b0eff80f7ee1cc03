// SPDX-License-Identifier: MIT

/// Where the values of a row lie in a ``RowPage``.
///
/// All entities of one inheritance tree share a layout, as they share a table. A row is, in this order:
///
/// | bytes | hold |
/// |---|---|
/// | 8 | the row's ``RowKey`` |
/// | 6 | its version, the optimistic-lock number |
/// | 8 each | numbers, dates, references |
/// | 1 each | truth values |
/// | 1 per 8 slots | one bit per slot, set where the slot holds nil |
///
/// Behind it lie its texts and blobs, or their places; see ``ByteRegion``.
@safe
public final class RowLayout: Sendable {
  public let rootEntityName: String
  public let rootEntity: Int
  public let slots: [Slot]
  /// Words that hold one bit per slot, where it is told which slots changed.
  public let bitWords: Int
  /// Bytes of a row without its texts and blobs.
  public let rowSize: Int
  /// Bytes of a row in an open page, with the places of its texts and blobs.
  public let openRowSize: Int
  public let places: SlotPlaces
  /// What follows key and version in a row whose slots are nil.
  let emptyRow: [UInt8]
  /// The same in an open page.
  let emptyOpenRow: [UInt8]
  /// The bytes of key and version.
  static let headSize = 14
  /// As many saves of one row as there is room to count, 2⁴⁸ − 1.
  public static let largestVersion: Int64 = 0xFFFF_FFFF_FFFF
  /// The slots whose values lie in the byte region.
  public let byteSlots: [Int]
  /// The slots whose values may lie elsewhere; see ``LargeValue``.
  package let largeSlots: [Int]
  private let hasLargeSlots: Bool
  /// The slots that hold keys of other rows.
  public let referenceSlots: [Int]
  /// The slots that hold places in an order.
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

  /// The value of a slot may lie elsewhere.
  package func isLarge(_ slot: Int) -> Bool {
    hasLargeSlots && slots[slot].kind == .large
  }

  /// What follows key and version in a row that holds the words in its slots and nil in all others,
  /// in an open page.
  package func openRow(with words: [Int: UInt64]) -> [UInt8] {
    var row = [UInt8](repeating: 0, count: Self.headSize) + emptyOpenRow
    unsafe row.withUnsafeMutableBytes {
      let row = unsafe PackedRow($0.baseAddress.unsafelyUnwrapped)
      for (slot, word) in words { unsafe row.set(slot, to: word, places) }
    }
    return Array(row.dropFirst(Self.headSize))
  }

  /// A value of a row, and the property it belongs to.
  public struct Slot: Hashable, Sendable {
    public let kind: Kind
    public let role: Role
    /// The number of the entity that declares the property.
    public let entity: Int
    /// The property's name; members of composites follow after a dot.
    public let name: String
  }

  public enum Kind: UInt8, Hashable, Sendable {
    case integer
    /// 0 or 1.
    case truth
    /// A `Double`; dates are seconds since 2001.
    case real
    /// Bytes of UTF-8 in the page's byte region.
    case text
    /// Bytes of any kind, placed like text.
    case bytes
    /// The ``RowKey`` of the linked row.
    case reference
    /// Bytes of any kind that may lie elsewhere, because the attribute allows external storage.
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

  public enum Role: Hashable, Sendable {
    case attribute(AttributeDescription)
    /// A to-one relationship of the entity.
    case toOne(RelationshipDescription)
    /// The position of the row among the rows its to-one relationship's inverse leads to.
    case position(toOne: String)
    /// The owner of the row in a to-many relationship that has no inverse.
    case owner(entity: Int, RelationshipDescription)
  }
}

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

extension AttributeType {
  /// The slot a value of the type lies in; nil for values that are not stored.
  ///
  /// Decimals lie as text, which keeps every digit. UUIDs are their sixteen bytes. Transformable
  /// values are what their transformer made of them.
  public var slotKind: RowLayout.Kind? {
    switch self {
    case .integer16, .integer32, .integer64: .integer
    case .boolean: .truth
    case .double, .float, .date: .real
    case .string, .uri, .decimal: .text
    case .binary, .uuid, .transformable: .bytes
    case .undefined, .objectID, .composite: nil
    }
  }
}
