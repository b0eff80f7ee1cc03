// SPDX-License-Identifier: MIT
import SporadesModel

/// The state of an object between two saves.
///
/// The state lies in the object's key word, in the twelve bits that a ``RowKey`` uses for the entity.
/// Eleven bits are in use and one is free. `ObjectStateTests` compares ``all`` with the room in a key.
struct ObjectState: OptionSet {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The bits of a ``RowKey`` that hold the entity.
  static let mask: UInt64 = 0xFFF << shift
  private static let shift: UInt64 = 40

  init(inKey word: UInt64) { rawValue = UInt16(truncatingIfNeeded: word >> Self.shift) & 0xFFF }
  var inKey: UInt64 { UInt64(rawValue) << Self.shift }

  /// The object is new.
  static let inserted = ObjectState(rawValue: 0x001)
  /// The object was changed.
  static let updated = ObjectState(rawValue: 0x002)
  /// The next save deletes the object.
  static let deleted = ObjectState(rawValue: 0x004)
  /// The object's row lies in an open page of the context.
  static let open = ObjectState(rawValue: 0x008)
  /// The store has no row for the object any more, or never had one.
  static let gone = ObjectState(rawValue: 0x010)
  /// The context has the object in the list of its changes.
  static let listed = ObjectState(rawValue: 0x020)
  /// The identity map of the context has the object.
  static let registered = ObjectState(rawValue: 0x040)
  /// To-many relationships of the object were changed.
  static let linked = ObjectState(rawValue: 0x080)
  /// The object's `prepareForDeletion` is running.
  static let preparingDeletion = ObjectState(rawValue: 0x100)
  /// A save is running the object's own checks.
  static let validating = ObjectState(rawValue: 0x200)
  /// The context's index of changes has the object's values, and must hear when they change.
  static let indexed = ObjectState(rawValue: 0x400)

  static let openAndIndexed: ObjectState = [.open, .indexed]
  /// The next save writes or deletes the object's row, unless the object was withdrawn.
  static let rowChanged: ObjectState = [.inserted, .updated, .deleted]
  /// The object was deleted before its first save, and so left its context. Only undo still knows
  /// it.
  static let withdrawn: ObjectState = [.inserted, .deleted]
  /// Every state.
  static let all: [ObjectState] = [
    .inserted, .updated, .deleted, .open, .gone, .listed, .registered, .linked, .preparingDeletion,
    .validating, .indexed,
  ]
}
