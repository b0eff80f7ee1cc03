// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel
public import SporadesSQLite
public import SporadesStore

// Stores of a coordinator, by the places they lie in.
extension PersistentStoreCoordinator {
  /// Opens or makes the store of a description, and takes it in.
  @discardableResult
  public func addPersistentStore(
    with description: PersistentStoreDescription
  ) throws(StoreError) -> any PersistentStore {
    let store = try description.open(model)
    do {
      try addPersistentStore(store)
    } catch {
      try? store.close()
      throw error
    }
    return store
  }

  /// Opens or makes a store, with all entities of the model or those of a configuration, and takes it
  /// in.
  @discardableResult
  public func addPersistentStore(
    type: PersistentStoreDescription.StoreType, configuration: String? = nil, at url: URL? = nil,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) -> any PersistentStore {
    var description = PersistentStoreDescription(type: type, url: url)
    description.configuration = configuration ?? options.configuration
    description.sqliteOptions = options
    description.timeout = Double(options.busyMilliseconds) / 1000
    return try addPersistentStore(with: description)
  }

  /// The file a store lies in; nil for a store in memory, and for one that is not the coordinator's.
  public func url(for store: any PersistentStore) -> URL? {
    guard persistentStores.contains(where: { $0 === store }) else { return nil }
    return store.path.map { URL(fileURLWithPath: $0) }
  }

  /// The store that lies in a file.
  public func persistentStore(for url: URL) -> (any PersistentStore)? {
    let path = url.standardizedFileURL.path
    return persistentStores.first { store in
      store.path.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        == path
    }
  }

  /// Copies a store to another place or another type and works with the copy from then on. Objects
  /// keep their ids, contexts notice nothing, and the former file stays as it is.
  ///
  /// Nobody saves meanwhile. There must be nothing at the new place.
  @discardableResult
  public func migratePersistentStore(
    _ store: any PersistentStore, to url: URL? = nil,
    type: PersistentStoreDescription.StoreType = .sqlite,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) -> any PersistentStore {
    var options = options
    options.configuration = store.configurationName
    options.identifier = store.identifier
    var isMade = false
    do {
      return try exchange(store) { (store) throws(StoreError) in
        let copy = try self.copy(store, to: url, type, options)
        isMade = type == .sqlite
        return copy
      }
    } catch {
      if isMade, let url { try? SQLiteStore.destroy(storeAt: url) }
      throw error
    }
  }

  private func copy(
    _ store: any PersistentStore, to url: URL?, _ type: PersistentStoreDescription.StoreType,
    _ options: SQLiteStoreOptions
  ) throws(StoreError) -> any PersistentStore {
    guard type == .sqlite else {
      let copy = try SQLiteStore(inMemory: model, options: options)
      try StoreCopy(from: store, to: copy).run()
      return copy
    }
    guard let url else {
      throw StoreError(.cannotOpen, "A file needs a place; name one to migrate the store to.")
    }
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw StoreError(
        .cannotOpen,
        "There is something at \(url.path) already. Destroy the store there, or name another place."
      )
    }
    if store.path != nil {
      // The file is copied as it is, with its history and the files of its large values.
      try store.copy(to: url.path)
      return try opened(url, options)
    }
    let copy = try opened(url, options)
    do {
      try StoreCopy(from: store, to: copy).run()
    } catch {
      try? copy.close()
      try? SQLiteStore.destroy(storeAt: url)
      throw error
    }
    return copy
  }

  private func opened(
    _ url: URL, _ options: SQLiteStoreOptions
  ) throws(StoreError) -> SQLiteStore {
    do {
      return try SQLiteStore(url: url, model: model, options: options)
    } catch {
      try? SQLiteStore.destroy(storeAt: url)
      throw error
    }
  }

  // MARK: - Files that are not open

  /// Removes the store in a file: the file, its log, and the files of its large values. Refuses a store
  /// that is open, and a file that is none.
  public static func destroyPersistentStore(at url: URL) throws(StoreError) {
    try SQLiteStore.destroy(storeAt: url)
  }

  /// Puts a copy of the store at `source` into the place of the store at `url`, or where there is none
  /// yet. Refuses stores that are open, and files that are none. The former store stays whole until
  /// the copy takes its place.
  public static func replacePersistentStore(
    at url: URL, withPersistentStoreFrom source: URL
  ) throws(StoreError) {
    try SQLiteStore.replace(storeAt: url, withStoreFrom: source)
  }
}
