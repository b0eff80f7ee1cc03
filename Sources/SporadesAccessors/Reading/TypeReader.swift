// SPDX-License-Identifier: MIT

/// Reads a type from the tokens of a file.
struct TypeReader {
  private static let deepest = 32

  let tokens: [SwiftToken]
  var place: Int

  private func token(_ offset: Int = 0) -> SwiftToken? {
    place + offset < tokens.count ? tokens[place + offset] : nil
  }

  private func isSign(_ sign: Unicode.Scalar, at offset: Int = 0) -> Bool {
    token(offset)?.isSign(sign) ?? false
  }

  /// Whether no space stands before the token.
  private var isAdjacent: Bool {
    guard place > 0, let token = token() else { return false }
    return tokens[place - 1].end == token.start
  }

  private mutating func take(_ sign: Unicode.Scalar) throws(TypeFailure) {
    guard isSign(sign) else {
      throw failure("The type cannot be read at the place where “\(sign)” is expected.")
    }
    place += 1
  }

  private mutating func takes(_ sign: Unicode.Scalar) -> Bool {
    guard isSign(sign) else { return false }
    place += 1
    return true
  }

  private mutating func takes(word: String) -> Bool {
    guard token()?.keyword == word else { return false }
    place += 1
    return true
  }

  private func failure(_ problem: String) -> TypeFailure {
    TypeFailure(
      problem: problem, remedy: "Write the type in another form, or keep it in a type of its own.")
  }

  /// Reads the type at the place, and leaves the place behind it.
  mutating func read(depth: Int = 0) throws(TypeFailure) -> TypeSyntax {
    guard depth < Self.deepest else { throw failure("The type is nested too deeply.") }
    var function = TypeSyntax.Function(parameters: [], result: .tuple([]))
    let hasAttributes = try readAttributes(&function)
    if isFunction { return .function(try readFunction(function, depth)) }
    guard !hasAttributes else {
      throw failure("Attributes stand before a type that is no function.")
    }
    return try readComposition(depth)
  }

  /// Whether the parentheses at the place hold the parameters of a function.
  private var isFunction: Bool {
    guard isSign("(") else { return false }
    var (open, offset) = (0, 0)
    while let token = token(offset) {
      if token.isOpening { open += 1 }
      if token.isClosing { open -= 1 }
      offset += 1
      if open == 0 { break }
    }
    if isSign("-", at: offset), isSign(">", at: offset + 1) { return true }
    return ["throws", "rethrows", "async"].contains(token(offset)?.keyword ?? "")
  }

  /// Reads the attributes before a type; answers whether there are any.
  private mutating func readAttributes(
    _ function: inout TypeSyntax.Function
  ) throws(TypeFailure) -> Bool {
    var hasAttributes = false
    while takes("@") {
      hasAttributes = true
      guard let name = token()?.name else { throw failure("An attribute of the type has no name.") }
      place += 1
      if name == "convention", takes("(") {
        function.convention = token()?.name
        while token() != nil, !isSign(")") { place += 1 }
        try take(")")
      } else {
        if isSign("("), isAdjacent { throw failure("The attribute @\(name)(…) is not supported.") }
        function.attributes.append(name)
      }
    }
    return hasAttributes
  }

  // MARK: - Compositions and what follows a type

  private mutating func readComposition(_ depth: Int) throws(TypeFailure) -> TypeSyntax {
    var parts = [try readPostfix(depth)]
    while isSign("&"), !isSign("&", at: 1) {
      place += 1
      parts.append(try readPostfix(depth))
    }
    return parts.count == 1 ? parts[0] : .composition(parts)
  }

  private mutating func readPostfix(_ depth: Int) throws(TypeFailure) -> TypeSyntax {
    // `(any P).Type` has one value, and `any P.Type` has one for each type.
    let isProtocolItself = isSign("(") && token(1)?.keyword == "any"
    // The word `any` changes no name, and `some` cannot stand here.
    while token()?.keyword == "any", token(1)?.name != nil || isSign("(", at: 1) { place += 1 }
    var type = try readPrimary(depth)
    var count = 0
    while count < Self.deepest {
      count += 1
      if isAdjacent, isSign("?") || isSign("!") {
        place += 1
        type = .optional(type)
      } else if isSign("."), token(1)?.keyword == "Type" {
        place += 2
        type = isProtocolItself && count == 1 ? .protocolMetatype(type) : .metatype(type)
      } else if isSign("."), token(1)?.keyword == "Protocol" {
        place += 2
        type = .protocolMetatype(type)
      } else {
        return type
      }
    }
    throw failure("The type is nested too deeply.")
  }

  private mutating func readPrimary(_ depth: Int) throws(TypeFailure) -> TypeSyntax {
    if isSign("(") { return try readTuple(depth) }
    if takes("[") {
      let element = try read(depth: depth + 1)
      if takes(":") {
        let value = try read(depth: depth + 1)
        try take("]")
        return .dictionary(element, value)
      }
      try take("]")
      return .array(element)
    }
    return try readPath(depth)
  }

  private mutating func readPath(_ depth: Int) throws(TypeFailure) -> TypeSyntax {
    var steps: [TypeSyntax.Step] = []
    repeat {
      guard let name = token()?.name else { throw failure("The type cannot be read.") }
      if let word = token()?.keyword, ["some", "each", "repeat", "inout", "_"].contains(word) {
        throw failure("The word “\(word)” is not supported in the type.")
      }
      place += 1
      var step = TypeSyntax.Step(name: name)
      if isSign("<"), isAdjacent {
        place += 1
        repeat { step.arguments.append(try read(depth: depth + 1)) } while takes(",")
        try take(">")
      }
      steps.append(step)
    } while takesDot()
    return .path(steps)
  }

  private mutating func takesDot() -> Bool {
    guard isSign("."), let next = token(1)?.name else { return false }
    if ["Type", "Protocol"].contains(next), token(1)?.keyword != nil { return false }
    place += 1
    return true
  }

  // MARK: - Tuples and functions

  private mutating func readTuple(_ depth: Int) throws(TypeFailure) -> TypeSyntax {
    try take("(")
    var elements: [TypeSyntax.Element] = []
    while !isSign(")") {
      let label = readLabel()
      elements.append(TypeSyntax.Element(label: label, type: try readParameter(depth).type))
      if !takes(",") { break }
    }
    try take(")")
    // Parentheses around one type change nothing.
    return elements.count == 1 ? elements[0].type : .tuple(elements)
  }

  private mutating func readLabel() -> String? {
    guard let first = token()?.name else { return nil }
    if isSign(":", at: 1) {
      place += 2
      return first == "_" ? nil : first
    }
    // `_ name: Type` in a function's type
    if token(1)?.name != nil, isSign(":", at: 2) { place += 3 }
    return nil
  }

  private mutating func readParameter(_ depth: Int) throws(TypeFailure) -> TypeSyntax.Parameter {
    var isEscaping = false
    // Before the name of an alias the attribute stands alone.
    if isSign("@"), token(1)?.name == "escaping", !isSign("(", at: 2), !isSign("@", at: 2) {
      isEscaping = true
      place += 2
    }
    let isInout = takes(word: "inout")
    if let word = token()?.keyword,
      ["sending", "borrowing", "consuming", "isolated", "__owned", "__shared"].contains(word),
      token(1)?.name != nil
    {
      throw failure("The word “\(word)” is not supported in the type.")
    }
    let type = try read(depth: depth + 1)
    if case .function(let function) = type, function.attributes.contains("escaping") {
      isEscaping = true
    }
    var parameter = TypeSyntax.Parameter(type: type, isInout: isInout, isEscaping: isEscaping)
    if isSign("."), isSign(".", at: 1), isSign(".", at: 2) {
      place += 3
      parameter.isVariadic = true
    }
    return parameter
  }

  private mutating func readFunction(
    _ start: TypeSyntax.Function, _ depth: Int
  ) throws(TypeFailure) -> TypeSyntax.Function {
    var function = start
    try take("(")
    while !isSign(")") {
      _ = readLabel()
      function.parameters.append(try readParameter(depth))
      if !takes(",") { break }
    }
    try take(")")
    if takes(word: "async") {
      throw failure("The type is an async function, whose symbol depends on compiler settings.")
    }
    if takes(word: "throws") {
      function.isThrowing = true
      if takes("(") {
        function.thrown = try read(depth: depth + 1)
        try take(")")
      }
    }
    try take("-")
    try take(">")
    function.result = try read(depth: depth + 1)
    return function
  }
}
