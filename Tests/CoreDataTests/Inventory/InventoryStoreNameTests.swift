// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// The constants of chapter 1.7 of the inventory: types, options, metadata and notifications of stores.
@Suite struct InventoryStoreNameTests {
  @Test func typesOfStoresHaveCoreDatasNames() {
    let types: [(String, NSPersistentStore.StoreType, String)] = [
      (NSSQLiteStoreType, .sqlite, "SQLite"), (NSBinaryStoreType, .binary, "Binary"),
      (NSInMemoryStoreType, .inMemory, "InMemory"),
    ]
    for (older, newer, text) in types { #expect(older == newer.rawValue && older == text) }
  }

  @Test func optionsHaveTheirNamesAsValues() {
    let options: [(String, String)] = [
      (NSReadOnlyPersistentStoreOption, "NSReadOnlyPersistentStoreOption"),
      (NSPersistentStoreTimeoutOption, "NSPersistentStoreTimeoutOption"),
      (NSSQLitePragmasOption, "NSSQLitePragmasOption"),
      (NSSQLiteAnalyzeOption, "NSSQLiteAnalyzeOption"),
      (NSSQLiteManualVacuumOption, "NSSQLiteManualVacuumOption"),
      (NSIgnorePersistentStoreVersioningOption, "NSIgnorePersistentStoreVersioningOption"),
      (
        NSMigratePersistentStoresAutomaticallyOption,
        "NSMigratePersistentStoresAutomaticallyOption"
      ),
      (NSInferMappingModelAutomaticallyOption, "NSInferMappingModelAutomaticallyOption"),
      (NSPersistentHistoryTrackingKey, "NSPersistentHistoryTrackingKey"),
      (NSPersistentStoreForceDestroyOption, "NSPersistentStoreForceDestroyOption"),
      (NSPersistentStoreConnectionPoolMaxSizeKey, "NSPersistentStoreConnectionPoolMaxSizeKey"),
      (NSPersistentStoreFileProtectionKey, "NSPersistentStoreFileProtectionKey"),
      (NSBinaryStoreSecureDecodingClasses, "NSBinaryStoreSecureDecodingClasses"),
      (
        NSBinaryStoreInsecureDecodingCompatibilityOption,
        "NSBinaryStoreInsecureDecodingCompatibilityOption"
      ),
    ]
    for (value, name) in options { #expect(value == name) }
  }

  @Test func newerOptionsAreDistinct() {
    let options: Set<String> = [
      NSPersistentStoreRemoteChangeNotificationPostOptionKey,
      NSPersistentStoreDeferredLightweightMigrationOptionKey,
      NSPersistentStoreStagedMigrationManagerOptionKey,
    ]
    #expect(options.count == 3)
  }

  @Test func metadataHaveCoreDatasKeys() {
    let keys: [String] = [
      NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey,
      NSStoreModelVersionIdentifiersKey, NSPersistentStoreOSCompatibility,
    ]
    #expect(
      keys == [
        "NSStoreType", "NSStoreUUID", "NSStoreModelVersionHashes",
        "NSStoreModelVersionIdentifiers", "NSPersistentStoreOSCompatibility",
      ])
    let checksum: String = NSPersistentStoreModelVersionChecksumKey
    #expect(checksum.hasSuffix("ModelVersionChecksumKey"))
  }

  @Test func notificationsHaveCoreDatasNamesAndKeys() {
    let names: [(NSNotification.Name, String)] = [
      (
        .NSPersistentStoreCoordinatorStoresDidChange,
        "NSPersistentStoreCoordinatorStoresDidChangeNotification"
      ),
      (
        .NSPersistentStoreCoordinatorStoresWillChange,
        "NSPersistentStoreCoordinatorStoresWillChangeNotification"
      ),
      (
        .NSPersistentStoreCoordinatorWillRemoveStore,
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification"
      ),
      (.NSPersistentStoreRemoteChange, "NSPersistentStoreRemoteChangeNotification"),
    ]
    for (name, text) in names { #expect(name.rawValue == text) }
    let keys: [String] = [
      NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey,
      NSPersistentStoreURLKey, NSPersistentHistoryTokenKey,
    ]
    #expect(keys == ["added", "removed", "changed", "storeURL", "historyToken"])
  }
}
