// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel
public import SporadesSQLite
import SporadesStore

/// The place and the options of one store of a container.
public struct PersistentStoreDescription: Hashable, Sendable {
  /// A kind of store.
  public enum StoreType: Hashable, Sendable {
    /// A file with Core Data's layout.
    case sqlite
    /// A store that ends with its container or coordinator.
    case inMemory
  }

  /// The kind of the store.
  public var type: StoreType
  /// The file of the store, in a folder that exists; nil for a store in memory. As in Core Data, each store at
  /// `/dev/null` is another store in memory.
  public var url: URL?
  /// The configuration of the model whose entities the store holds; nil for all entities.
  public var configuration: String?
  /// Opens the store for reading only.
  public var isReadOnly: Bool
  /// The number of seconds that a request waits for another process.
  public var timeout: Double
  /// Makes the file if there is none. With false, the load fails then.
  public var createsFile: Bool
  /// SQLite's own settings by name: `busy_timeout`, `cache_size`, `mmap_size`, `secure_delete` and
  /// `wal_autocheckpoint`. The durability decides `journal_mode` and `synchronous`. With another name the load
  /// fails.
  public private(set) var sqlitePragmas: [String: String] = [:]
  /// The options that no pragma sets, such as the number of readers.
  public var sqliteOptions = SQLiteStoreOptions()
  /// Opens the store later and on another thread, if the load has a completion handler.
  public var shouldAddStoreAsynchronously = false

  /// Changes a store of another version of the model when it is opened. With false, the load fails then.
  public var shouldMigrateStoreAutomatically: Bool {
    get { sqliteOptions.migration.isAutomatic }
    set { sqliteOptions.migration.isAutomatic = newValue }
  }

  /// Finds out from both models what becomes of each property. With false, only a mapping model or the stages of a
  /// plan migrate the store.
  public var shouldInferMappingModelAutomatically: Bool {
    get { sqliteOptions.migration.infersMapping }
    set { sqliteOptions.migration.infersMapping = newValue }
  }

  /// Describes a store of a kind.
  public init(type: StoreType = .sqlite, url: URL? = nil) {
    self.type = type
    self.url = url
    isReadOnly = false
    createsFile = true
    timeout = 5
  }

  /// Describes a SQLite store in a file.
  public init(url: URL) { self.init(type: .sqlite, url: url) }

  /// Sets one of SQLite's own settings; see ``sqlitePragmas``.
  public mutating func setValue(_ value: String, forPragmaNamed name: String) {
    sqlitePragmas[name.lowercased()] = value
  }

  /// The store lies in a file. As in Core Data, one at `/dev/null` is in memory.
  var isFile: Bool {
    type == .sqlite && url.map { SystemFile.isNullDevice($0.path) } != true
  }

  func open(_ model: ManagedObjectModel) throws(StoreError) -> SQLiteStore {
    let options = try storeOptions()
    switch (type, url) {
    case (.inMemory, _): return try SQLiteStore(inMemory: model, options: options)
    case (.sqlite, let url?): return try SQLiteStore(url: url, model: model, options: options)
    case (.sqlite, nil):
      throw StoreError(.cannotOpen, "The description of a SQLite store has no file. Set its url.")
    }
  }

  /// Merges the settings of the description into the options of the store.
  func storeOptions() throws(StoreError) -> SQLiteStoreOptions {
    var options = sqliteOptions
    options.isReadOnly = isReadOnly || options.isReadOnly
    options.createsFile = createsFile && options.createsFile
    guard timeout >= 0 else {
      throw StoreError(
        .unsupported, "The timeout of a description is negative. Set it to 0 seconds or more.")
    }
    // SQLite holds 32 bits, so a longer or endless timeout becomes the longest one.
    options.busyMilliseconds = Int(min(timeout * 1000, Double(Int32.max)))
    options.configuration = configuration ?? options.configuration
    for (name, value) in sqlitePragmas {
      // A number beyond SQLite's 32 bits reaches the default branch.
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
          "The pragma \(name) can not be set to \(value). Remove it. A description can set "
            + "busy_timeout, cache_size, mmap_size, secure_delete and wal_autocheckpoint.")
      }
    }
    return options
  }
}
