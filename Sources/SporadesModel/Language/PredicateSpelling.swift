// SPDX-License-Identifier: MIT

extension FetchPredicate.Comparator {
  /// The comparator in the format language.
  package var spelling: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .isIn: "IN"
    case .between: "BETWEEN"
    case .contains: "CONTAINS"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .like: "LIKE"
    case .matches: "MATCHES"
    }
  }

  /// Finds the comparator of a sign or of a word in any case.
  init?(spelling: String) {
    switch spelling.uppercased() {
    case "==", "=": self = .equal
    case "!=", "<>": self = .notEqual
    case "<": self = .less
    case "<=", "=<": self = .lessOrEqual
    case ">": self = .greater
    case ">=", "=>": self = .greaterOrEqual
    case "IN": self = .isIn
    case "BETWEEN": self = .between
    case "CONTAINS": self = .contains
    case "BEGINSWITH": self = .beginsWith
    case "ENDSWITH": self = .endsWith
    case "LIKE": self = .like
    case "MATCHES": self = .matches
    default: return nil
    }
  }
}

extension AggregateFunction {
  /// The name of the function in key paths, without the `@` before it.
  var spelling: String { self == .average ? "avg" : rawValue }

  init?(spelling: String) {
    self.init(rawValue: spelling == "avg" ? "average" : spelling)
  }
}

/// The words of the language. A property with the same name is written with a sign before it: `#in`.
enum ReservedWord {
  static let all: Set<String> = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
    "ANY", "SOME", "ALL", "NONE", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "FUNCTION", "CAST", "TERNARY", "FETCH",
    "ANYKEY", "UNION", "INTERSECT", "MINUS", "UTI", "CASEINSENSITIVE", "CI", "FIRST", "LAST",
    "SIZE",
  ]

  /// The word may stand before a condition or value in parentheses, so that it is no function's name there.
  static func standsBeforeParenthesis(_ word: String) -> Bool {
    let word = word.uppercased()
    return all.contains(word)
      && !["SUBQUERY", "FUNCTION", "CAST", "TERNARY", "FETCH"].contains(word)
  }
}
