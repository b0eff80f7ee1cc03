// SPDX-License-Identifier: MIT
public import Foundation
import SporadesContainers
import SporadesModel
import SporadesStore

/// The place and the options of a store.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The kind of the store.
  public var type = NSSQLiteStoreType
  /// The configuration of the model whose entities the store holds.
  public var configuration: String?
  /// The file of the store.
  public var url: URL?
  /// Opens the store later and on another thread.
  public var shouldAddStoreAsynchronously = false
  /// Has no effect: there is no CloudKit.
  public var cloudKitContainerOptions: NSObject?
  private var all: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  private var pragmas: [String: NSObject] = [:]

  /// Describes a store in a file of SQLite.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// Describes a store in memory until its place is set.
  public override init() {
    url = URL(fileURLWithPath: "/dev/null")
    super.init()
  }

  /// The options.
  public var options: [String: NSObject] { all }

  /// Sets an option.
  public func setOption(_ option: NSObject?, forKey key: String) { all[key] = option }

  /// Opens the store for reading only.
  public var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { all[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
  }
  /// The number of seconds that a request waits for another process.
  public var timeout: TimeInterval {
    get { (all[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { all[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }
  /// SQLite's own settings by name.
  public var sqlitePragmas: [String: NSObject] { pragmas }
  /// Sets one of SQLite's own settings.
  public func setValue(_ value: NSObject?, forPragmaNamed name: String) { pragmas[name] = value }
  /// Migrates a store of another version of the model when it is opened.
  public var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { all[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
  }
  /// Finds out from both models what becomes of each property.
  public var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { all[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
  }

  private func flag(_ key: String) -> Bool { (all[key] as? NSNumber)?.boolValue ?? false }

  func optionsWithPragmas() -> [AnyHashable: Any] {
    var options = all as [AnyHashable: Any]
    if !pragmas.isEmpty { options[NSSQLitePragmasOption] = pragmas }
    return options
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    (copy.type, copy.configuration, copy.url) = (type, configuration, url)
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    (copy.all, copy.pragmas) = (all, pragmas)
    return copy
  }

  /// Descriptions are equal if they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return other === self
      || (type, configuration, url) == (other.type, other.configuration, other.url)
        && all == other.all && pragmas == other.pragmas
  }

  open override var hash: Int { type.hashValue ^ url.hashValue }

  open override var description: String {
    "NSPersistentStoreDescription (type: \(type), url: \(url?.absoluteString ?? "none"))"
  }
}
