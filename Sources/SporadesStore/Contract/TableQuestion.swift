// SPDX-License-Identifier: MIT
public import SporadesModel

/// A question about the objects of an entity whose answer is values instead of objects.
///
/// The fetch names the objects. There are three kinds of questions:
///
/// - *For each object.* No column is computed over a group. The answer has one row for each object, in the order
///   of the fetch.
/// - *For each group.* Objects with equal values of ``groups`` are a group, and the answer has a row for each. So has
///   a question for distinct rows, whose columns are its groups.
/// - *For all objects.* A column is computed over a group, and there are no groups. The answer has one row, even
///   where no object satisfies the fetch.
///
/// A column is computed over a group by a function of a list that takes one value of each object: `max:(age)`,
/// ``/SporadesModel/FetchExpression/objectCount``. Stores, roots and contexts answer all questions by one method.
public struct TableQuestion: Sendable {
  /// The objects that the question concerns.
  public var fetch: StoreFetch
  /// The values of each row of the answer, in this order.
  public var columns: [FetchExpression]
  /// The values that the objects of a group have in common; empty for no groups.
  public var groups: [FetchExpression] = []
  /// The condition that a group satisfies; nil takes all groups.
  public var having: FetchPredicate?
  /// The answer leaves out repeated rows.
  public var isDistinct = false
  /// The order of the groups; the groups' values decide where it does not. A question for each object takes the
  /// order and the bounds of its fetch.
  public var sortTerms: [SortTerm] = []
  /// The largest number of groups; nil means no limit.
  public var limit: Int?
  /// The number of groups that the answer leaves out at the beginning.
  public var offset = 0

  /// Asks for columns over the objects of a fetch.
  public init(_ fetch: StoreFetch, _ columns: [FetchExpression]) {
    trap(
      unless: !columns.isEmpty,
      "A question about \(fetch.entity.name) asks for no column. Name one.")
    self.fetch = fetch
    self.columns = columns
  }

  /// The question how many objects satisfy a fetch.
  package static func count(of fetch: StoreFetch) -> TableQuestion {
    TableQuestion(fetch, [.objectCount])
  }

  /// Calls `body` with each key path that the question reads of the objects, beside those of the fetch.
  package func forEachKeyPath(_ body: ([String]) -> Void) {
    for expression in columns + groups + sortTerms.map(\.expression) {
      expression.forEachKeyPath(body)
    }
    having?.forEachKeyPath(body)
  }

  /// Refuses a fetch or a column that does not fit the entity.
  package mutating func check(_ model: ManagedObjectModel) throws(FetchPredicateError) {
    try fetch.check(model)
    _ = try PreparedQuestion(self, model)
  }
}

/// The answer to a question: rows of values.
public struct TableAnswer: Hashable, Sendable {
  /// The values of all rows, one row after the other.
  private enum Contents: Sendable {
    case values([Value])
    case packed(PackedValues)
  }

  /// The number of values of each row.
  public let width: Int
  private let contents: Contents

  /// An answer with one list of values for each row. A number of objects is an integer.
  public init(rows: [[Value]]) { self.init(width: rows.first?.count ?? 0, rows.flatMap(\.self)) }

  package init(width: Int, _ values: [Value]) {
    self.width = width
    contents = .values(values)
  }

  package init(width: Int, _ values: PackedValues) {
    self.width = width
    contents = .packed(values)
  }

  /// The rows of answers to the same question about other objects, one answer after the other.
  package init(joining answers: [TableAnswer]) {
    width = answers.first?.width ?? 0
    let packed = answers.compactMap(\.packed)
    contents =
      packed.count == answers.count
      ? .packed(.joining(packed)) : .values(answers.flatMap(\.values))
  }

  /// The values of all rows, one row after the other.
  package var values: [Value] {
    switch contents {
    case .values(let values): values
    case .packed(let packed): (0..<packed.count).map { packed[$0] }
    }
  }

  /// The values, if the store has packed them.
  package var packed: PackedValues? {
    if case .packed(let packed) = contents { packed } else { nil }
  }

  /// The number of rows.
  public var rowCount: Int {
    guard width > 0 else { return 0 }
    return switch contents {
    case .values(let values): values.count / width
    case .packed(let packed): packed.count / width
    }
  }

  /// The value in a column of a row.
  public subscript(row: Int, column: Int) -> Value {
    trap(
      unless: 0..<rowCount ~= row && 0..<width ~= column,
      "The answer has \(rowCount) rows of \(width) values, and no value \(column) of row \(row).")
    return switch contents {
    case .values(let values): values[row * width + column]
    case .packed(let packed): packed[row * width + column]
    }
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.width == right.width && left.values == right.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(values)
  }

  /// Each row has one value per column of the question.
  public var rows: [[Value]] { (0..<rowCount).map(row) }

  /// The values of a row.
  package func row(_ number: Int) -> [Value] {
    (0..<width).map { self[number, $0] }
  }

  /// The row of the answer to a question for all objects.
  package func onlyRow(of width: Int) -> [Value] {
    trap(
      unless: rowCount == 1 && self.width == width,
      "A store answers a question with one value per column. Check the store with the conformance suite."
    )
    return values
  }

  /// The value in the answer to a question of one column for all objects.
  package var value: Value { onlyRow(of: 1)[0] }

  /// The number of objects, in the answer to a question for that alone.
  package var count: Int { value.numberOfRows }
}

extension Value {
  /// The number of objects, in a column of an answer that counts them.
  package var numberOfRows: Int {
    guard case .integer(let number) = self, let count = Int(exactly: number) else {
      trap(
        "A store counts rows with an integer. Check the store with the conformance suite.")
    }
    return count
  }
}

extension FetchExpression {
  /// An aggregate over all objects of a group. Unlike ``aggregate(_:_:)``, it refuses a key path to many objects.
  package static func overObjects(
    _ function: AggregateFunction, _ path: [String]
  ) -> FetchExpression {
    .collection(FetchCollection([], values: path, asking: .aggregate(function)))
  }
}

extension PersistentStore {
  /// The number of rows that satisfy a fetch.
  public func count(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> Int {
    try answer(.count(of: fetch), in: view).count
  }

  /// An aggregate over an attribute of the rows that satisfy a fetch; null where no row has a value.
  public func aggregate(
    _ function: AggregateFunction, of keyPath: [String], _ fetch: StoreFetch, in view: StoreView
  ) throws(StoreError) -> Value {
    try answer(TableQuestion(fetch, [.overObjects(function, keyPath)]), in: view).value
  }
}
