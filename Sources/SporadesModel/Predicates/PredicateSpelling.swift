// SPDX-License-Identifier: MIT

extension FetchPredicate.Comparator {
  /// The comparator as the format language writes it.
  var spelling: String {
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

  /// The comparator of a sign or, without regard to case, a word.
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
  /// The function as key paths write it, without the sign before it.
  var spelling: String { self == .average ? "avg" : rawValue }

  init?(spelling: String) {
    self.init(rawValue: spelling == "avg" ? "average" : spelling)
  }
}

/// Words that stand for something else than a property; a property so named is written `#in`.
enum ReservedWord {
  static let all: Set<String> = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
    "ANY", "SOME", "ALL", "NONE", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "FUNCTION", "CAST", "TERNARY", "FETCH",
    "ANYKEY", "UNION", "INTERSECT", "MINUS", "UTI", "CASEINSENSITIVE", "CI", "FIRST", "LAST",
    "SIZE",
  ]
}
