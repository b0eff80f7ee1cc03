// SPDX-License-Identifier: MIT

/// One word, sign or literal of a predicate's format.
package struct PredicateToken: Equatable {
  package enum Form: Equatable {
    /// A name or a word of the language. A name with a sign before it, such as `#in`, is never a word.
    case word(String, isName: Bool)
    /// `@count` in a key path.
    case keyPathOperator(String)
    /// A number in the digits of the format.
    case number(String)
    /// A text in quotes, without the quotes and escapes.
    case string(String)
    /// `$NAME`, without the sign before it.
    case variable(String)
    /// A placeholder for an argument: `%@`, `%K`, `%ld`, without its percent sign and length.
    case placeholder(Character)
    /// A bracket, comma or operator.
    case sign(String)
    /// The end of the format.
    case end
  }

  package let form: Form
  package let position: Int

  /// The token in capitals, if it is a word of the language.
  package var word: String? {
    if case .word(let text, isName: false) = form { text.uppercased() } else { nil }
  }

  package func isSign(_ text: String) -> Bool { form == .sign(text) }

  /// The token begins a value that is no sign.
  package var isValue: Bool {
    switch form {
    case .sign, .end: false
    default: true
    }
  }

  /// The token begins a literal that `CAST` turns into a constant of another type: a number, a text, or the cast of
  /// one.
  package var isLiteral: Bool {
    switch form {
    case .number, .string, .sign("-"): true
    case .word: word == "CAST"
    default: false
    }
  }
}

/// Cuts a format into tokens.
package struct PredicateTokenizer {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  package init(_ format: String) { scalars = Array(format.unicodeScalars) }

  /// The most scalars of a format.
  private static let longest = 1_000_000

  package mutating func tokens() throws(FetchPredicateError) -> [PredicateToken] {
    guard scalars.count <= Self.longest else {
      // Without a position, because nobody reads an excerpt of so long a text.
      throw FetchPredicateError(
        .tooDeep,
        "The format has \(scalars.count) characters, and the longest one that is read has \(Self.longest). Pass lists of "
          + "values as arguments of %@.")
    }
    var tokens: [PredicateToken] = []
    while true {
      while let next = peek(), next.properties.isWhitespace { position += 1 }
      let start = position
      let form = try takeForm()
      tokens.append(PredicateToken(form: form, position: start))
      if form == .end { return tokens }
    }
  }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func takeForm() throws(FetchPredicateError) -> PredicateToken.Form {
    guard let scalar = peek() else { return .end }
    switch scalar {
    case "'", "\"": return .string(try takeString())
    case "0"..."9": return .number(try takeNumber())
    case "." where peek(1).map(Self.isDigit) == true: return .number(try takeNumber())
    case "%": return try takePlaceholder()
    case "$":
      position += 1
      return .variable(try takeName("A variable's name"))
    case "@":
      position += 1
      return .keyPathOperator(try takeName("The name of a key path operator"))
    case "#":
      position += 1
      return .word(try takeName("A property's name"), isName: true)
    case _ where Self.startsName(scalar): return .word(try takeName("A name"), isName: false)
    default: return .sign(try takeSign())
    }
  }

  // MARK: - Names and signs

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }

  private mutating func takeName(_ description: String) throws(FetchPredicateError) -> String {
    guard let first = peek(), Self.startsName(first) else {
      throw failure("\(description) is missing here.")
    }
    let start = position
    while let scalar = peek(), scalar == "_" || scalar.properties.isXIDContinue { position += 1 }
    return text(start..<position)
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private static let signs = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", "<<", ">>", ":=", "=", "<", ">",
    "!", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", ":", "&", "|", "^", "~",
  ]

  private mutating func takeSign() throws(FetchPredicateError) -> String {
    for sign in Self.signs where scalars[position...].starts(with: sign.unicodeScalars) {
      position += sign.unicodeScalars.count
      return sign
    }
    throw failure(Self.describeUnknown(scalars[position]))
  }

  private func failure(
    _ detail: String, _ code: FetchPredicateError.Code = .syntax
  ) -> FetchPredicateError {
    FetchPredicateError(code, detail, position: position)
  }

  // MARK: - Literals

  private mutating func takeString() throws(FetchPredicateError) -> String {
    let (start, quote) = (position, scalars[position])
    var text = String.UnicodeScalarView()
    position += 1
    while let scalar = peek() {
      position += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try takeEscaped() : scalar)
    }
    throw FetchPredicateError(
      .syntax,
      "The text that begins here has no end; close it with \(quote). A value that may contain quotes is an "
        + "argument: \"name == %@\".",
      position: start)
  }

  private mutating func takeEscaped() throws(FetchPredicateError) -> Unicode.Scalar {
    guard let scalar = peek() else { throw failure("Nothing follows the backslash.") }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let digits = scalars[position...].prefix(4)
      guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
        let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
        let result = Unicode.Scalar(code)
      else { throw failure("\\u needs the four hexadecimal digits of a Unicode scalar.") }
      position += 4
      return result
    default: return scalar
    }
  }

  private mutating func takeNumber() throws(FetchPredicateError) -> String {
    let start = position
    if peek() == "0", let base = peek(1), "xXoObB".unicodeScalars.contains(base) {
      position += 2
      while let scalar = peek(), scalar.properties.isXIDContinue { position += 1 }
      return text(start..<position)
    }
    skipDigits()
    if peek() == ".", peek(1).map(Self.isDigit) == true {
      position += 1
      skipDigits()
    }
    if let mark = peek(), mark == "e" || mark == "E" {
      let signed = peek(1) == "+" || peek(1) == "-"
      if peek(signed ? 2 : 1).map(Self.isDigit) == true {
        position += signed ? 2 : 1
        skipDigits()
      }
    }
    if let scalar = peek(), Self.startsName(scalar) {
      throw failure("A name follows a number without a space.")
    }
    return text(start..<position)
  }

  private mutating func skipDigits() {
    while let scalar = peek(), Self.isDigit(scalar) { position += 1 }
  }

  /// Takes a placeholder in the spelling of `printf`, or `%%`, which stands for the percent sign and so for the
  /// operator. The length of the argument has no meaning here.
  private mutating func takePlaceholder() throws(FetchPredicateError) -> PredicateToken.Form {
    let start = position
    position += 1
    if peek() == "%" {
      position += 1
      return .sign("%%")
    }
    while let scalar = peek(), "hlqzjt".unicodeScalars.contains(scalar) { position += 1 }
    guard let conversion = peek(), "@KdiuDUxXoOcCfFeEgGaAsS".unicodeScalars.contains(conversion)
    else {
      position = start
      throw failure(
        "A percent sign must begin a placeholder such as %@ or %K; the rest of a division is %%.")
    }
    position += 1
    return .placeholder(Character(conversion))
  }
}
