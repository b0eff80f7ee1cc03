// SPDX-License-Identifier: MIT
import SporadesModel

// Words of other libraries. The compiler chooses these functions only where no other fits, and reports one sentence.

extension TypedRequest {
  /// Refuses a condition of another name.
  @available(*, unavailable, renamed: "where(_:)")
  public func filter(_ condition: TypedPredicate<Object>) -> Self { trap(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in where(\\.age > 18), or filter the array of fetch(in:)"
  )
  public func filter(_ condition: (Object) throws -> Bool) -> Self { trap(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in where(\\.age > 18), or filter the array of fetch(in:)"
  )
  public func `where`(_ condition: (Object) throws -> Bool) -> Self { trap(refusal) }

  /// Refuses a format that the program puts together.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a format is written in the program, and its values are arguments: where(\"name == %@\", name); a format from elsewhere is where(FetchPredicate(format: text))"
  )
  public func `where`(_ format: String, _ arguments: Any?...) -> Self {
    trap(refusal)
  }

  /// Refuses several conditions.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "join the conditions with &&, as in where(\\.age > 18 && \\.name == \"Doe\")"
  )
  public func `where`(_ condition: TypedPredicate<Object>, _ second: TypedPredicate<Object>) -> Self
  { trap(refusal) }

  /// Refuses a key path and a value.
  @_disfavoredOverload
  @available(*, unavailable, message: "write a comparison: where(\\.name == \"Doe\")")
  public func `where`<V>(_ keyPath: KeyPath<Object, V>, equalTo value: V) -> Self {
    trap(refusal)
  }

  /// Refuses a condition with a context.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the context stands in the verb at the end: where(\\.age > 18).fetch(in: context)"
  )
  public func `where`<Context: FinderContext>(
    _ condition: TypedPredicate<Object>, in context: Context
  ) -> [Object] { trap(refusal) }

  /// Refuses an order of another name.
  @available(*, unavailable, renamed: "sorted(by:)")
  public func order(by keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses an order of another name.
  @_disfavoredOverload
  @available(*, unavailable, renamed: "sorted(by:)")
  public func order(by term: TypedSortTerm<Object>) -> Self { trap(refusal) }

  /// Refuses an order of another name.
  @available(*, unavailable, renamed: "sorted(by:)")
  public func order(_ keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses an order of another name.
  @available(*, unavailable, renamed: "sorted(by:)")
  public func orderBy(_ keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses an order of another name.
  @available(*, unavailable, renamed: "sorted(by:)")
  public func sort(by keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses an order without its label.
  @available(*, unavailable, renamed: "sorted(by:)")
  public func sorted(_ keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses a closure as an order.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the order with key paths, as in sorted(by: \\.lastname, \\.firstname), or sort the array of fetch(in:)"
  )
  public func sorted(by areInOrder: (Object, Object) throws -> Bool) -> Self {
    trap(refusal)
  }

  /// Refuses a limit of another name.
  @available(*, unavailable, renamed: "limit(_:)")
  public func prefix(_ count: Int) -> Self { trap(refusal) }

  /// Refuses a limit of another name.
  @available(*, unavailable, renamed: "limit(_:)")
  public func first(_ count: Int) -> Self { trap(refusal) }

  /// Refuses a limit of another name.
  @available(*, unavailable, renamed: "limit(_:)")
  public func take(_ count: Int) -> Self { trap(refusal) }

  /// Refuses an offset of another name.
  @available(*, unavailable, renamed: "offset(_:)")
  public func skip(_ count: Int) -> Self { trap(refusal) }

  /// Refuses an offset of another name.
  @available(*, unavailable, renamed: "offset(_:)")
  public func dropFirst(_ count: Int) -> Self { trap(refusal) }

  /// Refuses both bounds in one word.
  @available(*, unavailable, message: "write limit(10).offset(20)")
  public func limit(_ count: Int, offset: Int) -> Self { trap(refusal) }

  /// Refuses a prefetch of another name.
  @available(*, unavailable, renamed: "prefetching(_:)")
  public func including(_ keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses a prefetch of another name.
  @available(*, unavailable, renamed: "prefetching(_:)")
  public func with(_ keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses a choice of columns.
  @available(*, unavailable, message: "write pluck(\\.name, in: context) for single values")
  public func select(_ keyPaths: PartialKeyPath<Object>...) -> Self { trap(refusal) }

  /// Refuses groups of another name.
  @available(
    *, unavailable, message: "write grouped(by: \\.team) { ($0.count, $0.average(\\.age)) }"
  )
  public func group(by keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }

  /// Refuses groups without values.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "say what to compute of each group: grouped(by: \\.team) { $0.count }; for the objects themselves, Dictionary(grouping:by:) of fetch(in:)"
  )
  public func grouped(by keyPath: PartialKeyPath<Object>) -> Self { trap(refusal) }
}

// Verbs of other libraries.
extension TypedRequest {
  /// Refuses a verb of another name.
  @available(*, unavailable, renamed: "fetch(in:)")
  public func all<Context: FinderContext>(in context: Context) -> [Object] {
    trap(refusal)
  }

  /// Refuses a verb of another name.
  @available(*, unavailable, renamed: "fetch(in:)")
  public func find<Context: FinderContext>(in context: Context) -> [Object] {
    trap(refusal)
  }

  /// Refuses a verb without its label.
  @available(*, unavailable, renamed: "fetch(in:)")
  public func fetch<Context: FinderContext>(_ context: Context) -> [Object] {
    trap(refusal)
  }

  /// Refuses a verb of another library.
  @available(*, unavailable, renamed: "fetch(in:)")
  public func fetchAll<Context: FinderContext>(_ context: Context) -> [Object] {
    trap(refusal)
  }

  /// Refuses a verb of another library.
  @available(*, unavailable, renamed: "first(in:)")
  public func fetchOne<Context: FinderContext>(_ context: Context) -> Object? {
    trap(refusal)
  }

  /// Refuses the last object, which an order does not know.
  @available(
    *, unavailable,
    message: "turn the order round: sorted(by: .descending(\\.age)).first(in: context)"
  )
  public func last<Context: FinderContext>(in context: Context) -> Object? {
    trap(refusal)
  }

  /// Refuses a verb of another name.
  @available(*, unavailable, message: "write !exists(in: context)")
  public func isEmpty<Context: FinderContext>(in context: Context) -> Bool {
    trap(refusal)
  }

  /// Refuses a verb of another name.
  @available(*, unavailable, renamed: "delete(in:)")
  public func deleteAll<Context: FinderContext>(in context: Context) {
    trap(refusal)
  }

  /// Refuses a number without a context.
  @available(*, unavailable, message: "a verb takes a context: count(in: context)")
  public var count: Int { trap(refusal) }

  /// Refuses an object without a context.
  @available(*, unavailable, message: "a verb takes a context: first(in: context)")
  public var first: Object? { trap(refusal) }

  /// Refuses objects without a context.
  @available(*, unavailable, message: "a verb takes a context: fetch(in: context)")
  public var objects: [Object] { trap(refusal) }

  /// Refuses an answer without a context.
  @available(*, unavailable, message: "a verb takes a context: !exists(in: context)")
  public var isEmpty: Bool { trap(refusal) }

  /// Refuses to treat a request as its objects.
  @available(
    *, unavailable,
    message:
      "a request has no objects until it is fetched; write fetch(in: context).map { … }, or pluck(\\.name, in: context)"
  )
  public func map<Output>(_ transform: (Object) throws -> Output) -> [Output] {
    trap(refusal)
  }

  /// Refuses to treat a request as its objects.
  @available(
    *, unavailable,
    message:
      "a request has no objects until it is fetched; write for user in try request.fetch(in: context)"
  )
  public func forEach(_ body: (Object) throws -> Void) { trap(refusal) }
}

// Names in the place of key paths.
extension TypedRequest {
  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: sum(\\.age, in: context)")
  public func sum<Context: FinderContext>(_ name: String, in context: Context) -> Int {
    trap(refusal)
  }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: average(\\.age, in: context)")
  public func average<Context: FinderContext>(_ name: String, in context: Context) -> Double? {
    trap(refusal)
  }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: min(\\.age, in: context)")
  public func min<Context: FinderContext>(_ name: String, in context: Context) -> Int? {
    trap(refusal)
  }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: max(\\.age, in: context)")
  public func max<Context: FinderContext>(_ name: String, in context: Context) -> Int? {
    trap(refusal)
  }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: pluck(\\.name, in: context)")
  public func pluck<Context: FinderContext>(_ name: String, in context: Context) -> [String] {
    trap(refusal)
  }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: prefetching(\\.pets)")
  public func prefetching(_ names: String...) -> Self { trap(refusal) }
}

/// Refuses a request as a list.
@available(
  *, unavailable,
  message:
    "~= takes a list of objects: \\.customer ~= try Customer.where(\\.age > 18).fetch(in: context); a condition on the other object goes through the relationship: \\.customer?.age > 18"
)
public func ~= <Object: ManagedObject, V, Other: ManagedObject>(
  keyPath: KeyPath<Object, V>, request: TypedRequest<Other>
) -> TypedPredicate<Object> { trap(refusal) }
