// SPDX-License-Identifier: MIT
public import Dispatch
public import FoundationEssentials
import SporadesChain
public import SporadesGraph
public import SporadesModel
public import SporadesSQLite
import SporadesStore

extension DataStack {
  /// Opens a stack over a SQLite file, for the entities that the classes declare.
  public convenience init(
    sqlite url: URL, entities: [ManagedObject.Type],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws {
    try self.init(
      sqlite: url, model: ManagedObjectModel(entities), classes: entities, options: options,
      mainQueue: mainQueue)
  }

  /// Opens a stack over a SQLite file, for a model that may come from a model file. Entities without a class in
  /// `classes` have plain managed objects.
  public convenience init(
    sqlite url: URL, model: ManagedObjectModel, classes: [ManagedObject.Type] = [],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws {
    try model.checkFit(of: classes)
    let store = try SQLiteStore(url: url, model: model, options: options)
    if store.wasUnfinished, ConcurrencyCheck.isOn { Self.copyHint.give(about: url.path) }
    self.init(store: store, classes: classes, mainQueue: mainQueue)
  }

  private static let copyHint = Hint(
    " had no tables, so a new store was made in it. If the file is a copy of a store that was open, its rows stayed behind "
      + "in the log beside the original (-wal). Copy with service.copy(to:), which takes them along."
  )

  /// Opens a stack over a SQLite file in the application's data folder.
  public convenience init(
    sqlite name: String, entities: [ManagedObject.Type], location: StoreLocation = StoreLocation()
  ) throws {
    try self.init(sqlite: location.store(named: name), entities: entities)
  }

  /// Makes a stack over a store in memory, for the entities that the classes declare. The store ends with the
  /// stack.
  public convenience init(
    inMemory entities: [ManagedObject.Type], mainQueue: DispatchQueue? = nil
  ) throws {
    let model = try ManagedObjectModel(entities)
    self.init(
      store: try SQLiteStore(inMemory: model), classes: entities, mainQueue: mainQueue)
  }

  /// Makes a stack over a store in memory, for a model. The store ends with the stack.
  public convenience init(
    inMemory model: ManagedObjectModel, classes: [ManagedObject.Type] = [],
    mainQueue: DispatchQueue? = nil
  ) throws {
    try model.checkFit(of: classes)
    self.init(store: try SQLiteStore(inMemory: model), classes: classes, mainQueue: mainQueue)
  }
}
