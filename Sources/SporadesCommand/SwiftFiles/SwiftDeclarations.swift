// SPDX-License-Identifier: MIT

/// A class, or an extension of one, as source declares it.
struct SwiftClass {
  let name: String
  let file: String
  let line: Int
  let isExtension: Bool
  /// The names of the superclass and of protocols, without their modules.
  var inherited: [String] = []
  /// The class has the attribute `@Entity`.
  var isEntity = false
  /// The entity that the attribute names.
  var entityName: String?
  var properties: [SwiftProperty] = []
}

/// A property of a class, as source declares it.
struct SwiftProperty {
  let name: String
  let file: String
  let line: Int
  /// The declared type, or that of a literal value; nil if neither is there.
  let type: SwiftType?
  /// The names of its attributes, such as `NSManaged`.
  let attributes: Set<String>
  /// The property has accessors and no value of its own.
  let isComputed: Bool
}

/// A type, as far as a model can tell it: a name, a collection of a name, and whether it may be nil.
struct SwiftType: Equatable {
  enum Collection: Equatable { case none, set, array }

  /// The name without its module: that of the elements for a collection; empty for a collection of no known elements.
  let name: String
  let collection: Collection
  let isOptional: Bool
  /// The type as it is written.
  let text: String

  init(_ text: String) {
    self.text = text
    var rest = text[...]
    var isOptional = false
    while true {
      if let last = rest.last, last == "?" || last == "!" {
        rest = rest.dropLast()
        isOptional = true
      } else if let inner = Self.inner(rest, of: ["Optional"]) {
        rest = inner
        isOptional = true
      } else if rest.hasPrefix("("), rest.hasSuffix(")"), rest.count > 2 {
        rest = rest.dropFirst().dropLast()
      } else {
        break
      }
    }
    self.isOptional = isOptional
    if let element = Self.inner(rest, of: ["Set"]) {
      (name, collection) = (Self.plain(element), .set)
    } else if let element = Self.inner(rest, of: ["Array"]) {
      (name, collection) = (Self.plain(element), .array)
    } else if rest.hasPrefix("["), rest.hasSuffix("]"), !rest.contains(":") {
      (name, collection) = (Self.plain(rest.dropFirst().dropLast()), .array)
    } else {
      switch Self.plain(rest) {
      case "NSSet", "NSMutableSet": (name, collection) = ("", .set)
      case "NSOrderedSet", "NSMutableOrderedSet", "NSArray": (name, collection) = ("", .array)
      case let plain: (name, collection) = (plain, .none)
      }
    }
  }

  /// What stands between the signs of a generic type with one of the names.
  private static func inner(_ text: Substring, of names: Set<String>) -> Substring? {
    guard text.hasSuffix(">"), let open = text.firstIndex(of: "<"),
      names.contains(plain(text[..<open]))
    else { return nil }
    return text[text.index(after: open)...].dropLast()
  }

  /// The last name of a path.
  private static func plain(_ text: Substring) -> String {
    var text = text
    for word in ["any ", "some "] where text.hasPrefix(word) { text = text.dropFirst(word.count) }
    guard !text.contains("<") else { return String(text) }
    return text.split(separator: ".").last.map(String.init) ?? String(text)
  }
}
