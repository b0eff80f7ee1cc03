// SPDX-License-Identifier: MIT
public import Dispatch
public import SporadesDAL
public import SporadesGraph
public import SporadesModel
public import SporadesPostgreSQL

extension DataStack {
  /// Opens a stack over tables that exist already, for the entities that the classes declare.
  public convenience init(
    existingTablesAt address: String, entities: [ManagedObject.Type],
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws {
    let model = try ManagedObjectModel(entities)
    try self.init(
      existingTablesAt: address, model: model, classes: entities, options: options,
      mainQueue: mainQueue)
  }

  /// Opens a stack over tables that exist already, for a model that may come from a model file. Entities without a class in
  /// `classes` have plain managed objects.
  public convenience init(
    existingTablesAt address: String, model: ManagedObjectModel,
    classes: [ManagedObject.Type] = [],
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws {
    try model.checkFit(of: classes)
    let store = try PostgreSQLStore(existingTablesAt: address, model: model, options: options)
    self.init(store: store, classes: classes, mainQueue: mainQueue)
  }
}

extension DALService {
  /// Makes a service over tables that exist already.
  ///
  /// ```text
  /// static let shared = AppData(existingTablesAt: "postgresql://app@db.example.com/films", entities: [Film.self])
  /// ```
  public convenience init(
    existingTablesAt address: String, entities: [ManagedObject.Type],
    options: Options = Options(),
    storeOptions: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) {
    self.init(options: options) {
      try DataStack(existingTablesAt: address, entities: entities, options: storeOptions)
    }
  }
}
