// SPDX-License-Identifier: MIT

/// The computation behind a derived attribute, read from its expression.
///
/// | text | meaning |
/// |---|---|
/// | `owner.name` | the attribute that a to-one key path leads to |
/// | `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)` | text in another form |
/// | `pets.@count`, `count:(pets)` | the number of objects that a to-many relationship leads to |
/// | `pets.@sum.age`, `sum:(pets.age)` | the sum of an attribute of those objects |
/// | `now()` | the time of the save |
public enum Derivation: Hashable, Sendable {
  /// The value of the attribute at the end of a to-one key path.
  case keyPath([String])
  /// The text at the end of a key path, without case and diacritics.
  case canonical([String])
  /// The text at the end of a key path, in capitals.
  case uppercase([String])
  /// The text at the end of a key path, in small letters.
  case lowercase([String])
  /// The number of objects at the end of a to-many key path.
  case count([String])
  /// The sum of an attribute of many objects. The path names the relationships, then the attribute.
  case sum([String])
  /// The time of the save.
  case now

  /// Reads an expression; nil if the text is none of the expressions above.
  public init?(_ text: String) {
    let text = String(text.filter { !$0.isWhitespace })
    if text == "now()" || text == "now:()" {
      self = .now
    } else if let colon = text.firstIndex(of: ":") {
      guard let argument = Self.unwrapArgument(text[text.index(after: colon)...]) else {
        return nil
      }
      self.init(function: text[..<colon], of: argument)
    } else if let at = text.firstIndex(of: "@") {
      self.init(collection: text[..<at], text[text.index(after: at)...])
    } else {
      guard let path = Self.parsePath(text) else { return nil }
      self = .keyPath(path)
    }
  }

  /// The expression in the spelling that version hashes use.
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

  /// The names that the derivation reads; empty for the time.
  package var path: [String] {
    switch self {
    case .keyPath(let path), .canonical(let path), .uppercase(let path), .lowercase(let path),
      .count(let path), .sum(let path):
      path
    case .now: []
    }
  }

  private init?(function: Substring, of argument: Substring) {
    guard let path = Self.parsePath(argument) else { return nil }
    switch function {
    case "canonical": self = .canonical(path)
    case "uppercase": self = .uppercase(path)
    case "lowercase": self = .lowercase(path)
    case "count": self = .count(path)
    case "sum" where path.count > 1: self = .sum(path)
    default: return nil
    }
  }

  /// Reads the two sides of the `@`: `pets.` and `count`, or `pets.` and `sum.age`.
  private init?(collection: Substring, _ operation: Substring) {
    guard collection.last == ".", let path = Self.parsePath(collection.dropLast()) else {
      return nil
    }
    if operation == "count" {
      self = .count(path)
    } else if operation.hasPrefix("sum."), let attribute = Self.parsePath(operation.dropFirst(4)) {
      self = .sum(path + attribute)
    } else {
      return nil
    }
  }

  private static func unwrapArgument(_ text: Substring) -> Substring? {
    guard text.count > 2, text.first == "(", text.last == ")" else { return nil }
    return text.dropFirst().dropLast()
  }

  private static func parsePath(_ text: some StringProtocol) -> [String]? {
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    return names.allSatisfy(ModelNames.isIdentifier) ? names : nil
  }
}
