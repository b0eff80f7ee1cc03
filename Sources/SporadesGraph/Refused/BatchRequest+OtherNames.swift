// SPDX-License-Identifier: MIT
import SporadesModel

// Sentences that end in a verb as those of a fetch do, and values that no batch sets. The compiler chooses these functions
// only where no other fits, and reports one sentence.

extension BatchDeleteRequest {
  /// Refuses a verb on the batch.
  @available(
    *, unavailable,
    message:
      "a context or a service executes a batch: try context.execute(User.where(\\.isOld).delete()); without a batch, delete(in: context) deletes the objects"
  )
  public func execute<Context: FinderContext>(in context: Context) {
    trap(refusal)
  }
}

extension BatchUpdateRequest {
  /// Refuses a verb on the batch.
  @available(
    *, unavailable,
    message:
      "a context or a service executes a batch: try context.execute(User.where(\\.isOld).update(\\.name, to: \"x\"))"
  )
  public func execute<Context: FinderContext>(in context: Context) {
    trap(refusal)
  }

  /// Refuses a relationship.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a batch sets attributes and relationships to one object; set members on the objects themselves: for owner in try request.fetch(in: context) { owner.pets = pets }"
  )
  public func update<V: MemberCollection>(_ keyPath: KeyPath<Object, V>, to objects: V) -> Self {
    trap(refusal)
  }
}

extension BatchInsertRequest {
  /// Refuses a verb on the batch.
  @available(
    *, unavailable, message: "a context or a service executes a batch: try context.execute(batch)"
  )
  public func execute<Context: FinderContext>(in context: Context) {
    trap(refusal)
  }
}

extension TypedRequest {
  /// Refuses a relationship.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a batch sets attributes and relationships to one object; set members on the objects themselves: for owner in try request.fetch(in: context) { owner.pets = pets }"
  )
  public func update<V: MemberCollection>(_ keyPath: KeyPath<Object, V>, to objects: V) -> Self {
    trap(refusal)
  }

  /// Refuses values without a label.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the value behind to: update(\\.name, to: \"Doe\")")
  public func update<V>(_ keyPath: KeyPath<Object, V>, _ value: V) -> Self {
    trap(refusal)
  }

  /// Refuses a closure that changes objects.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write update(\\.age, to: \\.age + 1), or change the objects: for user in try request.fetch(in: context) { user.age += 1 }"
  )
  public func update(_ body: (Object) throws -> Void) -> BatchUpdateRequest<Object> {
    trap(refusal)
  }

  /// Refuses a context, which executes the batch.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a context or a service executes a batch: try context.execute(User.where(\\.isOld).update(\\.name, to: \"x\"))"
  )
  public func update<V, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, to value: V, in context: Context
  ) { trap(refusal) }
}

// Names of entities in the place of requests.
extension BatchUpdateRequest where Object == ManagedObject {
  /// Refuses a name without a request.
  @available(
    *, unavailable,
    message:
      "write BatchUpdateRequest(fetchRequest: FetchRequest(\"User\"), propertiesToUpdate: [\"age\": 3]), or User.request.update(\\.age, to: 3)"
  )
  public init(entityName: String) { trap(refusal) }

  /// Refuses a name without a request.
  @available(
    *, unavailable,
    message:
      "write BatchUpdateRequest(fetchRequest: FetchRequest(\"User\"), propertiesToUpdate: [\"age\": 3]), or User.request.update(\\.age, to: 3)"
  )
  public init(_ entityName: String, set values: [String: Any?] = [:]) { trap(refusal) }
}

extension BatchDeleteRequest where Object == ManagedObject {
  /// Refuses a name without a request.
  @available(
    *, unavailable,
    message:
      "write BatchDeleteRequest(fetchRequest: FetchRequest(\"User\")), or User.request.delete()"
  )
  public init(entityName: String) { trap(refusal) }

  /// Refuses a name without a request.
  @available(
    *, unavailable,
    message:
      "write BatchDeleteRequest(fetchRequest: FetchRequest(\"User\")), or User.request.delete()"
  )
  public init(_ entityName: String) { trap(refusal) }
}
