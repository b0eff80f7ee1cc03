// SPDX-License-Identifier: MIT

extension DeclarationReader {
  /// Takes the declaration as managed: its modifiers, and the condition around it.
  private mutating func take() -> (Modifiers, String?) {
    let taken = modifiers
    let condition = taken.managed.flatMap { tokens[$0].condition }.map { conditions[$0] }
    modifiers.managed = nil
    return (taken, condition)
  }

  /// Reads a managed property, with all names of its line.
  mutating func readProperty() {
    defer { endDeclaration() }
    let (modifiers, condition) = take()
    place += 1
    var waiting: [(name: String, start: Int)] = []
    repeat {
      guard let start = token(), let name = start.name, let scope = open.last else {
        return find(
          "A managed property has no name that can be read.", "Declare one name at a time.",
          at: token(-1)?.start ?? 0)
      }
      place += 1
      waiting.append((name, start.start))
      guard isSign(":") else { continue }
      place += 1
      guard let type = readManagedType(name) else { return }
      // `var a, b: Int` gives both the type.
      for (name, start) in waiting {
        declarations.managed.append(
          ManagedMember(
            name: name, form: .property(type), scope: scope, start: start, modifiers: modifiers,
            condition: condition))
      }
      waiting = []
      if isSign("=") || isSign("{") {
        find(
          "The managed property “\(name)” has a value or accessors of its own.",
          "Remove them, or remove @NSManaged.", at: start.start)
      }
    } while takeComma()
    for (name, start) in waiting {
      find(
        "The managed property “\(name)” has no type.", "Write its type behind a colon.", at: start)
    }
  }

  private mutating func takeComma() -> Bool {
    guard isSign(",") else { return false }
    place += 1
    return true
  }

  private mutating func readManagedType(_ name: String) -> TypeSyntax? {
    let start = token()?.start ?? 0
    var reader = TypeReader(tokens: tokens, place: place)
    do {
      let type = try reader.read()
      place = reader.place
      return type
    } catch {
      find("“\(name)”: \(error.problem)", error.remedy, at: start)
      return nil
    }
  }

  /// Notes the name of a property that is not managed, and passes over it.
  mutating func noteProperty() {
    if let name = token(1)?.name, let scope = open.last,
      declarations.scopes[scope].kind != .file
    {
      declarations.properties.append(
        PlainProperty(
          name: name, scope: scope, access: modifiers.access,
          condition: token()?.condition.map { conditions[$0] }))
    }
    place += 2
    endDeclaration()
  }

  /// Reads a managed method.
  mutating func readMethod() {
    defer { endDeclaration() }
    let (modifiers, condition) = take()
    place += 1
    guard let start = token(), let name = start.name, let scope = open.last else {
      return find(
        "A managed method has no name that can be read.",
        "Write one of the methods that Xcode does.",
        at: token(-1)?.start ?? 0)
    }
    place += 1
    guard isSign("("), let parameters = readParameters(name) else {
      return find(
        "The managed method “\(name)” cannot be read.",
        "Write it as Xcode does, without generic parameters and default values.", at: start.start)
    }
    if let word = token()?.keyword, ["async", "throws", "rethrows"].contains(word) {
      return find(
        "The managed method “\(name)” is marked “\(word)”, and no method of Core Data is.",
        "Remove the word.", at: start.start)
    }
    if isSign("-"), isSign(">", at: 1), token(2)?.name != "Void" {
      return find(
        "The managed method “\(name)” returns a value, and no method that Core Data makes does.",
        "Write a method with a body instead.", at: start.start)
    }
    declarations.managed.append(
      ManagedMember(
        name: name, form: .method(parameters), scope: scope, start: start.start,
        modifiers: modifiers, condition: condition))
  }

  private mutating func readParameters(_ method: String) -> [ManagedMember.Parameter]? {
    place += 1
    var parameters: [ManagedMember.Parameter] = []
    while !isSign(")") {
      guard let label = token()?.name else { return nil }
      place += 1
      var name = label
      if let second = token()?.name {
        name = second
        place += 1
      }
      guard isSign(":") else { return nil }
      place += 1
      guard let type = readManagedType(method) else { return nil }
      parameters.append(
        ManagedMember.Parameter(label: label == "_" ? nil : label, name: name, type: type))
      if !takeComma() { break }
    }
    guard isSign(")") else { return nil }
    place += 1
    return parameters
  }
}
