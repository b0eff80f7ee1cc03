// SPDX-License-Identifier: MIT
public import Dispatch
public import SporadesDAL
public import SporadesGraph
public import SporadesModel

extension DataStack {
  /// Opens a stack over the tables of a server, for the entities that the classes declare.
  public convenience init(
    postgres address: String, entities: [ManagedObject.Type],
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws {
    let model = try ManagedObjectModel(entities)
    try self.init(
      postgres: address, model: model, classes: entities, options: options, mainQueue: mainQueue)
  }

  /// Opens a stack over the tables of a server, for a model that may come from a model file. Entities without a class in
  /// `classes` have plain managed objects.
  public convenience init(
    postgres address: String, model: ManagedObjectModel, classes: [ManagedObject.Type] = [],
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws {
    try model.checkFit(of: classes)
    let store = try PostgreSQLStore(address, model: model, options: options)
    self.init(store: store, classes: classes, mainQueue: mainQueue)
  }
}

extension DALService {
  /// Makes a service over the tables of a server.
  ///
  /// ```text
  /// static let shared = AppData(postgres: "postgresql://app@db.example.com/app", entities: [User.self])
  /// ```
  public convenience init(
    postgres address: String, entities: [ManagedObject.Type], options: Options = Options(),
    storeOptions: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) {
    self.init(options: options) {
      try DataStack(postgres: address, entities: entities, options: storeOptions)
    }
  }
}
