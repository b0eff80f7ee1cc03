// SPDX-License-Identifier: MIT

/// Finds the types, aliases and managed members in the files of a target.
///
/// Rules:
/// 1. Types are found in the file and within other types, and not within functions.
/// 2. Declarations that are of no use here are passed over.
/// 3. Each `@NSManaged` becomes a member or a finding, so that none is lost.
struct DeclarationReader {
  var tokens: [SwiftToken] = []
  var place = 0
  let bytes: [UInt8]
  let conditions: [String]
  let file: Int
  /// The scopes around the place, innermost last; nil for braces of `#if` and the like.
  var open: [Int]
  var modifiers = Modifiers()
  var declarations: Declarations

  /// Reads a file into the declarations.
  static func read(_ source: SwiftSource, into declarations: inout Declarations) {
    let bytes = Array(source.text.utf8)
    let lines = LineTable(bytes)
    let (tokens, notes) = SwiftScanner.scan(bytes)
    let answer = ConditionReader.read(tokens, of: bytes, lines: lines)
    let file = declarations.files.count
    declarations.files.append(SourceFile(name: source.name, lines: lines))
    for (start, reason) in answer.refused {
      declarations.findings.append(
        declarations.finding(
          "The file cannot be read: \(reason).", "Write fewer of them.", file: file, at: start))
    }
    for note in notes { declarations.take(note, file: file) }
    let root = declarations.scopes.count
    declarations.scopes.append(
      Scope(kind: .file, name: "", file: file, parent: nil, start: 0))
    var reader = DeclarationReader(
      tokens: answer.tokens, bytes: bytes, conditions: answer.conditions, file: file,
      open: [root], declarations: declarations)
    // The reader holds the only copy while it reads.
    declarations = Declarations()
    reader.run()
    declarations = reader.declarations
  }

  private mutating func run() {
    while place < tokens.count { step() }
    endDeclaration()
  }

  func token(_ offset: Int = 0) -> SwiftToken? {
    place + offset >= 0 && place + offset < tokens.count ? tokens[place + offset] : nil
  }

  func isSign(_ sign: Unicode.Scalar, at offset: Int = 0) -> Bool {
    token(offset)?.isSign(sign) ?? false
  }

  private mutating func step() {
    guard let token = token() else { return }
    if token.isSign("@") {
      readAttribute()
    } else if token.isOpening {
      skipGroup()
      endDeclaration()
    } else if token.isSign("}") {
      place += 1
      if open.count > 1 { open.removeLast() }
      endDeclaration()
    } else if let word = token.keyword, !isSign(".", at: -1) {
      read(word)
    } else {
      place += 1
      endDeclaration()
    }
  }

  /// Forgets what stood before a declaration. A managed one that nothing took is a finding.
  mutating func endDeclaration() {
    if let managed = modifiers.managed, managed < tokens.count {
      find(
        "@NSManaged stands before a declaration that is neither a property nor a method.",
        "Remove the attribute.", at: tokens[managed].start)
    }
    modifiers = Modifiers()
  }

  mutating func find(_ problem: String, _ remedy: String, at start: Int) {
    declarations.findings.append(declarations.finding(problem, remedy, file: file, at: start))
  }

  private mutating func read(_ word: String) {
    switch word {
    case "class" where isMember(token(1)), "static":
      modifiers.isStatic = true
      place += 1
    case "class", "struct", "enum", "protocol": readType(word)
    case "actor" where isName(token(1)): readType(word)
    case "extension": readExtension()
    case "typealias": readAlias()
    case "import": readImport()
    case "var" where modifiers.managed != nil: readProperty()
    case "func" where modifiers.managed != nil: readMethod()
    case "var" where !modifiers.isStatic && modifiers.availability.isEmpty: noteProperty()
    case "var", "let", "func", "case":
      // The name behind it can be a word such as `actor`.
      place += 2
      endDeclaration()
    case "public", "open", "internal", "package", "private", "fileprivate":
      readAccess(AccessLevel(word: word))
    case "final", "override", "dynamic", "lazy", "weak", "unowned", "nonisolated", "optional",
      "required", "indirect", "mutating", "nonmutating", "convenience", "isolated", "distributed":
      place += 1
      if isSign("(") { skipGroup() }
    default:
      place += 1
      endDeclaration()
    }
  }

  private mutating func readAccess(_ level: AccessLevel?) {
    place += 1
    if isSign("("), token(1)?.keyword == "set" {
      modifiers.setterAccess = level
      skipGroup()
    } else {
      modifiers.access = level
    }
  }

  /// Whether the token is the name of a type, and no word that begins a declaration.
  private func isName(_ token: SwiftToken?) -> Bool {
    let words: Set<String> = ["var", "let", "func", "case", "static", "init", "subscript"]
    return token?.name != nil && token?.keyword.map(words.contains) != true
  }

  /// Whether the word `class` before the token makes a member one of the class itself.
  private func isMember(_ token: SwiftToken?) -> Bool {
    let words: Set<String> = [
      "var", "let", "func", "subscript", "override", "final", "public", "open", "internal",
      "private", "fileprivate", "package", "dynamic", "nonisolated",
    ]
    return token?.isSign("@") == true || token?.keyword.map(words.contains) ?? false
  }

  /// Passes over what stands between two brackets, and the brackets.
  mutating func skipGroup() {
    var depth = 0
    repeat {
      guard let token = token() else { return }
      if token.isOpening { depth += 1 }
      if token.isClosing { depth -= 1 }
      if token.isSign("@"), self.token(1)?.keyword == "NSManaged" {
        find(
          "A property marked @NSManaged is in a class within a function, so no other file can name it.",
          "Move the class out of the function.", at: token.start)
      }
      place += 1
    } while depth > 0
  }

  private mutating func readAttribute() {
    let start = place
    place += 1
    guard var name = token()?.name else { return }
    place += 1
    while isSign("."), let next = token(1)?.name {
      name = next
      place += 2
    }
    if isSign("("), let last = token(-1), token()?.start == last.end { skipGroup() }
    if name == "NSManaged" { modifiers.managed = start }
    guard let last = token(-1) else { return }
    let text = String(decoding: bytes[tokens[start].start..<last.end], as: UTF8.self)
    if name == "available" { modifiers.availability.append(text) }
    if name == "testable" || name == "_spi" { modifiers.imported.append(text) }
  }
}
