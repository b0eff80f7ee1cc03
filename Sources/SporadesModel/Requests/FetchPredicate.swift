// SPDX-License-Identifier: MIT

/// A condition on the objects of one entity.
///
/// A predicate is a value with one meaning and two interpreters. One interpreter evaluates it over
/// rows and objects in memory. The other compiles it to a `WHERE` clause. Both agree on every row.
///
/// Logic is two-valued, as in Swift: `nil == nil` is true, `a != 1` is true where `a` is nil, and
/// ordering against nil is false.
public indirect enum FetchPredicate: Hashable, Sendable {
  /// Every object satisfies the condition, or none.
  case constant(Bool)
  /// Two expressions satisfy a relation.
  case comparison(Comparison)
  /// The inner condition is false.
  case not(FetchPredicate)
  /// All conditions are true. An empty list is true.
  case and([FetchPredicate])
  /// At least one condition is true. An empty list is false.
  case or([FetchPredicate])
  /// A condition that the format language does not have is true.
  case open(OpenCondition)

  /// Two expressions and the relation between them.
  public struct Comparison: Hashable, Sendable {
    /// The left side.
    public var left: FetchExpression
    /// The relation that must hold between the sides.
    public var comparator: Comparator
    /// The right side.
    public var right: FetchExpression
    /// The number of objects on the left side that must satisfy the relation.
    public var quantifier: Quantifier
    /// The way in which the relation compares texts.
    public var options: TextOptions

    /// Compares two expressions.
    public init(
      _ left: FetchExpression, _ comparator: Comparator, _ right: FetchExpression,
      quantifier: Quantifier = .direct, options: TextOptions = []
    ) {
      self.left = left
      self.comparator = comparator
      self.right = right
      self.quantifier = quantifier
      self.options = options
    }
  }

  /// The relation between the two sides of a comparison.
  public enum Comparator: Hashable, Sendable {
    /// The sides are equal.
    case equal
    /// The sides differ.
    case notEqual
    /// The left side comes before the right side.
    case less
    /// The left side comes before the right side or is equal to it.
    case lessOrEqual
    /// The left side comes after the right side.
    case greater
    /// The left side comes after the right side or is equal to it.
    case greaterOrEqual
    /// The right side, a list or to-many key path, contains the left side.
    case isIn
    /// The left side lies between the two values of the list on the right side, or equals one of them.
    case between
    /// The left text contains the right text.
    case contains
    /// The left text begins with the right text.
    case beginsWith
    /// The left text ends with the right text.
    case endsWith
    /// The left text matches a pattern in which `?` stands for one character and `*` for any number.
    case like
    /// The whole left text matches a regular expression.
    case matches

    /// The comparison with its sides exchanged; nil if it has no such form.
    package var turned: Comparator? {
      switch self {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      default: nil
      }
    }
  }

  /// The number of objects at the end of a to-many key path that must satisfy a comparison.
  public enum Quantifier: Hashable, Sendable {
    /// The key path leads to one value.
    case direct
    /// At least one object satisfies the comparison. `NONE` is the negation of this case.
    case any
    /// Every object satisfies the comparison.
    case all
  }

  /// The differences between texts that a comparison ignores.
  public struct TextOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// `[c]`: the comparison ignores case.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// `[d]`: the comparison ignores diacritics.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// `[n]`: the program has normalised the texts; the comparison takes them as they are.
    public static let normalized = TextOptions(rawValue: 4)

    /// The option that a letter in brackets stands for; nil if it stands for none.
    init?(letter: Character) {
      switch letter.lowercased() {
      case "c": self = .caseInsensitive
      case "d": self = .diacriticInsensitive
      case "n": self = .normalized
      default: return nil
      }
    }
  }
}

extension FetchPredicate {
  /// Compares a key path with a value for equality. A nil value asks for objects without a value.
  public static func equals(_ path: String, _ value: Any?) -> FetchPredicate {
    .comparison(Comparison(.keyPath(path), .equal, .constant(converting: value)))
  }

  /// Compares a key path with a value.
  public static func compare(
    _ path: String, _ comparator: Comparator, _ value: Any?, options: TextOptions = []
  ) -> FetchPredicate {
    .comparison(
      Comparison(.keyPath(path), comparator, .constant(converting: value), options: options))
  }

  /// The condition that both conditions are true.
  public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
    switch (left, right) {
    case (.and(let some), .and(let more)): .and(some + more)
    case (.and(let some), _): .and(some + [right])
    default: .and([left, right])
    }
  }

  /// The condition that at least one of the conditions is true.
  public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
    switch (left, right) {
    case (.or(let some), .or(let more)): .or(some + more)
    case (.or(let some), _): .or(some + [right])
    default: .or([left, right])
    }
  }

  /// The condition that the condition is false.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate { .not(predicate) }
}

extension String {
  /// The names of a key path that is written with points. A superfluous point gives an empty name,
  /// which no property has.
  package var propertyNames: [String] {
    split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
