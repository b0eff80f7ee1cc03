// SPDX-License-Identifier: MIT

/// Names one row inside a stack: the number of its entity and its primary key, in one word.
///
/// The entity is the row's own, never a superentity. Primary keys are unique within an inheritance
/// tree, so two keys of one tree name the same row exactly when their primary keys agree. Negative
/// primary keys are temporary: they name objects no store has seen.
///
/// The upper four bits tell the stores of one coordinator apart. Keys are ordered by store, then by
/// entity, then by primary key.
@frozen
public struct RowKey: Hashable, Sendable, Comparable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  @inlinable
  public init(entity: Int, primaryKey: Int64, store: Int = 0) {
    rawValue =
      UInt64(truncatingIfNeeded: store) << 60 | UInt64(truncatingIfNeeded: entity & 0xFFF) << 48
      | UInt64(truncatingIfNeeded: primaryKey) & 0xFFFF_FFFF_FFFF
  }

  @inlinable public var store: Int { Int(truncatingIfNeeded: rawValue >> 60) }
  @inlinable public var entity: Int { Int(truncatingIfNeeded: rawValue >> 48) & 0xFFF }
  @inlinable public var primaryKey: Int64 { Int64(bitPattern: rawValue << 16) >> 16 }
  @inlinable public var isTemporary: Bool { rawValue & 0x8000_0000_0000 != 0 }

  /// The key without its entity: equal for two keys of one inheritance tree exactly when they name
  /// the same row of the same store.
  @inlinable public var identity: UInt64 { rawValue & 0xF000_FFFF_FFFF_FFFF }

  /// The key of the row with the same entity and primary key in another store.
  @inlinable
  public func inStore(_ store: Int) -> RowKey {
    RowKey(rawValue: rawValue & 0x0FFF_FFFF_FFFF_FFFF | UInt64(truncatingIfNeeded: store) << 60)
  }

  /// The number of stores one coordinator can tell apart.
  public static let storeLimit = 16
  /// The largest primary key a row can have, 2⁴⁷ − 1.
  public static let largestPrimaryKey: Int64 = 0x7FFF_FFFF_FFFF
  /// The number of entities one model can have.
  public static let largestEntity = 0xFFF

  @inlinable
  public static func < (left: RowKey, right: RowKey) -> Bool {
    // Keys of different stores must not be neither less nor equal, so the whole word counts; its
    // sign bit is flipped to put temporary keys below permanent ones.
    left.rawValue ^ 0x8000_0000_0000 < right.rawValue ^ 0x8000_0000_0000
  }
}
