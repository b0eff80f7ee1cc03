// SPDX-License-Identifier: MIT

/// The types that a target declares, with the members of each.
struct TypeTable {
  /// The members of one name: those that all files see, and those of single files.
  private struct Named {
    var shared: [Scope.Member] = []
    var own: [Int: [Scope.Member]] = [:]
  }

  /// A name is declared more than once only on the sides of a condition, and those are few.
  private static let mostDeclarations = 8

  let module: String
  let declarations: Declarations
  /// What the files declare at their top, by name.
  private var top: [String: Named] = [:]
  /// The type of each scope: its own, or the one that it extends; nil for files and unknown types.
  private var nominals: [Nominal?]
  private var members: [Nominal: [String: Named]] = [:]
  /// The declarations of each type.
  private var declaring: [Nominal: [Int]] = [:]
  /// The types that an extension makes hashable.
  private var madeHashable: Set<Nominal> = []
  /// The types that comments tell.
  private var told: [String: [Nominal]] = [:]

  init(_ declarations: Declarations, module: String) {
    self.declarations = declarations
    self.module = module
    nominals = Array(repeating: nil, count: declarations.scopes.count)
    let kinds = Dictionary(
      declarations.told.map { ($0.path, $0.kind) }, uniquingKeysWith: { first, _ in first })
    for type in declarations.told { take(type, kinds) }
    for scope in declarations.scopes where scope.kind == .file {
      for (name, members) in scope.members {
        for member in members {
          let file = privateFile(of: member)
          Self.add(member, file, to: &top[name, default: Named()])
        }
      }
    }
    resolveScopes()
  }

  private static func add(_ member: Scope.Member, _ file: Int?, to named: inout Named) {
    if let file {
      if named.own[file, default: []].count < mostDeclarations {
        named.own[file, default: []].append(member)
      }
    } else if named.shared.count < mostDeclarations {
      named.shared.append(member)
    }
  }

  /// The file that alone can see the member; nil if others can.
  private func privateFile(of member: Scope.Member) -> Int? {
    switch member {
    case .type(let number):
      privateFile(of: scope(number)) == nil ? nil : scope(number).file
    case .alias(let number):
      declarations.aliases[number].isPrivate
        ? scope(declarations.aliases[number].scope).file : nil
    }
  }

  // MARK: - Scopes

  private func scope(_ number: Int) -> Scope { declarations.scopes[number] }

  /// Resolves the extended types in rounds: a type can be nested in an extension that a later file holds.
  private mutating func resolveScopes() {
    var waiting = Array(declarations.scopes.indices)
    // A path has no more steps than types nest.
    for _ in 0..<32 {
      let before = waiting.count
      waiting = waiting.filter { !resolveScope($0) }
      if waiting.isEmpty || waiting.count == before { return }
    }
  }

  /// Answers false if the scope has to wait for another one.
  private mutating func resolveScope(_ number: Int) -> Bool {
    let scope = scope(number)
    let nominal: Nominal
    switch scope.kind {
    case .file: return true
    case .type(let kind):
      guard let context = context(of: scope) else { return false }
      nominal = Nominal(context, scope.name, kind, privateFile: privateFile(of: scope))
    case .extension:
      guard let extended = scope.extended, let parent = scope.parent else { return true }
      let resolver = TypeResolver(table: self, scope: parent)
      // `try?`: a type that is not found waits for the next round.
      guard let found = try? resolver.nominal(extended) else { return false }
      nominal = found
    }
    nominals[number] = nominal
    if scope.kind != .extension, declaring[nominal, default: []].count < Self.mostDeclarations {
      declaring[nominal, default: []].append(number)
    }
    for (name, found) in scope.members {
      for member in found {
        let file = privateFile(of: member)
        Self.add(member, file, to: &members[nominal, default: [:]][name, default: Named()])
      }
    }
    if scope.kind == .extension, scope.inherited.contains(where: Self.isHashable) {
      madeHashable.insert(nominal)
    }
    return true
  }

  private static func isHashable(_ type: TypeSyntax) -> Bool {
    if case .path(let steps) = type { steps.last?.name == "Hashable" } else { false }
  }

  /// What a type in the scope's parent is nested in.
  private func context(of scope: Scope) -> Nominal.Context? {
    guard let parent = scope.parent, self.scope(parent).kind != .file else {
      return .module(module)
    }
    return nominals[parent].map { nesting(in: $0, of: parent) }
  }

  private func nesting(in nominal: Nominal, of scope: Int) -> Nominal.Context {
    let isForeign = self.scope(scope).kind == .extension && nominal.module != module
    return isForeign ? .extension(nominal, module: module) : .type(nominal)
  }

  private func privateFile(of scope: Scope) -> String? {
    let outer = scope.parent.map(self.scope)
    let level = scope.access ?? (outer?.kind == .extension ? outer?.access : nil) ?? .internal
    return level <= .fileprivate ? declarations.files[scope.file].name : nil
  }

  // MARK: - What others ask

  /// The type that a scope declares or extends.
  func nominal(of scope: Int) -> Nominal? { nominals[scope] }

  /// What a member of the scope is nested in, as its symbol has it.
  func context(in scope: Int) -> Nominal.Context? {
    nominals[scope].map { nesting(in: $0, of: scope) }
  }

  /// The declarations of a type, without its extensions.
  func declared(_ nominal: Nominal) -> [Scope] { (declaring[nominal] ?? []).map(scope) }

  /// Whether an extension in this module makes the type hashable.
  func isMadeHashable(_ nominal: Nominal) -> Bool { madeHashable.contains(nominal) }

  /// The level of access that a type of the target has by its own declaration.
  func level(of nominal: Nominal) -> AccessLevel {
    guard let scope = declared(nominal).first else { return .internal }
    let outer = scope.parent.map(self.scope)
    return scope.access ?? (outer?.kind == .extension ? outer?.access : nil) ?? .internal
  }

  /// Whether the type or one around it has generic parameters.
  func isGeneric(_ nominal: Nominal) -> Bool {
    declared(nominal).contains(where: \.isGeneric) || nominal.outer.map(isGeneric) ?? false
  }

  /// The members of a type that have the name and that a file can see, without inherited ones.
  func members(_ name: String, of nominal: Nominal, in file: Int) -> [Scope.Member] {
    members[nominal]?[name].map { visible($0, in: file) } ?? []
  }

  /// What the name means at the top of a file.
  func top(_ name: String, in file: Int) -> [Scope.Member] {
    top[name].map { visible($0, in: file) } ?? []
  }

  private func visible(_ named: Named, in file: Int) -> [Scope.Member] {
    named.own[file] ?? named.shared
  }

  func alias(_ number: Int) -> Alias { declarations.aliases[number] }

  // MARK: - Types of other modules

  private mutating func take(_ type: ToldType, _ kinds: [[String]: NominalKind]) {
    guard let module = type.path.first, let name = type.path.last else { return }
    var context = Nominal.Context.module(module)
    // The types around it are told too; else they count as structures, which the linker then refuses.
    for step in 1..<(type.path.count - 1) {
      let path = Array(type.path[...step])
      let kind = kinds[path] ?? .struct
      context = .type(Nominal(context, type.path[step], kind))
    }
    let nominal = Nominal(context, name, type.kind)
    let names = Set([
      name, type.path.dropFirst().joined(separator: "."), type.path.joined(separator: "."),
    ])
    for name in names { told[name, default: []].append(nominal) }
  }

  /// The types that comments tell under the name or the path.
  func told(_ path: [String]) -> [Nominal] { told[path.joined(separator: ".")] ?? [] }
}
