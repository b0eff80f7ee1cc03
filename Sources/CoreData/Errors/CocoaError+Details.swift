// SPDX-License-Identifier: MIT
public import Foundation

// The parts of an error that a save throws.
extension CocoaError {
  /// The objects that the error is about.
  public var affectedObjects: [NSManagedObject]? {
    unsafe userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]
  }
  /// The stores that the error is about.
  public var affectedStores: [NSPersistentStore]? {
    unsafe userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore]
  }
  /// The conflicts about objects that the context and somebody else have changed.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    unsafe userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
  /// The object that does not satisfy its model.
  public var validationObject: Any? { unsafe userInfo[NSValidationObjectErrorKey] }
  /// The property that does not satisfy its model.
  public var validationKey: String? { unsafe userInfo[NSValidationKeyErrorKey] as? String }
  /// The condition that does not hold.
  public var validationPredicate: NSPredicate? {
    unsafe userInfo[NSValidationPredicateErrorKey] as? NSPredicate
  }
  /// The value that does not satisfy its model.
  public var validationValue: Any? { unsafe userInfo[NSValidationValueErrorKey] }
}
