// SPDX-License-Identifier: MIT

extension PatternParser {
  /// What a backslash before the current token means outside sets.
  mutating func escape() throws(FetchPredicateError) -> Item? {
    guard let letter = current.scalar.flatMap(Unicode.Scalar.init) else {
      throw failure("Nothing follows the backslash.")
    }
    if let definition = try characterClass() { return (.set(ScalarSet(definition)), true) }
    switch letter {
    case "A", "G": return try assertion(.textStart)
    case "Z": return try assertion(lastLineEnd)
    case "z": return try assertion(.textEnd)
    case "b", "B":
      guard !flags.contains(.unicodeWords) else {
        throw failure("\\\(letter) is not supported where the flag w holds.")
      }
      return try assertion(letter == "b" ? .wordBoundary : .noWordBoundary)
    case "Q":
      isInQuotes = true
      try advance()
      return nil
    case "R": return try one(.lineBreak)
    case "X": return try one(.cluster)
    case "N": return try one(.scalar(namedScalar(), ignoresCase: flags.contains(.ignoresCase)))
    case "k":
      guard peekScalar() == "<" else { throw failure("\\k needs the name of a group in <>.") }
      place += 1
      guard let number = groupNames[try groupName()] else {
        throw failure("No group before this has the name.")
      }
      references.append(number)
      return try one(.reference(number, ignoresCase: flags.contains(.ignoresCase)))
    case "1"..."9": return try reference(letter)
    default: return try one(.scalar(letter.value, ignoresCase: flags.contains(.ignoresCase)))
    }
  }

  private mutating func assertion(
    _ assertion: PatternNode.Assertion
  ) throws(FetchPredicateError) -> Item {
    try advance()
    return (.assertion(assertion), false)
  }

  private mutating func one(_ node: PatternNode) throws(FetchPredicateError) -> Item {
    try advance()
    return (node, true)
  }

  /// A number takes as many digits as there are groups for.
  private mutating func reference(_ first: Unicode.Scalar) throws(FetchPredicateError) -> Item {
    var number = Int(first.value - 48)
    while number < groupCount, let digit = peekScalar(), ("0"..."9").contains(digit) {
      number = number * 10 + Int(digit.value - 48)
      place += 1
    }
    references.append(number)
    return try one(.reference(number, ignoresCase: flags.contains(.ignoresCase)))
  }

  /// `\N{LATIN SMALL LETTER A}`
  mutating func namedScalar() throws(FetchPredicateError) -> UInt32 {
    let name = try braced().uppercased()
    for number in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let properties = scalar.properties
      if properties.name == name || properties.nameAlias == name { return number }
    }
    throw failure("No character has the name.")
  }

  /// The text in the braces after the current token, which is left at them.
  private mutating func braced() throws(FetchPredicateError) -> String {
    guard peekScalar() == "{" else { throw failure("A name in braces is missing.") }
    place += 1
    var name = String.UnicodeScalarView()
    while let scalar = peekScalar(), scalar != "}" {
      name.append(scalar)
      place += 1
    }
    guard peekScalar() == "}" else { throw failure("The brace is not closed.") }
    place += 1
    return String(name)
  }

  /// The set that the letter after a backslash stands for, in sets and outside; nil if for none.
  mutating func characterClass() throws(FetchPredicateError) -> ScalarSet.Definition? {
    guard let letter = current.scalar.flatMap(Unicode.Scalar.init) else { return nil }
    let definition: ScalarSet.Definition
    switch letter {
    case "d", "D": definition = ScalarClass.digits
    case "w", "W": definition = ScalarClass.words
    case "s", "S": definition = ScalarClass.spaces
    case "h", "H": definition = ScalarClass.blanks
    case "v", "V": definition = ScalarClass.lineEnds
    case "p", "P": definition = try property(braced())
    default: return nil
    }
    try advance()
    return "DWSHVP".unicodeScalars.contains(letter) ? .complement(definition) : definition
  }

  func property(_ name: String) throws(FetchPredicateError) -> ScalarSet.Definition {
    guard let definition = ScalarProperty.definition(name) else {
      throw failure("No property of characters that is supported has the name.")
    }
    return definition.ignoringCase(flags.contains(.ignoresCase))
  }
}
