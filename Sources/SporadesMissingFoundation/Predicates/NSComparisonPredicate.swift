// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

// Comparisons made of two expressions, and their parts.

/// The parts of a comparison.
final class ComparisonParts {
  let condition: FetchPredicate
  let comparison: FetchPredicate.Comparison
  /// The expressions that a program gave, as they were; nil for a comparison of a format.
  let given: (left: any ExpressionHolder, right: any ExpressionHolder)?

  init(
    _ comparison: FetchPredicate.Comparison,
    _ given: (left: any ExpressionHolder, right: any ExpressionHolder)? = nil
  ) {
    self.comparison = comparison
    self.given = given
    condition = .comparison(comparison)
  }

  /// A store cannot be asked, because a side is a closure or an object of a class that no predicate knows.
  var needsMemory: Bool { comparison.left.isRefused || comparison.right.isRefused }

  /// The comparison in the format language. A side that the language does not have shows its own text.
  var text: String {
    guard let given else { return condition.shownFormat }
    let word =
      switch comparison.quantifier {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    return
      "\(word)\(given.left) \(comparison.comparator.spelling)\(comparison.options.format) \(given.right)"
  }

  /// The answer of sides that only an object in memory can be asked.
  func holdsInMemory(_ object: Any?, _ bindings: [String: Any]) throws -> Bool {
    guard let given else { return try AnySubject(object, bindings).holds(condition) }
    let left = given.left.value(for: object, bindings)
    let right = given.right.value(for: object, bindings)
    if let one = Value(converting: PlainValue.of(left)),
      let other = Value(converting: PlainValue.of(right))
    {
      var constants = comparison
      constants.left = .constant(one)
      constants.right = .constant(other)
      return try constants.holds()
    }
    let areEqual = (left as? NSObject)?.isEqual(right) ?? false
    switch comparison.comparator {
    case .equal: return areEqual
    case .notEqual: return !areEqual
    default:
      throw FetchPredicateError(
        .unsupported,
        "\(comparison.comparator.spelling) compares no objects of the types of \(text).")
    }
  }
}

/// A comparison. Its instances are made as ``ComparisonDraft``, because the class above has no initializer to call.
@available(*, deprecated)
final class ConditionComparison: NSComparisonPredicate, ConditionHolder {
  let parts: ComparisonParts

  /// Nobody: ``make(_:)`` is the way.
  private init?(unused: Never) { return nil }

  static func make(_ parts: ComparisonParts) -> ConditionComparison {
    ConditionCompound.adopt()
    return ClassChange.object(ComparisonDraft(parts), as: ConditionComparison.self)
  }

  var held: FetchPredicate { parts.condition }
  var text: String { parts.text }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    guard parts.needsMemory else { return answer(for: object, bindings) }
    do { return try parts.holdsInMemory(object, bindings ?? [:]) } catch {
      trap("NSPredicate \(text): \(error)")
    }
  }
  override func evaluate(with object: Any?) -> Bool {
    evaluate(with: object, substitutionVariables: nil)
  }
  override var predicateFormat: String { text }
  override var description: String { text }
  override func isEqual(_ object: Any?) -> Bool {
    guard equals(object), let other = object as? ConditionComparison, other !== self,
      parts.needsMemory, let ours = parts.given, let theirs = other.parts.given
    else { return equals(object) }
    return ours.left.isEqual(theirs.left) && ours.right.isEqual(theirs.right)
  }
  override var hash: Int { parts.condition.withTruthAsNumbers.hashValue }
  override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A comparison before it gets its class.
private final class ComparisonDraft: NSPredicate {
  let parts: ComparisonParts

  init(_ parts: ComparisonParts) {
    self.parts = parts
    super.init(block: { _, _ in false })
  }
}

/// Makes comparisons for code that does not name their class, of which Foundation warns.
protocol ComparisonMaking: Sendable {
  func make(_ comparison: FetchPredicate.Comparison) -> NSPredicate
  /// A comparison of expressions that programs gave.
  func make(
    _ comparison: FetchPredicate.Comparison, _ left: any ExpressionHolder,
    _ right: any ExpressionHolder
  ) -> NSPredicate
  /// The expression of a constant, or of a part of a format.
  func constant(_ value: Any) -> any ExpressionHolder
  func expression(_ part: FetchExpression) -> any ExpressionHolder
}

/// The one that makes them.
struct ComparisonMaker: ComparisonMaking {
  static let any: any ComparisonMaking = ComparisonMaker()

  @available(*, deprecated)
  func make(_ comparison: FetchPredicate.Comparison) -> NSPredicate {
    ConditionComparison.make(ComparisonParts(comparison))
  }

  @available(*, deprecated)
  func make(
    _ comparison: FetchPredicate.Comparison, _ left: any ExpressionHolder,
    _ right: any ExpressionHolder
  ) -> NSPredicate {
    ConditionComparison.make(ComparisonParts(comparison, (left, right)))
  }

  @available(*, deprecated)
  func constant(_ value: Any) -> any ExpressionHolder {
    NSExpression(forConstantValue: value).own
  }

  @available(*, deprecated)
  func expression(_ part: FetchExpression) -> any ExpressionHolder { NSExpression(part).own }
}

@available(*, deprecated)
extension NSComparisonPredicate {
  /// Compares two expressions.
  public convenience init(
    leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier,
    type: Operator, options: Options = []
  ) {
    let comparison = FetchPredicate.Comparison(
      leftExpression.content, type.comparator, rightExpression.content,
      quantifier: modifier.quantifier,
      options: FetchPredicate.TextOptions(rawValue: Int(options.rawValue & 7)))
    let made = ConditionComparison.make(
      ComparisonParts(comparison, (leftExpression.own, rightExpression.own)))
    guard let own = made as? Self else {
      trap("NSComparisonPredicate has no subclasses here, and \(Self.self) is one.")
    }
    self.init(made: own)
  }

  /// Refuses a method of the program's own, which Linux cannot call by its name.
  @available(
    *, unavailable, message: "Linux calls no methods by name. Ask a closure: NSPredicate(block:)."
  )
  public convenience init(
    leftExpression: NSExpression, rightExpression: NSExpression, customSelector: Selector
  ) {
    trap("Linux calls no methods by name. Ask a closure: NSPredicate(block:).")
  }

  /// The left side.
  public var leftExpression: NSExpression {
    (sides.given?.left as? NSExpression) ?? NSExpression(sides.comparison.left)
  }
  /// The right side.
  public var rightExpression: NSExpression {
    (sides.given?.right as? NSExpression) ?? NSExpression(sides.comparison.right)
  }
  /// The differences between texts that do not count.
  public var options: Options { Options(rawValue: UInt(sides.comparison.options.rawValue)) }
  /// The number of members of a collection that satisfy the relation.
  public var comparisonPredicateModifier: Modifier { Modifier(sides.comparison.quantifier) }
  /// The relation.
  public var predicateOperatorType: Operator { Operator(sides.comparison.comparator) }

  private var sides: ComparisonParts {
    guard let own = self as? ConditionComparison else {
      trap("An NSComparisonPredicate is made by its initializer or by a format.")
    }
    return own.parts
  }
}

@available(*, deprecated)
extension NSComparisonPredicate.Modifier {
  fileprivate init(_ quantifier: FetchPredicate.Quantifier) {
    self =
      switch quantifier {
      case .direct: .direct
      case .all: .all
      case .any: .any
      }
  }

  fileprivate var quantifier: FetchPredicate.Quantifier {
    switch self {
    case .direct: .direct
    case .all: .all
    case .any: .any
    }
  }
}

@available(*, deprecated)
extension NSComparisonPredicate.Operator {
  private static let pairs: [(NSComparisonPredicate.Operator, FetchPredicate.Comparator)] = [
    (.lessThan, .less), (.lessThanOrEqualTo, .lessOrEqual), (.greaterThan, .greater),
    (.greaterThanOrEqualTo, .greaterOrEqual), (.equalTo, .equal), (.notEqualTo, .notEqual),
    (.matches, .matches), (.like, .like), (.beginsWith, .beginsWith), (.endsWith, .endsWith),
    (.in, .isIn), (.contains, .contains), (.between, .between),
  ]

  fileprivate init(_ comparator: FetchPredicate.Comparator) {
    guard let pair = Self.pairs.first(where: { $0.1 == comparator }) else {
      trap("NSComparisonPredicate has no operator for \(comparator).")
    }
    self = pair.0
  }

  fileprivate var comparator: FetchPredicate.Comparator {
    guard let pair = Self.pairs.first(where: { $0.0 == self }) else {
      trap("NSComparisonPredicate.Operator \(rawValue) has no meaning here.")
    }
    return pair.1
  }
}
