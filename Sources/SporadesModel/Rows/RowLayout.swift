// SPDX-License-Identifier: MIT

/// Where the values of a row lie in a ``RowPage``.
///
/// All entities of one inheritance tree share a layout, as they share a table. A row is a run of
/// eight-byte words:
///
/// | word | holds |
/// |---|---|
/// | 0 | the row's ``RowKey`` |
/// | 1 | its version, the optimistic-lock number |
/// | 2 … | one bit per slot, set where the slot holds nil |
/// | then | one word per slot |
public final class RowLayout: Sendable {
  public let rootEntityName: String
  public let rootEntity: Int
  public let slots: [Slot]
  /// Words that hold nil bits.
  public let nullWords: Int
  /// Words per row.
  public let stride: Int
  /// The word of slot 0.
  public let firstSlotWord: Int
  /// The slots whose values lie in the byte region.
  public let byteSlots: [Int]
  /// The slots that hold keys of other rows.
  public let referenceSlots: [Int]
  /// The slots that hold places in an order.
  package let positionSlots: [Int]

  init(rootEntityName: String, rootEntity: Int, slots: [Slot]) {
    self.rootEntityName = rootEntityName
    self.rootEntity = rootEntity
    self.slots = slots
    nullWords = max(1, (slots.count + 63) / 64)
    firstSlotWord = 2 + nullWords
    stride = firstSlotWord + slots.count
    byteSlots = slots.indices.filter { slots[$0].kind == .text || slots[$0].kind == .bytes }
    referenceSlots = slots.indices.filter { slots[$0].kind == .reference }
    positionSlots = slots.indices.filter {
      if case .position = slots[$0].role { true } else { false }
    }
  }

  /// One word of a row, and the property it belongs to.
  public struct Slot: Hashable, Sendable {
    public let kind: Kind
    public let role: Role
    /// The number of the entity that declares the property.
    public let entity: Int
    /// The property's name; members of composites follow after a dot.
    public let name: String
  }

  public enum Kind: UInt8, Hashable, Sendable {
    /// An `Int64`; also truth values, 0 and 1.
    case integer
    /// A `Double`; dates are seconds since 2001.
    case real
    /// Bytes of UTF-8 in the page's byte region: the offset in the lower half of the word, the
    /// length in the upper.
    case text
    /// Bytes of any kind, placed like text.
    case bytes
    /// The ``RowKey`` of the linked row.
    case reference
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

extension AttributeType {
  /// The slot a value of the type lies in; nil for values that are not stored.
  ///
  /// Decimals lie as text, which keeps every digit. UUIDs are their sixteen bytes. Transformable
  /// values are what their transformer made of them.
  public var slotKind: RowLayout.Kind? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .double, .float, .date: .real
    case .string, .uri, .decimal: .text
    case .binary, .uuid, .transformable: .bytes
    case .undefined, .objectID, .composite: nil
    }
  }
}
