// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
public import SporadesModel
public import SporadesSQLite

// With the option `honorsLaunchArguments`, the launch arguments `-InMemory 1` and `-TestMode 1` put a store in
// memory or a file in the user's cache in the place of the file that the service names.
extension DALService {
  /// Makes a service over a SQLite file in the application's data folder, for the entities that the classes
  /// declare.
  public convenience init(
    sqlite name: String, entities: [ManagedObject.Type], options: Options = Options(),
    storeOptions: SQLiteStoreOptions = SQLiteStoreOptions()
  ) {
    self.init(options: options) {
      let model = try ManagedObjectModel(entities)
      return try options.launchSetup.stack(named: name, model, entities, storeOptions)
    }
  }

  /// Makes a service over the SQLite file at a URL, for the entities that the classes declare.
  public convenience init(
    sqlite url: URL, entities: [ManagedObject.Type], options: Options = Options(),
    storeOptions: SQLiteStoreOptions = SQLiteStoreOptions()
  ) {
    self.init(options: options) {
      let model = try ManagedObjectModel(entities)
      return try options.launchSetup.stack(at: url, model, entities, storeOptions, CacheFolder())
    }
  }

  /// Makes a service over the SQLite file at a URL, for a model that may come from a model file.
  public convenience init(
    sqlite url: URL, model: ManagedObjectModel, classes: [ManagedObject.Type] = [],
    options: Options = Options(), storeOptions: SQLiteStoreOptions = SQLiteStoreOptions()
  ) {
    self.init(options: options) {
      try options.launchSetup.stack(at: url, model, classes, storeOptions, CacheFolder())
    }
  }

  /// Makes a service over a store in memory, for tests and previews. The store ends with the service.
  public convenience init(inMemory entities: [ManagedObject.Type], options: Options = Options()) {
    self.init(options: options) { try DataStack(inMemory: entities) }
  }
}

extension DALService.Options {
  package var launchSetup: LaunchSetup {
    LaunchSetup.ofProcess(isHonored: honorsLaunchArguments)
  }
}

extension LaunchSetup {
  /// Opens the stack of a service over a file in the application's data folder. It makes the folder only if it
  /// opens the file.
  package func stack(
    named name: String, _ model: ManagedObjectModel, _ classes: [ManagedObject.Type],
    _ options: SQLiteStoreOptions = SQLiteStoreOptions(),
    _ location: StoreLocation = StoreLocation(),
    _ cache: @autoclosure () -> CacheFolder = CacheFolder()
  ) throws -> DataStack {
    try StoreName.check(name)
    let place = location.folder.appendingPathComponent("\(name).sqlite")
    if case .usual = self { _ = try location.store(named: name) }
    return try stack(at: place, model, classes, options, cache())
  }
}
