// SPDX-License-Identifier: MIT

extension PatternParser {
  /// Parses the token after a backslash, outside sets.
  mutating func parseEscape() throws(FetchPredicateError) -> Item? {
    guard let letter = current.scalar.flatMap(Unicode.Scalar.init) else {
      throw failure("nothing follows the backslash.")
    }
    if let definition = try parseCharacterClass() { return (.set(ScalarSet(definition)), true) }
    switch letter {
    case "A", "G": return try takeAssertion(.textStart)
    case "Z": return try takeAssertion(lastLineEnd)
    case "z": return try takeAssertion(.textEnd)
    case "b", "B":
      guard !flags.contains(.unicodeWords) else {
        throw failure("\\\(letter) is not supported together with the flag w.")
      }
      return try takeAssertion(letter == "b" ? .wordBoundary : .noWordBoundary)
    case "Q":
      isInQuotes = true
      try advance()
      return nil
    case "R": return try take(.lineBreak)
    case "X": return try take(.cluster)
    case "N":
      return try take(.scalar(parseNamedScalar(), ignoresCase: flags.contains(.ignoresCase)))
    case "k":
      guard peekScalar() == "<" else { throw failure("\\k needs the name of a group in <>.") }
      position += 1
      guard let number = groupNames[try takeGroupName()] else {
        throw failure("no earlier group has the name.")
      }
      references.append(number)
      return try take(.reference(number, ignoresCase: flags.contains(.ignoresCase)))
    case "1"..."9": return try parseReference(letter)
    default: return try take(.scalar(letter.value, ignoresCase: flags.contains(.ignoresCase)))
    }
  }

  private mutating func takeAssertion(
    _ assertion: PatternNode.Assertion
  ) throws(FetchPredicateError) -> Item {
    try advance()
    return (.assertion(assertion), false)
  }

  private mutating func take(_ node: PatternNode) throws(FetchPredicateError) -> Item {
    try advance()
    return (node, true)
  }

  /// Parses the number of a group. It takes a further digit only while it is below the count of groups.
  private mutating func parseReference(_ first: Unicode.Scalar) throws(FetchPredicateError) -> Item
  {
    var number = Int(first.value - 48)
    while number < groupCount, let digit = peekScalar(), ("0"..."9").contains(digit) {
      number = number * 10 + Int(digit.value - 48)
      position += 1
    }
    references.append(number)
    return try take(.reference(number, ignoresCase: flags.contains(.ignoresCase)))
  }

  /// Parses the name after `\N`, as in `\N{LATIN SMALL LETTER A}`.
  mutating func parseNamedScalar() throws(FetchPredicateError) -> UInt32 {
    let name = try takeBraced().uppercased()
    for number in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let properties = scalar.properties
      if properties.name == name || properties.nameAlias == name { return number }
    }
    throw failure("no character has the name.")
  }

  /// Takes the text in the braces after the current token.
  private mutating func takeBraced() throws(FetchPredicateError) -> String {
    guard peekScalar() == "{" else { throw failure("a name in braces is missing.") }
    position += 1
    var name = String.UnicodeScalarView()
    while let scalar = peekScalar(), scalar != "}" {
      name.append(scalar)
      position += 1
    }
    guard peekScalar() == "}" else { throw failure("the brace is not closed.") }
    position += 1
    return String(name)
  }

  /// Parses a letter after a backslash that stands for a set; nil if the letter stands for no set.
  mutating func parseCharacterClass() throws(FetchPredicateError) -> ScalarSet.Definition? {
    guard let letter = current.scalar.flatMap(Unicode.Scalar.init) else { return nil }
    let definition: ScalarSet.Definition
    switch letter {
    case "d", "D": definition = ScalarClass.digits
    case "w", "W": definition = ScalarClass.words
    case "s", "S": definition = ScalarClass.spaces
    case "h", "H": definition = ScalarClass.blanks
    case "v", "V": definition = ScalarClass.lineEnds
    case "p", "P": definition = try findProperty(takeBraced())
    default: return nil
    }
    try advance()
    return "DWSHVP".unicodeScalars.contains(letter) ? .complement(definition) : definition
  }

  func findProperty(_ name: String) throws(FetchPredicateError) -> ScalarSet.Definition {
    guard let definition = ScalarProperty.definition(name) else {
      throw failure("no supported property of characters has the name.")
    }
    return definition.ignoringCase(flags.contains(.ignoresCase))
  }
}
