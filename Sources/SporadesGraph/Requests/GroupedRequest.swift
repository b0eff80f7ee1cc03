// SPDX-License-Identifier: MIT
public import SporadesModel
package import SporadesStore

/// A question for values over groups of objects:
///
/// ```swift
/// let teams = try User.where(\.isActive)
///   .grouped(by: \.team?.name) { ($0.count, $0.average(\.age)) }
///   .having { $0.count > 3 }
///   .sorted { .descending($0.count) }
///   .fetch(in: context)
/// for (team, (count, age)) in teams { print(team ?? "none", count, age ?? 0) }
/// ```
///
/// The conditions of the request choose the objects. Limit and offset come after `grouped` and count groups; before it they
/// are refused, since the groups are made of all objects. Groups that agree in the order, and groups without an order, come
/// in the order of their keys.
public struct GroupedRequest<Object: ManagedObject, Key, Values>: Sendable {
  package private(set) var objects: TypedRequest<Object>
  private let keys: ColumnList<Key>
  private let columns: ColumnList<Values>
  private var having: FetchPredicate?
  private let hasBoundedObjects: Bool

  init(
    _ objects: TypedRequest<Object>, _ keys: ColumnList<Key>, _ columns: ColumnList<Values>
  ) {
    self.objects = objects
    self.keys = keys
    self.columns = columns
    hasBoundedObjects = objects.untyped.fetchLimit != nil || objects.untyped.fetchOffset != 0
    // An order of objects is none of groups.
    self.objects.untyped.sortTerms = []
  }

  private func changing(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Asks for the groups that also satisfy a condition: `having { $0.count > 3 }`.
  public func having(_ condition: (FetchedGroup<Object>) -> FetchPredicate) -> Self {
    let added = condition(FetchedGroup())
    return changing { $0.having = having.map { $0 && added } ?? added }
  }

  /// Orders the groups: `sorted { .descending($0.count) }`. It replaces an earlier order.
  public func sorted(_ term: (FetchedGroup<Object>) -> SortTerm) -> Self {
    let term = term(FetchedGroup())
    return changing { $0.objects.untyped.sortTerms = [term] }
  }

  /// Orders groups that agree in the order so far.
  public func thenSorted(_ term: (FetchedGroup<Object>) -> SortTerm) -> Self {
    let term = term(FetchedGroup())
    return changing { $0.objects.untyped.sortTerms.append(term) }
  }

  /// Asks for at most as many groups. Nil asks for all, and replaces an earlier limit.
  public func limit(_ count: Int?) -> Self { changing { $0.objects = objects.limit(count) } }

  /// Leaves out as many groups at the beginning, and replaces an earlier offset.
  public func offset(_ count: Int) -> Self { changing { $0.objects = objects.offset(count) } }

  /// The keys and the values of each group, with the unsaved changes of the context.
  public func fetch<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> [(Key, Values)] {
    try context.find(orElse: []) { context in
      try context.values(question(in: context), objects.untyped, makeReader())
    }
  }

  private func makeReader() throws -> ColumnList<(Key, Values)>.Reader {
    let (keys, columns) = try (self.keys.makeReader(), self.columns.makeReader())
    let width = self.keys.expressions.count
    return { row, context in
      var rest = row
      rest.column += width
      return (try keys(row, context), try columns(rest, context))
    }
  }

  /// The request for the objects, without order and bounds, and the question for their groups.
  package func parts(
    in context: ManagedObjectContext
  ) throws -> (request: FetchRequest, question: TableQuestion) {
    var question = try question(in: context)
    try question.check(context.model)
    var request = try objects.fetchRequest(in: context)
    (request.sortTerms, request.fetchLimit, request.fetchOffset) = ([], nil, 0)
    request.returnsDistinctResults = false
    return (request, question)
  }

  /// The keys and the values of the groups in an answer to the question.
  package func values(
    of answer: TableAnswer, in context: ManagedObjectContext
  ) throws -> [(Key, Values)] {
    let read = try makeReader()
    return try (0..<answer.rowCount).map { row in
      try read(TableRow(answer: answer, row: row, column: 0), context)
    }
  }

  package func question(in context: ManagedObjectContext) throws -> TableQuestion {
    guard !hasBoundedObjects else {
      throw FetchPredicateError(
        .unsupported,
        "A limit or offset stands before grouped, where it bounds neither the objects nor the groups. For the first "
          + "groups of an order write .grouped(by: …) { … }.sorted { .descending($0.count) }.limit(3)."
      )
    }
    let fetch = try objects.fetch(in: context, isBounded: false)
    var question = TableQuestion(fetch, keys.expressions + columns.expressions)
    question.groups = keys.expressions
    question.having = having
    question.sortTerms = objects.untyped.sortTerms
    question.limit = objects.untyped.fetchLimit
    question.offset = objects.untyped.fetchOffset
    return question
  }
}
