// SPDX-License-Identifier: MIT
import SporadesModel

/// The state of an object between two saves.
///
/// The state lies in the object's key word, in the twelve bits that a ``RowKey`` uses for the entity.
/// All twelve bits are in use. `ObjectStateTests` compares ``all`` with the room in a key.
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
  /// Hooks or observers hear of the object: its changes were saved, or its row was deleted.
  static let announced = ObjectState(rawValue: 0x800)

  /// The object was new in the save that hooks hear of. No save checks an object meanwhile.
  static let announcedNew: ObjectState = [.announced, .validating]
  /// The object was deleted, by a save of its context or by others, and keeps its values until all have heard of it.
  static let announcedGone: ObjectState = [.announced, .gone]
  /// The states that say more of an object than the save that hooks hear of.
  static let savedOrLater: ObjectState = [
    .announced, .validating, .gone, .inserted, .updated, .deleted, .linked,
  ]
  /// The states of which an object without a row has one as long as it belongs to its context.
  static let belonging: ObjectState = [
    .gone, .registered, .inserted, .updated, .deleted, .announced,
  ]

  static let openAndIndexed: ObjectState = [.open, .indexed]
  /// The next save writes or deletes the object's row, unless the object was withdrawn.
  static let rowChanged: ObjectState = [.inserted, .updated, .deleted]
  /// The object was deleted before its first save, and so left its context. Only undo still knows
  /// it.
  static let withdrawn: ObjectState = [.inserted, .deleted]
  /// Every state.
  static let all: [ObjectState] = [
    .inserted, .updated, .deleted, .open, .gone, .listed, .registered, .linked, .preparingDeletion,
    .validating, .indexed, .announced,
  ]
}
