// SPDX-License-Identifier: MIT
public import SporadesModel

// Calls that people write from habit and that no store can answer. The compiler chooses these functions
// only where no other fits, and reports one sentence in place of a list of candidates.

extension ActiveRecord {
  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in all(where: \\.age > 18 && \\.name == \"Doe\", in: context), or filter the array of all(in:)"
  )
  public static func all<Context: FinderContext>(
    where condition: (Self) throws -> Bool, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in all(where: \\.age > 18 && \\.name == \"Doe\", in: context), or filter the array of all(in:)"
  )
  public static func all<Context: FinderContext>(
    sortedBy terms: String = "", in context: Context, _ condition: (Self) throws -> Bool
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in first(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func first<Context: FinderContext>(
    where condition: (Self) throws -> Bool, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> Self? { trap(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in count(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func count<Context: FinderContext>(
    where condition: (Self) throws -> Bool, in context: Context
  ) throws(Context.Failure) -> Int { trap(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in deleteAll(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func deleteAll<Context: FinderContext>(
    where condition: (Self) throws -> Bool, in context: Context
  ) throws(Context.Failure) { trap(refusal) }

  /// Refuses a function of a sequence.
  @available(
    *, unavailable,
    message:
      "a class is no sequence of its objects; write all(where: \\.age > 18, in: context), with the condition in key paths"
  )
  public static func filter(_ condition: (Self) throws -> Bool) -> [Self] {
    trap(refusal)
  }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in User.where(\\.age > 18).fetch(in: context)"
  )
  public static func `where`(_ condition: (Self) throws -> Bool) -> [Self] {
    trap(refusal)
  }

  /// Refuses a format that the program puts together.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a format is written in the program, and its values are arguments: User.where(\"name == %@\", name); a format from elsewhere is User.where(FetchPredicate(format: text))"
  )
  public static func `where`(_ format: String, _ arguments: Any?...) -> TypedRequest<Self> {
    trap(refusal)
  }

  /// Refuses a condition with a context.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the context stands in the verb at the end: User.where(\\.age > 18).fetch(in: context)"
  )
  public static func `where`<Context: FinderContext>(
    _ condition: TypedPredicate<Self>, in context: Context
  ) -> [Self] { trap(refusal) }

  /// Refuses a condition of another name.
  @_disfavoredOverload
  @available(*, unavailable, renamed: "where(_:)")
  public static func filter(_ condition: TypedPredicate<Self>) -> TypedRequest<Self> {
    trap(refusal)
  }

  /// Refuses a single deletion by a condition.
  @available(*, unavailable, renamed: "deleteAll(where:in:)")
  public static func delete<Context: FinderContext>(
    where condition: TypedPredicate<Self>, in context: Context
  ) { trap(refusal) }
}

extension ActiveRecord {
  /// Refuses a text as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a text is not a condition by itself; write all(where: FetchPredicate(format: \"age > %d\", 18), in: context), or key paths: all(where: \\.age > 18, in: context)"
  )
  public static func all<Context: FinderContext>(
    where format: String, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a text as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a text is not a condition by itself; write first(where: FetchPredicate(format: \"age > %d\", 18), in: context), or key paths: first(where: \\.age > 18, in: context)"
  )
  public static func first<Context: FinderContext>(
    where format: String, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> Self? { trap(refusal) }
}

// Words of a request without its beginning.
extension ActiveRecord {
  /// Refuses a page without an order.
  @available(
    *, unavailable,
    message:
      "a page needs an order and a length: User.sorted(by: \\.name).limit(20).page(in: context)"
  )
  public static func page<Context: FinderContext>(in context: Context) -> FetchedPage<Self> {
    trap(refusal)
  }

  /// Refuses values without a request.
  @available(
    *, unavailable, message: "begin with the request: User.request.pluck(\\.name, in: context)"
  )
  public static func pluck<V, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, in context: Context
  ) -> [V] { trap(refusal) }

  /// Refuses ids without a request.
  @available(*, unavailable, message: "begin with the request: User.request.ids(in: context)")
  public static func ids<Context: FinderContext>(in context: Context) -> [ManagedObjectID] {
    trap(refusal)
  }

  /// Refuses a question without a request.
  @available(*, unavailable, message: "begin with the request: User.request.exists(in: context)")
  public static func exists<Context: FinderContext>(in context: Context) -> Bool {
    trap(refusal)
  }

  /// Refuses groups without a request.
  @available(
    *, unavailable,
    message: "begin with the request: User.request.grouped(by: \\.team) { $0.count }"
  )
  public static func grouped<Key, Column>(
    by keyPath: KeyPath<Self, Key>, _ columns: (FetchedGroup<Self>) -> Column
  ) -> TypedRequest<Self> { trap(refusal) }

  /// Refuses an offset without a request.
  @available(*, unavailable, message: "begin with the request: User.request.offset(20)")
  public static func offset(_ count: Int) -> TypedRequest<Self> { trap(refusal) }
}

// Several arguments where one is meant.
extension ActiveRecord {
  /// Refuses two conditions.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "join the conditions with &&, as in all(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func all<Context: FinderContext>(
    where condition: TypedPredicate<Self>, _ second: TypedPredicate<Self>, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a direction behind its key path.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "write the direction around the key path: all(sortedBy: .descending(\\.age), in: context)"
  )
  public static func all<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    _ direction: MisplacedDirection, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a direction behind its key path.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "write the direction around the key path: all(sortedBy: .descending(\\.age), in: context)"
  )
  public static func all<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    order: MisplacedDirection, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a direction behind its key path.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "write the direction around the key path: first(sortedBy: .descending(\\.age), in: context)"
  )
  public static func first<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    order: MisplacedDirection, in context: Context
  ) throws(Context.Failure) -> Self? { trap(refusal) }

  /// Refuses a condition where a unique value is needed.
  @available(
    *, unavailable,
    message:
      "firstOrCreate sets the value by which it looks: firstOrCreate(\\.email, equalTo: \"a@b.example\", in: context)"
  )
  public static func firstOrCreate<Context: FinderContext>(
    where condition: TypedPredicate<Self>, in context: Context
  ) throws(Context.Failure) -> Self { trap(refusal) }
}

// Names in the place of key paths.
extension ActiveRecord {
  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: User.sum(\\.age, in: context)")
  public static func sum<Context: FinderContext>(_ name: String, in context: Context) -> Int {
    trap(refusal)
  }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: User.average(\\.age, in: context)")
  public static func average<Context: FinderContext>(
    _ name: String, in context: Context
  ) -> Double? { trap(refusal) }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: User.min(\\.age, in: context)")
  public static func min<Context: FinderContext>(_ name: String, in context: Context) -> Int? {
    trap(refusal)
  }

  /// Refuses a name in the place of a key path.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the key path: User.max(\\.age, in: context)")
  public static func max<Context: FinderContext>(_ name: String, in context: Context) -> Int? {
    trap(refusal)
  }
}
