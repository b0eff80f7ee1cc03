// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
public import SporadesModel
import SporadesModelFiles

extension DALService {
  /// A service over a SQLite file in the application's data folder, for the entities that the
  /// classes declare.
  public convenience init(
    sqlite name: String, entities: [ManagedObject.Type], options: Options = Options()
  ) {
    self.init(options: options) { try DataStack(sqlite: name, entities: entities) }
  }

  /// A service over a SQLite file in the application's data folder, for the model file of the same
  /// name: `<name>.xcdatamodeld`, beside the program or in the working folder.
  public convenience init(
    sqlite name: String, classes: [ManagedObject.Type] = [], options: Options = Options()
  ) {
    self.init(options: options) {
      let model = try ManagedObjectModel(named: name)
      return try DataStack(
        sqlite: StoreLocation().store(named: name), model: model, classes: classes)
    }
  }

  /// A service over the SQLite file at a place of your choice.
  public convenience init(
    sqlite url: URL, entities: [ManagedObject.Type], options: Options = Options()
  ) {
    self.init(options: options) { try DataStack(sqlite: url, entities: entities) }
  }

  /// A service over the SQLite file at a place of your choice, for a model that may come from a
  /// model file.
  public convenience init(
    sqlite url: URL, model: ManagedObjectModel, classes: [ManagedObject.Type] = [],
    options: Options = Options()
  ) {
    self.init(options: options) { try DataStack(sqlite: url, model: model, classes: classes) }
  }

  /// A service whose store ends with it: for tests and previews.
  public convenience init(inMemory entities: [ManagedObject.Type], options: Options = Options()) {
    self.init(options: options) { try DataStack(inMemory: entities) }
  }
}
