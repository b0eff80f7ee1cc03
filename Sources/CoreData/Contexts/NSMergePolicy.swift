// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

public import Foundation
import SporadesGraph
import SporadesModel

/// The kinds of merge policies.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails.
  case errorMergePolicyType = 0
  /// Changes are merged by property, and the store's go first.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Changes are merged by property, and the context's go first.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The context's objects win with all their values.
  case overwriteMergePolicyType = 3
  /// The context drops its changes of the objects in conflict.
  case rollbackMergePolicyType = 4
}

/// The policy by which saves with conflicts fail.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// The policy by which the store's changes go first.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject {
  NSMergePolicy.mergeByPropertyStoreTrump
}
/// The policy by which the context's changes go first.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject {
  NSMergePolicy.mergeByPropertyObjectTrump
}
/// The policy by which the context's objects win.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// The policy by which the context drops its changes.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }

/// The way in which a save resolves conflicts. A subclass sees each conflict, and decides by the policy that it was made with.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  // @unchecked: nothing of it changes.

  /// The kind of the policy.
  public let mergeType: NSMergePolicyType

  /// Makes a policy of a kind.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  public class var error: NSMergePolicy { Policies.error }
  public class var mergeByPropertyStoreTrump: NSMergePolicy { Policies.storeTrump }
  public class var mergeByPropertyObjectTrump: NSMergePolicy { Policies.objectTrump }
  public class var overwrite: NSMergePolicy { Policies.overwrite }
  public class var rollback: NSMergePolicy { Policies.rollback }

  private enum Policies {
    static let error = NSMergePolicy(merge: .errorMergePolicyType)
    static let storeTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    static let objectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
    static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
  }

  /// Sees conflicts of all kinds before they are resolved. An error that it throws fails the save.
  open func resolve(mergeConflicts list: [Any]) throws {}
  /// Sees conflicts about objects that others changed.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    try resolve(mergeConflicts: list)
  }
  /// Sees conflicts about values that must be unique.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    try resolve(mergeConflicts: list)
  }

  /// The policy of the library.
  func mergePolicy(of context: NSManagedObjectContext) -> MergePolicy {
    guard type(of: self) == NSMergePolicy.self else { return custom(of: context) }
    return switch mergeType {
    case .errorMergePolicyType: .error
    case .mergeByPropertyStoreTrumpMergePolicyType: .storeTrump
    case .mergeByPropertyObjectTrumpMergePolicyType: .objectTrump
    case .overwriteMergePolicyType: .overwrite
    case .rollbackMergePolicyType: .rollback
    }
  }

  private func custom(of context: NSManagedObjectContext) -> MergePolicy {
    .custom { [weak context] conflict in
      switch conflict {
      case .merge(let conflict):
        try self.resolve(optimisticLockingConflicts: [NSMergeConflict(conflict, in: context)])
      case .constraint(let conflict):
        try self.resolve(constraintConflicts: [NSConstraintConflict(conflict, in: context)])
      }
      return self.resolution
    }
  }

  private var resolution: MergePolicy.Resolution {
    switch mergeType {
    case .errorMergePolicyType: .refuse
    case .mergeByPropertyStoreTrumpMergePolicyType: .storeTrump
    case .mergeByPropertyObjectTrumpMergePolicyType: .objectTrump
    case .overwriteMergePolicyType: .overwrite
    case .rollbackMergePolicyType: .rollback
    }
  }
}

/// A conflict about an object that the context and somebody else have changed.
open class NSMergeConflict: NSObject {
  private let source: NSManagedObject?
  /// The object. It ends the program where the error was thrown outside of a context.
  public var sourceObject: NSManagedObject {
    guard let source else {
      trap("A conflict outside of a context was asked for its object. Ask the context that saves.")
    }
    return source
  }
  /// The values of the context.
  public let objectSnapshot: [String: Any]?
  /// The values that the context's changes start from.
  public let cachedSnapshot: [String: Any]?
  /// The values of the store; nil for an object that is deleted there.
  public let persistedSnapshot: [String: Any]?
  /// The version in the store; 0 for an object that is deleted there.
  public let newVersionNumber: Int
  /// The version that the changes start from.
  public let oldVersionNumber: Int

  /// Describes a conflict about an object.
  public init(
    source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
    cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
  ) {
    source = srcObject
    objectSnapshot = srcObject.snapshot()
    cachedSnapshot = cachesnap
    persistedSnapshot = persnap
    newVersionNumber = newvers
    oldVersionNumber = oldvers
  }

  init(_ conflict: MergeConflict, in context: NSManagedObjectContext?) {
    let object = context?.known(conflict.objectID)
    source = object
    objectSnapshot = conflict.objectSnapshot.map { values in object?.snapshot(values) ?? [:] }
    cachedSnapshot = conflict.cachedSnapshot.map { values in object?.snapshot(values) ?? [:] }
    persistedSnapshot = conflict.persistedSnapshot.map { values in object?.snapshot(values) ?? [:] }
    newVersionNumber = Int(conflict.newVersionNumber)
    oldVersionNumber = Int(conflict.oldVersionNumber)
  }
}

/// A conflict between objects that have the same values, though the model demands unique ones.
open class NSConstraintConflict: NSObject {
  /// The names of the properties that are unique together.
  public let constraint: [String]
  /// The values that are not unique.
  public let constraintValues: [String: Any]
  /// The stored object with the values.
  public let databaseObject: NSManagedObject?
  /// The values of the stored object.
  public let databaseSnapshot: [String: Any]?
  /// The objects of the context that have the values.
  public let conflictingObjects: [NSManagedObject]
  /// The values of the context's objects.
  public let conflictingSnapshots: [[AnyHashable: Any]]

  /// Describes a conflict between objects.
  public init(
    constraint contraint: [String], database databaseObject: NSManagedObject?,
    databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
    conflictingSnapshots: [Any]
  ) {
    constraint = contraint
    self.databaseObject = databaseObject
    self.databaseSnapshot = databaseSnapshot.map { Self.values($0) }
    self.conflictingObjects = conflictingObjects
    self.conflictingSnapshots = conflictingSnapshots.map { Self.values($0) }
    constraintValues =
      (conflictingObjects.first ?? databaseObject)?
      .dictionaryWithValues(forKeys: contraint) ?? [:]
  }

  private static func values(_ snapshot: Any) -> [String: Any] {
    guard let values = snapshot as? [String: Any] else {
      trap(
        "A conflict was made with the snapshot \(snapshot), which is no dictionary of values by the names of properties."
      )
    }
    return values
  }

  /// Describes a conflict between no objects.
  public override init() {
    (constraint, constraintValues) = ([], [:])
    (databaseObject, databaseSnapshot) = (nil, nil)
    (conflictingObjects, conflictingSnapshots) = ([], [])
  }

  init(_ conflict: ConstraintConflict, in context: NSManagedObjectContext?) {
    constraint = conflict.constraint
    conflictingObjects = conflict.conflictingObjectIDs.compactMap { context?.known($0) }
    databaseObject = conflict.databaseObjectID.flatMap { context?.known($0) }
    let object = conflictingObjects.first ?? databaseObject
    func shown(_ values: [String: Value]) -> [String: Any] { object?.snapshot(values) ?? [:] }
    constraintValues = shown(conflict.constraintValues)
    databaseSnapshot = conflict.databaseSnapshot.map(shown)
    conflictingSnapshots = conflict.conflictingSnapshots.map(shown)
  }
}

extension NSManagedObjectContext {
  /// The object of a conflict. A new object of another context has an id that this one does not know.
  fileprivate func known(_ id: NSManagedObjectID) -> NSManagedObject? {
    id.isTemporaryID ? registeredObject(for: id) : object(with: id)
  }
}
