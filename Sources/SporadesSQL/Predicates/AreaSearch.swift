// SPDX-License-Identifier: MIT
import SporadesModel

/// Finds rows in a range of several attributes by an R-tree.
///
/// ```sql
/// t0.id IN (SELECT id FROM spot_place WHERE latitude_min <= ? AND latitude_max >= ? AND …)
/// ```
///
/// An R-tree holds 32-bit numbers, rounded outwards, and 0 for a missing value. It finds each row in the range and
/// some more, so the comparisons of the columns stay in the condition of the fetch.
struct AreaSearch {
  /// The range of one attribute, with both ends in it.
  private struct Range {
    var lower = -Double.infinity
    var upper = Double.infinity
    /// The indexes that the predicate names for the attribute.
    var indexes: Set<String> = []

    /// Beyond this, a 32-bit number may be infinite, and the tree could not find the row.
    private static let largest = 1e38
    /// SQLite rounds the smallest numbers, which have fewer digits, to the nearest number, and not outwards.
    private static let smallest = 4e-45

    /// Both ends, though one may be infinite: the statement is the same for all constants, and no fetch keeps
    /// those of its form from the tree.
    func conditions(on bounds: StoreLayout.Area.Bounds) -> [SQLFragment] {
      let least = lower < -Self.largest ? -Double.infinity : lower - Self.smallest
      let most = upper > Self.largest ? Double.infinity : upper + Self.smallest
      return [
        "\(name: bounds.lower) <= \(.real(most))", "\(name: bounds.upper) >= \(.real(least))",
      ]
    }
  }

  private var ranges: [String: Range] = [:]

  init(_ predicate: FetchPredicate) { narrow(predicate) }

  /// Nil if no R-tree of the entity has a range for each of its attributes, or is named by the predicate.
  func condition(_ scope: SQLScope, _ layout: StoreLayout) -> SQLFragment? {
    guard !layout.areas.isEmpty, !ranges.isEmpty else { return nil }
    let key = layout.names.row.key
    for area in layout.areas where area.rootEntity == scope.entity.rootNumber {
      let known = area.bounds.filter { ranges[$0.key] != nil }
      let isNamed = known.keys.contains { ranges[$0]?.indexes.contains(area.index) == true }
      guard isNamed || known.count == area.bounds.count else { continue }
      let conditions = known.inOrder.flatMap { name, bounds in
        ranges[name]?.conditions(on: bounds) ?? []
      }
      return """
        \(sql: scope.alias).\(name: key) IN (SELECT \(name: key) FROM \(name: area.tree) \
        WHERE \(conditions.joined(by: " AND ")))
        """
    }
    return nil
  }

  // MARK: - Ranges

  /// Takes in the comparisons that each found row satisfies.
  private mutating func narrow(_ predicate: FetchPredicate) {
    switch predicate {
    case .and(let parts): for part in parts { narrow(part) }
    case .comparison(let comparison) where comparison.quantifier == .direct: narrow(comparison)
    case .comparison, .or, .not, .constant, .open: break
    }
  }

  private mutating func narrow(_ comparison: FetchPredicate.Comparison) {
    if let bounds = Self.bounds(comparison.right, comparison.comparator) {
      narrow(comparison.left, bounds)
    } else if let bounds = Self.bounds(comparison.left, comparison.comparator.turned) {
      narrow(comparison.right, bounds)
    }
  }

  private mutating func narrow(_ expression: FetchExpression, _ bounds: ClosedRange<Double>) {
    let (path, index): ([String], String?)
    switch expression {
    case .keyPath(let names): (path, index) = (names, nil)
    case .indexed(let names, let name): (path, index) = (names, name)
    default: return
    }
    guard path.count == 1 else { return }
    var range = ranges[path[0]] ?? Range()
    range.lower = max(range.lower, bounds.lowerBound)
    range.upper = min(range.upper, bounds.upperBound)
    if let index { range.indexes.insert(index) }
    ranges[path[0]] = range
  }

  /// The range that a comparison with constants leaves. The tree rounds, so that `<` finds what `<=` does.
  private static func bounds(
    _ expression: FetchExpression, _ comparator: FetchPredicate.Comparator?
  ) -> ClosedRange<Double>? {
    guard case .constant(let value) = expression else { return nil }
    if comparator == .between {
      guard case .list(let items) = value, items.count == 2, let lower = number(items[0]),
        let upper = number(items[1]), lower <= upper
      else { return nil }
      return lower...upper
    }
    guard let number = number(value) else { return nil }
    return switch comparator {
    case .equal: number...number
    case .less, .lessOrEqual: -.infinity...number
    case .greater, .greaterOrEqual: number...Double.infinity
    default: nil
    }
  }

  private static func number(_ value: Value) -> Double? {
    switch value {
    case .double(let number) where !number.isNaN: number
    case .integer(let number): Double(number)
    default: nil
    }
  }
}
