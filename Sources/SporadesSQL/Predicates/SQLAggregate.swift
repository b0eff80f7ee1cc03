// SPDX-License-Identifier: MIT
import SporadesModel

/// The SQL of aggregates.
enum SQLAggregate {
  /// The sum of 64-bit integers. If the sum exceeds 64 bits, it is a double; `SUM` alone would fail.
  ///
  /// The expression sums the upper and lower halves separately. A small upper sum means that the whole sum is
  /// small.
  static func wideSum(_ value: SQLFragment) -> SQLFragment {
    let (upper, lower): (SQLFragment, SQLFragment) = (
      "SUM(\(value) >> 32)", "SUM(\(value) & 4294967295)"
    )
    return """
      CASE WHEN \(upper) BETWEEN -1073741824 AND 1073741823 \
      THEN \(upper) * 4294967296 + \(lower) ELSE \(upper) * 4294967296.0 + \(lower) END
      """
  }

  /// The sum of numbers of a type; null without rows. SQLite rounds after each step, and so by the order of the rows.
  static func sum(_ value: SQLFragment, _ type: AttributeType?) -> SQLFragment {
    switch type {
    case .integer64: wideSum(value)
    case .integer16, .integer32, .boolean: "SUM(\(value))"
    default: "\(sql: SQLFunction.total)(\(value))"
    }
  }

  /// The mean of numbers of a type; null without rows.
  static func average(_ value: SQLFragment, _ type: AttributeType?) -> SQLFragment {
    switch type {
    case .integer16, .integer32, .boolean: "CAST(SUM(\(value)) AS REAL) / COUNT(\(value))"
    default: "\(sql: SQLFunction.mean)(\(value))"
    }
  }
}
