// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

// Comparisons made of two expressions, and their parts.

/// The parts of a comparison.
final class ComparisonParts: Sendable {
  let condition: FetchPredicate
  let comparison: FetchPredicate.Comparison

  init(_ comparison: FetchPredicate.Comparison) {
    self.comparison = comparison
    condition = .comparison(comparison)
  }
}

/// A comparison. Its instances are made as ``ComparisonDraft``, because the class above has no initializer to call.
@available(*, deprecated)
final class ConditionComparison: NSComparisonPredicate, ConditionHolder {
  let parts: ComparisonParts

  /// Nobody: ``make(_:)`` is the way.
  private init?(unused: Never) { return nil }

  static func make(_ comparison: FetchPredicate.Comparison) -> ConditionComparison {
    ClassChange.object(ComparisonDraft(ComparisonParts(comparison)), as: ConditionComparison.self)
  }

  var held: FetchPredicate { parts.condition }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    answer(for: object, bindings)
  }
  override func evaluate(with object: Any?) -> Bool { answer(for: object, nil) }
  override var predicateFormat: String { text }
  override var description: String { text }
  override func isEqual(_ object: Any?) -> Bool { equals(object) }
  override var hash: Int { parts.condition.hashValue }
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
}

/// The one that makes them.
struct ComparisonMaker: ComparisonMaking {
  static let any: any ComparisonMaking = ComparisonMaker()

  @available(*, deprecated)
  func make(_ comparison: FetchPredicate.Comparison) -> NSPredicate {
    ConditionComparison.make(comparison)
  }
}

@available(*, deprecated)
extension NSComparisonPredicate {
  /// Compares two expressions.
  public convenience init(
    leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier,
    type: Operator, options: Options = []
  ) {
    let made = ConditionComparison.make(
      .init(
        leftExpression.content, type.comparator, rightExpression.content,
        quantifier: modifier.quantifier,
        options: FetchPredicate.TextOptions(rawValue: Int(options.rawValue & 7))))
    guard let own = made as? Self else {
      trap("NSComparisonPredicate has no subclasses here, and \(Self.self) is one.")
    }
    self.init(made: own)
  }

  /// The left side.
  public var leftExpression: NSExpression { NSExpression(comparison.left) }
  /// The right side.
  public var rightExpression: NSExpression { NSExpression(comparison.right) }
  /// The differences between texts that do not count.
  public var options: Options { Options(rawValue: UInt(comparison.options.rawValue)) }
  /// The number of members of a collection that satisfy the relation.
  public var comparisonPredicateModifier: Modifier { Modifier(comparison.quantifier) }
  /// The relation.
  public var predicateOperatorType: Operator { Operator(comparison.comparator) }

  private var comparison: FetchPredicate.Comparison {
    guard let own = self as? ConditionComparison else {
      trap("An NSComparisonPredicate is made by its initializer or by a format.")
    }
    return own.parts.comparison
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
