// SPDX-License-Identifier: MIT

/// The compiled right side of `LIKE` or `MATCHES`.
public struct TextPattern {
  private let form: Form
  private let options: FetchPredicate.TextOptions

  private enum Form {
    case wildcards([Wildcard])
    case expression(RegularExpression)
  }

  private enum Wildcard: Equatable {
    case one
    case many
    case scalar(Unicode.Scalar)
  }

  /// Compiles a pattern with wildcards. `?` stands for one Unicode scalar and `*` for any number of
  /// scalars. After a backslash, every scalar stands for itself.
  public init(like pattern: String, options: FetchPredicate.TextOptions = []) {
    self.options = options
    form = .wildcards(Self.wildcards(TextFolding.fold(pattern, options)))
  }

  /// Compiles a regular expression in the syntax of ICU. The whole text must match it.
  public init(
    matching pattern: String, options: FetchPredicate.TextOptions = []
  ) throws(FetchPredicateError) {
    let folds = TextFolding.folds(options)
    // The expression ignores case by itself, because lower-casing a pattern would turn \S into \s.
    self.options = folds ? options.subtracting(.caseInsensitive) : []
    form = .expression(
      try RegularExpression.cached(
        TextFolding.fold(pattern, self.options),
        ignoresCase: folds && options.contains(.caseInsensitive)))
  }

  /// The text matches the pattern. The function throws if matching takes more steps than the budget has.
  public func matches(
    _ text: String, within budget: PatternBudget
  ) throws(FetchPredicateError) -> Bool {
    let text = TextFolding.fold(text, options)
    return switch form {
    case .wildcards(let wildcards): Self.match(wildcards, Array(text.unicodeScalars))
    case .expression(let expression): try expression.matches(text, within: budget)
    }
  }

  private static func wildcards(_ pattern: String) -> [Wildcard] {
    var wildcards: [Wildcard] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        wildcards.append(.scalar(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "?": wildcards.append(.one)
      case "*": if wildcards.last != .many { wildcards.append(.many) }
      default: wildcards.append(.scalar(scalar))
      }
    }
    if isEscaped { wildcards.append(.scalar("\\")) }
    return wildcards
  }

  /// Matches in time proportional to the product of both lengths at most, because it goes back only to
  /// the last `*`.
  private static func match(_ pattern: [Wildcard], _ text: [Unicode.Scalar]) -> Bool {
    var (place, at) = (0, 0)
    var retry: (place: Int, at: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == .many {
        retry = (place, at)
        place += 1
      } else if place < pattern.count,
        pattern[place] == .one || pattern[place] == .scalar(text[at])
      {
        place += 1
        at += 1
      } else if let last = retry {
        retry = (last.place, last.at + 1)
        (place, at) = (last.place + 1, last.at + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == .many }
  }
}
