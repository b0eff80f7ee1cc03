// SPDX-License-Identifier: MIT

extension DeclarationReader {
  private static let deepest = 32

  mutating func readType(_ word: String) {
    let kind: NominalKind
    switch word {
    case "struct": kind = .struct
    case "enum": kind = .enum
    case "protocol": kind = .protocol
    default: kind = .class
    }
    guard let start = token(1), let name = start.name, let parent = open.last else {
      place += 1
      return endDeclaration()
    }
    place += 2
    var scope = Scope(
      kind: .type(kind), name: name, file: file, parent: parent, start: start.start,
      access: modifiers.access, availability: modifiers.availability,
      condition: start.condition.map { conditions[$0] })
    if isSign("<") {
      scope.isGeneric = kind != .protocol
      skipAngles()
    }
    if isSign(":") {
      place += 1
      scope.inherited = readInherited()
    }
    let number = declarations.scopes.count
    declarations.scopes[parent].members[name, default: []].append(.type(number))
    enter(scope)
  }

  mutating func readExtension() {
    place += 1
    guard let start = token(), let extended = readType() else { return endDeclaration() }
    var scope = Scope(
      kind: .extension, name: "", file: file, parent: open.first, start: start.start,
      access: modifiers.access, extended: extended, availability: modifiers.availability)
    if isSign(":") {
      place += 1
      scope.inherited = readInherited()
    }
    enter(scope)
  }

  /// Passes over the rest of a header, and opens the scope at its brace.
  private mutating func enter(_ scope: Scope) {
    endDeclaration()
    while let token = token(), !token.isSign("{"), !token.isSign("}") { place += 1 }
    // The list keeps a type without a body too, since its parent names it by its place.
    let number = declarations.scopes.count
    declarations.scopes.append(scope)
    guard isSign("{") else { return }
    guard open.count < Self.deepest else {
      find("The types are nested too deeply here.", "Move them out.", at: scope.start)
      return skipGroup()
    }
    place += 1
    open.append(number)
  }

  private mutating func skipAngles() {
    var depth = 0
    repeat {
      guard let token = token(), !token.isSign("{"), !token.isSign("}") else { return }
      if token.isSign("<") { depth += 1 }
      // The sign of `->` ends nothing.
      if token.isSign(">"), !isSign("-", at: -1) { depth -= 1 }
      place += 1
    } while depth > 0
  }

  private mutating func readInherited() -> [TypeSyntax] {
    var types: [TypeSyntax] = []
    while true {
      while isSign("@"), token(1)?.name != nil { place += 2 }
      if token()?.keyword == "nonisolated" { place += 1 }
      guard let type = readType() else { return types }
      // Names are looked up in the first ones only.
      if types.count < 64 { types.append(type) }
      guard isSign(",") else { return types }
      place += 1
    }
  }

  /// Reads a type that nobody needs to know; nil if it cannot be read.
  private mutating func readType() -> TypeSyntax? {
    var reader = TypeReader(tokens: tokens, place: place)
    // `try?`: a type of a form that is not supported names nothing that managed properties use.
    guard let type = try? reader.read() else { return nil }
    place = reader.place
    return type
  }

  mutating func readAlias() {
    defer { endDeclaration() }
    place += 1
    guard let name = token()?.name, let scope = open.last else { return }
    place += 1
    let isGeneric = isSign("<")
    if isGeneric { skipAngles() }
    guard isSign("=") else { return }
    place += 1
    guard let type = readType() else { return }
    declarations.scopes[scope].members[name, default: []].append(.alias(declarations.aliases.count))
    declarations.aliases.append(
      Alias(
        name: name, type: type, scope: scope, isGeneric: isGeneric,
        isPrivate: modifiers.access.map { $0 <= .fileprivate } ?? false))
  }

  /// Reads `import Module` and `import struct Module.Name`.
  mutating func readImport() {
    defer { endDeclaration() }
    place += 1
    let kinds: Set<String> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "var", "let",
    ]
    if let word = token()?.keyword, kinds.contains(word), token(1)?.name != nil { place += 1 }
    guard let module = token()?.name else { return }
    place += 1
    while isSign("."), token(1)?.name != nil { place += 2 }
    declarations.files[file].imports.append(
      ModuleImport(module: module, access: modifiers.access, attributes: modifiers.imported))
  }
}
