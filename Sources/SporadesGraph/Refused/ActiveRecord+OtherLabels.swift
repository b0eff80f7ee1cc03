// SPDX-License-Identifier: MIT
import SporadesModel

// Labels and closures of other libraries. The compiler chooses these functions only where no other fits, and reports
// one sentence.

extension ActiveRecord {
  /// Refuses a finder of another name.
  @available(*, unavailable, renamed: "all(in:)")
  public static func fetchAll<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a finder of another name.
  @available(*, unavailable, renamed: "first(in:)")
  public static func fetchOne<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> Self? { trap(refusal) }

  /// Refuses a closure that sets properties.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "create(in:) returns the object, whose properties are set behind: let user = User.create(in: context); user.name = \"Doe\""
  )
  @discardableResult
  public static func create<Context: FinderContext>(
    in context: Context, _ body: (Self) throws -> Void
  ) -> Self { trap(refusal) }

  /// Refuses a finder of another name.
  @available(*, unavailable, renamed: "firstOrCreate(_:equalTo:in:)")
  public static func findOrCreate<V, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, equalTo value: V, in context: Context
  ) throws(Context.Failure) -> Self { trap(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message:
      "firstOrCreate sets the value by which it looks: firstOrCreate(\\.email, equalTo: \"a@b.example\", in: context)"
  )
  public static func findOrCreate<Context: FinderContext>(
    where condition: TypedPredicate<Self>, in context: Context
  ) throws(Context.Failure) -> Self { trap(refusal) }

  /// Refuses an order with another label.
  @_disfavoredOverload
  @available(*, unavailable, message: "write sortedBy: all(sortedBy: \\.name, in: context)")
  public static func all<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, orderBy keyPath: PartialKeyPath<Self>,
    in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses an order with another label.
  @_disfavoredOverload
  @available(*, unavailable, message: "write sortedBy: all(sortedBy: \"name\", in: context)")
  public static func all<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, orderBy terms: String, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses Core Data's labels.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write where and sortedBy: all(where: \\.age > 18, sortedBy: \\.name, in: context)"
  )
  public static func all<Context: FinderContext>(
    predicate: Any?, sortDescriptors: [Any]? = nil, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a direction behind the key path.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "write the direction around the key path: sorted(by: .descending(\\.age))"
  )
  public static func sorted(
    by keyPath: PartialKeyPath<Self>, order: MisplacedDirection
  ) -> TypedRequest<Self> { trap(refusal) }

  /// Refuses a closure as an order.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the order with key paths, as in all(sortedBy: \\.lastname, \\.firstname, in: context), or sort the array of all(in:)"
  )
  public static func all<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, sortedBy areInOrder: (Self, Self) throws -> Bool,
    in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a request as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "a request fetches by itself: try request.fetch(in: context)"
  )
  public static func all<Context: FinderContext>(
    where request: TypedRequest<Self>, in context: Context
  ) throws(Context.Failure) -> [Self] { trap(refusal) }

  /// Refuses a text as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a text is not a condition by itself; write count(where: FetchPredicate(format: \"age > %d\", 18), in: context), or key paths: count(where: \\.age > 18, in: context)"
  )
  public static func count<Context: FinderContext>(
    where format: String, in context: Context
  ) throws(Context.Failure) -> Int { trap(refusal) }

  /// Refuses a text as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a text is not a condition by itself; write deleteAll(where: FetchPredicate(format: \"age > %d\", 18), in: context), or key paths: deleteAll(where: \\.age > 18, in: context)"
  )
  public static func deleteAll<Context: FinderContext>(
    where format: String, in context: Context
  ) throws(Context.Failure) { trap(refusal) }

  /// Refuses the mean of values that have none.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "only numbers and dates have an average: average(\\.age, in: context)"
  )
  public static func average<V, Context: FinderContext>(
    _ keyPath: KeyPath<Self, V>, where condition: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> Double? { trap(refusal) }
}

// A queue in the place of its context.
extension ActiveRecord {
  /// Refuses a queue in the place of its context.
  @available(
    *, unavailable,
    message:
      "a queue lends its context to blocks: viewContext.performAndWait { context in let user = User(context: context) … }"
  )
  public init(context: ContextQueue) { trap(refusal) }
}
