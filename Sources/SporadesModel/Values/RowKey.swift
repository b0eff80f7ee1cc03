// SPDX-License-Identifier: MIT

/// Names one row inside a stack: the number of its entity and its primary key, in one word.
///
/// The entity is the row's own, never a superentity. Primary keys are unique within an inheritance
/// tree, so two keys of one tree name the same row exactly when their primary keys agree. A negative
/// primary key is temporary: it names an object that no store has seen.
///
/// The upper twelve bits hold the number of the store within its coordinator. The order of keys is by
/// store, then by entity, then by primary key.
@frozen
public struct RowKey: Hashable, Sendable, Comparable {
  /// The store, entity and primary key as one word.
  public let rawValue: UInt64

  /// Makes the key that a word holds.
  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Makes the key of a row from its parts.
  @inlinable
  public init(entity: Int, primaryKey: Int64, store: Int = 0) {
    rawValue =
      UInt64(truncatingIfNeeded: store) << 52 | UInt64(truncatingIfNeeded: entity & 0xFFF) << 40
      | UInt64(truncatingIfNeeded: primaryKey) & 0xFF_FFFF_FFFF
  }

  /// The number of the row's store within its coordinator.
  @inlinable public var store: Int { Int(truncatingIfNeeded: rawValue >> 52) }
  /// The number of the row's entity within its model.
  @inlinable public var entity: Int { Int(truncatingIfNeeded: rawValue >> 40) & 0xFFF }
  /// The number of the row within its inheritance tree; negative for an object without a row.
  @inlinable public var primaryKey: Int64 { Int64(bitPattern: rawValue << 24) >> 24 }
  /// The key names an object that no store has seen.
  @inlinable public var isTemporary: Bool { rawValue & 0x80_0000_0000 != 0 }

  /// The key without its entity. Two keys of one inheritance tree name the same row exactly when
  /// their identities are equal.
  @inlinable public var identity: UInt64 { rawValue & 0xFFF0_00FF_FFFF_FFFF }

  /// The key of the row with the same entity and primary key in another store.
  @inlinable
  public func inStore(_ store: Int) -> RowKey {
    RowKey(rawValue: rawValue & 0x000F_FFFF_FFFF_FFFF | UInt64(truncatingIfNeeded: store) << 52)
  }

  /// The largest number of stores in one coordinator.
  public static let storeLimit = 4096
  /// The largest primary key of a row, 2³⁹ − 1.
  public static let largestPrimaryKey: Int64 = 0x7F_FFFF_FFFF
  /// The largest number of entities in one model.
  public static let largestEntity = 0xFFF

  @inlinable
  public static func < (left: RowKey, right: RowKey) -> Bool {
    // The comparison uses the whole word, so that it also orders keys of different stores. It flips
    // the sign bit of the primary key, so that temporary keys come before permanent ones.
    left.rawValue ^ 0x80_0000_0000 < right.rawValue ^ 0x80_0000_0000
  }
}
