// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.11 of the inventory: errors.
@Suite struct InventoryErrorTests {
  @Test func validationErrorsHaveCoreDatasNumbers() {
    let numbers: [(Int, Int)] = [
      (NSManagedObjectValidationError, 1550), (NSManagedObjectConstraintValidationError, 1551),
      (NSValidationMultipleErrorsError, 1560), (NSValidationMissingMandatoryPropertyError, 1570),
      (NSValidationRelationshipLacksMinimumCountError, 1580),
      (NSValidationRelationshipExceedsMaximumCountError, 1590),
      (NSValidationRelationshipDeniedDeleteError, 1600), (NSValidationNumberTooLargeError, 1610),
      (NSValidationNumberTooSmallError, 1620), (NSValidationDateTooLateError, 1630),
      (NSValidationDateTooSoonError, 1640), (NSValidationInvalidDateError, 1650),
      (NSValidationStringTooLongError, 1660), (NSValidationStringTooShortError, 1670),
      (NSValidationStringPatternMatchingError, 1680), (NSValidationInvalidURIError, 1690),
    ]
    for (code, number) in numbers { #expect(code == number) }
  }

  @Test func storeErrorsHaveCoreDatasNumbers() {
    let numbers: [(Int, Int)] = [
      (NSManagedObjectContextLockingError, 132000),
      (NSPersistentStoreCoordinatorLockingError, 132010),
      (NSManagedObjectReferentialIntegrityError, 133000),
      (NSManagedObjectExternalRelationshipError, 133010), (NSManagedObjectMergeError, 133020),
      (NSManagedObjectConstraintMergeError, 133021), (NSPersistentStoreInvalidTypeError, 134000),
      (NSPersistentStoreTypeMismatchError, 134010),
      (NSPersistentStoreIncompatibleSchemaError, 134020), (NSPersistentStoreSaveError, 134030),
      (NSPersistentStoreIncompleteSaveError, 134040), (NSPersistentStoreSaveConflictsError, 134050),
      (NSCoreDataError, 134060), (NSPersistentStoreOperationError, 134070),
      (NSPersistentStoreOpenError, 134080), (NSPersistentStoreTimeoutError, 134090),
      (NSPersistentStoreUnsupportedRequestTypeError, 134091),
      (NSPersistentHistoryTokenExpiredError, 134301),
      (NSManagedObjectModelReferenceNotFoundError, 134504),
    ]
    for (code, number) in numbers { #expect(code == number) }
  }

  @Test func migrationErrorsHaveCoreDatasNumbers() {
    let numbers: [(Int, Int)] = [
      (NSPersistentStoreIncompatibleVersionHashError, 134100), (NSMigrationError, 134110),
      (NSMigrationConstraintViolationError, 134111), (NSMigrationCancelledError, 134120),
      (NSMigrationMissingSourceModelError, 134130), (NSMigrationMissingMappingModelError, 134140),
      (NSMigrationManagerSourceStoreError, 134150),
      (NSMigrationManagerDestinationStoreError, 134160), (NSEntityMigrationPolicyError, 134170),
      (NSSQLiteError, 134180), (NSInferredMappingModelError, 134190),
      (NSExternalRecordImportError, 134200),
      (NSStagedMigrationFrameworkVersionMismatchError, 134505),
      (NSStagedMigrationBackwardMigrationError, 134506),
    ]
    for (code, number) in numbers { #expect(code == number) }
  }

  @Test func detailsHaveCoreDatasKeys() {
    let keys: [String] = [
      NSDetailedErrorsKey, NSValidationObjectErrorKey, NSValidationKeyErrorKey,
      NSValidationPredicateErrorKey, NSValidationValueErrorKey, NSAffectedStoresErrorKey,
      NSAffectedObjectsErrorKey, NSPersistentStoreSaveConflictsErrorKey, NSSQLiteErrorDomain,
    ]
    #expect(
      keys == [
        "NSDetailedErrors", "NSValidationErrorObject", "NSValidationErrorKey",
        "NSValidationErrorPredicate", "NSValidationErrorValue", "NSAffectedStoresErrorKey",
        "NSAffectedObjectsErrorKey", "conflictList", "NSSQLiteErrorDomain",
      ])
  }

  @Test func codesOfFoundationsErrorHaveTheSameNumbers() {
    let codes: [(CocoaError.Code, CocoaError.Code, Int)] = [
      (.managedObjectValidation, CocoaError.managedObjectValidation, 1550),
      (.validationMultipleErrors, CocoaError.validationMultipleErrors, 1560),
      (.validationStringPatternMatching, CocoaError.validationStringPatternMatching, 1680),
      (.managedObjectMerge, CocoaError.managedObjectMerge, 133020),
      (.managedObjectConstraintMerge, CocoaError.managedObjectConstraintMerge, 133021),
      (.persistentStoreSaveConflicts, CocoaError.persistentStoreSaveConflicts, 134050),
      (.coreData, CocoaError.coreData, 134060), (.migration, CocoaError.migration, 134110),
      (.sqlite, CocoaError.sqlite, 134180),
      (.externalRecordImport, CocoaError.externalRecordImport, 134200),
    ]
    for (short, long, number) in codes { #expect(short == long && short.rawValue == number) }
  }

  @Test func aFailedCheckTellsItsParts() throws {
    let context = try Notes.container().newBackgroundContext()
    let note = Note(context: context)
    note.setValue(nil, forKey: "title")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code == .validationMissingMandatoryProperty)
    let (object, value): (Any?, Any?) = (error.validationObject, error.validationValue)
    let (key, condition): (String?, NSPredicate?) = (
      error.validationKey, error.validationPredicate
    )
    #expect(object as? Note === note && value == nil && key == "title" && condition == nil)
    let objects: [NSManagedObject]? = error.affectedObjects
    let stores: [NSPersistentStore]? = error.affectedStores
    let conflicts: [NSMergeConflict]? = error.persistentStoreSaveConflicts
    #expect(objects == nil && stores == nil && conflicts == nil)
  }

  @Test func severalFailedChecksAreListed() throws {
    let context = try Notes.container().newBackgroundContext()
    for _ in 0..<2 { Note(context: context).setValue(nil, forKey: "title") }
    let error = try #require(throws: CocoaError.self) { try context.save() } as NSError
    #expect(error.code == NSValidationMultipleErrorsError)
    let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError]
    #expect(parts?.map(\.code) == [1570, 1570])
  }
}
