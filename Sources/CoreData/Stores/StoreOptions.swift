// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesMissingFoundation
import SporadesModel
import SporadesSQLite
import SporadesStore

/// Core Data's options of a store, as the library has them.
struct StoreOptions {
  private(set) var description: PersistentStoreDescription

  init(
    type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?,
    model: NSManagedObjectModel? = nil
  ) throws {
    switch type {
    case NSSQLiteStoreType, NSBinaryStoreType:
      description = PersistentStoreDescription(type: .sqlite, url: url)
    case NSInMemoryStoreType: description = PersistentStoreDescription(type: .inMemory, url: nil)
    default:
      throw NSError.coreData(
        number: NSPersistentStoreInvalidTypeError,
        "There is no store of the type \(type). Use NSSQLiteStoreType or NSInMemoryStoreType.")
    }
    description.configuration =
      configuration == "PF_DEFAULT_CONFIGURATION_NAME" ? nil : configuration
    description.shouldMigrateStoreAutomatically = false
    description.shouldInferMappingModelAutomatically = false
    for (key, value) in options ?? [:] {
      if let name = key as? String { try take(name, value) }
    }
    // As in Core Data, what the newer version has no place for goes without a question.
    description.sqliteOptions.migration.losses = .allowed
    let stages = options?[NSPersistentStoreStagedMigrationManagerOptionKey]
    guard let manager = stages as? NSStagedMigrationManager, let url, let model else { return }
    description.sqliteOptions.migrationPlan = manager.plan(
      forStoreAt: url, to: try model.managedObjectModel())
  }

  private mutating func take(_ name: String, _ value: Any) throws {
    let flag = (value as? NSNumber)?.boolValue ?? (value as? Bool) ?? false
    switch name {
    case NSReadOnlyPersistentStoreOption: description.isReadOnly = flag
    case NSPersistentStoreTimeoutOption:
      description.timeout = (value as? NSNumber)?.doubleValue ?? description.timeout
    case NSMigratePersistentStoresAutomaticallyOption:
      description.shouldMigrateStoreAutomatically = flag
    case NSInferMappingModelAutomaticallyOption:
      description.shouldInferMappingModelAutomatically = flag
    case NSPersistentStoreDeferredLightweightMigrationOptionKey:
      description.sqliteOptions.migration.defersCleanup = flag
    case NSPersistentHistoryTrackingKey:
      description.sqliteOptions.persistentHistory = flag ? .on : .off
    case NSSQLitePragmasOption:
      for (name, value) in value as? [String: Any] ?? [:] {
        description.setValue("\(value)", forPragmaNamed: name)
      }
    case NSPersistentStoreConnectionPoolMaxSizeKey:
      description.sqliteOptions.readerCount =
        (value as? NSNumber)?.intValue ?? description.sqliteOptions.readerCount
    // The other options have no counterpart: they tune Apple's files and systems.
    default: break
    }
  }
}

/// The entries of a store's property list, as Core Data has them.
enum StoreMetadataCoding {
  static func plain(_ metadata: [String: MetadataValue]) -> [String: Any] {
    metadata.mapValues(plain)
  }

  private static func plain(_ value: MetadataValue) -> Any {
    switch value {
    case .string(let text): text
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .boolean(let flag): NSNumber(value: flag)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let bytes): Data(bytes)
    case .list(let values): values.map(plain)
    case .dictionary(let values): values.mapValues(plain)
    }
  }

  static func values(_ metadata: [String: Any]) throws -> [String: MetadataValue] {
    var values: [String: MetadataValue] = [:]
    for (name, value) in metadata { values[name] = try coded(value, name) }
    return values
  }

  private static func coded(_ value: Any, _ name: String) throws -> MetadataValue {
    switch value {
    case let text as String: return .string(text)
    case let flag as Bool where type(of: value) == Bool.self: return .boolean(flag)
    case let number as NSNumber:
      return number.doubleValue == Double(number.int64Value)
        ? .integer(number.int64Value) : .double(number.doubleValue)
    case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: return .data(Array(data))
    case let items as [Any]: return .list(try items.map { try coded($0, name) })
    case let items as [String: Any]: return .dictionary(try self.values(items))
    default:
      throw NSError.coreData(
        .general,
        "The metadata \(name) is \(value) of the type \(type(of: value)). Metadata are texts, numbers, dates, data, and lists and dictionaries of these."
      )
    }
  }
}
