// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel
package import SporadesStore

/// A statement that answers an aggregate, and how its rows are read.
///
/// A database computes what it computes as memory does. It gives up on sums of whole numbers that
/// leave 64 bits on the way, and rounds their mean, so it is asked for the sums of their halves:
/// `SUM(v >> 32), SUM(v & 4294967295), COUNT(v)`. It takes decimals for doubles, so it is asked for
/// what its columns hold.
package struct AggregateStatement {
  package let statement: SQLStatement
  private let shape: AggregateShape

  init(_ shape: AggregateShape, _ statement: SQLStatement) {
    self.shape = shape
    self.statement = statement
  }

  private enum Form { case answer, halves, values }

  private static func form(_ shape: AggregateShape) -> Form {
    switch (shape.function, shape.attribute.type) {
    case (_, .decimal): .values
    case (.min, _), (.max, _): .answer
    case (_, .integer16), (_, .integer32), (_, .integer64), (_, .boolean): .halves
    default: .answer
    }
  }

  /// The statement reads the columns of decimals, and not the numbers that SQLite makes of them.
  static func readsStored(_ shape: AggregateShape) -> Bool { form(shape) == .values }

  /// What is selected, where `value` is the attribute.
  static func columns(_ shape: AggregateShape, _ value: SQLFragment) -> SQLFragment {
    switch form(shape) {
    case .answer: SQLAggregate.call(shape.function, value)
    case .halves: "SUM(\(value) >> 32), SUM(\(value) & 4294967295), COUNT(\(value))"
    case .values: value
    }
  }

  /// The answer, of the rows of the statement: `next` gives the columns of one after the other.
  package func answer(
    _ next: () throws(StoreError) -> [SQLValue]?
  ) throws(StoreError) -> Value {
    switch Self.form(shape) {
    case .answer: return try next()?.first?.modelValue(shape.resultType) ?? .null
    case .halves: return try AggregateAnswer(shape, Self.whole(shape, try next() ?? [])).value()
    case .values:
      var values: [Value] = []
      while let row = try next() { values.append(try decimal(row[0])) }
      return try AggregateAnswer(shape, of: values).value()
    }
  }

  private func decimal(_ stored: SQLValue) throws(StoreError) -> Value {
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

  private static func whole(_ shape: AggregateShape, _ row: [SQLValue]) -> Value {
    let parts = row.compactMap(\.integer)
    guard parts.count == 3, parts[2] > 0 else { return .null }
    let total = Int128(parts[0]) << 32 + Int128(parts[1])
    if shape.function == .average { return .double(Double(total) / Double(parts[2])) }
    return Int64(exactly: total).map { .integer($0) } ?? .double(Double(total))
  }
}
