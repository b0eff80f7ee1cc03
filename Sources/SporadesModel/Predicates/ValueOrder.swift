// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The order of values, the same in memory and in SQL stores.
///
/// - Numbers of all types compare by their amount. Truth values are 1 and 0. A decimal compares with a
///   double as its nearest double, so that `0.1` equals `0.1`.
/// - A number that is not a number (NaN) is nil, as in SQL stores.
/// - Texts, URLs, data and UUIDs compare by their bytes, dates by their seconds.
/// - Two object ids are equal if store and primary key are equal. Predicates never compare ids of
///   different inheritance trees.
public enum ValueOrder {
  /// The values are equal. Nil equals nil.
  public static func areEqual(_ left: Value, _ right: Value) -> Bool {
    let (leftIsNil, rightIsNil) = (isNil(left), isNil(right))
    if leftIsNil || rightIsNil { return leftIsNil && rightIsNil }
    return compare(left, right) == 0
  }

  /// Compares two values: negative, zero or positive. The result is nil if a value is nil or the values
  /// have no order.
  public static func compare(_ left: Value, _ right: Value) -> Int? {
    if isNil(left) || isNil(right) { return nil }
    switch (left, right) {
    case (.string(let left), .string(let right)): return TextFolding.compare(left, right)
    case (.date(let left), .date(let right)):
      return order(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.data(let left), .data(let right)): return TextFolding.compare(left, right)
    case (.uuid(let left), .uuid(let right)): return order(left, right)
    case (.objectID(let left), .objectID(let right)):
      guard left.scope == right.scope else { return nil }
      let stores = order(left.key.store, right.key.store)
      return stores == 0 ? order(left.key.primaryKey, right.key.primaryKey) : stores
    default: break
    }
    if let left = text(left), let right = text(right) { return TextFolding.compare(left, right) }
    if let left = Number(left), let right = Number(right) { return compare(left, right) }
    return nil
  }

  /// Compares two values for the order of rows: negative, zero or positive. Nil comes first, as in SQLite.
  public static func sortOrder(_ left: Value, _ right: Value) -> Int {
    switch (isNil(left), isNil(right)) {
    case (true, true): 0
    case (true, false): -1
    case (false, true): 1
    case (false, false): compare(left, right) ?? 0
    }
  }

  package static func isNil(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }

  static func text(_ value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .url(let url): url.absoluteString
    default: nil
    }
  }

  static func order<Some: Comparable>(_ left: Some, _ right: Some) -> Int {
    left == right ? 0 : left < right ? -1 : 1
  }

  // MARK: - Numbers

  enum Number {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    init?(_ value: Value) {
      switch value {
      case .boolean(let truth): self = .integer(truth ? 1 : 0)
      case .integer(let number): self = .integer(number)
      case .double(let number) where !number.isNaN: self = .double(number)
      case .decimal(let number) where !number.isNaN: self = .decimal(number)
      default: return nil
      }
    }

    var nearestDouble: Double {
      switch self {
      case .integer(let number): Double(number)
      case .double(let number): number
      case .decimal(let number): Double(number.description) ?? .nan
      }
    }

    /// The number as a decimal, unless it is a double.
    var exactDecimal: Decimal? {
      switch self {
      case .integer(let number): Decimal(number)
      case .double: nil
      case .decimal(let number): number
      }
    }
  }

  private static func compare(_ left: Number, _ right: Number) -> Int {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.double(let left), .double(let right)): order(left, right)
    case (.integer(let left), .double(let right)): compare(left, right)
    case (.double(let left), .integer(let right)): -compare(right, left)
    case (.double, _), (_, .double): order(left.nearestDouble, right.nearestDouble)
    case (.decimal, _), (_, .decimal):
      order(left.exactDecimal ?? 0, right.exactDecimal ?? 0)
    }
  }

  /// Compares without rounding, because not every integer equals a double.
  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right)
    return left == whole ? order(0, right - Double(whole)) : order(left, whole)
  }
}
