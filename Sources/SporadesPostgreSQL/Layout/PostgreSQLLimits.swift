// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// The comparisons and orders of PostgreSQL that mean what they mean in memory: those of values of one kind, as they are
/// stored. Folded texts, patterns, functions, arithmetic and decimals are decided in memory.
final class PostgreSQLLimits: SQLLimits {
  /// The kind of a value that the server compares.
  private enum Kind {
    case null, truth, text, date, bytes, uuid, key
    /// A whole number that a `double precision` holds.
    case smallWhole
    case whole, real
    /// A value of any kind, which is only compared with nil.
    case other

    var isNumber: Bool { [.smallWhole, .whole, .real].contains(self) }
    var isOrdered: Bool { isNumber || self == .text || self == .date }

    /// The server compares the two as memory does. It turns whole numbers into fractional ones beside such.
    func fits(_ other: Kind) -> Bool {
      if self == .null || other == .null { return true }
      if self == .other || other == .other { return false }
      if isNumber, other.isNumber {
        let isMixed = (self == .real) != (other == .real)
        return !isMixed || self == .smallWhole || other == .smallWhole
      }
      return self == other
    }
  }

  let placeFunction = "strpos"
  /// Texts have the order of their bytes in all columns. Those of existing databases have it only where a statement asks for
  /// it, and then need no index of their own order.
  let hasByteOrder: Bool

  init(hasByteOrder: Bool = true) { self.hasByteOrder = hasByteOrder }

  // MARK: - Comparisons

  func decides(_ comparison: PreparedPredicate.Comparison) -> Bool {
    guard comparison.folding.isEmpty, hasByteOrder || asksForByteOrder(comparison) else {
      return false
    }
    switch comparison.quantifier {
    case .direct: return decidesDirectly(comparison)
    case .any, .all:
      guard let left = members(comparison.left) else { return false }
      return decides(left, comparison.comparator, comparison.right)
    }
  }

  /// Whether no order of texts takes part, or one with a constant, which asks for the order of bytes.
  private func asksForByteOrder(_ comparison: PreparedPredicate.Comparison) -> Bool {
    switch comparison.comparator {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return isConstant(comparison.left) || isConstant(comparison.right)
        || kind(comparison.left) != .text && members(comparison.left) != .text
    case .between: return isConstant(comparison.right)
    case .beginsWith: return false
    default: return true
    }
  }

  private func isConstant(_ term: PreparedPredicate.Term) -> Bool {
    if case .constant = term { true } else { false }
  }

  private func decidesDirectly(_ comparison: PreparedPredicate.Comparison) -> Bool {
    let isCompared = [.equal, .notEqual, .isIn].contains(comparison.comparator)
    guard let left = kind(comparison.left, isCompared: isCompared) else { return false }
    if comparison.comparator == .isIn, let right = members(comparison.right) {
      return left != .null && left.fits(right)
    }
    return decides(left, comparison.comparator, comparison.right)
  }

  private func decides(
    _ left: Kind, _ comparator: FetchPredicate.Comparator, _ right: PreparedPredicate.Term
  ) -> Bool {
    switch comparator {
    case .isIn:
      guard let items = items(right, isCompared: true), items.count <= Self.longestList else {
        return false
      }
      return items.allSatisfy { left != .null && left.fits($0) }
    case .between:
      guard let items = items(right), items.count == 2 else { return false }
      return items.allSatisfy { Self.isOrdered(left, $0) }
    case .equal, .notEqual: return kind(right, isCompared: true).map(left.fits) ?? false
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return kind(right).map { Self.isOrdered(left, $0) } ?? false
    case .contains, .beginsWith: return left == .text && kind(right) == .text
    default: return false
    }
  }

  /// A statement takes 65,535 parameters.
  private static let longestList = 10_000

  private static func isOrdered(_ left: Kind, _ right: Kind) -> Bool {
    left.fits(right) && (left.isOrdered || left == .null) && (right.isOrdered || right == .null)
  }

  // MARK: - Kinds

  private func items(
    _ term: PreparedPredicate.Term, isCompared: Bool = false
  ) -> [Kind]? {
    let kinds: [Kind?] =
      switch term {
      case .constant(.list(let values)): values.map { kind($0, isCompared: isCompared) }
      case .list(let members): members.map { kind($0, isCompared: isCompared) }
      default: [nil]
      }
    return kinds.contains { $0 == nil } ? nil : kinds.compactMap(\.self)
  }

  /// The kind of the values at the end of a to-many key path.
  private func members(_ term: PreparedPredicate.Term) -> Kind? {
    guard case .path(let path) = term, path.shape.isToMany else { return nil }
    return kind(path.shape)
  }

  /// The kind of a term's value; nil for one that only memory knows. A date that is compared for equality must be one that a
  /// column can hold.
  private func kind(_ term: PreparedPredicate.Term, isCompared: Bool = false) -> Kind? {
    switch term {
    case .constant(let value): kind(value, isCompared: isCompared)
    case .path(let path): path.shape.isToMany ? nil : kind(path.shape)
    case .subject: .key
    case .count: .whole
    default: nil
    }
  }

  private func kind(_ path: KeyPathShape) -> Kind? {
    guard let type = path.attribute?.type else { return .key }
    return switch type {
    case .integer16, .integer32: .smallWhole
    case .integer64: .whole
    case .double, .float: .real
    case .boolean: .truth
    case .string, .uri: .text
    case .date: .date
    case .uuid: .uuid
    case .decimal, .binary, .transformable: .other
    case .undefined, .objectID, .composite: nil
    }
  }

  private func kind(_ value: Value, isCompared: Bool) -> Kind? {
    switch value {
    case .null: .null
    case .boolean: .truth
    case .integer(let number): number.magnitude <= 1 << 53 ? .smallWhole : .whole
    case .double(let number): number.isNaN ? .null : .real
    case .string(let text): text.utf8.contains(0) ? nil : .text
    case .url(let url): url.absoluteString.utf8.contains(0) ? nil : .text
    case .date(let date): kind(ofDate: date.timeIntervalSinceReferenceDate, isCompared)
    case .uuid: .uuid
    case .objectID: .key
    case .decimal, .data, .list: nil
    }
  }

  private func kind(ofDate seconds: Double, _ isCompared: Bool) -> Kind? {
    if seconds.isNaN { return .null }
    guard moment(seconds, .nearest) != nil else { return nil }
    return isCompared && DatePrecision.microseconds.rounded(seconds) != seconds ? nil : .date
  }

  // MARK: - Constants

  func constant(_ value: Value, _ rounding: DateRounding) -> SQLFragment? {
    switch value {
    case .boolean(let truth): return truth ? "true" : "false"
    case .string(let text) where !hasByteOrder && rounding != .nearest:
      return "\(.text(text)) COLLATE \"C\""
    case .uuid(let uuid): return "encode(\(.blob(uuid.bytes)), 'hex')::uuid"
    case .date(let date):
      return moment(date.timeIntervalSinceReferenceDate, rounding).map {
        "(\(sql: Self.beginning) + \(.integer($0)) * interval '1 microsecond')"
      }
    default: return nil
    }
  }

  private static let beginning = "timestamptz '2001-01-01 00:00:00+00'"

  /// The microseconds of a moment since 2001; nil where a product with an interval would not keep them.
  private func moment(_ seconds: Double, _ rounding: DateRounding) -> Int64? {
    guard let near = DatePrecision.microseconds(seconds), near.magnitude < 1 << 52 else {
      return nil
    }
    let kept = DatePrecision.seconds(near)
    return switch rounding {
    case .nearest: near
    case .up: kept < seconds ? near + 1 : near
    case .down: kept > seconds ? near - 1 : near
    }
  }

  // MARK: - Orders

  func orders(by path: KeyPathShape, _ term: SortTerm) -> Bool {
    guard term.collation == nil, term.options.isEmpty, !path.isToMany, let kind = kind(path) else {
      return false
    }
    return kind.isOrdered || kind == .truth
  }

  func ordered(_ step: SQLFragment, by path: KeyPathShape, ascending: Bool) -> SQLFragment {
    let collation: SQLFragment = hasByteOrder || kind(path) != .text ? "" : " COLLATE \"C\""
    return ascending
      ? "\(step)\(collation) NULLS FIRST" : "\(step)\(collation) DESC NULLS LAST"
  }

  // MARK: - Questions

  func computes(_ value: ExpressionShape) -> Bool {
    switch value.prepared.term {
    case .path(let path): !path.shape.isToMany && kind(path.shape) != nil
    case .subject, .count: true
    case .constant(.integer): true
    case .constant(.string(let text)): !text.utf8.contains(0)
    case .collection(let collection):
      collection.question == .count && collection.union == .all && collection.computed == nil
    default: false
    }
  }

  /// Another program may write what is not a number into a column of doubles, which memory takes for nil.
  func groups(by key: ExpressionShape) -> Bool {
    switch key.type {
    case .double, .float, .decimal: false
    default: true
    }
  }

  func ordersGroups(by keys: [ExpressionShape]) -> Bool {
    hasByteOrder || keys.allSatisfy { $0.type != .string && $0.type != .uri }
  }

  func aggregated(_ value: SQLFragment, _ aggregate: AggregateShape) -> SQLFragment? {
    let isCount = aggregate.function == .count
    let isExtreme = aggregate.function == .min || aggregate.function == .max
    return switch aggregate.argument?.type {
    case nil, .integer16, .integer32, .integer64:
      isCount || isExtreme || !aggregate.isDistinct ? value : nil
    case .boolean: isCount || isExtreme || !aggregate.isDistinct ? "(\(value))::integer" : nil
    case .double, .float: isCount || isExtreme ? "NULLIF(\(value), 'NaN')" : nil
    case .date, .decimal: isCount || isExtreme ? value : nil
    case .string, .uri: isCount || isExtreme && hasByteOrder ? value : nil
    default: isCount ? value : nil
    }
  }

  // MARK: - Batches

  func stored(_ value: Value, _ type: AttributeType) -> SQLFragment? {
    switch (value, type) {
    case (.null, _): "NULL"
    case (.integer(let number), .integer16), (.integer(let number), .integer32),
      (.integer(let number), .integer64):
      type.integerRange.contains(number) ? "\(.integer(number))" : nil
    case (.double(let number), .double): number.isNaN ? nil : "\(.real(number))"
    case (.double(let number), .float): number.isNaN ? nil : "\(.real(Double(Float(number))))"
    case (.string(let text), .string): text.utf8.contains(0) ? nil : "\(.text(text))"
    case (.decimal(let number), .decimal): "\(.text(number.description))::numeric"
    case (.data(let data), .binary): "\(.blob(Array(data)))"
    case (.boolean, .boolean), (.date, .date), (.uuid, .uuid): constant(value, .nearest)
    default: nil
    }
  }

  func assigned(
    _ value: SQLFragment, _ expression: ExpressionShape, to type: AttributeType
  ) -> SQLFragment? {
    guard isAssigned(expression.prepared.term) else { return nil }
    // A server turns no truth value into a number.
    guard expression.type != .boolean || type == .boolean else { return nil }
    // No column has what is not a number, nor a negative zero.
    return type == .double ? "(NULLIF((\(value))::float8, 'NaN') + 0)" : value
  }

  /// Sums and products of numbers; a larger one than the column takes ends the statement.
  private func isAssigned(_ term: PreparedPredicate.Term) -> Bool {
    switch term {
    case .path(let path): path.shape.attribute?.type != .decimal
    default: isNumber(term)
    }
  }

  private func isNumber(_ term: PreparedPredicate.Term) -> Bool {
    switch term {
    case .path(let path): kind(path.shape)?.isNumber ?? false
    case .constant(.integer): true
    case .constant(.double(let number)): number.isFinite
    case .arithmetic(let operation, let left, let right, onDates: false):
      [.add, .subtract, .multiply].contains(operation) && isNumber(left) && isNumber(right)
    default: false
    }
  }
}
