// SPDX-License-Identifier: MIT
import SporadesAccessors

/// Finds the classes in a file of Swift source, and their properties.
///
/// Rules:
/// 1. Classes are found in the file and within other types, and not within functions.
/// 2. What the parser does not know it passes over, so it never fails.
/// 3. The two sides of a condition for the compiler (`#if`) both count.
struct SwiftParser {
  /// What the braces around a place belong to.
  private enum Scope {
    /// A class or extension, by its place in the list.
    case type(Int)
    /// Another type, in which classes can be.
    case container
  }

  /// An attribute before a declaration.
  private struct Attribute {
    let name: String
    /// The text that is its first argument.
    let text: String?
  }

  private let tokens: [SwiftToken]
  /// The line of each token.
  private let lines: [Int]
  private let file: String
  private var place = 0
  private var scopes: [Scope] = []
  private var attributes: [Attribute] = []
  private var isStatic = false
  private var classes: [SwiftClass] = []

  private init(_ bytes: [UInt8], _ file: String) {
    self.file = file
    tokens = SwiftScanner.scan(bytes).tokens
    let table = LineTable(bytes)
    lines = tokens.map { table.position(of: $0.start).line }
  }

  static func classes(in bytes: [UInt8], file: String) -> [SwiftClass] {
    var parser = SwiftParser(bytes, file)
    while parser.place < parser.tokens.count { parser.step() }
    return parser.classes
  }

  private func token(_ offset: Int = 0) -> SwiftToken? {
    place + offset < tokens.count ? tokens[place + offset] : nil
  }

  /// The line of the present token; nil at the end.
  private var lineHere: Int? { place < lines.count ? lines[place] : nil }

  private func isSign(_ sign: Unicode.Scalar, at offset: Int = 0) -> Bool {
    token(offset)?.isSign(sign) ?? false
  }

  private mutating func step() {
    guard let token = token() else { return }
    if token.isSign("@") {
      parseAttribute()
    } else if token.isSign("{") || token.isSign("(") || token.isSign("[") {
      skipGroup()
      endDeclaration()
    } else if token.isSign("}") {
      place += 1
      if !scopes.isEmpty { scopes.removeLast() }
      endDeclaration()
    } else if token.isSign("#") {
      skipDirective()
    } else if let word = token.keyword {
      parse(word)
    } else {
      place += 1
      endDeclaration()
    }
  }

  private mutating func endDeclaration() {
    attributes = []
    isStatic = false
  }

  private mutating func parse(_ word: String) {
    switch word {
    case "class" where isMember(token(1)):
      isStatic = true
      place += 1
    case "class", "extension": parseClass(isExtension: word == "extension")
    case "struct", "enum", "actor", "protocol": parseContainer()
    case "var": parseVariable()
    case "static":
      isStatic = true
      place += 1
    case "public", "open", "internal", "package", "private", "fileprivate", "final", "override",
      "dynamic", "lazy", "weak", "unowned", "nonisolated", "optional", "required", "indirect":
      place += 1
      if isSign("(") { skipGroup() }
    default:
      place += 1
      endDeclaration()
    }
  }

  /// Whether the word `class` before the token makes a member one of the class itself.
  private func isMember(_ token: SwiftToken?) -> Bool {
    let words: Set<String> = [
      "var", "let", "func", "subscript", "override", "final", "public", "open", "internal",
      "private", "fileprivate", "package", "dynamic", "nonisolated",
    ]
    return token?.keyword.map(words.contains) ?? false
  }

  // MARK: - Passing over

  /// Passes over what stands between two brackets, and the brackets.
  private mutating func skipGroup() {
    var depth = 0
    repeat {
      guard let token = token() else { return }
      if token.isSign("{") || token.isSign("(") || token.isSign("[") { depth += 1 }
      if token.isSign("}") || token.isSign(")") || token.isSign("]") { depth -= 1 }
      place += 1
    } while depth > 0
  }

  /// Passes over a condition for the compiler to the end of its line, and over the name of a macro.
  private mutating func skipDirective() {
    guard let start = lineHere else { return }
    let word = token(1)?.keyword ?? ""
    place += 2
    guard ["if", "elseif", "else", "endif", "warning", "error", "sourceLocation"].contains(word)
    else { return endDeclaration() }
    while lineHere == start { place += 1 }
  }

  // MARK: - Attributes and types

  private mutating func parseAttribute() {
    place += 1
    var name = token()?.name ?? ""
    place += 1
    while isSign("."), let next = token(1)?.name {
      name = next
      place += 2
    }
    var text: String?
    if isSign("(") {
      if case .text(let first)? = token(1)?.kind { text = first }
      skipGroup()
    }
    attributes.append(Attribute(name: name, text: text))
  }

  private mutating func parseContainer() {
    endDeclaration()
    while let token = token(), !token.isSign("{"), !token.isSign("}") { place += 1 }
    guard isSign("{") else { return }
    place += 1
    scopes.append(.container)
  }

  private mutating func parseClass(isExtension: Bool) {
    defer { endDeclaration() }
    place += 1
    guard let line = lineHere, var name = token()?.name else { return }
    place += 1
    while isSign("."), let next = token(1)?.name {
      name = next
      place += 2
    }
    var found = SwiftClass(name: name, file: file, line: line, isExtension: isExtension)
    if let entity = attributes.first(where: { $0.name == "Entity" }) {
      found.isEntity = true
      found.entityName = entity.text
    }
    var angles = 0
    while let token = token(), !token.isSign("{"), !token.isSign("}") {
      if token.isSign("<") { angles += 1 }
      if token.isSign(">") { angles = max(0, angles - 1) }
      // Of a path, the last name counts.
      if angles == 0, let name = token.name, !isSign(".", at: 1) { found.inherited.append(name) }
      place += 1
    }
    guard isSign("{") else { return }
    place += 1
    scopes.append(.type(classes.count))
    classes.append(found)
  }

  // MARK: - Variables

  private mutating func parseVariable() {
    defer { endDeclaration() }
    place += 1
    repeat {
      guard let line = lineHere, let name = token()?.name else { return }
      place += 1
      let declared = isSign(":") ? parseType() : nil
      var type = declared
      let hasValue = isSign("=")
      if hasValue {
        place += 1
        type = type ?? literalType
        skipValue()
      }
      let isComputed = isSign("{") && !hasValue
      if isSign("{") { skipGroup() }
      guard case .type(let number)? = scopes.last, !isStatic else { continue }
      classes[number].properties.append(
        SwiftProperty(
          name: name, file: file, line: line, type: type,
          attributes: Set(attributes.map(\.name)), isComputed: isComputed))
    } while takeComma()
  }

  private mutating func takeComma() -> Bool {
    guard isSign(",") else { return false }
    place += 1
    return true
  }

  /// Longer types than this are nothing that a model can tell.
  private static let longestType = 300

  private mutating func parseType() -> SwiftType? {
    place += 1
    guard var line = lineHere else { return nil }
    var text = ""
    var depth = 0
    while let token = token() {
      if depth == 0 {
        let ends = ["=", "{", "}", ",", ";", ")"] as [Unicode.Scalar]
        if ends.contains(where: token.isSign) || lines[place] != line { break }
      }
      line = lines[place]
      switch token.kind {
      case .word(let word), .quotedWord(let word):
        if text.last.map({ $0.isLetter || $0.isNumber }) == true { text += " " }
        text += word
      case .sign(let byte):
        if [UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<")].contains(byte) { depth += 1 }
        let isArrow = byte == UInt8(ascii: ">") && text.hasSuffix("-")
        if [UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">")].contains(byte), !isArrow {
          depth = max(0, depth - 1)
        }
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case .text, .regex: break
      }
      place += 1
    }
    return text.isEmpty || text.utf8.count > Self.longestType ? nil : SwiftType(text)
  }

  /// The type of a literal at this place; nil for any other value.
  private var literalType: SwiftType? {
    switch token()?.kind {
    case .text?: return SwiftType("String")
    case .word("true")?, .word("false")?: return SwiftType("Bool")
    case .word(let word)? where word.first?.isNumber == true:
      let isReal = isSign(".", at: 1) || (word.contains("e") && !word.hasPrefix("0x"))
      return SwiftType(isReal ? "Double" : "Int")
    default: return nil
    }
  }

  /// Passes over a value: to the end of its line, or of what its brackets hold.
  private mutating func skipValue() {
    guard var line = lineHere else { return }
    while let token = token(), lineHere == line {
      if token.isSign("}") || token.isSign(";") || token.isSign(",") { return }
      if token.isSign("{") || token.isSign("(") || token.isSign("[") {
        skipGroup()
        // The value goes on behind the last bracket.
        if place > 0 { line = lines[place - 1] }
      } else {
        place += 1
      }
    }
  }
}
