// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel
public import SporadesSQLite
import SporadesStore

/// Where and how a container opens one of its stores.
public struct PersistentStoreDescription: Hashable, Sendable {
  /// The kinds of stores there are.
  public enum StoreType: Hashable, Sendable {
    /// A file with Core Data's layout.
    case sqlite
    /// A store that ends with its container or coordinator.
    case inMemory
  }

  /// The kind of the store.
  public var type: StoreType
  /// The file; its folder must exist.
  public var url: URL?
  /// The configuration of the model whose entities alone the store holds; nil for all entities.
  public var configuration: String?
  /// Opens the store for reading alone; a save into it is refused.
  public var isReadOnly: Bool
  /// How long a request waits for another process, in seconds.
  public var timeout: Double
  /// Refuses to make a file where there is none.
  public var createsFile: Bool
  /// SQLite's own settings by name, as far as stores can be told: `busy_timeout`, `cache_size`,
  /// `mmap_size`, `secure_delete` and `wal_autocheckpoint`. `journal_mode` and `synchronous` follow
  /// from durability; other names fail the loading.
  public private(set) var sqlitePragmas: [String: String] = [:]
  /// What has no pragma: the number of readers, for one.
  public var sqliteOptions = SQLiteStoreOptions()
  /// Loads the store on another thread, so that the loading call returns before the store is open.
  public var shouldAddStoreAsynchronously = false

  /// A description of a store that is made where it is missing, for all entities of the model.
  public init(type: StoreType = .sqlite, url: URL? = nil) {
    self.type = type
    self.url = url
    isReadOnly = false
    createsFile = true
    timeout = 5
  }

  /// A description of a SQLite file.
  public init(url: URL) { self.init(type: .sqlite, url: url) }

  /// Gives one of SQLite's own settings a value; ``sqlitePragmas`` lists the names that stores take.
  public mutating func setValue(_ value: String, forPragmaNamed name: String) {
    sqlitePragmas[name.lowercased()] = value
  }

  func open(_ model: ManagedObjectModel) throws(StoreError) -> SQLiteStore {
    let options = try storeOptions()
    switch (type, url) {
    case (.inMemory, _): return try SQLiteStore(inMemory: model, options: options)
    case (.sqlite, let url?): return try SQLiteStore(url: url, model: model, options: options)
    case (.sqlite, nil):
      throw StoreError(.cannotOpen, "A SQLite store needs a place; set the description's url.")
    }
  }

  /// The options of the store, all of the description in them.
  func storeOptions() throws(StoreError) -> SQLiteStoreOptions {
    var options = sqliteOptions
    options.isReadOnly = isReadOnly || options.isReadOnly
    options.createsFile = createsFile && options.createsFile
    guard timeout >= 0 else {
      throw StoreError(
        .unsupported, "A description's timeout is a number of seconds, not negative.")
    }
    // As long as there is room for, where it is longer or endless.
    options.busyMilliseconds = Int(min(timeout * 1000, Double(Int32.max)))
    options.configuration = configuration ?? options.configuration
    for (name, value) in sqlitePragmas {
      // What is beyond SQLite's own numbers can not be set.
      switch (name, Int32(value).map(Int.init)) {
      case ("busy_timeout", let number?): options.busyMilliseconds = number
      // A negative size is in kilobytes, a positive one in pages of four.
      case ("cache_size", let number?): options.cacheKilobytes = number < 0 ? -number : number * 4
      case ("mmap_size", _) where Int(value) != nil: options.mappedBytes = Int(value) ?? 0
      case ("wal_autocheckpoint", let number?): options.checkpointFrames = number
      case ("secure_delete", _):
        options.overwritesDeletedContent = ["on", "1", "true", "yes"].contains(value.lowercased())
      case ("journal_mode", _) where value.lowercased() == "wal", ("synchronous", _): break
      default:
        throw StoreError(
          .unsupported,
          "The pragma \(name) can not be set to \(value). Take it out; those that can be set are "
            + "busy_timeout, cache_size, mmap_size, secure_delete and wal_autocheckpoint.")
      }
    }
    return options
  }
}
