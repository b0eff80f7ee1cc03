// SPDX-License-Identifier: MIT
public import SporadesModel

/// What a context does when its save meets rows that others changed, or values that must be unique
/// and are taken.
///
/// Whatever is resolved is saved again; where that meets a new conflict, it is resolved too, a
/// bounded number of times.
public enum MergePolicy: Sendable {
  /// The save fails, and its error lists the conflicts.
  case error
  /// Property by property; where both sides changed one, the store's value stays.
  case storeTrump
  /// Property by property; where both sides changed one, the context's value wins.
  case objectTrump
  /// The whole object wins, with all its values.
  case overwrite
  /// The changes of the objects in conflict are given up.
  case rollback
  /// Decides for each conflict. What it throws fails the save.
  case custom(@Sendable (Conflict) throws -> Resolution)

  /// What a policy of one's own is asked about.
  public enum Conflict: Sendable {
    case merge(MergeConflict)
    case constraint(ConstraintConflict)
  }

  /// What is to become of one conflict.
  public enum Resolution: Sendable {
    /// The save fails.
    case refuse
    case storeTrump
    case objectTrump
    case overwrite
    case rollback
    /// As with `objectTrump`, and then the properties named get these values, to-one relationships
    /// the object with the id. A deletion is given up.
    case values([String: Value])
  }

  /// Whether anyone sees the snapshots of conflicts. The other policies decide by rows alone.
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
