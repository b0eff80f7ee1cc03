// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// A conflict about one object that this context and another writer both changed or deleted.
///
/// Only the policies `error` and `custom` get snapshots with values that lie in files. A value that
/// can not be read is missing in the snapshot.
public struct MergeConflict: Sendable {
  /// The object in conflict.
  public let objectID: ManagedObjectID
  /// The stored values by property, as they are in the context; nil if the context deletes the
  /// object.
  public let objectSnapshot: [String: Value]?
  /// The values that the context's changes start from.
  public let cachedSnapshot: [String: Value]?
  /// The values in the store or the parent; nil if the object is deleted there.
  public let persistedSnapshot: [String: Value]?
  /// The version that the changes start from.
  public let oldVersionNumber: Int64
  /// The version in the store; 0 if the object is deleted there.
  public let newVersionNumber: Int64
  /// Deleted objects that properties still lead to, by property. If there are any, no other value
  /// is in conflict, and every resolution but `refuse` drops the links.
  public let lostReferences: [String: ManagedObjectID]
}

/// A conflict between objects that have the same values, though the model demands unique ones. Its
/// snapshots follow the rules of a ``MergeConflict``.
public struct ConstraintConflict: Sendable {
  /// The names of the properties that must be unique together.
  public let constraint: [String]
  /// The values that are not unique, by property.
  public let constraintValues: [String: Value]
  /// The stored object with the values; nil if only objects of the context have them.
  public let databaseObjectID: ManagedObjectID?
  /// The values of the stored object; nil if there is none.
  public let databaseSnapshot: [String: Value]?
  /// The objects of the context that have the values.
  public let conflictingObjectIDs: [ManagedObjectID]
  /// The values of the context's objects, in the order of their ids.
  public let conflictingSnapshots: [[String: Value]]
}

/// The conflicts that made a save fail. The save's `StoreError` has them as its `underlying` error.
public struct SaveConflicts: DescribedError, Sendable {
  /// The conflicts about changed or deleted objects.
  public let merges: [MergeConflict]
  /// The conflicts about unique values.
  public let constraints: [ConstraintConflict]
  /// The error that a custom policy threw.
  public let policyError: (any Error)?

  /// A line of text with all conflicts and no values of rows.
  public var description: String {
    (merges.map(\.description) + constraints.map(\.description)).joined(separator: "; ")
  }
}

extension MergeConflict: CustomStringConvertible {
  public var description: String {
    if let (property, target) = lostReferences.first {
      return "\(objectID).\(property) leads to \(target), which is gone"
    }
    return "\(objectID): version \(oldVersionNumber) was changed, the store has "
      + (newVersionNumber == 0 ? "none" : "\(newVersionNumber)")
  }
}

extension ConstraintConflict: CustomStringConvertible {
  public var description: String {
    let ids = conflictingObjectIDs.map(\.description).joined(separator: ", ")
    let stored = databaseObjectID.map { ", and \($0) in the store" } ?? ""
    return "\(ids)\(stored): the same \(constraint.joined(separator: ", "))"
  }
}

extension StoreError {
  /// The conflicts about changed or deleted objects that made a save fail.
  public var mergeConflicts: [MergeConflict] { (underlying as? SaveConflicts)?.merges ?? [] }
  /// The conflicts about unique values that made a save fail.
  public var constraintConflicts: [ConstraintConflict] {
    (underlying as? SaveConflicts)?.constraints ?? []
  }
}
