// SPDX-License-Identifier: MIT

/// Reads a regular expression in the syntax of ICU, by recursive descent of bounded depth.
struct PatternParser {
  /// What `(?imsxdw)` switches.
  struct Flags: OptionSet {
    let rawValue: Int
    static let ignoresCase = Flags(rawValue: 1)
    static let linesAnchor = Flags(rawValue: 2)
    static let dotTakesLineEnds = Flags(rawValue: 4)
    static let allowsComments = Flags(rawValue: 8)
    static let unixLines = Flags(rawValue: 16)
    static let unicodeWords = Flags(rawValue: 32)
  }

  /// How deep groups and sets may nest.
  static let largestDepth = 200
  /// How many scalars an expression may have.
  static let largestLength = 1 << 16

  struct Token {
    /// Nil at the end.
    let scalar: UInt32?
    /// It stands for itself, whatever it means elsewhere.
    let isQuoted: Bool

    func isSign(_ sign: Unicode.Scalar) -> Bool { !isQuoted && scalar == sign.value }
  }

  let scalars: [UInt32]
  var place = 0
  var flags: Flags
  var current = Token(scalar: nil, isQuoted: false)
  var isInQuotes = false
  var isAfterBackslash = false
  private(set) var groupCount = 0
  var groupNames: [String: Int] = [:]
  var references: [Int] = []
  /// Sets that were taken from each other so far, which nest as groups do.
  var setOperations = 0
  private var depth = 0

  var hasReferences: Bool { !references.isEmpty }

  init(_ pattern: String, _ flags: Flags) throws(FetchPredicateError) {
    scalars = pattern.unicodeScalars.map(\.value)
    self.flags = flags
    guard scalars.count <= Self.largestLength else {
      throw failure("It is longer than \(Self.largestLength) characters.")
    }
    try advance()
  }

  mutating func parse() throws(FetchPredicateError) -> PatternNode {
    let node = try choice()
    guard current.scalar == nil else { throw failure("A closing parenthesis has no opening one.") }
    guard references.allSatisfy({ $0 <= groupCount }) else {
      throw failure("It refers to a group that it does not have.")
    }
    return node
  }

  func failure(_ detail: String) -> FetchPredicateError {
    FetchPredicateError(
      .invalidPattern, "The regular expression is none; after \(place) characters: \(detail)")
  }

  /// Reads one level deeper, unless that is too deep.
  mutating func nested<Output>(
    _ read: (inout PatternParser) throws(FetchPredicateError) -> Output
  ) throws(FetchPredicateError) -> Output {
    guard depth < Self.largestDepth else {
      throw failure("It is nested more than \(Self.largestDepth) levels deep.")
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  // MARK: - Sequences

  mutating func choice() throws(FetchPredicateError) -> PatternNode {
    var parts = [try sequence()]
    while current.isSign("|") {
      try advance()
      parts.append(try sequence())
    }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(FetchPredicateError) -> PatternNode {
    var parts: [PatternNode] = []
    while current.scalar != nil, !current.isSign("|"), !current.isSign(")") {
      guard let item = try term() else { continue }
      parts.append(item.canRepeat ? try quantified(item.node) : item.node)
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  typealias Item = (node: PatternNode, canRepeat: Bool)

  /// One item; nil where it was a comment or switched flags.
  private mutating func term() throws(FetchPredicateError) -> Item? {
    guard let scalar = current.scalar else { throw failure("Something is missing here.") }
    guard !current.isQuoted else { return (try literal(scalar), true) }
    switch Unicode.Scalar(scalar) {
    case "[":
      try advance()
      let definition = try nested { parser throws(FetchPredicateError) in try parser.set() }
      return (.set(ScalarSet(definition)), true)
    case "(": return try group()
    case ".":
      try advance()
      return (dot, true)
    case "^":
      try advance()
      return (.assertion(lineStart), true)
    case "$":
      try advance()
      return (.assertion(lineEnd), true)
    case "\\":
      try advance()
      return try escape()
    case "*", "+", "?", "{", "}":
      throw failure(
        "\(Unicode.Scalar(scalar) ?? "*") repeats nothing here; to mean the character itself, put a backslash before it."
      )
    default: return (try literal(scalar), true)
    }
  }

  private mutating func literal(_ scalar: UInt32) throws(FetchPredicateError) -> PatternNode {
    try advance()
    return .scalar(scalar, ignoresCase: flags.contains(.ignoresCase))
  }

  private var dot: PatternNode {
    if flags.contains(.dotTakesLineEnds) { return .anyUnit }
    return .set(
      ScalarSet(.complement(flags.contains(.unixLines) ? .one(10) : ScalarClass.lineEnds)))
  }

  private var lineStart: PatternNode.Assertion {
    guard flags.contains(.linesAnchor) else { return .textStart }
    return flags.contains(.unixLines) ? .unixLineStart : .lineStart
  }

  private var lineEnd: PatternNode.Assertion {
    guard flags.contains(.linesAnchor) else { return lastLineEnd }
    return flags.contains(.unixLines) ? .unixLineEnd : .lineEnd
  }

  var lastLineEnd: PatternNode.Assertion {
    flags.contains(.unixLines) ? .lastUnixLineEnd : .lastLineEnd
  }

  // MARK: - Repetitions

  private mutating func quantified(_ node: PatternNode) throws(FetchPredicateError) -> PatternNode {
    while try skipComment() {}
    guard let bounds = try takeBounds() else { return node }
    var greed = PatternNode.Greed.greedy
    if current.isSign("?") { greed = .lazy } else if current.isSign("+") { greed = .possessive }
    if greed != .greedy { try advance() }
    return .repetition(node, least: bounds.least, most: bounds.most, greed: greed)
  }

  private mutating func takeBounds() throws(FetchPredicateError) -> (least: Int, most: Int?)? {
    guard !current.isQuoted, let scalar = current.scalar else { return nil }
    switch Unicode.Scalar(scalar) {
    case "*":
      try advance()
      return (0, nil)
    case "+":
      try advance()
      return (1, nil)
    case "?":
      try advance()
      return (0, 1)
    case "{":
      try advance()
      return try interval()
    default: return nil
    }
  }

  private mutating func interval() throws(FetchPredicateError) -> (least: Int, most: Int?) {
    let least = try number()
    var most: Int? = least
    if current.isSign(",") {
      try advance()
      most = current.isSign("}") ? nil : try number()
    }
    guard current.isSign("}") else { throw failure("The braces hold one number or two.") }
    try advance()
    if let most, most < least { throw failure("The most repetitions are fewer than the least.") }
    return (least, most)
  }

  private mutating func number() throws(FetchPredicateError) -> Int {
    var number: Int?
    while !current.isQuoted, let scalar = current.scalar, 48...57 ~= scalar {
      number = (number ?? 0) * 10 + Int(scalar - 48)
      guard number ?? 0 < PatternNode.largestCount else {
        throw failure("The number is too large.")
      }
      try advance()
    }
    guard let number else { throw failure("The braces hold one number or two.") }
    return number
  }

  // MARK: - Groups

  mutating func group() throws(FetchPredicateError) -> Item? {
    guard let next = peekScalar(), next == "?" else {
      try advance()
      groupCount += 1
      let number = groupCount
      return (.capture(number, try body()), true)
    }
    if try skipComment() { return nil }
    place += 1
    let kind = peekScalar()
    place += 1
    switch kind {
    case ":":
      try advance()
      return (try body(), true)
    case ">":
      try advance()
      return (.atomic(try body()), true)
    case "=", "!":
      try advance()
      return (.look(try body(), isBehind: false, isNegative: kind == "!"), false)
    case "<": return try angled()
    case ")", nil: throw failure("After (? something is missing.")
    default:
      place -= 1
      return try switched()
    }
  }

  /// What follows `(`, up to the `)` that closes it. Flags that change inside hold until there.
  private mutating func body() throws(FetchPredicateError) -> PatternNode {
    try body(thenWith: flags)
  }

  private mutating func body(
    thenWith outer: Flags
  ) throws(FetchPredicateError) -> PatternNode {
    let node = try nested { parser throws(FetchPredicateError) in try parser.choice() }
    guard current.isSign(")") else { throw failure("A parenthesis is not closed.") }
    flags = outer
    try advance()
    return node
  }

  /// `(?<=…)`, `(?<!…)` and `(?<name>…)`
  private mutating func angled() throws(FetchPredicateError) -> Item {
    if let kind = peekScalar(), kind == "=" || kind == "!" {
      place += 1
      try advance()
      let inner = try body()
      guard inner.length.most != nil else {
        throw failure("What stands in a look-behind must have a greatest length.")
      }
      return (.look(inner, isBehind: true, isNegative: kind == "!"), false)
    }
    let name = try groupName()
    groupCount += 1
    guard groupNames.updateValue(groupCount, forKey: name) == nil else {
      throw failure("Two groups have the same name.")
    }
    let number = groupCount
    try advance()
    return (.capture(number, try body()), true)
  }

  mutating func groupName() throws(FetchPredicateError) -> String {
    var name = ""
    while let scalar = peekScalar(), scalar != ">" {
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      guard isLetter || (!name.isEmpty && ("0"..."9").contains(scalar)) else {
        throw failure("The name of a group has Latin letters and digits alone.")
      }
      name.unicodeScalars.append(scalar)
      place += 1
    }
    guard peekScalar() == ">", !name.isEmpty else { throw failure("A name in <> is missing.") }
    place += 1
    return name
  }

  /// `(?i)`, `(?i-s)` and `(?i:…)`
  private mutating func switched() throws(FetchPredicateError) -> Item? {
    let outer = flags
    var switched = flags
    var isOn = true
    while let scalar = peekScalar() {
      place += 1
      switch scalar {
      case "-": isOn = false
      case ")":
        flags = switched
        try advance()
        return nil
      case ":":
        flags = switched
        try advance()
        return (try body(thenWith: outer), true)
      default:
        guard let flag = Self.flag(scalar) else {
          throw failure(
            "No such group exists: after (? stand :, =, !, <, >, # or the flags imsxdwu.")
        }
        if isOn { switched.insert(flag) } else { switched.remove(flag) }
      }
    }
    throw failure("The group has no end.")
  }

  private static func flag(_ letter: Unicode.Scalar) -> Flags? {
    switch letter {
    case "i": .ignoresCase
    case "m": .linesAnchor
    case "s": .dotTakesLineEnds
    case "x": .allowsComments
    case "d": .unixLines
    case "w": .unicodeWords
    // ICU takes it and does nothing.
    case "u": []
    default: nil
    }
  }
}
