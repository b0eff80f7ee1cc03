// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

// Calls that people write from habit and that no store can answer. The compiler chooses these functions
// only where no other fits, and reports one sentence in place of a list of candidates.

private let refusal = "The compiler refuses this call."

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
  ) throws(Context.Failure) -> [Self] { preconditionFailure(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in all(where: \\.age > 18 && \\.name == \"Doe\", in: context), or filter the array of all(in:)"
  )
  public static func all<Context: FinderContext>(
    sortedBy terms: String = "", in context: Context, where condition: (Self) throws -> Bool
  ) throws(Context.Failure) -> [Self] { preconditionFailure(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in first(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func first<Context: FinderContext>(
    where condition: (Self) throws -> Bool, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> Self? { preconditionFailure(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in count(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func count<Context: FinderContext>(
    where condition: (Self) throws -> Bool, in context: Context
  ) throws(Context.Failure) -> Int { preconditionFailure(refusal) }

  /// Refuses a closure as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a store cannot run a closure; write the condition with key paths, as in deleteAll(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func deleteAll<Context: FinderContext>(
    where condition: (Self) throws -> Bool, in context: Context
  ) throws(Context.Failure) { preconditionFailure(refusal) }

  /// Refuses a function of a sequence.
  @available(
    *, unavailable,
    message:
      "a class is no sequence of its objects; write all(where: \\.age > 18, in: context), with the condition in key paths"
  )
  public static func filter(_ condition: (Self) throws -> Bool) -> [Self] {
    preconditionFailure(refusal)
  }

  /// Refuses a condition without a finder.
  @available(
    *, unavailable,
    message: "write all(where: \\.age > 18, in: context), with the condition in key paths"
  )
  public static func `where`(_ condition: (Self) throws -> Bool) -> [Self] {
    preconditionFailure(refusal)
  }
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
  ) throws(Context.Failure) -> [Self] { preconditionFailure(refusal) }

  /// Refuses a text as a condition.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a text is not a condition by itself; write first(where: FetchPredicate(format: \"age > %d\", 18), in: context), or key paths: first(where: \\.age > 18, in: context)"
  )
  public static func first<Context: FinderContext>(
    where format: String, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> Self? { preconditionFailure(refusal) }

  /// Refuses Foundation's predicates.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "Foundation's #Predicate has no form that a store can read; write the condition with key paths, as in all(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func all<Context: FinderContext>(
    where predicate: Predicate<Self>, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> [Self] { preconditionFailure(refusal) }

  /// Refuses Foundation's predicates.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "Foundation's #Predicate has no form that a store can read; write the condition with key paths, as in first(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func first<Context: FinderContext>(
    where predicate: Predicate<Self>, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> Self? { preconditionFailure(refusal) }

  /// Refuses Foundation's predicates.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "Foundation's #Predicate has no form that a store can read; write the condition with key paths, as in count(where: \\.age > 18 && \\.name == \"Doe\", in: context)"
  )
  public static func count<Context: FinderContext>(
    where predicate: Predicate<Self>, in context: Context
  ) throws(Context.Failure) -> Int { preconditionFailure(refusal) }
}

// Names that other libraries use.
extension ActiveRecord {
  /// Refuses an object without a context.
  @available(
    *, unavailable,
    message: "an object lives in a context; write User.create(in: context) in the block of a write"
  )
  public init() { preconditionFailure(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message:
      "write all(where:in:) or first(where:in:), or inContext(_:) and existingObject(with:) for an objectID"
  )
  public static func find<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> [Self] { preconditionFailure(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message:
      "write all(where:in:) or first(where:in:), or inContext(_:) and existingObject(with:) for an objectID"
  )
  public static func find(_ key: Any) -> Self? { preconditionFailure(refusal) }

  /// Refuses a finder of another name.
  @available(
    *, unavailable,
    message: "write all(where:in:) or first(where:in:), or context.fetch(_:_:) with a FetchRequest"
  )
  public static func fetch<Context: FinderContext>(
    where condition: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> [Self] { preconditionFailure(refusal) }
}

extension FinderContext {
  /// Refuses to make an object from its class.
  @available(*, unavailable, message: "write User.create(in: context), with the class in front")
  public func create<Object: ManagedObject>(_ type: Object.Type) -> Object {
    preconditionFailure(refusal)
  }

  /// Refuses to insert an object, which is in a context from its making.
  @available(
    *, unavailable, message: "an object is in its context from its making: User.create(in: context)"
  )
  public func insert<Object: ManagedObject>(_ object: Object) { preconditionFailure(refusal) }

  /// Refuses to insert an object from its class.
  @available(*, unavailable, message: "write User.create(in: context), with the class in front")
  public func insert<Object: ManagedObject>(_ type: Object.Type) { preconditionFailure(refusal) }

  /// Refuses a fetch without a request.
  @available(
    *, unavailable,
    message:
      "write User.all(in: context), with the class in front, or fetch(_:_:) with a FetchRequest"
  )
  public func fetch<Object: ManagedObject>(_ type: Object.Type) -> [Object] {
    preconditionFailure(refusal)
  }
}
