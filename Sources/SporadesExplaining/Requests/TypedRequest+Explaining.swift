// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
public import SporadesPlans

/// A verb of a request, whose plan a store explains: `.count`, `.sum(\.age)`.
public struct ExplainedVerb<Object: ManagedObject>: Sendable {
  enum Question {
    case objects, first, ids, exists, count
    case values([FetchExpression])
    case aggregate(AggregateFunction, FetchExpression)
  }

  let question: Question

  /// The objects.
  public static var fetch: Self { Self(question: .objects) }
  /// The first object.
  public static var first: Self { Self(question: .first) }
  /// The ids of the objects.
  public static var ids: Self { Self(question: .ids) }
  /// Whether there is an object.
  public static var exists: Self { Self(question: .exists) }
  /// The number of objects.
  public static var count: Self { Self(question: .count) }

  /// The values of key paths.
  public static func pluck(_ keyPaths: PartialKeyPath<Object>...) -> Self {
    Self(question: .values(keyPaths.map { FetchExpression(of: $0) }))
  }
  /// The sum of a value.
  public static func sum(_ value: some TypedOperand<Object, some Any>) -> Self {
    Self(question: .aggregate(.sum, value.operandExpression))
  }
  /// The mean of a value.
  public static func average(_ value: some TypedOperand<Object, some Any>) -> Self {
    Self(question: .aggregate(.average, value.operandExpression))
  }
  /// The least value.
  public static func min(_ value: some TypedOperand<Object, some Any>) -> Self {
    Self(question: .aggregate(.min, value.operandExpression))
  }
  /// The greatest value.
  public static func max(_ value: some TypedOperand<Object, some Any>) -> Self {
    Self(question: .aggregate(.max, value.operandExpression))
  }
}

extension TypedRequest {
  /// The way in which the store finds the objects, in sentences. The store reads none of them.
  public func explain(in context: some FinderContext) throws -> FetchPlan {
    try explain(.fetch, in: context)
  }

  /// The way in which the store answers a verb, and the statement that it runs: `explain(.count, in: context)`. The
  /// store reads no rows for it.
  public func explain(
    _ verb: ExplainedVerb<Object>, in context: some FinderContext
  ) throws -> FetchPlan {
    let context = context.managedObjectContext
    switch verb.question {
    case .objects: return try context.explain(fetchRequest(in: context))
    case .first: return try bounded(to: 1).explain(.fetch, in: context)
    case .exists: return try bounded(to: 1).explain(.ids, in: context)
    case .ids: return try explain(as: .managedObjectID, in: context)
    case .count: return try explain(as: .count, in: context)
    case .values(let columns):
      return try context.explain(question(columns, in: context), untyped)
    case .aggregate(let function, let expression):
      return try context.explain(question(function, over: expression, in: context), untyped)
    }
  }

  private func explain(
    as type: FetchRequest.ResultType, in context: ManagedObjectContext
  ) throws -> FetchPlan {
    var request = try fetchRequest(in: context)
    request.resultType = type
    return try context.explain(request)
  }
}

extension GroupedRequest {
  /// The way in which the store makes the groups, and the statement that it runs. The store reads no rows for it.
  public func explain(in context: some FinderContext) throws -> FetchPlan {
    let context = context.managedObjectContext
    return try context.explain(question(in: context), objects.untyped)
  }
}
