// SPDX-License-Identifier: MIT

/// A class, structure, enumeration or protocol, with all that its symbol holds.
struct Nominal: Hashable, Sendable {
  indirect enum Context: Hashable, Sendable {
    case module(String)
    case type(Nominal)
    /// An extension in a module of a type that lies in another module.
    case `extension`(Nominal, module: String)
  }

  let context: Context
  let name: String
  let kind: NominalKind
  /// The name of the file for a type that only its file can see.
  var privateFile: String?

  init(_ context: Context, _ name: String, _ kind: NominalKind, privateFile: String? = nil) {
    (self.context, self.name, self.kind) = (context, name, kind)
    self.privateFile = privateFile
  }

  /// A type of the standard library.
  static func swift(_ name: String, _ kind: NominalKind) -> Nominal {
    Nominal(.module("Swift"), name, kind)
  }

  /// The type that this one is nested in.
  var outer: Nominal? {
    switch context {
    case .module: nil
    case .type(let outer), .extension(let outer, _): outer
    }
  }

  /// The names from the outermost type to this one.
  var path: [String] { (outer?.path ?? []) + [name] }

  /// The module that the outermost type lies in.
  var module: String {
    switch context {
    case .module(let name): name
    case .type(let outer), .extension(let outer, _): outer.module
    }
  }
}

/// A type whose names are resolved.
indirect enum ResolvedType: Hashable {
  struct Element: Hashable {
    let label: String?
    let type: ResolvedType
  }

  struct Parameter: Hashable {
    let type: ResolvedType
    var isInout = false
    var isVariadic = false
    var isEscaping = false
  }

  struct Function: Hashable {
    enum Convention: Hashable { case swift, c, autoclosure }

    let parameters: [Parameter]
    let result: ResolvedType
    let convention: Convention
    let isSendable: Bool
    let isThrowing: Bool
    let thrown: ResolvedType?
    let globalActor: ResolvedType?
  }

  /// Any value, or a value of protocols and a superclass.
  struct Existential: Hashable {
    var protocols: [Nominal] = []
    var superclass: ResolvedType?
    var isAnyObject = false
  }

  /// A type with the generic arguments of each of its levels, outermost first; none for a type without any.
  case nominal(Nominal, [[ResolvedType]])
  case optional(ResolvedType)
  case tuple([Element])
  case function(Function)
  case existential(Existential)
  case metatype(ResolvedType)
  case existentialMetatype(ResolvedType)
}

extension ResolvedType {
  /// Whether the type is a tuple, the empty one included.
  var isTuple: Bool { if case .tuple = self { true } else { false } }
}

extension ResolvedType {
  /// The modules of all types in this one.
  var modules: Set<String> {
    var found: Set<String> = []
    var waiting = [self]
    while let next = waiting.popLast() {
      switch next {
      case .nominal(let nominal, let arguments):
        found.insert(nominal.module)
        waiting += arguments.joined()
      case .optional(let inner), .metatype(let inner), .existentialMetatype(let inner):
        waiting.append(inner)
      case .tuple(let elements): waiting += elements.map(\.type)
      case .function(let function):
        waiting += function.parameters.map(\.type) + [function.result]
        waiting += [function.thrown, function.globalActor].compactMap(\.self)
      case .existential(let existential):
        found.formUnion(existential.protocols.map(\.module))
        if let superclass = existential.superclass { waiting.append(superclass) }
      }
    }
    return found
  }
}
