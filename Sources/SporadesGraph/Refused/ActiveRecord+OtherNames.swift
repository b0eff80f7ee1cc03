// SPDX-License-Identifier: MIT
public import SporadesModel

// Names that other libraries use.
extension ActiveRecord {
  /// Refuses an object without a context.
  @available(
    *, unavailable,
    message: "an object lives in a context; write User.create(in: context) in the block of a write"
  )
  public init() { trap(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message:
      "write all(where:in:) or first(where:in:), or inContext(_:) and existingObject(with:) for an objectID"
  )
  public static func find<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message:
      "write all(where:in:) or first(where:in:), or inContext(_:) and existingObject(with:) for an objectID"
  )
  public static func find(_ key: Any) -> Self? { trap(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message:
      "an object has no number; write first(where: \\.number == 3, in: context) with an attribute, or existingObject(with:) for an objectID"
  )
  public static func find<Context: FinderContext>(
    _ key: Any, in context: Context
  ) throws(Context.Failure) -> Self! { trap(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message: "write all(where:in:) or first(where:in:), or context.fetch(_:_:) with a FetchRequest"
  )
  public static func fetch<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a request that the class makes.
  @available(
    *, unavailable,
    message: "write all(where:sortedBy:in:), or FetchRequest(\"User\") with the name of the entity"
  )
  public static func fetchRequest() -> FetchRequest { trap(refusal) }

  /// Refuses a key path in the place of a name.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write the key path in a condition: first(where: \\.name == \"a\", in: context)"
  )
  public static func first<V, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, equalTo value: V, in context: Context
  ) throws(Context.Failure) -> Self? { trap(refusal) }

  /// Refuses a key path in the place of a name.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write the key path in a condition: all(where: \\.name == \"a\", in: context)"
  )
  public static func all<V, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, equalTo value: V, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses to save an object alone.
  @available(
    *, unavailable,
    message:
      "an object is saved with its context: a write saves when its block ends, and try context.save() saves a context of your own"
  )
  public func save() throws { trap(refusal) }

  /// Refuses a finder of another library.
  @available(*, unavailable, message: "write first(where:in:) with a context")
  public static func fetchOne(_ database: Any) -> Self? { trap(refusal) }

  /// Refuses a finder of another library.
  @available(
    *, unavailable,
    message:
      "an object has no number; write first(where: \\.number == 3, in: context) with an attribute"
  )
  public static func fetchOne(_ database: Any, key: Any) -> Self? { trap(refusal) }

  /// Refuses to insert an object alone.
  @available(
    *, unavailable, message: "an object is in its context from its making: User.create(in: context)"
  )
  public func insert(_ database: Any) { trap(refusal) }

  /// Refuses a deletion of another name.
  @available(*, unavailable, renamed: "delete(in:)")
  public func destroy() { trap(refusal) }

  /// Refuses a finder of another library.
  @available(*, unavailable, message: "write all(where:in:) with a context")
  public static func fetchAll(_ database: Any) -> [Self] { trap(refusal) }
}

extension FinderContext {
  /// Refuses to make an object from its class.
  @available(*, unavailable, message: "write User.create(in: context), with the class in front")
  public func create<Object: ManagedObject>(_ type: Object.Type) -> Object {
    trap(refusal)
  }

  /// Refuses to insert an object, which is in a context from its making.
  @available(
    *, unavailable, message: "an object is in its context from its making: User.create(in: context)"
  )
  public func insert(_ object: ManagedObject) { trap(refusal) }

  /// Refuses to insert an object from its class.
  @available(*, unavailable, message: "write User.create(in: context), with the class in front")
  public func insert<Object: ManagedObject>(_ type: Object.Type) { trap(refusal) }

  /// Refuses to delete a class.
  @available(
    *, unavailable,
    message:
      "write User.deleteAll(in: context), with the class in front, or User.where(\\.age > 18).delete(in: context)"
  )
  public func delete<Object: ManagedObject>(_ type: Object.Type) { trap(refusal) }

  /// Refuses a fetch without a request.
  @available(
    *, unavailable,
    message:
      "write User.all(in: context), with the class in front, or fetch(_:_:) with a FetchRequest"
  )
  public func fetch<Object: ManagedObject>(_ type: Object.Type) -> [Object] {
    trap(refusal)
  }

  /// Refuses a request that fetches by itself.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "a request fetches by itself: User.where(\\.age > 18).fetch(in: context)"
  )
  public func fetch<Object: ManagedObject>(_ request: TypedRequest<Object>) -> [Object] {
    trap(refusal)
  }

  /// Refuses a request that counts by itself.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "a request counts by itself: User.where(\\.age > 18).count(in: context)"
  )
  public func count<Object: ManagedObject>(_ request: TypedRequest<Object>) -> Int {
    trap(refusal)
  }

  /// Refuses a class in the place of a request.
  @_disfavoredOverload
  @available(*, unavailable, message: "write User.count(in: context), with the class in front")
  public func count<Object: ManagedObject>(_ type: Object.Type) -> Int { trap(refusal) }
}

extension FetchRequest {
  /// Refuses a class in the place of a name.
  @available(
    *, unavailable,
    message:
      "a request names its entity, FetchRequest(\"User\"); with a class, write User.all(where:sortedBy:in:)"
  )
  public init<Object: ManagedObject>(_ type: Object.Type) { trap(refusal) }
}

extension ManagedObjectContext {
  /// Refuses a context without a stack.
  @available(
    *, unavailable,
    message:
      "a context belongs to a stack; a service gives one to its blocks, service.writeSync { context in … }, and a stack makes one, stack.newContext()"
  )
  public convenience init() { trap(refusal) }
}

extension TypedSortTerm {
  /// Refuses a direction of another name.
  @available(*, unavailable, renamed: "ascending(_:)")
  public static func asc(_ keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses a direction of another name.
  @available(*, unavailable, renamed: "descending(_:)")
  public static func desc(_ keyPath: PartialKeyPath<Object>) -> Self {
    trap(refusal)
  }
}
