// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
package import SporadesStore

/// A statement that answers an aggregate question, with the code that reads its rows.
///
/// The database must compute the same columns as memory does. It fails on a sum of integers that exceeds 64
/// bits on the way, and rounds their mean. The statement therefore asks for the sums of their halves: `SUM(v
/// >> 32), SUM(v & 4294967295), COUNT(v)`. The database also treats decimals as doubles. A statement with an
/// aggregate of decimals therefore selects the values of all rows, and memory computes the columns.
package struct AnswerStatement {
  package let statement: SQLStatement
  private let columns: [PreparedQuestion.Column]

  init(_ columns: [PreparedQuestion.Column], _ statement: SQLStatement) {
    self.columns = columns
    self.statement = statement
  }

  /// Whether the statement returns a row for each row that the question concerns.
  static func readsRows(_ columns: [PreparedQuestion.Column]) -> Bool {
    columns.contains { column in
      if case .aggregate(let shape) = column { shape.attribute.type == .decimal } else { false }
    }
  }

  /// The result columns of a statement with one row; `values` are those of the attributes.
  static func results(
    _ columns: [PreparedQuestion.Column], over values: [SQLFragment?]
  ) -> SQLFragment {
    zip(columns, values).map { column, value -> SQLFragment in
      guard case .aggregate(let shape) = column, let value else { return "COUNT(*)" }
      return shape.addsHalves
        ? "SUM(\(value) >> 32), SUM(\(value) & 4294967295), COUNT(\(value))"
        : SQLAggregate.call(shape.function, value)
    }.joined(by: ", ")
  }

  /// The answer. Each call of `next` returns the values of the statement's next row.
  package func answer(
    _ next: () throws(StoreError) -> [SQLValue]?
  ) throws(StoreError) -> TableAnswer {
    if Self.readsRows(columns) { return try TableAnswer(answersOverRows(next)) }
    guard let row = try next() else {
      throw StoreError(.corrupt, "SQLite computed aggregates and returned no row.")
    }
    var place = 0
    func take() -> SQLValue {
      defer { place += 1 }
      return row[place]
    }
    return try TableAnswer(
      columns.map { column in
        guard case .aggregate(let shape) = column else {
          return ColumnAnswer(count: take().modelValue(.integer64))
        }
        return shape.addsHalves
          ? ColumnAnswer(shape, Self.whole(shape, take(), take(), take()))
          : ColumnAnswer(shape, take().modelValue(shape.resultType))
      })
  }

  private func answersOverRows(
    _ next: () throws(StoreError) -> [SQLValue]?
  ) throws(StoreError) -> [ColumnAnswer] {
    var count = 0
    var values: [[Value]] = columns.map { _ in [] }
    while let row = try next() {
      count += 1
      var place = 0
      for (number, column) in columns.enumerated() {
        guard case .aggregate(let shape) = column else { continue }
        values[number].append(try Self.value(row[place], shape))
        place += 1
      }
    }
    return zip(columns, values).map { column, values in
      switch column {
      case .count: ColumnAnswer(count: count)
      case .aggregate(let shape): ColumnAnswer(shape, of: values)
      }
    }
  }

  private static func value(
    _ stored: SQLValue, _ shape: AggregateShape
  ) throws(StoreError) -> Value {
    guard shape.attribute.type == .decimal else { return stored.modelValue(shape.attribute.type) }
    let text: String?
    switch stored {
    case .null: return .null
    case .integer(let number): return .decimal(Decimal(number))
    case .real(let number): text = DecimalText.text(of: number)
    case .text(let digits): text = DecimalText.text(of: digits)
    case .blob(let bytes): text = DecimalText.text(of: String(decoding: bytes, as: UTF8.self))
    }
    guard let text else {
      throw StoreError(
        .corrupt,
        "A row holds in \(shape.path.names.joined(separator: ".")) what is no decimal. Correct it with a "
          + "program that reads SQLite's files.")
    }
    return .decimal(text == DecimalText.notANumber ? .nan : Decimal(string: text) ?? .nan)
  }

  private static func whole(
    _ shape: AggregateShape, _ high: SQLValue, _ low: SQLValue, _ count: SQLValue
  ) -> Value {
    guard let high = high.integer, let low = low.integer, let count = count.integer, count > 0
    else { return .null }
    let total = Int128(high) << 32 + Int128(low)
    if shape.function == .average { return .double(Double(total) / Double(count)) }
    return Int64(exactly: total).map { .integer($0) } ?? .double(Double(total))
  }
}

extension AggregateShape {
  /// Whether the database sums the halves of integers.
  fileprivate var addsHalves: Bool {
    switch (function, attribute.type) {
    case (.min, _), (.max, _): false
    case (_, .integer16), (_, .integer32), (_, .integer64), (_, .boolean): true
    default: false
    }
  }
}
