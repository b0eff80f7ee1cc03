// SPDX-License-Identifier: MIT

/// Finds out which types the names in a written type mean at a place of the target.
struct TypeResolver {
  /// A type, and the text that means it in every file of the target.
  struct Answer {
    let type: ResolvedType
    let text: String
  }

  static let deepest = 48

  let table: TypeTable
  /// The scope around the written type.
  let scope: Int
  /// The type whose extension in another file the written type stands in; nil for the scope itself.
  var extended: Nominal?
  /// What is left of the parts that one declaration can have: aliases can double them at each step.
  var budget = Budget()

  final class Budget {
    var parts = 2000
  }

  /// Resolves a written type.
  func resolve(_ syntax: TypeSyntax, depth: Int = 0) throws(TypeFailure) -> Answer {
    budget.parts -= 1
    guard depth < Self.deepest, budget.parts > 0 else {
      throw TypeFailure(
        problem:
          "The type is nested too deeply, has too many parts, or its aliases name each other.",
        remedy: "Write a simpler type.")
    }
    switch syntax {
    case .path(let steps): return try resolvePath(steps, depth)
    case .optional(let type):
      let inner = try resolve(type, depth: depth + 1)
      return Answer(type: .optional(inner.type), text: Self.enclosed(inner) + "?")
    case .array(let type):
      let inner = try resolve(type, depth: depth + 1)
      return Answer(
        type: .nominal(.swift("Array", .struct), [[inner.type]]), text: "[\(inner.text)]")
    case .dictionary(let key, let value):
      let (key, value) = (
        try resolve(key, depth: depth + 1), try resolve(value, depth: depth + 1)
      )
      try checkKey(key.type)
      return Answer(
        type: .nominal(.swift("Dictionary", .struct), [[key.type, value.type]]),
        text: "[\(key.text): \(value.text)]")
    case .tuple(let elements): return try resolveTuple(elements, depth)
    case .function(let function): return try resolveFunction(function, depth)
    case .composition(let parts): return try resolveComposition(parts, depth)
    case .metatype(let type):
      let inner = try resolve(type, depth: depth + 1)
      guard case .existential = inner.type else {
        return Answer(type: .metatype(inner.type), text: "\(Self.enclosed(inner)).Type")
      }
      return Answer(type: .existentialMetatype(inner.type), text: "any \(Self.bare(inner)).Type")
    case .protocolMetatype(let type):
      let inner = try resolve(type, depth: depth + 1)
      return Answer(type: .metatype(inner.type), text: "(\(inner.text)).Type")
    }
  }

  /// The text of a type that a sign can follow.
  static func enclosed(_ answer: Answer) -> String {
    switch answer.type {
    case .function, .existential, .existentialMetatype:
      ["Any", "AnyObject"].contains(answer.text) ? answer.text : "(\(answer.text))"
    default: answer.text
    }
  }

  /// The text of an existential without the word `any`.
  static func bare(_ answer: Answer) -> String {
    let text = answer.text.hasPrefix("any ") ? String(answer.text.dropFirst(4)) : answer.text
    return text.contains(" ") ? "(\(text))" : text
  }

  private func resolveTuple(
    _ elements: [TypeSyntax.Element], _ depth: Int
  ) throws(TypeFailure) -> Answer {
    var resolved: [ResolvedType.Element] = []
    var texts: [String] = []
    for element in elements {
      let inner = try resolve(element.type, depth: depth + 1)
      resolved.append(ResolvedType.Element(label: element.label, type: inner.type))
      texts.append((element.label.map { "\(SwiftNames.quoted($0)): " } ?? "") + inner.text)
    }
    return Answer(type: .tuple(resolved), text: "(\(texts.joined(separator: ", ")))")
  }

  // MARK: - Functions

  private func resolveFunction(
    _ function: TypeSyntax.Function, _ depth: Int
  ) throws(TypeFailure) -> Answer {
    var parameters: [ResolvedType.Parameter] = []
    var texts: [String] = []
    for parameter in function.parameters {
      let inner = try resolve(parameter.type, depth: depth + 1)
      let isFunction = if case .function = inner.type { true } else { false }
      // A closure that can be replaced is kept.
      let isEscaping = parameter.isEscaping || parameter.isInout
      parameters.append(
        ResolvedType.Parameter(
          type: inner.type, isInout: parameter.isInout, isVariadic: parameter.isVariadic,
          isEscaping: isFunction && isEscaping))
      texts.append(
        (parameter.isInout ? "inout " : isFunction && isEscaping ? "@escaping " : "") + inner.text
          + (parameter.isVariadic ? "..." : ""))
    }
    let result = try resolve(function.result, depth: depth + 1)
    var thrown: Answer?
    if let type = function.thrown { thrown = try resolve(type, depth: depth + 1) }
    let (attributes, actor, convention) = try resolveAttributes(function, depth)
    let isThrowing = function.isThrowing && thrown?.text != "Never"
    let type = ResolvedType.Function(
      parameters: parameters, result: result.type, convention: convention,
      isSendable: function.attributes.contains("Sendable"), isThrowing: isThrowing,
      thrown: thrown?.text == "any Error" ? nil : thrown?.type, globalActor: actor)
    let throwing = isThrowing ? thrown.map { " throws(\($0.text))" } ?? " throws" : ""
    let text = "\(attributes)(\(texts.joined(separator: ", ")))\(throwing) -> \(result.text)"
    return Answer(type: .function(type), text: text)
  }

  private func resolveAttributes(
    _ function: TypeSyntax.Function, _ depth: Int
  ) throws(TypeFailure) -> (String, ResolvedType?, ResolvedType.Function.Convention) {
    var actor: ResolvedType?
    var text = ""
    var convention = ResolvedType.Function.Convention.swift
    for name in function.attributes {
      if name == "autoclosure" {
        convention = .autoclosure
      } else if name == "escaping" {
        continue
      } else if name != "Sendable" {
        guard function.attributes.contains("Sendable") else {
          throw TypeFailure(
            problem: "Only some language modes take a function marked @\(name) as @Sendable.",
            remedy: "Write “@\(name) @Sendable”.")
        }
        let found = try resolve(.path([TypeSyntax.Step(name: name)]), depth: depth + 1)
        actor = found.type
        text += "@\(found.text) "
        continue
      }
      text += "@\(name) "
    }
    if let written = function.convention, written != "swift" {
      guard written == "c" else {
        throw TypeFailure(
          problem: "The convention “\(written)” of the function is not supported.",
          remedy: "Use a Swift function.")
      }
      convention = .c
      text += "@convention(c) "
    }
    return (text, actor, convention)
  }

  // MARK: - Compositions

  private func resolveComposition(
    _ parts: [TypeSyntax], _ depth: Int
  ) throws(TypeFailure) -> Answer {
    var whole = ResolvedType.Existential()
    var texts: [String] = []
    for part in parts {
      let inner = try resolve(part, depth: depth + 1)
      texts.append(Self.bare(inner))
      switch inner.type {
      case .existential(let part):
        whole.protocols += part.protocols
        whole.superclass = whole.superclass ?? part.superclass
        whole.isAnyObject = whole.isAnyObject || part.isAnyObject
      case .nominal(let nominal, _) where nominal.kind == .class: whole.superclass = inner.type
      default:
        throw TypeFailure(
          problem: "“\(inner.text)” is neither a protocol nor a class.",
          remedy: "Compose protocols and one class only.")
      }
    }
    whole.protocols = sorted(whole.protocols)
    return Answer(type: .existential(whole), text: "any \(texts.joined(separator: " & "))")
  }

  /// The protocols that no other one implies, in the order of symbols.
  private func sorted(_ protocols: [Nominal]) -> [Nominal] {
    let all = Set(protocols)
    let implied = all.reduce(into: Set<Nominal>()) { $0.formUnion(bases(of: $1)) }
    return all.subtracting(implied).sorted {
      ($0.module, $0.name, $0.path.count) < ($1.module, $1.name, $1.path.count)
    }
  }

  /// The protocols that a protocol refines.
  private func bases(of one: Nominal) -> Set<Nominal> {
    var found: Set<Nominal> = KnownTypes.implied(by: one)
    var waiting = [one]
    while let next = waiting.popLast() {
      for scope in table.declared(next) {
        guard let parent = scope.parent, found.count < 64 else { continue }
        for syntax in scope.inherited {
          // `try?`: a name that is not found refines nothing here.
          guard let base = try? TypeResolver(table: table, scope: parent).resolve(syntax),
            case .existential(let existential) = base.type
          else { continue }
          for base in existential.protocols where found.insert(base).inserted {
            found.formUnion(KnownTypes.implied(by: base))
            waiting.append(base)
          }
        }
      }
    }
    return found
  }
}
