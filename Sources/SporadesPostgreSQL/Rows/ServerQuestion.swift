// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

// Questions whose answers are values. The server computes what it computes as memory does, and sends values instead of rows.
extension ServerReading {
  func answer(_ statement: AnswerStatement) throws(StoreError) -> TableAnswer {
    let row = AnsweredRow(try connection.run(statement.statement), plan)
    return try statement.answer(row) { () throws(StoreError) in try row.next() }
  }
}

/// The row of a server's answer that is read.
private final class AnsweredRow: AnswerRow {
  private let rows: ServerRows
  private let plan: ServerPlan
  private var row = -1

  init(_ rows: ServerRows, _ plan: ServerPlan) {
    self.rows = rows
    self.plan = plan
  }

  func next() throws(StoreError) -> Bool {
    row += 1
    if row % 512 == 0 { try Cancellation.check() }
    return row < rows.count
  }

  func value(_ column: Int32) throws(StoreError) -> SQLValue {
    guard let value = rows.value(row, Int(column)) else {
      throw StoreError(
        .corrupt,
        "The server answers with a value that Sporades cannot hold: a moment without an end, or of a type of its own. Look "
          + "for it with psql, and correct it.")
    }
    return value
  }

  /// A migration may have given a column another type, of which no value of the attribute can be made.
  func value(_ column: Int32, of type: AttributeType) throws(StoreError) -> Value {
    guard ServerType(type).answers(rows.type(Int(column))) else {
      throw StoreError(
        .modelChanged,
        "A column has another type than when the store was opened. Open the store again.")
    }
    return try value(column).modelValue(type)
  }

  func object(_ column: Int32, else entity: Int) throws(StoreError) -> ManagedObjectID? {
    let column = Int(column)
    guard !rows.isNull(row, column) else { return nil }
    return plan.id(
      try ServerRowReader(plan, plan.model.shape(numbered: entity)).key(
        rows, row, at: column, isMarked: !rows.isNull(row, column + 1)))
  }
}

extension ServerType {
  /// Whether a value of a type on the server is one of this type. An administrator may have bounded a text.
  fileprivate func answers(_ number: UInt32) -> Bool {
    switch self {
    case .text: [ServerType.text.rawValue, 1042, 1043].contains(number)
    case .int2, .int4, .int8: [20, 21, 23].contains(number)
    default: number == rawValue
    }
  }
}

extension ServerRows {
  /// A value of any type that the store writes; nil for one that it could not read.
  fileprivate func value(_ row: Int, _ column: Int) -> SQLValue? {
    guard let cell = unsafe cell(row, column) else { return .null }
    switch ServerType(rawValue: type(column)) {
    case .bool: return .integer(unsafe cell.first == 1 ? 1 : 0)
    case .int2, .int4, .int8: return unsafe ServerRows.integer(cell).map { .integer($0) }
    case .float8:
      return unsafe ServerRows.integer(cell).map {
        .real(Double(bitPattern: UInt64(bitPattern: $0)))
      }
    case .timestamptz:
      return unsafe ServerRows.integer(cell).flatMap(ServerDate.seconds).map { .real($0) }
    case .numeric:
      guard let digits = unsafe NumericForm.text(cell) else { return nil }
      return Int64(digits).map { .integer($0) } ?? .text(digits)
    case .uuid, .bytea: return .blob(unsafe Array(cell))
    case .text: return .text(unsafe String(decoding: cell, as: UTF8.self))
    default:
      // Bounded texts, and the texts of constants.
      return [1042, 1043, 705].contains(type(column))
        ? .text(unsafe String(decoding: cell, as: UTF8.self)) : nil
    }
  }
}
