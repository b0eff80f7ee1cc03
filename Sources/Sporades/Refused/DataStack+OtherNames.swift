// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
public import SporadesStore

// Labels that no stack has. The compiler reports one sentence for each.

extension DataStack {
  /// Refuses classes without a list.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "write the classes as a list: entities: [User.self, Pet.self]"
  )
  public convenience init(
    sqlite place: Any, entities first: ManagedObject.Type, _ others: ManagedObject.Type...
  ) throws { trap(refusal) }

  /// Refuses classes without a list.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "write the classes as a list: inMemory: [User.self, Pet.self]"
  )
  public convenience init(
    inMemory first: ManagedObject.Type, _ others: ManagedObject.Type...
  ) throws { trap(refusal) }

  /// Refuses a file without its classes.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "list the classes of the entities: DataStack(sqlite: url, entities: [User.self]); a file that has its model within itself is DataStack(openingStoreAt: url)"
  )
  public convenience init(sqlite place: Any) throws { trap(refusal) }

  /// Refuses a place with another label.
  @available(
    *, unavailable,
    message:
      "write sqlite, with a name or a URL: DataStack(sqlite: URL(fileURLWithPath: path), entities: [User.self])"
  )
  public convenience init(path: String, entities: [ManagedObject.Type]) throws { trap(refusal) }

  /// Refuses a place with another label.
  @available(
    *, unavailable, message: "write sqlite: DataStack(sqlite: url, entities: [User.self])"
  )
  public convenience init(url: Any, entities: [ManagedObject.Type]) throws { trap(refusal) }

  /// Refuses classes without a place.
  @available(
    *, unavailable,
    message:
      "say where the objects are kept: sqlite: with a name or a URL, entities: [User.self], or inMemory: [User.self]"
  )
  public convenience init(entities: [ManagedObject.Type]) throws { trap(refusal) }

  /// Refuses an option of a service.
  @available(
    *, unavailable,
    message:
      "a stack has none: each write of a service names its durability, and so do the options of DALService(sqlite: url, entities: [User.self], options: .init(durability: .immediate))"
  )
  public convenience init(
    sqlite place: Any, entities: [ManagedObject.Type], durability: Durability
  ) throws { trap(refusal) }
}
