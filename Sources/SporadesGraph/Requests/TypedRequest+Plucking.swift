// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

// Single values of objects, without the objects. Each number of columns has a function, because the
// compiler cannot yet explain a mistake in a call of one function for all.
extension TypedRequest {
  /// The values of an attribute, in the order of the objects: `pluck(\.name, in: context)`.
  ///
  /// A key path may lead through to-one relationships, and may end in an object, in an id or in the
  /// `count` of a to-many relationship.
  public func pluck<V, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, in context: Context
  ) throws(Context.Failure) -> [V] {
    try values(ColumnList(FetchedColumn<V>(keyPath)), in: context)
  }

  /// The values of two attributes, in the order of the objects.
  public func pluck<V, W, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, _ second: KeyPath<Object, W>,
    in context: Context
  ) throws(Context.Failure) -> [(V, W)] {
    let columns = ColumnList(
      FetchedColumn<V>(keyPath), FetchedColumn<W>(second))
    return try values(columns, in: context)
  }

  /// The values of three attributes, in the order of the objects.
  public func pluck<V, W, X, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, _ second: KeyPath<Object, W>, _ third: KeyPath<Object, X>,
    in context: Context
  ) throws(Context.Failure) -> [(V, W, X)] {
    let columns = ColumnList(
      FetchedColumn<V>(keyPath), FetchedColumn<W>(second), FetchedColumn<X>(third))
    return try values(columns, in: context)
  }

  /// The values of four attributes, in the order of the objects.
  public func pluck<V, W, X, Y, Context: FinderContext>(
    _ keyPath: KeyPath<Object, V>, _ second: KeyPath<Object, W>, _ third: KeyPath<Object, X>,
    _ fourth: KeyPath<Object, Y>,
    in context: Context
  ) throws(Context.Failure) -> [(V, W, X, Y)] {
    let columns = ColumnList(
      FetchedColumn<V>(keyPath), FetchedColumn<W>(second), FetchedColumn<X>(third),
      FetchedColumn<Y>(fourth))
    return try values(columns, in: context)
  }

  func values<Values, Context: FinderContext>(
    _ columns: ColumnList<Values>, in context: Context
  ) throws(Context.Failure) -> [Values] {
    try context.find(orElse: []) { context in
      try context.values(
        question(columns.expressions, in: context), untyped, columns.makeReader())
    }
  }

  package func question(
    _ columns: [FetchExpression], in context: ManagedObjectContext
  ) throws -> TableQuestion {
    var question = try TableQuestion(fetch(in: context, isBounded: !isDistinct), columns)
    guard isDistinct else { return question }
    question.isDistinct = true
    question.sortTerms = untyped.sortTerms
    question.limit = untyped.fetchLimit
    question.offset = untyped.fetchOffset
    return question
  }

  var isDistinct: Bool { untyped.returnsDistinctResults }

  /// The fetch of the objects that a question concerns. A question whose rows are no objects takes the
  /// order and the bounds, and the fetch takes the conditions.
  func fetch(in context: ManagedObjectContext, isBounded: Bool) throws -> StoreFetch {
    var request = try fetchRequest(in: context)
    request.returnsDistinctResults = false
    // because both the fetch and the question would refuse it, and the fetch knows the words
    if let mistake = request.describeWrongBound() {
      throw ContextError.unsupportedRequest("A request for \(Object.self) \(mistake).")
    }
    if !isBounded {
      request.sortTerms = []
      request.fetchLimit = nil
      request.fetchOffset = 0
    }
    return try context.storeFetch(request, for: .aggregates)
  }
}

extension ManagedObjectContext {
  /// The rows of an answer, with the unsaved changes of the context as the request wants them.
  func values<Values>(
    _ question: TableQuestion, _ request: FetchRequest, _ read: ColumnList<Values>.Reader
  ) throws -> [Values] {
    beginWork()
    defer { endWork() }
    let answer = try answer(question, request)
    return try (0..<answer.rowCount).map { row in
      try read(TableRow(answer: answer, row: row, column: 0), self)
    }
  }
}
