// SPDX-License-Identifier: MIT
package import SporadesModel

/// The SQL of a conversion of values.
package struct ConversionTerms {
  private let conversion: ValueConversion

  package init(_ conversion: ValueConversion) { self.conversion = conversion }

  /// The new value, such as `CAST(o.ZAGE AS TEXT)`. A null stays null.
  package func value(_ old: SQLFragment) -> SQLFragment {
    switch conversion {
    case .same, .narrowing: old
    case .wholeToReal, .toReal: "CAST(\(old) AS REAL)"
    case .realToWhole, .textToWhole: "CAST(\(old) AS INTEGER)"
    case .wholeToText: "CAST(\(old) AS TEXT)"
    case .truthToText: "CASE \(old) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"
    case .textToTruth: "CASE \(old) WHEN 'false' THEN 0 WHEN 'true' THEN 1 END"
    case .spelling(let from, let to):
      """
      \(sql: SQLFunction.convert)(\(old), \(sql: String(from.rawValue)), \
      \(sql: String(to.rawValue)))
      """
    }
  }

  /// The condition for a value that has no equal in the new type; nil if there is none. A null never meets it.
  package func isLost(_ old: SQLFragment) -> SQLFragment? {
    switch conversion {
    case .same: return nil
    case .narrowing(let range):
      return "(typeof(\(old)) <> 'integer' OR NOT \(old) \(between(range))) AND \(old) IS NOT NULL"
    case .wholeToReal:
      let real = value(old)
      return """
        (NOT \(old) \(between(Self.exactWhole)) OR CAST(\(real) AS INTEGER) <> \(old)) \
        AND \(old) IS NOT NULL
        """
    case .realToWhole(let range):
      let bounds =
        "(NOT \(old) BETWEEN -9.2e18 AND 9.2e18 OR NOT \(value(old)) \(between(range))"
        as SQLFragment
      return "\(bounds) OR \(value(old)) <> \(old)) AND \(old) IS NOT NULL"
    case .wholeToText: return "typeof(\(old)) NOT IN ('integer', 'null')"
    case .textToWhole(let range):
      return """
        (CAST(\(value(old)) AS TEXT) <> \(old) OR NOT \(value(old)) \(between(range))) \
        AND \(old) IS NOT NULL
        """
    case .truthToText: return "\(old) NOT IN (0, 1)"
    case .textToTruth: return "\(old) NOT IN ('false', 'true')"
    case .toReal: return "typeof(\(old)) IN ('text', 'blob')"
    case .spelling: return "\(value(old)) IS NULL AND \(old) IS NOT NULL"
    }
  }

  /// Beyond it, the way to a floating-point number and back ends at the largest whole number.
  private static let exactWhole = -9_223_372_036_854_774_784...Int64(9_223_372_036_854_774_784)

  private func between(_ range: ClosedRange<Int64>) -> SQLFragment {
    // SQLite reads the digits of the smallest number as those of a larger one with a sign.
    let lower = range.lowerBound == .min ? "(-9223372036854775807 - 1)" : String(range.lowerBound)
    return "BETWEEN \(sql: lower) AND \(sql: String(range.upperBound))"
  }
}
