// SPDX-License-Identifier: MIT
package import FoundationEssentials

/// The order of values, the same in memory and in SQL stores.
///
/// - Numbers of all types compare by their amount. Truth values are 1 and 0. A decimal that is no whole number of 64
///   bits compares as its nearest double, as in SQL stores, so that `0.1` equals `0.1`.
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

  /// Compares two values that are not nil, and decimals with all their digits where their amounts are equal.
  static func exactOrder(_ left: Value, _ right: Value) -> Int {
    let result = sortOrder(left, right)
    guard result == 0, case (.decimal(let left), .decimal(let right)) = (left, right) else {
      return result
    }
    return order(left, right)
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

  package enum Number {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    package init?(_ value: Value) {
      switch value {
      case .boolean(let truth): self = .integer(truth ? 1 : 0)
      case .integer(let number): self = .integer(number)
      case .double(let number) where !number.isNaN: self = .double(number)
      case .decimal(let number) where !number.isNaN: self = .decimal(number)
      default: return nil
      }
    }

    package var nearestDouble: Double {
      switch self {
      case .integer(let number): Double(number)
      case .double(let number): number
      case .decimal(let number): Double(number.description) ?? .nan
      }
    }

    /// The amount of a decimal that is a number: an integer of 64 bits, or the nearest double, as a column holds it.
    init(amountOf decimal: Decimal) {
      let digits = decimal.description
      if let whole = Int64(digits) {
        self = .integer(whole)
      } else {
        self = .double(Double(digits) ?? .nan)
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
    case (.decimal(let left), .decimal(let right)): compare(left, right)
    case (.decimal(let left), _): compare(Number(amountOf: left), right)
    case (_, .decimal(let right)): compare(left, Number(amountOf: right))
    }
  }

  private static func compare(_ left: Decimal, _ right: Decimal) -> Int {
    if left == right { return 0 }
    // Doubles keep so few digits, so the decimals have the order of their amounts.
    if left.hasFewDigits, right.hasFewDigits { return left < right ? -1 : 1 }
    return compare(Number(amountOf: left), Number(amountOf: right))
  }

  /// Compares without rounding, because not every integer equals a double.
  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right)
    return left == whole ? order(0, right - Double(whole)) : order(left, whole)
  }
}

extension Decimal {
  /// The number has at most 15 digits, so that no other such number has the same nearest double.
  fileprivate var hasFewDigits: Bool { significand.magnitude <= 999_999_999_999_999 }
}
