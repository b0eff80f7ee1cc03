// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate in the format language. Reading the text gives an equal predicate.
  public var predicateFormat: String {
    switch self {
    case .constant(let answer): answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.format
    case .not(let inner): "NOT \(inner.nestedFormat)"
    case .and(let parts): Self.joined(parts, "AND", ifEmpty: true)
    case .or(let parts): Self.joined(parts, "OR", ifEmpty: false)
    case .open(let condition):
      "\(condition.meaning.name)(\(condition.operands.map(\.format).joined(separator: ", ")))"
    }
  }

  private var nestedFormat: String {
    switch self {
    case .and(let parts) where parts.count > 1: "(\(predicateFormat))"
    case .or(let parts) where parts.count > 1: "(\(predicateFormat))"
    default: predicateFormat
    }
  }

  private static func joined(
    _ parts: [FetchPredicate], _ word: String, ifEmpty answer: Bool
  ) -> String {
    guard !parts.isEmpty else { return FetchPredicate.constant(answer).predicateFormat }
    guard parts.count > 1 else { return parts[0].predicateFormat }
    return parts.map(\.nestedFormat).joined(separator: " \(word) ")
  }
}

extension FetchPredicate: CustomStringConvertible {
  public var description: String { predicateFormat }
}

extension FetchPredicate.Comparison {
  fileprivate var format: String {
    let word =
      switch quantifier {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    return "\(word)\(left.format) \(comparator.spelling)\(options.format) \(right.format)"
  }
}

extension FetchPredicate.TextOptions {
  /// The letters in brackets; empty without options.
  package var format: String {
    let letters: [(FetchPredicate.TextOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
    ]
    let text = letters.filter { contains($0.0) }.map(\.1).joined()
    return text.isEmpty ? "" : "[\(text)]"
  }
}

extension FetchExpression: CustomStringConvertible {
  public var description: String { format }

  fileprivate var format: String {
    switch self {
    case .constant(let value): PredicateLiteral.render(value)
    case .keyPath(let names): Self.format(names)
    case .indexed(let names, let index):
      "indexed:by:(\(Self.format(names)), \(PredicateLiteral.render(.string(index))))"
    case .subject: "SELF"
    case .variable(let name): "$\(name)"
    case .list(let items): "{\(items.map(\.format).joined(separator: ", "))}"
    case .count(let names): Self.format(names + ["@count"])
    case .aggregate(let function, let names):
      Self.format(names.dropLast() + ["@\(function.spelling)"] + names.suffix(1))
    case .refused: "<an expression that was refused>"
    case .arithmetic(.modulus, let left, let right):
      "modulus:by:(\(left.format), \(right.format))"
    case .arithmetic(let operation, let left, let right):
      "\(left.operand) \(operation.rawValue) \(right.operand)"
    case .function(let function, let arguments):
      "\(function.rawValue)\(function.argumentCount == 0 ? "" : ":")(\(arguments.map(\.format).joined(separator: ", ")))"
    case .conditional(let condition, let first, let second):
      "TERNARY(\(condition.predicateFormat), \(first.format), \(second.format))"
    case .cast(let inner, let type): "CAST(\(inner.castOperand), \"\(type.rawValue)\")"
    case .element(let names, let place, let then):
      ([Self.format(names) + place.format] + then).joined(separator: ".")
    case .collection(let collection): collection.format
    case .combined(let operation, let left, let right):
      "\(left.operand) \(operation.rawValue) \(right.operand)"
    }
  }

  private var operand: String {
    switch self {
    case .arithmetic(.modulus, _, _): format
    case .arithmetic, .combined, .constant(.integer(..<0)): "(\(format))"
    case .constant(.double(let number)) where number.sign == .minus: "(\(format))"
    default: format
    }
  }

  /// A constant stands in parentheses, because a cast of a bare literal is the literal of another type.
  private var castOperand: String {
    if case .constant = self { "(\(format))" } else { format }
  }

  private static func format(_ names: [String]) -> String {
    guard let first = names.first else { return "SELF" }
    let isReserved = ReservedWord.all.contains(first.uppercased())
    return ([isReserved ? "#\(first)" : first] + names.dropFirst()).joined(separator: ".")
  }
}

extension ElementPlace {
  fileprivate var format: String {
    switch self {
    case .first: "[FIRST]"
    case .last: "[LAST]"
    case .index(let index): "[\(index)]"
    }
  }
}

extension FetchCollection {
  fileprivate var format: String {
    let path = FetchExpression.keyPath(self.path).format
    var steps = [
      filter.map { filter in
        let value = filter.value.map { ", \($0)" } ?? ""
        return
          "SUBQUERY(\(path), $\(filter.variable), \(filter.condition.predicateFormat)\(value))"
      } ?? path
    ]
    switch (union, question) {
    case (.all, .aggregate(let function)): steps.append("@\(function.spelling)")
    case (.all, _): break
    case (.present, _): steps.append("@unionOfObjects")
    case (.distinct, _): steps.append("@distinctUnionOfObjects")
    }
    steps += values
    switch question {
    case .members: break
    case .count: steps.append("@count")
    case .aggregate(let function): if union != .all { steps.append("@\(function.spelling)") }
    }
    return steps.joined(separator: ".")
  }
}
