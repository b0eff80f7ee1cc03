// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// An object that was changed or deleted here, while someone else changed or deleted it too.
///
/// Snapshots hold values that lie in files under the policies `error` and `custom` alone. A property
/// whose value can not be read is missing in them.
public struct MergeConflict: Sendable {
  public let objectID: ManagedObjectID
  /// The stored values by property, as they are in the context; nil where it deletes the object.
  public let objectSnapshot: [String: Value]?
  /// The values the context's changes are based on.
  public let cachedSnapshot: [String: Value]?
  /// The values in the store, or in the parent; nil where the object is deleted there.
  public let persistedSnapshot: [String: Value]?
  /// The version the changes are based on.
  public let oldVersionNumber: Int64
  /// The version in the store; 0 where the object is deleted there.
  public let newVersionNumber: Int64
  /// The objects that properties lead to and that were deleted meanwhile, by property. Where there
  /// are any, no other value is in conflict, and every resolution but `refuse` drops the links.
  public let lostReferences: [String: ManagedObjectID]
}

/// Objects that agree where the model says that none may. Its snapshots are as those of a
/// ``MergeConflict``.
public struct ConstraintConflict: Sendable {
  /// The names of the properties.
  public let constraint: [String]
  public let constraintValues: [String: Value]
  /// The stored object with the values; nil where only objects of the context agree.
  public let databaseObjectID: ManagedObjectID?
  public let databaseSnapshot: [String: Value]?
  /// The objects of the context that have the values.
  public let conflictingObjectIDs: [ManagedObjectID]
  public let conflictingSnapshots: [[String: Value]]
}

/// What a save that was refused was in conflict with: the `underlying` of its `StoreError`.
public struct SaveConflicts: Error, Sendable, CustomStringConvertible {
  public let merges: [MergeConflict]
  public let constraints: [ConstraintConflict]
  /// What a policy of one's own threw.
  public let policyError: (any Error)?

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
  /// The conflicts a save was refused for.
  public var mergeConflicts: [MergeConflict] { (underlying as? SaveConflicts)?.merges ?? [] }
  /// The unique values a save was refused for.
  public var constraintConflicts: [ConstraintConflict] {
    (underlying as? SaveConflicts)?.constraints ?? []
  }
}
