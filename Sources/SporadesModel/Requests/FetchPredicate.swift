// SPDX-License-Identifier: MIT

/// A condition on the objects of one entity.
///
/// A predicate is a value with one meaning and two interpreters: memory evaluates it over rows and
/// objects, and stores that speak SQL compile it to a `WHERE` clause. Both agree on every row.
///
/// Logic is two-valued, as in Swift: `nil == nil` is true, `a != 1` is true where `a` is nil, and
/// ordering against nil is false.
public indirect enum FetchPredicate: Hashable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case not(FetchPredicate)
  case and([FetchPredicate])
  case or([FetchPredicate])

  /// Two expressions and what must hold between them.
  public struct Comparison: Hashable, Sendable {
    public var left: FetchExpression
    public var comparator: Comparator
    public var right: FetchExpression
    public var quantifier: Quantifier
    public var options: TextOptions

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

  public enum Comparator: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// The right side is a list, or a to-many key path.
    case isIn
    /// The right side is a list of two: the least and the greatest value accepted.
    case between
    case contains, beginsWith, endsWith
    /// `?` stands for one character, `*` for any number of them.
    case like
    /// A regular expression the whole text must match.
    case matches
  }

  /// How many of the objects that a to-many key path leads to must satisfy the comparison. `NONE`
  /// is the negation of `any`.
  public enum Quantifier: Hashable, Sendable { case direct, any, all }

  public struct TextOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// `[c]`
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// `[d]`
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// `[n]`: the text is already normalised and compared as it stands.
    public static let normalized = TextOptions(rawValue: 4)
  }
}

/// One side of a comparison.
public indirect enum FetchExpression: Hashable, Sendable {
  case constant(Value)
  /// Property names from the fetched entity on: `["owner", "name"]`.
  case keyPath([String])
  /// The object itself, compared by id.
  case subject
  /// `$NAME`, given a value by ``FetchPredicate/substituting(_:)``.
  case variable(String)
  /// `{1, 2, $x}`
  case list([FetchExpression])
  /// The number of objects a to-many key path leads to: `pets.@count`.
  case count([String])
  /// An aggregate over an attribute of the objects a key path leads to: `pets.@max.age`.
  case aggregate(AggregateFunction, [String])
  case arithmetic(ArithmeticOperator, FetchExpression, FetchExpression)
  /// An expression that could not be made; a fetch throws the error.
  case refused(FetchPredicateError)

  public static func keyPath(_ path: String) -> FetchExpression { .keyPath(path.propertyNames) }
}

public enum AggregateFunction: String, Hashable, Sendable { case sum, min, max, average }

public enum ArithmeticOperator: String, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
}

extension FetchPredicate {
  /// The attribute or key path `path` equals `value`; equals nil where `value` is nil.
  public static func equals(_ path: String, _ value: some ValueConvertible) -> FetchPredicate {
    .comparison(Comparison(.keyPath(path), .equal, .constant(value.value)))
  }

  public static func compare(
    _ path: String, _ comparator: Comparator, _ value: some ValueConvertible,
    options: TextOptions = []
  ) -> FetchPredicate {
    .comparison(
      Comparison(.keyPath(path), comparator, .constant(value.value), options: options))
  }

  public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
    switch (left, right) {
    case (.and(let some), .and(let more)): .and(some + more)
    case (.and(let some), _): .and(some + [right])
    default: .and([left, right])
    }
  }

  public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
    switch (left, right) {
    case (.or(let some), .or(let more)): .or(some + more)
    case (.or(let some), _): .or(some + [right])
    default: .or([left, right])
    }
  }

  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate { .not(predicate) }
}

extension String {
  /// The names of a key path written as text. A point too many leaves an empty name, which no
  /// property has.
  package var propertyNames: [String] {
    split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
