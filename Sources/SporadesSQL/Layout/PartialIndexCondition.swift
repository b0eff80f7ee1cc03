// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// The condition of a partial index, in Core Data's spelling: `(ZSTATE = 1 AND ZNAME IS NULL)`.
///
/// It covers comparisons of the entity's own columns with constants, joined by AND and OR. An index for
/// another predicate covers all rows instead, because an index only affects speed.
struct PartialIndexCondition {
  /// The column of a property; nil if it has none.
  let column: (String) -> String?

  func sql(_ predicate: FetchPredicate) -> SQLFragment? {
    switch predicate {
    case .comparison(let comparison): compare(comparison)
    case .and(let parts): joined(parts, " AND ")
    case .or(let parts): joined(parts, " OR ")
    case .constant, .not, .open: nil
    }
  }

  private func joined(_ parts: [FetchPredicate], _ word: String) -> SQLFragment? {
    let conditions = parts.compactMap(sql)
    guard conditions.count == parts.count, !conditions.isEmpty else { return nil }
    return "(\(conditions.joined(by: word)))"
  }

  private func compare(_ comparison: FetchPredicate.Comparison) -> SQLFragment? {
    guard comparison.quantifier == .direct, comparison.options.isEmpty,
      case .keyPath(let path) = comparison.left, path.count == 1,
      let name = column(path[0]), case .constant(let value) = comparison.right
    else { return nil }
    if value.isNull {
      switch comparison.comparator {
      case .equal: return "\(name: name) IS NULL"
      case .notEqual: return "\(name: name) IS NOT NULL"
      default: return nil
      }
    }
    guard let sign = sign(comparison.comparator), let literal = literal(value) else { return nil }
    return "\(name: name) \(sql: sign) \(sql: literal)"
  }

  /// Like Core Data's, an index with an inequality lacks rows without a value, which satisfy the inequality in
  /// memory. SQLite uses it only where the condition of a fetch excludes them, too.
  private func sign(_ comparator: FetchPredicate.Comparator) -> String? {
    switch comparator {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    default: nil
    }
  }

  private func literal(_ value: Value) -> String? {
    switch value {
    case .boolean(let truth): truth ? "1" : "0"
    case .integer(let number): "\(number)"
    case .double(let number) where number.isFinite: "\(number)"
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .string(let text):
      "'"
        + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        + "'"
    default: nil
    }
  }
}
