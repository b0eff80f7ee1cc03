// SPDX-License-Identifier: MIT
public import SporadesModel

/// The rule by which a save resolves conflicts: rows that others changed, and unique values that
/// are taken.
///
/// After resolving, the context saves again. If that save meets a new conflict, the policy resolves
/// it too, a bounded number of times.
public enum MergePolicy: Sendable {
  /// The save fails, and its error lists the conflicts.
  case error
  /// Both sides' changes are merged by property. If both changed a property, the store's value
  /// stays.
  case storeTrump
  /// Both sides' changes are merged by property. If both changed a property, the context's value
  /// wins.
  case objectTrump
  /// The context's object wins with all its values.
  case overwrite
  /// The context discards its changes to the objects in conflict.
  case rollback
  /// The closure decides each conflict. An error that it throws fails the save.
  case custom(@Sendable (Conflict) throws -> Resolution)

  /// The conflict that a custom policy decides.
  public enum Conflict: Sendable {
    /// A conflict about an object that others changed or deleted.
    case merge(MergeConflict)
    /// A conflict about values that must be unique.
    case constraint(ConstraintConflict)
  }

  /// The way to resolve one conflict.
  public enum Resolution: Sendable {
    /// The save fails.
    case refuse
    /// Resolves as ``MergePolicy/storeTrump`` does.
    case storeTrump
    /// Resolves as ``MergePolicy/objectTrump`` does.
    case objectTrump
    /// Resolves as ``MergePolicy/overwrite`` does.
    case overwrite
    /// Resolves as ``MergePolicy/rollback`` does.
    case rollback
    /// Resolves as `objectTrump` does, then sets the named properties to these values. A to-one
    /// relationship takes the id of its object. A deletion is discarded.
    case values([String: Value])
  }

  /// Whether the policy shows snapshots to anyone. The other policies decide by rows alone.
  var readsFiles: Bool {
    switch self {
    case .error, .custom: true
    case .storeTrump, .objectTrump, .overwrite, .rollback: false
    }
  }

  func resolution(of conflict: Conflict) throws -> Resolution {
    switch self {
    case .error: .refuse
    case .storeTrump: .storeTrump
    case .objectTrump: .objectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    case .custom(let decide): try decide(conflict)
    }
  }
}

extension MergePolicy {
  /// Core Data's name of ``storeTrump``.
  public static var mergeByPropertyStoreTrump: MergePolicy { .storeTrump }
  /// Core Data's name of ``objectTrump``.
  public static var mergeByPropertyObjectTrump: MergePolicy { .objectTrump }
}
