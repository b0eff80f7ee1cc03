// SPDX-License-Identifier: MIT
public import SporadesModel

/// A question about the rows of an entity whose answer is values instead of rows.
///
/// The fetch names the rows, and the columns name the values. Stores, roots and contexts answer all
/// questions by one method.
public struct TableQuestion: Sendable {
  /// The rows that the question concerns.
  public var fetch: StoreFetch
  /// The values that the answer has, in this order.
  public var columns: [Column]

  /// A value that is computed over rows.
  public enum Column: Hashable, Sendable {
    /// The number of rows.
    case count
    /// An aggregate over an attribute that the key path leads to; null where no row has a value.
    case aggregate(AggregateFunction, of: [String])
  }

  /// Asks for columns over the rows of a fetch.
  public init(_ fetch: StoreFetch, _ columns: [Column]) {
    precondition(
      !columns.isEmpty, "A question about \(fetch.entity.name) asks for no column. Name one.")
    self.fetch = fetch
    self.columns = columns
  }

  /// The question how many rows satisfy a fetch.
  package static func count(of fetch: StoreFetch) -> TableQuestion {
    TableQuestion(fetch, [.count])
  }

  /// The key paths that the columns read.
  package var paths: [[String]] {
    columns.compactMap { if case .aggregate(_, let path) = $0 { path } else { nil } }
  }

  /// Refuses a fetch or a column that does not fit the entity.
  package mutating func check(_ model: ManagedObjectModel) throws(FetchPredicateError) {
    try fetch.check(model)
    for case .aggregate(let function, let path) in columns {
      _ = try AggregateShape(function, of: path, in: fetch.entity, model)
    }
  }
}

/// The answer to a question: rows of values.
///
/// A question without groups has one row in its answer, even where no row of the entity satisfies the
/// fetch.
public struct TableAnswer: Hashable, Sendable {
  /// Each row has one value per column of the question. A number of rows is an integer.
  public let rows: [[Value]]

  /// An answer with one list of values for each row.
  public init(rows: [[Value]]) { self.rows = rows }

  /// The answer where no row of the entity satisfies the fetch.
  package init(overNoRowsTo question: TableQuestion) {
    rows = [question.columns.map { $0 == .count ? .integer(0) : .null }]
  }

  /// The row of the answer to a question without groups.
  package func row(of width: Int) -> [Value] {
    precondition(
      rows.count == 1 && rows[0].count == width,
      "A store answers a question with one value per column. Check the store with the conformance suite."
    )
    return rows[0]
  }

  /// The value in the answer to a question of one column.
  package var value: Value { row(of: 1)[0] }

  /// The number of rows, in the answer to a question for that alone.
  package var count: Int { value.numberOfRows }
}

extension Value {
  /// The number of rows, in a column of an answer that counts them.
  package var numberOfRows: Int {
    guard case .integer(let number) = self, let count = Int(exactly: number) else {
      preconditionFailure(
        "A store counts rows with an integer. Check the store with the conformance suite.")
    }
    return count
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
    try answer(TableQuestion(fetch, [.aggregate(function, of: keyPath)]), in: view).value
  }
}
