// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// An aggregate over a group that the database computes exactly as memory does.
///
/// The database fails on a sum of integers that exceeds 64 bits on the way, and rounds their mean. The statement
/// therefore asks for the sums of the halves of large integers: `SUM(v >> 32), SUM(v & 4294967295), COUNT(v)`. It rounds
/// a sum of doubles after each step, and so by the order of the rows; a function of the store adds them.
struct AggregateColumn {
  private enum Form {
    case count
    /// A result of the database.
    case plain
    /// The sum and the number of integers that 64 bits hold.
    case whole
    /// The sums of halves, and the number of integers.
    case halves
  }
  private let shape: AggregateShape
  private let form: Form
  /// The result columns.
  let fragments: [SQLFragment]

  /// Nil if the database would compute another value than memory. `value` is the argument's.
  init?(_ shape: AggregateShape, _ value: SQLFragment?, _ limits: (any SQLLimits)?) {
    self.shape = shape
    let distinct: SQLFragment = shape.isDistinct ? "DISTINCT " : ""
    guard let argument = shape.argument, var value else {
      form = .count
      fragments = ["COUNT(*)"]
      return
    }
    let isExact = limits != nil || !argument.readsDecimals
    if let limits {
      guard let form = limits.aggregated(value, shape) else { return nil }
      value = form
    }
    switch shape.function {
    case .count where isExact || !shape.isDistinct:
      form = .count
      fragments = ["COUNT(\(distinct)\(value))"]
    case .min where isExact, .max where isExact:
      form = .plain
      fragments = ["\(sql: shape.function.rawValue.uppercased())(\(value))"]
    case .sum where isExact, .average where isExact:
      // A database with limits adds nothing else without a type than numbers of rows.
      switch (limits == nil ? argument.type : argument.type ?? .integer64, shape.isDistinct) {
      case (.integer64, false):
        form = .halves
        fragments = ["SUM(\(value) >> 32)", "SUM(\(value) & 4294967295)", "COUNT(\(value))"]
      case (.integer16, false), (.integer32, false), (.boolean, false):
        form = .whole
        fragments = ["SUM(\(value))", "COUNT(\(value))"]
      default:
        form = .plain
        let name = shape.function == .sum ? SQLFunction.total : SQLFunction.mean
        fragments = ["\(sql: name)(\(distinct)\(value))"]
      }
    default: return nil
    }
  }

  /// Whether the first result column has the order of the values.
  var isSorted: Bool { form == .count || form == .plain }

  /// Reads the value from a row, from the place of its first column on.
  func value(_ row: some AnswerRow, _ place: inout Int32) throws(StoreError) -> Value {
    defer { place += Int32(fragments.count) }
    switch form {
    case .count: return try row.value(place).modelValue(.integer64)
    case .plain:
      return try shape.checked(row.value(place).modelValue(shape.resultType ?? .undefined))
    case .whole: return try value(row.value(place).integer.map { Int128($0) }, row.value(place + 1))
    case .halves:
      guard let high = try row.value(place).integer, let low = try row.value(place + 1).integer
      else {
        return .null
      }
      return try value(Int128(high) << 32 + Int128(low), row.value(place + 2))
    }
  }

  private func value(_ total: Int128?, _ count: SQLValue) throws(StoreError) -> Value {
    guard let total, let count = count.integer, count > 0 else { return .null }
    if shape.function == .average { return .double(Double(total) / Double(count)) }
    guard let whole = Int64(exactly: total) else { throw shape.overflow }
    return .integer(whole)
  }
}
