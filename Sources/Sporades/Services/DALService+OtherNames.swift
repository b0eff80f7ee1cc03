// SPDX-License-Identifier: MIT
public import SporadesDAL
public import SporadesGraph
import SporadesModel
public import SporadesSQLite

// Labels that no service has. The compiler reports one sentence for each.

private let refusal = "The compiler refuses this call."

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

  /// Refuses an option without its label.
  @available(
    *, unavailable,
    message:
      "write it among the options: DALService(sqlite: url, entities: [User.self], options: .init(durability: .immediate))"
  )
  public convenience init(
    sqlite place: Any, entities: [ManagedObject.Type], durability: Durability
  ) { trap(refusal) }

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
}

extension DALService.Options {
  /// Refuses an option of the store.
  @available(
    *, unavailable,
    message:
      "it is an option of the store: var store = SQLiteStoreOptions(); store.persistentHistory = .on; DALService(sqlite: \"Shop\", entities: [User.self], storeOptions: store)"
  )
  public var persistentHistory: HistoryTracking {
    get { trap("The compiler refuses this call.") }
    set {}
  }
}
