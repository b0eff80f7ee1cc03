// SPDX-License-Identifier: MIT

/// What a derived attribute is computed from, read from its expression.
///
/// | text | meaning |
/// |---|---|
/// | `owner.name` | the attribute a to-one key path leads to |
/// | `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)` | text in another form |
/// | `pets.@count`, `count:(pets)` | how many objects a to-many relationship leads to |
/// | `pets.@sum.age`, `sum:(pets.age)` | the sum of an attribute of those objects |
/// | `now()` | the time of the save |
public enum Derivation: Hashable, Sendable {
  case keyPath([String])
  /// Without regard to case and diacritics.
  case canonical([String])
  case uppercase([String])
  case lowercase([String])
  case count([String])
  /// The relationships, then the attribute.
  case sum([String])
  case now

  /// Nil if the text is none of the expressions above.
  public init?(_ text: String) {
    let text = String(text.filter { !$0.isWhitespace })
    if text == "now()" || text == "now:()" {
      self = .now
    } else if let colon = text.firstIndex(of: ":") {
      guard let argument = Self.argument(text[text.index(after: colon)...]) else { return nil }
      self.init(function: text[..<colon], of: argument)
    } else if let at = text.firstIndex(of: "@") {
      self.init(collection: text[..<at], text[text.index(after: at)...])
    } else {
      guard let path = Self.path(text) else { return nil }
      self = .keyPath(path)
    }
  }

  /// The expression as version hashes spell it.
  public var text: String {
    func call(_ name: String, _ path: [String]) -> String {
      "\(name):(\(path.joined(separator: ".")))"
    }
    return switch self {
    case .keyPath(let path): path.joined(separator: ".")
    case .canonical(let path): call("canonical", path)
    case .uppercase(let path): call("uppercase", path)
    case .lowercase(let path): call("lowercase", path)
    case .count(let path): call("count", path)
    case .sum(let path): call("sum", path)
    case .now: "now()"
    }
  }

  private init?(function: Substring, of argument: Substring) {
    guard let path = Self.path(argument) else { return nil }
    switch function {
    case "canonical": self = .canonical(path)
    case "uppercase": self = .uppercase(path)
    case "lowercase": self = .lowercase(path)
    case "count": self = .count(path)
    case "sum" where path.count > 1: self = .sum(path)
    default: return nil
    }
  }

  /// `pets.` and `count`, `pets.` and `sum.age`.
  private init?(collection: Substring, _ rest: Substring) {
    guard collection.last == ".", let path = Self.path(collection.dropLast()) else { return nil }
    if rest == "count" {
      self = .count(path)
    } else if rest.hasPrefix("sum."), let attribute = Self.path(rest.dropFirst(4)) {
      self = .sum(path + attribute)
    } else {
      return nil
    }
  }

  private static func argument(_ text: Substring) -> Substring? {
    guard text.count > 2, text.first == "(", text.last == ")" else { return nil }
    return text.dropFirst().dropLast()
  }

  private static func path(_ text: some StringProtocol) -> [String]? {
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    return names.allSatisfy(ModelNames.isIdentifier) ? names : nil
  }
}
