// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore

// The numbers of Core Data's errors, in the domain NSCocoaErrorDomain.
public var NSManagedObjectValidationError: Int { 1550 }
public var NSManagedObjectConstraintValidationError: Int { 1551 }
public var NSValidationMultipleErrorsError: Int { 1560 }
public var NSValidationMissingMandatoryPropertyError: Int { 1570 }
public var NSValidationRelationshipLacksMinimumCountError: Int { 1580 }
public var NSValidationRelationshipExceedsMaximumCountError: Int { 1590 }
public var NSValidationRelationshipDeniedDeleteError: Int { 1600 }
public var NSValidationNumberTooLargeError: Int { 1610 }
public var NSValidationNumberTooSmallError: Int { 1620 }
public var NSValidationDateTooLateError: Int { 1630 }
public var NSValidationDateTooSoonError: Int { 1640 }
public var NSValidationInvalidDateError: Int { 1650 }
public var NSValidationStringTooLongError: Int { 1660 }
public var NSValidationStringTooShortError: Int { 1670 }
public var NSValidationStringPatternMatchingError: Int { 1680 }
public var NSValidationInvalidURIError: Int { 1690 }
public var NSManagedObjectContextLockingError: Int { 132000 }
public var NSPersistentStoreCoordinatorLockingError: Int { 132010 }
public var NSManagedObjectReferentialIntegrityError: Int { 133000 }
public var NSManagedObjectExternalRelationshipError: Int { 133010 }
public var NSManagedObjectMergeError: Int { 133020 }
public var NSManagedObjectConstraintMergeError: Int { 133021 }
public var NSPersistentStoreInvalidTypeError: Int { 134000 }
public var NSPersistentStoreTypeMismatchError: Int { 134010 }
public var NSPersistentStoreIncompatibleSchemaError: Int { 134020 }
public var NSPersistentStoreSaveError: Int { 134030 }
public var NSPersistentStoreIncompleteSaveError: Int { 134040 }
public var NSPersistentStoreSaveConflictsError: Int { 134050 }
public var NSCoreDataError: Int { 134060 }
public var NSPersistentStoreOperationError: Int { 134070 }
public var NSPersistentStoreOpenError: Int { 134080 }
public var NSPersistentStoreTimeoutError: Int { 134090 }
public var NSPersistentStoreUnsupportedRequestTypeError: Int { 134091 }
public var NSPersistentStoreIncompatibleVersionHashError: Int { 134100 }
public var NSMigrationError: Int { 134110 }
public var NSMigrationConstraintViolationError: Int { 134111 }
public var NSMigrationCancelledError: Int { 134120 }
public var NSMigrationMissingSourceModelError: Int { 134130 }
public var NSMigrationMissingMappingModelError: Int { 134140 }
public var NSMigrationManagerSourceStoreError: Int { 134150 }
public var NSMigrationManagerDestinationStoreError: Int { 134160 }
public var NSEntityMigrationPolicyError: Int { 134170 }
public var NSSQLiteError: Int { 134180 }
public var NSInferredMappingModelError: Int { 134190 }
public var NSExternalRecordImportError: Int { 134200 }
public var NSPersistentHistoryTokenExpiredError: Int { 134301 }

public var NSManagedObjectModelReferenceNotFoundError: Int { 134504 }
public var NSStagedMigrationFrameworkVersionMismatchError: Int { 134505 }
public var NSStagedMigrationBackwardMigrationError: Int { 134506 }

/// The domain of errors that SQLite tells.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The key of the errors that an error consists of.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the object that does not satisfy its model.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the property that does not satisfy its model.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the condition that does not hold.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key of the value that does not satisfy its model.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The key of the stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The key of the objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key of the conflicts of a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

/// The numbers of Core Data's errors, by short names.
enum ErrorNumber: Int {
  case general = 134060
  case openFailed = 134080
  case missingModel = 134130
  case operation = 134070
  case unsupportedRequest = 134091
  case inferredMapping = 134190
}

extension NSError {
  /// Makes an error of Core Data's domain with a sentence.
  static func coreData(
    _ number: ErrorNumber, _ sentence: String, _ details: [String: Any] = [:]
  ) -> NSError {
    coreData(number: number.rawValue, sentence, details)
  }

  static func coreData(
    number: Int, _ sentence: String, _ details: [String: Any] = [:]
  ) -> NSError {
    var details = details
    details[NSLocalizedDescriptionKey] = sentence
    return NSError(domain: NSCocoaErrorDomain, code: number, userInfo: details)
  }

  /// The error of Core Data that says what an error of the library says. Errors of the program stay as they are.
  static func coreData(
    _ error: any Error, in context: NSManagedObjectContext? = nil
  ) -> any Error {
    switch error {
    case let error as NSError where !(error is any DescribedError): error
    case let error as ValidationError: validation(error, context)
    case let error as StoreError: store(error, context)
    case let error as ContextError: self.context(error, context)
    case let error as ModelError: coreData(.general, "\(error)", underlying(error))
    case let error as FetchPredicateError: coreData(.general, "\(error)", underlying(error))
    default: error
    }
  }

  private static func underlying(_ error: any Error) -> [String: Any] {
    [NSUnderlyingErrorKey: error]
  }

  private static func validation(
    _ error: ValidationError, _ context: NSManagedObjectContext?
  ) -> any Error {
    // A check of the program threw it, and programs look for their own errors.
    if error.failures.count == 1, let own = error.failures[0].underlying { return own }
    let failures = error.failures.map { failure -> any Error in
      if let own = failure.underlying { return own }
      var details: [String: Any] = [:]
      details[NSValidationKeyErrorKey] = failure.property
      if let object = context?.registeredObject(for: failure.objectID) {
        details[NSValidationObjectErrorKey] = object
        details[NSValidationValueErrorKey] = failure.property.flatMap { object.value(forKey: $0) }
      }
      return coreData(number: failure.code.rawValue, "\(failure)", details)
    }
    guard failures.count > 1 else { return failures[0] }
    return coreData(
      number: NSValidationMultipleErrorsError, "\(error)", [NSDetailedErrorsKey: failures])
  }

  private static func store(_ error: StoreError, _ context: NSManagedObjectContext?) -> any Error {
    var details = underlying(error)
    let number: Int
    switch error.code {
    case .conflict:
      number = NSManagedObjectMergeError
      details[NSPersistentStoreSaveConflictsErrorKey] = error.mergeConflicts.map {
        NSMergeConflict($0, in: context)
      }
    case .constraint:
      number = NSManagedObjectConstraintMergeError
      details[NSPersistentStoreSaveConflictsErrorKey] = error.constraintConflicts.map {
        NSConstraintConflict($0, in: context)
      }
    case .incompatibleModel, .modelChanged: number = NSPersistentStoreIncompatibleVersionHashError
    case .cannotMigrate: number = NSInferredMappingModelError
    case .cancelled: number = NSMigrationCancelledError
    case .cannotOpen, .moved, .corrupt: number = NSPersistentStoreOpenError
    case .busy, .timedOut: number = NSPersistentStoreTimeoutError
    case .readOnly: number = NSFileWriteNoPermissionError
    case .full: number = NSFileWriteOutOfSpaceError
    case .unsupported: number = NSPersistentStoreUnsupportedRequestTypeError
    case .historyExpired: number = NSPersistentHistoryTokenExpiredError
    case .linkAcrossStores: number = NSManagedObjectExternalRelationshipError
    case .noStore, .closed: number = NSCoreDataError
    case .tooLarge, .unclear, .interrupted, .behind, .io: number = NSPersistentStoreOperationError
    }
    return coreData(number: number, "\(error)", details)
  }

  private static func context(
    _ error: ContextError, _ context: NSManagedObjectContext?
  ) -> any Error {
    switch error {
    case .objectGone, .objectNotFound, .missingObject:
      return coreData(
        number: NSManagedObjectReferentialIntegrityError, "\(error)", underlying(error))
    case .unfulfilled(_, let cause), .unreadable(_, _, let cause), .unloaded(_, _, let cause),
      .notDurable(let cause, _):
      return store(cause, context)
    case .several(let errors):
      let all = errors.map { coreData($0, in: context) }
      return coreData(.general, "\(error)", [NSDetailedErrorsKey: all])
    default: return coreData(.general, "\(error)", underlying(error))
    }
  }
}
