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

  static func call(_ function: AggregateFunction, _ value: SQLFragment) -> SQLFragment {
    switch function {
    case .sum: "SUM(\(value))"
    case .min: "MIN(\(value))"
    case .max: "MAX(\(value))"
    case .average: "AVG(\(value))"
    }
  }
}
