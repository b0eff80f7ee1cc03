// SPDX-License-Identifier: MIT

/// Names one row inside a stack: the number of its entity and its primary key, in one word.
///
/// The entity is the row's own, never a superentity. Primary keys are unique within an inheritance
/// tree, so two keys of one tree name the same row exactly when their primary keys agree. Negative
/// primary keys are temporary: they name objects no store has seen.
///
/// The upper twelve bits tell the stores of one coordinator apart. Keys are ordered by store, then by
/// entity, then by primary key.
@frozen
public struct RowKey: Hashable, Sendable, Comparable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  @inlinable
  public init(entity: Int, primaryKey: Int64, store: Int = 0) {
    rawValue =
      UInt64(truncatingIfNeeded: store) << 52 | UInt64(truncatingIfNeeded: entity & 0xFFF) << 40
      | UInt64(truncatingIfNeeded: primaryKey) & 0xFF_FFFF_FFFF
  }

  @inlinable public var store: Int { Int(truncatingIfNeeded: rawValue >> 52) }
  @inlinable public var entity: Int { Int(truncatingIfNeeded: rawValue >> 40) & 0xFFF }
  @inlinable public var primaryKey: Int64 { Int64(bitPattern: rawValue << 24) >> 24 }
  @inlinable public var isTemporary: Bool { rawValue & 0x80_0000_0000 != 0 }

  /// The key without its entity: equal for two keys of one inheritance tree exactly when they name
  /// the same row of the same store.
  @inlinable public var identity: UInt64 { rawValue & 0xFFF0_00FF_FFFF_FFFF }

  /// The key of the row with the same entity and primary key in another store.
  @inlinable
  public func inStore(_ store: Int) -> RowKey {
    RowKey(rawValue: rawValue & 0x000F_FFFF_FFFF_FFFF | UInt64(truncatingIfNeeded: store) << 52)
  }

  /// The number of stores one coordinator can tell apart.
  public static let storeLimit = 4096
  /// The largest primary key a row can have, 2³⁹ − 1.
  public static let largestPrimaryKey: Int64 = 0x7F_FFFF_FFFF
  /// The number of entities one model can have.
  public static let largestEntity = 0xFFF

  @inlinable
  public static func < (left: RowKey, right: RowKey) -> Bool {
    // Keys of different stores must not be neither less nor equal, so the whole word counts; its
    // sign bit is flipped to put temporary keys below permanent ones.
    left.rawValue ^ 0x80_0000_0000 < right.rawValue ^ 0x80_0000_0000
  }
}
