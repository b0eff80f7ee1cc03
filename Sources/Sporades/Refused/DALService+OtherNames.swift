// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
public import SporadesModel
public import SporadesSQLite

// Labels that no service has. The compiler reports one sentence for each.

// Classes.
extension DALService {
  /// Refuses classes without a list.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "write the classes as a list: entities: [User.self, Pet.self]"
  )
  public convenience init(
    sqlite place: Any, entities first: ManagedObject.Type, _ others: ManagedObject.Type...
  ) { trap(refusal) }

  /// Refuses classes without a list.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "write the classes as a list: inMemory: [User.self, Pet.self]"
  )
  public convenience init(inMemory first: ManagedObject.Type, _ others: ManagedObject.Type...) {
    trap(refusal)
  }

  /// Refuses classes with another label.
  @available(
    *, unavailable, message: "write entities: DALService(sqlite: \"Shop\", entities: [User.self])"
  )
  public convenience init(sqlite place: Any, models: [ManagedObject.Type]) { trap(refusal) }

  /// Refuses classes without a label.
  @available(
    *, unavailable, message: "write entities: DALService(sqlite: \"Shop\", entities: [User.self])"
  )
  public convenience init(sqlite place: Any, _ entities: [ManagedObject.Type]) { trap(refusal) }

  /// Refuses a file without its classes. A name alone is that of a model file.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "list the classes of the entities: DALService(sqlite: url, entities: [User.self]); a file that has its model within itself is DALService(openingStoreAt: url)"
  )
  public convenience init(
    sqlite url: URL, options: Options = Options(),
    storeOptions: SQLiteStoreOptions = SQLiteStoreOptions()
  ) { trap(refusal) }

  /// Refuses a truth value in the place of the classes.
  @available(*, unavailable, message: "write the classes: DALService(inMemory: [User.self])")
  public convenience init(inMemory: Bool, entities: [ManagedObject.Type] = []) { trap(refusal) }

  /// Refuses a model in the place of the classes.
  @available(
    *, unavailable, message: "write DALService { try DataStack(inMemory: model) }"
  )
  public convenience init(inMemory model: ManagedObjectModel, classes: [ManagedObject.Type] = []) {
    trap(refusal)
  }

  /// Refuses classes without a place.
  @available(
    *, unavailable,
    message:
      "say where the objects are kept: sqlite: with a name or a URL, entities: [User.self], or inMemory: [User.self]"
  )
  public convenience init(entities: [ManagedObject.Type]) { trap(refusal) }
}

// Places.
extension DALService {
  /// Refuses a place with another label.
  @available(
    *, unavailable,
    message:
      "write sqlite, with a name or a URL: DALService(sqlite: URL(fileURLWithPath: path), entities: [User.self])"
  )
  public convenience init(path: String, entities: [ManagedObject.Type]) { trap(refusal) }

  /// Refuses a place with another label.
  @available(
    *, unavailable, message: "write sqlite: DALService(sqlite: url, entities: [User.self])"
  )
  public convenience init(url: Any, entities: [ManagedObject.Type]) { trap(refusal) }

  /// Refuses a name beside a model.
  @available(
    *, unavailable,
    message:
      "beside a model write a URL: DALService(sqlite: url, model: model); a name alone finds the model file of this name"
  )
  public convenience init(
    sqlite name: String, model: ManagedObjectModel, classes: [ManagedObject.Type] = []
  ) { trap(refusal) }
}

// Options.
extension DALService {
  /// Refuses an option without its label.
  @available(
    *, unavailable,
    message:
      "write it among the options: DALService(sqlite: url, entities: [User.self], options: .init(durability: .immediate))"
  )
  public convenience init(
    sqlite place: Any, entities: [ManagedObject.Type], durability: Durability
  ) { trap(refusal) }

  /// Refuses an option without its label.
  @available(
    *, unavailable,
    message:
      "write it among the options: DALService(sqlite: url, entities: [User.self], options: .init(mergePolicy: .objectTrump))"
  )
  public convenience init(
    sqlite place: Any, entities: [ManagedObject.Type], mergePolicy: MergePolicy
  ) { trap(refusal) }

  /// Refuses an option without its label.
  @available(
    *, unavailable,
    message:
      "write it among the options: DALService(inMemory: [User.self], options: .init(durability: .immediate))"
  )
  public convenience init(inMemory entities: [ManagedObject.Type], durability: Durability) {
    trap(refusal)
  }

  /// Refuses an option without its label.
  @available(
    *, unavailable,
    message:
      "write it among the options: DALService(inMemory: [User.self], options: .init(mergePolicy: .objectTrump))"
  )
  public convenience init(inMemory entities: [ManagedObject.Type], mergePolicy: MergePolicy) {
    trap(refusal)
  }

  /// Refuses an option of the store without its label.
  @available(
    *, unavailable,
    message:
      "it is an option of the store: var store = SQLiteStoreOptions(); store.createsFile = false; DALService(sqlite: url, entities: [User.self], storeOptions: store)"
  )
  public convenience init(sqlite place: Any, entities: [ManagedObject.Type], createsFile: Bool) {
    trap(refusal)
  }

  /// Refuses an option of the store without its label.
  @available(
    *, unavailable,
    message:
      "it is an option of the store: var store = SQLiteStoreOptions(); store.migrationPlan = plan; DALService(sqlite: url, entities: [User.self], storeOptions: store)"
  )
  public convenience init(sqlite place: Any, entities: [ManagedObject.Type], migrationPlan: Any) {
    trap(refusal)
  }

  /// Refuses options of a file.
  @available(
    *, unavailable, message: "a store in memory has no file, and takes no options of one"
  )
  public convenience init(
    inMemory entities: [ManagedObject.Type], options: Options = Options(),
    storeOptions: SQLiteStoreOptions
  ) { trap(refusal) }
}

extension DALService.Options {
  /// Refuses an option of the store.
  @available(
    *, unavailable,
    message:
      "it is an option of the store: var store = SQLiteStoreOptions(); store.createsFile = false; DALService(sqlite: url, entities: [User.self], storeOptions: store)"
  )
  public init(createsFile: Bool) { trap(refusal) }

  /// Refuses an option of the store.
  @available(
    *, unavailable,
    message:
      "it is an option of the store: var store = SQLiteStoreOptions(); store.persistentHistory = .on; DALService(sqlite: \"Shop\", entities: [User.self], storeOptions: store)"
  )
  public var persistentHistory: HistoryTracking {
    get { trap(refusal) }
    set {}
  }
}
