// SPDX-License-Identifier: MIT

extension Mangler {
  mutating func appendType(_ type: ResolvedType) {
    switch type {
    case .nominal(let nominal, let arguments): appendNominal(nominal, arguments, of: type)
    case .optional(let inner):
      appendOnce(type) {
        $0.appendType(inner)
        $0.append("Sg")
      }
    case .tuple(let elements): appendTuple(elements)
    case .function(let function): appendFunction(function)
    case .existential(let existential): appendExistential(existential)
    case .metatype(let inner):
      appendType(inner)
      append("m")
    case .existentialMetatype(let inner):
      appendType(inner)
      append("Xp")
    }
  }

  private mutating func appendNominal(
    _ nominal: Nominal, _ arguments: [[ResolvedType]], of type: ResolvedType
  ) {
    guard !arguments.isEmpty else { return appendNominal(nominal) }
    appendOnce(type) { mangler in
      mangler.appendNominal(nominal)
      for (level, types) in arguments.enumerated() {
        mangler.append(level == 0 ? "y" : "_")
        for type in types { mangler.appendType(type) }
      }
      mangler.append("G")
    }
  }

  private mutating func appendTuple(_ elements: [ResolvedType.Element]) {
    if elements.isEmpty { append("y") }
    for (place, element) in elements.enumerated() {
      appendType(element.type)
      if let label = element.label { appendIdentifier(label) }
      if place == 0 { append("_") }
    }
    append("t")
  }

  private mutating func appendExistential(_ existential: ResolvedType.Existential) {
    if existential.protocols.isEmpty { append("y") }
    for (place, one) in existential.protocols.enumerated() {
      appendProtocol(one)
      if place == 0 { append("_") }
    }
    if let superclass = existential.superclass {
      appendType(superclass)
      append("Xc")
    } else {
      append(existential.isAnyObject ? "Xl" : "p")
    }
  }

  // MARK: - Functions

  private mutating func appendFunction(_ function: ResolvedType.Function) {
    appendSignature(function.result, function.parameters)
    if function.isSendable { append("Yb") }
    if let thrown = function.thrown {
      appendType(thrown)
      append("YK")
    } else if function.isThrowing {
      append("K")
    }
    if let actor = function.globalActor {
      appendType(actor)
      append("Yc")
    }
    switch function.convention {
    case .swift: append("c")
    case .c: append("XC")
    case .autoclosure: append("XK")
    }
  }

  /// Appends the result and the parameters of a function.
  mutating func appendSignature(
    _ result: ResolvedType, _ parameters: [ResolvedType.Parameter], isLabeled: Bool = false
  ) {
    if result == .tuple([]) { append("y") } else { appendType(result) }
    if parameters.isEmpty { return append("y") }
    // A single parameter stands alone, unless it has a label or could be taken for several.
    if parameters.count == 1, !isLabeled, !parameters[0].isVariadic, !parameters[0].type.isTuple {
      return appendParameter(parameters[0])
    }
    for (place, parameter) in parameters.enumerated() {
      appendParameter(parameter)
      if place == 0 { append("_") }
    }
    append("t")
  }

  private mutating func appendParameter(_ parameter: ResolvedType.Parameter) {
    // A closure that a function takes and does not keep.
    if case .function(let function) = parameter.type, !parameter.isEscaping {
      appendNonescaping(function)
    } else {
      appendType(parameter.type)
    }
    if parameter.isInout { append("z") }
    if parameter.isVariadic { append("d") }
  }

  private mutating func appendNonescaping(_ function: ResolvedType.Function) {
    appendFunction(function)
    if function.convention == .swift {
      symbol.removeLast()
      append("XE")
    }
  }

  // MARK: - Entities

  /// The symbols of the getter and of the setter of a property.
  static func accessors(
    of name: String, in context: Nominal.Context, type: ResolvedType, module: String,
    privateFile: String?
  ) -> (getter: String, setter: String) {
    var mangler = Mangler(module: module)
    mangler.appendContext(context)
    mangler.appendName(name, privateFile: privateFile)
    // A function counts as an entity with labels, and a variable has none.
    if case .function(let function) = type, !function.parameters.isEmpty { mangler.append("y") }
    mangler.appendType(type)
    let symbol = String(decoding: mangler.symbol, as: UTF8.self)
    return (symbol + "vg", symbol + "vs")
  }

  /// The symbol of a method that returns nothing.
  static func method(
    _ name: String, labels: [String?], types: [ResolvedType], in context: Nominal.Context,
    module: String, privateFile: String?
  ) -> String {
    var mangler = Mangler(module: module)
    mangler.appendContext(context)
    mangler.appendName(name, privateFile: privateFile)
    if labels.allSatisfy({ $0 == nil }) {
      if !labels.isEmpty { mangler.append("y") }
    } else {
      for label in labels {
        if let label { mangler.appendIdentifier(label) } else { mangler.append("_") }
      }
    }
    mangler.appendSignature(
      .tuple([]),
      types.map { ResolvedType.Parameter(type: $0) }, isLabeled: labels.contains { $0 != nil })
    mangler.append("F")
    return String(decoding: mangler.symbol, as: UTF8.self)
  }
}
