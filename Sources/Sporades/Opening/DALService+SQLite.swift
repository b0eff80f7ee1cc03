// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
public import SporadesModel
import SporadesModelFiles

// With the launch argument `-InMemory 1` or `-TestMode 1` no service opens the file it names: a store
// in memory stands in for it, or a file in the user's cache.
extension DALService {
  /// A service over a SQLite file in the application's data folder, for the entities that the
  /// classes declare.
  public convenience init(
    sqlite name: String, entities: [ManagedObject.Type], options: Options = Options()
  ) {
    self.init(options: options) {
      let model = try ManagedObjectModel(entities)
      return try LaunchSetup.ofProcess.stack(named: name, model, entities)
    }
  }

  /// A service over a SQLite file in the application's data folder, for the model file of the same
  /// name: `<name>.xcdatamodeld`, beside the program or in the working folder.
  public convenience init(
    sqlite name: String, classes: [ManagedObject.Type] = [], options: Options = Options()
  ) {
    self.init(options: options) {
      let model = try ManagedObjectModel(named: name)
      return try LaunchSetup.ofProcess.stack(named: name, model, classes)
    }
  }

  /// A service over the SQLite file at a place of your choice.
  public convenience init(
    sqlite url: URL, entities: [ManagedObject.Type], options: Options = Options()
  ) {
    self.init(options: options) {
      let model = try ManagedObjectModel(entities)
      return try LaunchSetup.ofProcess.stack(at: url, model, entities, CacheFolder())
    }
  }

  /// A service over the SQLite file at a place of your choice, for a model that may come from a
  /// model file.
  public convenience init(
    sqlite url: URL, model: ManagedObjectModel, classes: [ManagedObject.Type] = [],
    options: Options = Options()
  ) {
    self.init(options: options) {
      try LaunchSetup.ofProcess.stack(at: url, model, classes, CacheFolder())
    }
  }

  /// A service whose store ends with it: for tests and previews.
  public convenience init(inMemory entities: [ManagedObject.Type], options: Options = Options()) {
    self.init(options: options) { try DataStack(inMemory: entities) }
  }
}

extension LaunchSetup {
  /// The stack of a service over a file in the application's data folder, which is made only where
  /// the file is opened.
  func stack(
    named name: String, _ model: ManagedObjectModel, _ classes: [ManagedObject.Type],
    _ location: StoreLocation = StoreLocation(),
    _ cache: @autoclosure () -> CacheFolder = CacheFolder()
  ) throws -> DataStack {
    let place = location.folder.appendingPathComponent("\(name).sqlite")
    if case .usual = self { _ = try location.store(named: name) }
    return try stack(at: place, model, classes, cache())
  }
}
