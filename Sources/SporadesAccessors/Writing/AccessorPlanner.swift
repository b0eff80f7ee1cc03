// SPDX-License-Identifier: MIT

/// Makes the accessors of a target's managed declarations, or findings.
struct AccessorPlanner {
  let table: TypeTable
  /// What models tell, by the name of the class.
  private let classes: [String: ManagedClass]
  /// The names of the managed properties of each class.
  private let properties: [Nominal: Set<String>]
  /// The names of the accessors so far.
  private var names: [String: Int] = [:]
  private(set) var accessors: [Accessor] = []
  private(set) var findings: [Finding] = []

  init(table: TypeTable, classes: [ManagedClass]) {
    self.table = table
    self.classes = Dictionary(classes.map { ($0.name, $0) }) { one, other in
      // Entities and versions of a model can share a class.
      ManagedClass(
        name: one.name, single: one.single.union(other.single),
        toMany: one.toMany.merging(other.toMany) { first, _ in first })
    }
    var properties: [Nominal: Set<String>] = [:]
    for member in table.declarations.managed {
      guard case .property = member.form, let nominal = table.nominal(of: member.scope) else {
        continue
      }
      properties[nominal, default: []].insert(member.name)
    }
    self.properties = properties
  }

  /// Makes an accessor or a finding of each declaration.
  mutating func run() {
    for member in table.declarations.managed {
      do {
        accessors.append(try accessor(of: member))
      } catch {
        let scope = table.declarations.scopes[member.scope]
        findings.append(
          table.declarations.finding(
            "“\(member.name)”: \(error.problem)", error.remedy, file: scope.file, at: member.start))
      }
    }
  }

  // MARK: - One declaration

  private mutating func accessor(of member: ManagedMember) throws(TypeFailure) -> Accessor {
    let (nominal, context) = try holder(of: member)
    let scope = table.declarations.scopes[member.scope]
    let inherited = scope.kind == .extension ? scope.access : nil
    let access = member.modifiers.access ?? inherited.map { max($0, .fileprivate) } ?? .internal
    let file = access <= .fileprivate ? table.declarations.files[scope.file].name : nil
    let (body, symbols, types) = try parts(of: member, nominal, context, file)
    let path = nominal.path
    return Accessor(
      extended: (nominal.module == table.module ? "" : foreignPrefix(nominal))
        + path.map(SwiftNames.quoted).joined(separator: "."),
      availability: availability(of: member), condition: member.condition, access: written(access),
      setterAccess: written(member.modifiers.setterAccess ?? access),
      visible: min(access, level(of: nominal)), property: member.name,
      name: unique("_managed_\(table.module)_\(path.joined(separator: "_"))_\(member.name)"),
      symbols: symbols, body: body,
      modules: types.reduce(into: [nominal.module]) { $0.formUnion($1.type.modules) },
      description: "\(path.joined(separator: ".")).\(member.name)")
  }

  /// The code of a declaration, its symbols, and the types in it.
  private func parts(
    of member: ManagedMember, _ nominal: Nominal, _ context: Nominal.Context, _ file: String?
  ) throws(TypeFailure) -> (Accessor.Body, [String], [TypeResolver.Answer]) {
    let resolver = TypeResolver(table: table, scope: member.scope)
    switch member.form {
    case .property(let syntax):
      let type = try resolved(syntax, resolver, in: nominal)
      guard type.type != .tuple([]) else {
        throw TypeFailure(
          problem: "A property without a value cannot be managed.", remedy: "Give it another type.")
      }
      let pair = Mangler.accessors(
        of: member.name, in: context, type: type.type, module: table.module, privateFile: file)
      return (propertyBody(member.name, type, of: nominal), [pair.getter, pair.setter], [type])
    case .method(let parameters):
      var types: [TypeResolver.Answer] = []
      for parameter in parameters {
        types.append(try resolved(parameter.type, resolver, in: nominal))
      }
      let symbol = Mangler.method(
        member.name, labels: parameters.map(\.label), types: types.map(\.type), in: context,
        module: table.module, privateFile: file)
      return (try methodBody(member.name, parameters, types, of: nominal), [symbol], types)
    }
  }

  /// Resolves a type, and makes sure that its text means the same type in an extension of the class.
  ///
  /// An accessor of another type would link, since its symbol tells the right one.
  private func resolved(
    _ syntax: TypeSyntax, _ resolver: TypeResolver, in nominal: Nominal
  ) throws(TypeFailure) -> TypeResolver.Answer {
    let answer = try resolver.resolve(syntax)
    var reader = TypeReader(tokens: SwiftScanner.scan(Array(answer.text.utf8)).tokens, place: 0)
    let written = TypeResolver(table: table, scope: resolver.scope, extended: nominal)
    guard try written.resolve(reader.read()).type == answer.type else {
      throw TypeFailure(
        problem: "“\(answer.text)” means another type within “\(nominal.name)”.",
        remedy: "Write the module before the name, or rename one of the types.")
    }
    return answer
  }

  private func foreignPrefix(_ nominal: Nominal) -> String {
    KnownTypes.modules.contains(nominal.module) ? "" : "\(nominal.module)."
  }

  /// The class of a declaration, and what its symbol begins with.
  private func holder(
    of member: ManagedMember
  ) throws(TypeFailure) -> (Nominal, Nominal.Context) {
    let scope = table.declarations.scopes[member.scope]
    guard scope.kind != .file else {
      throw TypeFailure(
        problem: "@NSManaged stands outside of a class.", remedy: "Move the declaration into one.")
    }
    guard let nominal = table.nominal(of: member.scope),
      let context = table.context(in: member.scope)
    else {
      throw TypeFailure(
        problem: "The class that the extension extends is not of this module or is not known.",
        remedy: "Add a comment “// @NSManaged type: class Module.Name”.")
    }
    let name = nominal.path.joined(separator: ".")
    guard nominal.kind == .class else {
      throw TypeFailure(
        problem: "“\(name)” is no class, and only classes have managed declarations.",
        remedy: "Remove @NSManaged.")
    }
    guard !table.isGeneric(nominal) else {
      throw TypeFailure(
        problem: "“\(name)” is generic or lies in a generic type, so one symbol is not enough.",
        remedy: "Make a class without generic parameters of it.")
    }
    guard !isHidden(nominal) else {
      throw TypeFailure(
        problem: "The class “\(name)” is private to its file.",
        remedy: "Make it internal, so that the file with the accessors can extend it.")
    }
    guard !member.modifiers.isStatic else {
      throw TypeFailure(
        problem: "A declaration of the class itself cannot be managed.",
        remedy: "Remove “static” or “class”, or remove @NSManaged.")
    }
    guard SwiftNames.isPlain(member.name) else {
      throw TypeFailure(
        problem: "The name has signs that only backticks allow.",
        remedy: "Use letters, digits and “_”.")
    }
    return (nominal, context)
  }

  private func isHidden(_ nominal: Nominal) -> Bool {
    nominal.privateFile != nil || nominal.outer.map(isHidden) ?? false
  }

  /// The level of an accessor: symbols that other files define cannot be private, and none can be open.
  private func written(_ access: AccessLevel) -> AccessLevel {
    min(max(access, .internal), .public)
  }

  /// The level at which a class can be seen.
  private func level(of nominal: Nominal) -> AccessLevel {
    guard nominal.module == table.module else { return .public }
    let own = table.level(of: nominal)
    return min(own, nominal.outer.map(level) ?? .public)
  }

  private func availability(of member: ManagedMember) -> [String] {
    var texts = member.modifiers.availability
    var place: Int? = member.scope
    while let number = place {
      let scope = table.declarations.scopes[number]
      texts += scope.availability
      if scope.kind == .extension, let nominal = table.nominal(of: number) {
        texts += table.declared(nominal).flatMap(\.availability)
      }
      place = scope.parent
    }
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  private mutating func unique(_ name: String) -> String {
    let count = names[name, default: 0]
    names[name] = count + 1
    return count == 0 ? name : "\(name)_\(count + 1)"
  }

  // MARK: - Code

  private func propertyBody(
    _ name: String, _ type: TypeResolver.Answer, of nominal: Nominal
  ) -> Accessor.Body {
    let (names, toMany) = known(nominal)
    var (noun, key) = ("Managed", name)
    // A property of the model can have such a name too.
    let isOfModel = classes[nominal.name].map { $0.single.contains(name) } ?? false
    if !isOfModel, toMany[name] == nil, let rest = PropertyKeys.rest(of: name, behind: "primitive")
    {
      (noun, key) = ("Primitive", PropertyKeys.key(rest, known: names))
    }
    // Two names leave the compiler no choice between a value and an optional one.
    if case .optional = type.type { noun += "Optional" }
    let literal = SwiftNames.literal(key)
    let get = "_get\(noun)(\(literal))"
    return .property(type: type.text, get: get, set: "_set\(noun)(\(literal), newValue)")
  }

  private func methodBody(
    _ name: String, _ parameters: [ManagedMember.Parameter], _ types: [TypeResolver.Answer],
    of nominal: Nominal
  ) throws(TypeFailure) -> Accessor.Body {
    let (names, toMany) = known(nominal)
    let method = try ManagedMethod(name, parameters, types.map(\.type), known: names)
    if let ordered = toMany[method.key], !ordered, method.needsOrder {
      throw TypeFailure(
        problem: "The relationship “\(method.key)” is not ordered, and the method takes a place.",
        remedy: "Make the relationship ordered in the model, or remove the method.")
    }
    if classes[nominal.name]?.single.contains(method.key) == true {
      throw TypeFailure(
        problem: "“\(method.key)” is no relationship to many objects.", remedy: "Remove the method."
      )
    }
    let texts = zip(parameters, types).enumerated().map { place, pair in
      (pair.0.label.map(SwiftNames.quoted) ?? "_") + " value\(place): \(pair.1.text)"
    }
    return .method(parameters: "(\(texts.joined(separator: ", ")))", code: method.code)
  }

  /// The names of the properties that are known of a class.
  private func known(_ nominal: Nominal) -> (Set<String>, [String: Bool]) {
    var names = properties[nominal] ?? []
    guard let facts = classes[nominal.name] else { return (names, [:]) }
    names.formUnion(facts.single)
    names.formUnion(facts.toMany.keys)
    return (names, facts.toMany)
  }
}
