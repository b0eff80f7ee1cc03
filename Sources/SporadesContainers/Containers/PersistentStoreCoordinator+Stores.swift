// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel
import SporadesMoving
public import SporadesSQLite
public import SporadesStore

// The stores of a coordinator by their places.
extension PersistentStoreCoordinator {
  /// Opens or makes the store of a description, and adds it to the coordinator.
  @discardableResult
  public func addPersistentStore(
    with description: PersistentStoreDescription
  ) throws(StoreError) -> any PersistentStore {
    let store = try description.open(model)
    do {
      try addPersistentStore(store)
    } catch {
      // try? because the caller gets the first error, and the store holds nothing uncommitted.
      try? store.close()
      throw error
    }
    return store
  }

  /// Opens or makes a store for all entities of the model or those of a configuration, and adds it to the
  /// coordinator.
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

  /// Returns the file of a store; nil for a store in memory, and for a store of another coordinator.
  public func url(for store: any PersistentStore) -> URL? {
    guard persistentStores.contains(where: { $0 === store }) else { return nil }
    return store.path.map { URL(fileURLWithPath: $0) }
  }

  /// Returns the coordinator's store in a file; nil if there is none.
  public func persistentStore(for url: URL) -> (any PersistentStore)? {
    let path = url.standardizedFileURL.path
    return persistentStores.first { store in
      store.path.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        == path
    }
  }

  /// Copies a store to another place or another type, and replaces the store by the copy. Objects keep their ids,
  /// contexts notice nothing, and the former file stays as it is.
  ///
  /// Saves wait until the copy is complete. The new place must be empty.
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
        isMade = copy.path != nil
        return copy
      }
    } catch {
      // try? because the caller gets the first error. A copy that stays makes the next attempt fail by name.
      if isMade, let url { try? SQLiteStore.destroy(storeAt: url) }
      throw error
    }
  }

  /// Moves everything of a store into an empty one, such as one on a server, and replaces the store by it. Objects keep their
  /// ids in this process, and contexts notice nothing. URIs of objects change, because the new store has an identifier of its own.
  ///
  /// Saves wait until the move is complete. The new store belongs to the coordinator from then on, and the former one is closed.
  /// If something fails, the new store is empty again and stays the caller's. A history stays behind: see
  /// ``SporadesMoving/StoreMove``.
  public func migratePersistentStore(
    _ store: any PersistentStore, to empty: any PersistentStore
  ) throws(StoreError) {
    guard store.configurationName == empty.configurationName else {
      func held(_ store: any PersistentStore) -> String {
        store.configurationName.map { "the configuration \($0)" } ?? "all entities"
      }
      throw StoreError(
        .unsupported,
        "\(store.placeText) holds \(held(store)), and was to move into a store that holds \(held(empty)). Both hold the same."
      )
    }
    _ = try exchange(store) { (store) throws(StoreError) in
      try StoreMove(from: store, to: empty).run()
      return empty
    }
  }

  private func copy(
    _ store: any PersistentStore, to url: URL?, _ type: PersistentStoreDescription.StoreType,
    _ options: SQLiteStoreOptions
  ) throws(StoreError) -> any PersistentStore {
    guard PersistentStoreDescription(type: type, url: url).isFile else {
      let copy = try SQLiteStore(inMemory: model, options: options)
      try StoreMove(from: store, to: copy).copy()
      return copy
    }
    guard let url else {
      throw StoreError(.cannotOpen, "The new file has no place. Pass a URL for the copy.")
    }
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw StoreError(
        .cannotOpen,
        "There is something at \(url.path) already. Destroy the store there, or name another place."
      )
    }
    if store.path != nil {
      // A copy of the file keeps its history and the files of its large values.
      try store.copy(to: url.path)
      return try opened(url, options)
    }
    let copy = try opened(url, options)
    do {
      try StoreMove(from: store, to: copy).copy()
    } catch {
      // try? because the caller gets the first error, and the copy is of no use.
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
      // try? because the caller gets the first error, and the copy is of no use.
      try? SQLiteStore.destroy(storeAt: url)
      throw error
    }
  }

  // MARK: - Deferred migration

  /// Removes what migrations with `defersCleanup` left in the files of the stores.
  public func finishDeferredLightweightMigration() throws(StoreError) {
    while try finishDeferredLightweightMigrationTask() {}
  }

  /// Does one part of that work; returns false if none is left.
  public func finishDeferredLightweightMigrationTask() throws(StoreError) -> Bool {
    for case let store as SQLiteStore in persistentStores {
      if try store.finishDeferredMigrationTask() { return true }
    }
    return false
  }

  // MARK: - Files that are not open

  /// Removes the store in a file: the file, its log, and the files of its large values. Throws if the store is
  /// open or the file is no store.
  public static func destroyPersistentStore(at url: URL) throws(StoreError) {
    try SQLiteStore.destroy(storeAt: url)
  }

  /// Replaces the store at `url`, if there is one, by a copy of the store at `source`. Throws if a store is open
  /// or a file is no store. The former store stays whole until the copy takes its place.
  public static func replacePersistentStore(
    at url: URL, withPersistentStoreFrom source: URL
  ) throws(StoreError) {
    try SQLiteStore.replace(storeAt: url, withStoreFrom: source)
  }
}
