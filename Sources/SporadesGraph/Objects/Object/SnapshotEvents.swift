// SPDX-License-Identifier: MIT

/// The reason why an object returns to other values, with Core Data's numbers.
public struct SnapshotEvents: OptionSet, Hashable, Sendable {
  /// Core Data's number for the set of reasons.
  public let rawValue: Int
  /// Makes a set of reasons from Core Data's number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// An undo removed the object.
  public static let undoInsertion = SnapshotEvents(rawValue: 2)
  /// An undo brought the deleted object back.
  public static let undoDeletion = SnapshotEvents(rawValue: 4)
  /// An undo brought the object's former values back.
  public static let undoUpdate = SnapshotEvents(rawValue: 8)
  /// A rollback dropped the object's changes.
  public static let rollback = SnapshotEvents(rawValue: 16)
  /// A refresh read the object's values again.
  public static let refresh = SnapshotEvents(rawValue: 32)
  /// A merge policy changed the object's values.
  public static let mergePolicy = SnapshotEvents(rawValue: 64)
}
