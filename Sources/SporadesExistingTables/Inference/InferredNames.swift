// SPDX-License-Identifier: MIT
import SporadesModel

/// The names of entities and properties, made of those of tables and columns: `order_items` → `OrderItem`.
enum InferredNames {
  static func entity(_ table: String) -> String {
    var words = words(table)
    if let last = words.popLast() { words.append(singular(last)) }
    return identifier(words.map(capital).joined(), or: "Table")
  }

  /// The name of a property, which no member of an object has, and no other property.
  static func property(_ column: String, in table: String, beside others: Set<String>) -> String {
    let name = camel(column)
    let wish = isTaken(name) ? camel(table) + capital(name) : name
    return free(wish, beside: others)
  }

  static func free(_ name: String, beside others: Set<String>) -> String {
    var name = isTaken(name) ? name + "Value" : name
    while others.contains(name) { name += "_" }
    return name
  }

  private static func isTaken(_ name: String) -> Bool {
    ModelNames.isReserved(property: name) || words.contains(name)
  }

  /// Words that Swift or the classes of the library have for themselves.
  private static let words: Set<String> = [
    "Type", "Protocol", "init", "subscript", "declaration", "properties", "setValue", "value",
    "delete", "create", "first", "all", "count", "userInfo", "context", "id", "default",
    "extension",
    "operator", "repeat", "where", "in", "is", "as", "self", "Self", "super", "nil", "true",
    "false",
    "func", "var", "let", "class", "struct", "enum", "protocol", "import", "case", "switch",
    "return",
    "public", "private", "internal", "static", "if", "else", "for", "while", "do", "catch", "throw",
    "throws", "try", "guard", "defer", "break", "continue", "fallthrough", "typealias",
    "associatedtype",
  ]

  static func camel(_ name: String) -> String {
    let words = words(name)
    let name = (words.first.map(small) ?? "") + words.dropFirst().map(capital).joined()
    return identifier(name, or: "column")
  }

  /// The name of a relationship, made of that of its column: `author_id` → `author`.
  static func withoutEnding(_ column: String) -> String {
    for ending in ["_id", "_fk", "_key", "Id", "ID"] where column.hasSuffix(ending) {
      let rest = String(column.dropLast(ending.count))
      if !rest.isEmpty { return rest }
    }
    return column
  }

  static func capital(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The name with a small beginning: `URLList` → `urlList`, `Film` → `film`.
  static func small(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }.count
    guard capitals > 0 else { return name }
    let length = capitals == name.count ? capitals : max(1, capitals - 1)
    return name.prefix(length).lowercased() + name.dropFirst(length)
  }

  static func plural(of entity: String) -> String {
    let name = small(entity)
    if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
      return name.dropLast() + "ies"
    }
    return ["s", "x", "z", "ch", "sh"].contains { name.hasSuffix($0) } ? name + "es" : name + "s"
  }

  private static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    if lower.hasSuffix("ies"), lower.count > 4, lower != "series" { return word.dropLast(3) + "y" }
    for ending in ["sses", "shes", "ches", "xes"] where lower.hasSuffix(ending) {
      return String(word.dropLast(2))
    }
    let stays = ["ss", "us", "is", "series", "news"].contains { lower.hasSuffix($0) }
    return lower.hasSuffix("s") && !stays && lower.count > 3 ? String(word.dropLast()) : word
  }

  private static func words(_ name: String) -> [String] {
    name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func identifier(_ name: String, or other: String) -> String {
    ModelNames.isIdentifier(name) ? name : other + name
  }
}
