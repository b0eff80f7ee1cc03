// SPDX-License-Identifier: MIT

/// One word, sign or literal of a predicate's format.
struct PredicateToken: Equatable {
  enum Form: Equatable {
    /// A name or a word of the language; a name written `#in` never is a word.
    case word(String, isName: Bool)
    /// `@count` in a key path.
    case keyPathOperator(String)
    /// Digits as they were written, underscores left out.
    case number(String)
    case string(String)
    case variable(String)
    /// A placeholder for an argument: `%@`, `%K`, `%ld`; without its percent sign and length.
    case placeholder(Character)
    case sign(String)
    case end
  }

  let form: Form
  let position: Int

  /// The token in upper case, if it is a word of the language.
  var word: String? {
    if case .word(let text, isName: false) = form { text.uppercased() } else { nil }
  }

  func isSign(_ text: String) -> Bool { form == .sign(text) }
}

/// Cuts a format into tokens.
struct PredicateTokenizer {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  init(_ format: String) { scalars = Array(format.unicodeScalars) }

  mutating func tokens() throws(FetchPredicateError) -> [PredicateToken] {
    var tokens: [PredicateToken] = []
    while true {
      while let next = peek(), next.properties.isWhitespace { place += 1 }
      let start = place
      let form = try next()
      tokens.append(PredicateToken(form: form, position: start))
      if form == .end { return tokens }
    }
  }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    place + offset < scalars.count ? scalars[place + offset] : nil
  }

  private mutating func next() throws(FetchPredicateError) -> PredicateToken.Form {
    guard let scalar = peek() else { return .end }
    switch scalar {
    case "'", "\"": return .string(try string())
    case "0"..."9": return .number(try number())
    case "." where peek(1).map(Self.isDigit) == true: return .number(try number())
    case "%": return try placeholder()
    case "$":
      place += 1
      return .variable(try name("a variable's name"))
    case "@":
      place += 1
      return .keyPathOperator(try name("the name of a key path operator"))
    case "#":
      place += 1
      return .word(try name("a property's name"), isName: true)
    case _ where Self.startsName(scalar): return .word(try name("a name"), isName: false)
    default: return .sign(try sign())
    }
  }

  // MARK: - Names and signs

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }

  private mutating func name(_ what: String) throws(FetchPredicateError) -> String {
    guard let first = peek(), Self.startsName(first) else {
      throw failure("Here \(what) is missing.")
    }
    let start = place
    while let scalar = peek(), scalar == "_" || scalar.properties.isXIDContinue { place += 1 }
    return text(start..<place)
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private static let signs = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", "<<", ">>", ":=", "=", "<", ">",
    "!",
    "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", ":", "&", "|", "^", "~",
  ]

  private mutating func sign() throws(FetchPredicateError) -> String {
    for sign in Self.signs where scalars[place...].starts(with: sign.unicodeScalars) {
      place += sign.unicodeScalars.count
      return sign
    }
    throw failure("\(scalars[place]) means nothing here.")
  }

  private func failure(
    _ detail: String, _ code: FetchPredicateError.Code = .syntax
  ) -> FetchPredicateError {
    FetchPredicateError(code, detail, position: place)
  }

  // MARK: - Literals

  private mutating func string() throws(FetchPredicateError) -> String {
    let (start, quote) = (place, scalars[place])
    var text = String.UnicodeScalarView()
    place += 1
    while let scalar = peek() {
      place += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escaped() : scalar)
    }
    throw FetchPredicateError(
      .syntax, "The text begun here has no end; close it with \(quote).", position: start)
  }

  private mutating func escaped() throws(FetchPredicateError) -> Unicode.Scalar {
    guard let scalar = peek() else { throw failure("Nothing follows the backslash.") }
    place += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let digits = scalars[place...].prefix(4)
      guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
        let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
        let result = Unicode.Scalar(code)
      else { throw failure("\\u needs the four digits of a Unicode scalar.") }
      place += 4
      return result
    default: return scalar
    }
  }

  private mutating func number() throws(FetchPredicateError) -> String {
    let start = place
    if peek() == "0", let base = peek(1), "xXoObB".unicodeScalars.contains(base) {
      place += 2
      while let scalar = peek(), scalar.properties.isXIDContinue { place += 1 }
      return text(start..<place)
    }
    skipDigits()
    if peek() == ".", peek(1).map(Self.isDigit) == true {
      place += 1
      skipDigits()
    }
    if let mark = peek(), mark == "e" || mark == "E" {
      let signed = peek(1) == "+" || peek(1) == "-"
      if peek(signed ? 2 : 1).map(Self.isDigit) == true {
        place += signed ? 2 : 1
        skipDigits()
      }
    }
    if let scalar = peek(), Self.startsName(scalar) { throw failure("A number ends in a name.") }
    return text(start..<place)
  }

  private mutating func skipDigits() {
    while let scalar = peek(), Self.isDigit(scalar) { place += 1 }
  }

  /// A placeholder as `printf` spells it; what it says of an argument's length does not matter.
  private mutating func placeholder() throws(FetchPredicateError) -> PredicateToken.Form {
    let start = place
    place += 1
    while let scalar = peek(), "hlqzjt".unicodeScalars.contains(scalar) { place += 1 }
    guard let conversion = peek(), "@KdiuDUxXoOcCfFeEgGaAsS".unicodeScalars.contains(conversion)
    else {
      if peek() == "%" {
        place = start
        throw failure("The percent sign that %% stands for is no operator.", .unsupported)
      }
      place = start
      throw failure("A percent sign must begin a placeholder, such as %@ or %K.")
    }
    place += 1
    return .placeholder(Character(conversion))
  }
}
