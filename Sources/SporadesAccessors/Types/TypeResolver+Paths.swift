// SPDX-License-Identifier: MIT

extension TypeResolver {
  /// Resolves the type that an extension extends.
  func nominal(_ syntax: TypeSyntax) throws(TypeFailure) -> Nominal {
    switch try resolve(syntax).type {
    case .nominal(let nominal, _): return nominal
    case .existential(let existential) where existential.protocols.count == 1:
      return existential.protocols[0]
    case .optional: return .swift("Optional", .enum)
    default:
      throw TypeFailure(problem: "The extended type has no name.", remedy: "Extend a class.")
    }
  }

  func resolvePath(_ steps: [TypeSyntax.Step], _ depth: Int) throws(TypeFailure) -> Answer {
    let names = steps.map(\.name)
    switch names.joined(separator: ".") {
    case "Any", "Swift.Any": return Answer(type: .existential(.init()), text: "Any")
    case "AnyObject", "Swift.AnyObject":
      return Answer(type: .existential(.init(isAnyObject: true)), text: "AnyObject")
    case "Void", "Swift.Void":
      return Answer(type: .tuple([]), text: "Void")
    case "Self":
      throw TypeFailure(
        problem: "“Self” cannot be the type of a managed property.",
        remedy: "Write the name of the class.")
    default: break
    }
    var used = 0
    var members = lookUp(names[0])
    if members.isEmpty {
      if names[0] == table.module, names.count > 1 {
        (members, used) = (table.top(names[1], in: file), 1)
      } else {
        return try resolveForeign(steps, depth)
      }
    }
    var found = try resolve(members, steps[used], depth)
    for step in steps[(used + 1)...] { found = try resolve(step, in: found, depth) }
    return found
  }

  // MARK: - Types of the target

  /// The file around the written type; that of an extension to be written has no number.
  private var file: Int { extended == nil ? table.declarations.scopes[scope].file : -1 }

  /// The members with the name, in the innermost scope that has one.
  private func lookUp(_ name: String) -> [Scope.Member] {
    if let extended {
      let found = inherited(name, by: extended)
      return found.isEmpty ? table.top(name, in: file) : found
    }
    var place: Int? = scope
    while let number = place {
      let scope = table.declarations.scopes[number]
      if let nominal = table.nominal(of: number) {
        let found = inherited(name, by: nominal)
        if !found.isEmpty { return found }
      }
      place = scope.parent
    }
    return table.top(name, in: file)
  }

  /// The members of a type and of those that it inherits from.
  private func inherited(_ name: String, by nominal: Nominal) -> [Scope.Member] {
    var waiting = [nominal]
    var seen: Set<Nominal> = [nominal]
    while let next = waiting.popLast() {
      let found = table.members(name, of: next, in: file)
      if !found.isEmpty { return found }
      for base in Self.bases(of: next, in: table) {
        // No class has more ancestors than this.
        guard seen.count < 64 else { return [] }
        if seen.insert(base).inserted { waiting.append(base) }
      }
    }
    return []
  }

  /// The types of the target that a type inherits from.
  static func bases(of nominal: Nominal, in table: TypeTable) -> [Nominal] {
    table.declared(nominal).flatMap { scope -> [Nominal] in
      guard let parent = scope.parent else { return [] }
      let resolver = TypeResolver(table: table, scope: parent)
      return scope.inherited.compactMap { type in
        guard case .path(let steps) = type else { return nil }
        return resolver.plainTop(steps)
      }
    }
  }

  /// The type of a path whose names are found without inherited members, so that the search ends.
  private func plainTop(_ steps: [TypeSyntax.Step]) -> Nominal? {
    var found: Nominal?
    var place: Int? = scope
    while let number = place, found == nil {
      if let nominal = table.nominal(of: number) {
        found = type(in: table.members(steps[0].name, of: nominal, in: file))
      }
      place = table.declarations.scopes[number].parent
    }
    found = found ?? type(in: table.top(steps[0].name, in: file))
    for step in steps.dropFirst() {
      found = found.flatMap { type(in: table.members(step.name, of: $0, in: file)) }
    }
    return found
  }

  private func type(in members: [Scope.Member]) -> Nominal? {
    for case .type(let number) in members { return table.nominal(of: number) }
    return nil
  }

  /// Resolves a step that means one of the members. More than one stand on the sides of a condition.
  private func resolve(
    _ members: [Scope.Member], _ step: TypeSyntax.Step, _ depth: Int
  ) throws(TypeFailure) -> Answer {
    var answer: Answer?
    for member in members {
      let next = try resolve(member, step, depth)
      if let first = answer, first.type != next.type {
        throw TypeFailure(
          problem: "“\(step.name)” is declared differently on the sides of a condition.",
          remedy: "Declare it as the same kind of type on each side.")
      }
      answer = next
    }
    guard let answer else { throw unknown([step.name]) }
    return answer
  }

  private func resolve(
    _ member: Scope.Member, _ step: TypeSyntax.Step, _ depth: Int
  ) throws(TypeFailure) -> Answer {
    switch member {
    case .alias(let number):
      let alias = table.alias(number)
      guard !alias.isGeneric, step.arguments.isEmpty else {
        throw TypeFailure(
          problem: "“\(alias.name)” is an alias with generic parameters.",
          remedy: "Write the type that it stands for.")
      }
      return try TypeResolver(table: table, scope: alias.scope, budget: budget)
        .resolve(alias.type, depth: depth + 1)
    case .type(let number):
      guard let nominal = table.nominal(of: number) else { throw unknown([step.name]) }
      guard !isHidden(nominal) else {
        throw TypeFailure(
          problem: "“\(nominal.path.joined(separator: "."))” is private to its file.",
          remedy: "Make the type internal, so that the file with the accessors can name it.")
      }
      return try answer(nominal, [step], prefix: "", depth)
    }
  }

  private func isHidden(_ nominal: Nominal) -> Bool {
    nominal.privateFile != nil || nominal.outer.map(isHidden) ?? false
  }

  // MARK: - Answers

  /// The answer for a type whose last names have been written with these steps.
  func answer(
    _ nominal: Nominal, _ steps: [TypeSyntax.Step], prefix: String, _ depth: Int
  ) throws(TypeFailure) -> Answer {
    let path = nominal.path
    var levels: [[ResolvedType]] = Array(repeating: [], count: path.count)
    var texts = path.map(SwiftNames.quoted)
    for (offset, step) in steps.reversed().enumerated() where offset < path.count {
      guard !step.arguments.isEmpty else { continue }
      let level = path.count - 1 - offset
      var inner: [String] = []
      for argument in step.arguments {
        let resolved = try resolve(argument, depth: depth + 1)
        levels[level].append(resolved.type)
        inner.append(resolved.text)
      }
      texts[level] += "<\(inner.joined(separator: ", "))>"
    }
    let text = prefix + texts.joined(separator: ".")
    if levels.allSatisfy(\.isEmpty) { levels = [] }
    if nominal.kind == .protocol {
      guard levels.isEmpty else {
        throw TypeFailure(
          problem: "“\(text)” is a protocol with generic arguments, which are not supported.",
          remedy: "Use a type of its own that holds the value.")
      }
      return Answer(type: .existential(.init(protocols: [nominal])), text: "any \(text)")
    }
    if nominal.context == .module("Swift"), ["Set", "Dictionary"].contains(nominal.name),
      let key = levels.first?.first
    {
      try checkKey(key)
    }
    if nominal == .swift("Optional", .enum), let inner = levels.first?.first {
      return Answer(type: .optional(inner), text: text)
    }
    return Answer(type: .nominal(nominal, levels), text: text)
  }

  /// Refuses a key whose conformance comes from this module alone: its symbol would name the conformance.
  func checkKey(_ key: ResolvedType) throws(TypeFailure) {
    guard case .nominal(let nominal, _) = key, nominal.module != table.module else { return }
    guard table.isMadeHashable(nominal) else { return }
    let name = nominal.path.joined(separator: ".")
    throw TypeFailure(
      problem: "“\(name)” of another module is made hashable here, and symbols name that.",
      remedy: "Keep the collection in a type of this module.")
  }

  /// Resolves a name within a type.
  private func resolve(
    _ step: TypeSyntax.Step, in outer: Answer, _ depth: Int
  ) throws(TypeFailure) -> Answer {
    guard case .nominal(let nominal, let levels) = outer.type else { throw unknown([step.name]) }
    let members = inherited(step.name, by: nominal)
    let inner: Answer
    if !members.isEmpty {
      inner = try resolve(members, step, depth)
    } else if let known = KnownTypes.type(nominal.path + [step.name]), known.outer == nominal {
      inner = try answer(known, [step], prefix: "", depth)
    } else {
      throw unknown(nominal.path + [step.name])
    }
    // The arguments of the outer type belong to the inner one.
    guard !levels.isEmpty, case .nominal(let found, let own) = inner.type, found.outer == nominal
    else { return inner }
    let last = own.last ?? []
    let arguments = step.arguments.isEmpty ? "" : inner.text.drop { $0 != "<" }
    return Answer(
      type: .nominal(found, levels + [last]),
      text: "\(outer.text).\(SwiftNames.quoted(step.name))\(arguments)")
  }

  // MARK: - Types of other modules

  /// Resolves a path that begins in another module. Extensions of this module can hold its last names.
  private func resolveForeign(
    _ steps: [TypeSyntax.Step], _ depth: Int
  ) throws(TypeFailure) -> Answer {
    let names = steps.map(\.name)
    if names.count == 1, let alias = Self.aliases[names[0]] {
      return try resolve(alias, depth: depth + 1)
    }
    // No types nest deeper than this.
    for used in (1...min(names.count, 32)).reversed() {
      guard let (nominal, prefix) = try foreign(Array(names[..<used])) else { continue }
      var found = try answer(nominal, Array(steps[..<used]), prefix: prefix, depth)
      for step in steps[used...] { found = try resolve(step, in: found, depth) }
      return found
    }
    throw unknown(names)
  }

  private static let aliases: [String: TypeSyntax] = [
    "Codable": .composition([
      .path([.init(name: "Decodable")]), .path([.init(name: "Encodable")]),
    ]),
    "AnyClass": .metatype(.path([.init(name: "AnyObject")])),
  ]

  /// The type of another module that a path means, and the module as it is written before it.
  private func foreign(_ names: [String]) throws(TypeFailure) -> (Nominal, String)? {
    let told = Set(table.told(names))
    guard told.count < 2 else {
      throw TypeFailure(
        problem: "Comments tell “\(names.joined(separator: "."))” of more than one module.",
        remedy: "Write the module before the name.")
    }
    if let nominal = told.first {
      let isQualified = names.first == nominal.module && names.count > nominal.path.count
      return (nominal, isQualified ? "\(nominal.module)." : "")
    }
    let isQualified = KnownTypes.modules.contains(names[0]) && names.count > 1
    return KnownTypes.type(Array(names.dropFirst(isQualified ? 1 : 0)))
      .map { ($0, isQualified ? "\(names[0])." : "") }
  }

  private func unknown(_ path: [String]) -> TypeFailure {
    let name = path.joined(separator: ".")
    let example = path.count > 1 ? name : "Module.\(name)"
    return TypeFailure(
      problem: "The type “\(name)” is neither of this module nor of Foundation.",
      remedy: "Add a comment “// @NSManaged type: class \(example)” (or struct, enum, protocol).")
  }
}
