// SPDX-License-Identifier: MIT

/// Parses a regular expression in the syntax of ICU, by recursive descent of bounded depth.
struct PatternParser {
  /// The modes that `(?imsxdw)` switches.
  struct Flags: OptionSet {
    let rawValue: Int
    static let ignoresCase = Flags(rawValue: 1)
    static let linesAnchor = Flags(rawValue: 2)
    static let dotTakesLineEnds = Flags(rawValue: 4)
    static let allowsComments = Flags(rawValue: 8)
    static let unixLines = Flags(rawValue: 16)
    static let unicodeWords = Flags(rawValue: 32)
  }

  /// The largest number of nested groups and sets.
  static let largestDepth = 200
  /// The largest number of scalars of an expression.
  static let largestLength = 1 << 16

  /// One scalar of the expression.
  struct Token {
    /// The scalar; nil at the end.
    let scalar: UInt32?
    /// The scalar stands for itself and has no special meaning.
    let isQuoted: Bool

    func isSign(_ sign: Unicode.Scalar) -> Bool { !isQuoted && scalar == sign.value }
  }

  let scalars: [UInt32]
  var position = 0
  var flags: Flags
  var current = Token(scalar: nil, isQuoted: false)
  var isInQuotes = false
  var isAfterBackslash = false
  private(set) var groupCount = 0
  var groupNames: [String: Int] = [:]
  var references: [Int] = []
  /// The number of operations on sets so far. Operations nest as groups do.
  var setOperations = 0
  private var depth = 0

  var hasReferences: Bool { !references.isEmpty }

  init(_ pattern: String, _ flags: Flags) throws(FetchPredicateError) {
    scalars = pattern.unicodeScalars.map(\.value)
    self.flags = flags
    guard scalars.count <= Self.largestLength else {
      throw failure("it is longer than \(Self.largestLength) characters.")
    }
    try advance()
  }

  mutating func parse() throws(FetchPredicateError) -> PatternNode {
    let node = try parseChoice()
    guard current.scalar == nil else { throw failure("a closing parenthesis has no opening one.") }
    guard references.allSatisfy({ $0 <= groupCount }) else {
      throw failure("it refers to a group that it does not have.")
    }
    return node
  }

  func failure(_ detail: String) -> FetchPredicateError {
    FetchPredicateError(
      .invalidPattern, "The regular expression is invalid after \(position) characters: \(detail)")
  }

  /// Parses one level deeper, and refuses an expression that nests too deep.
  mutating func parseNested<Output>(
    _ read: (inout PatternParser) throws(FetchPredicateError) -> Output
  ) throws(FetchPredicateError) -> Output {
    guard depth < Self.largestDepth else {
      throw failure("it is nested more than \(Self.largestDepth) levels deep.")
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  // MARK: - Sequences

  mutating func parseChoice() throws(FetchPredicateError) -> PatternNode {
    var parts = [try parseSequence()]
    while current.isSign("|") {
      try advance()
      parts.append(try parseSequence())
    }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func parseSequence() throws(FetchPredicateError) -> PatternNode {
    var parts: [PatternNode] = []
    while current.scalar != nil, !current.isSign("|"), !current.isSign(")") {
      guard let item = try parseTerm() else { continue }
      parts.append(item.canRepeat ? try parseRepetition(item.node) : item.node)
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  typealias Item = (node: PatternNode, canRepeat: Bool)

  /// Parses one item; nil if it was a comment or switched flags.
  private mutating func parseTerm() throws(FetchPredicateError) -> Item? {
    guard let scalar = current.scalar else { throw failure("something is missing here.") }
    guard !current.isQuoted else { return (try parseLiteral(scalar), true) }
    switch Unicode.Scalar(scalar) {
    case "[":
      try advance()
      let definition = try parseNested { parser throws(FetchPredicateError) in try parser.parseSet()
      }
      return (.set(ScalarSet(definition)), true)
    case "(": return try parseGroup()
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
      return try parseEscape()
    case "*", "+", "?", "{", "}":
      throw failure(
        "\(Unicode.Scalar(scalar) ?? "*") has nothing to repeat here; for the character itself, write a"
          + " backslash before it."
      )
    default: return (try parseLiteral(scalar), true)
    }
  }

  private mutating func parseLiteral(_ scalar: UInt32) throws(FetchPredicateError) -> PatternNode {
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

  private mutating func parseRepetition(_ node: PatternNode) throws(FetchPredicateError)
    -> PatternNode
  {
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
      return try parseInterval()
    default: return nil
    }
  }

  private mutating func parseInterval() throws(FetchPredicateError) -> (least: Int, most: Int?) {
    let least = try parseNumber()
    var most: Int? = least
    if current.isSign(",") {
      try advance()
      most = current.isSign("}") ? nil : try parseNumber()
    }
    guard current.isSign("}") else { throw failure("the braces must hold one number or two.") }
    try advance()
    if let most, most < least { throw failure("the largest count is smaller than the smallest.") }
    return (least, most)
  }

  private mutating func parseNumber() throws(FetchPredicateError) -> Int {
    var number: Int?
    while !current.isQuoted, let scalar = current.scalar, 48...57 ~= scalar {
      number = (number ?? 0) * 10 + Int(scalar - 48)
      guard number ?? 0 < PatternNode.largestCount else {
        throw failure("the number is too large.")
      }
      try advance()
    }
    guard let number else { throw failure("the braces must hold one number or two.") }
    return number
  }

  // MARK: - Groups

  mutating func parseGroup() throws(FetchPredicateError) -> Item? {
    guard let next = peekScalar(), next == "?" else {
      try advance()
      groupCount += 1
      let number = groupCount
      return (.capture(number, try parseBody()), true)
    }
    if try skipComment() { return nil }
    position += 1
    let kind = peekScalar()
    position += 1
    switch kind {
    case ":":
      try advance()
      return (try parseBody(), true)
    case ">":
      try advance()
      return (.atomic(try parseBody()), true)
    case "=", "!":
      try advance()
      return (.look(try parseBody(), isBehind: false, isNegative: kind == "!"), false)
    case "<": return try parseAngledGroup()
    case ")", nil: throw failure("something is missing after (?.")
    default:
      position -= 1
      return try parseFlags()
    }
  }

  /// Parses the contents of a group up to its `)`. Flags that change inside apply until there.
  private mutating func parseBody() throws(FetchPredicateError) -> PatternNode {
    try parseBody(thenWith: flags)
  }

  private mutating func parseBody(
    thenWith outer: Flags
  ) throws(FetchPredicateError) -> PatternNode {
    let node = try parseNested { parser throws(FetchPredicateError) in try parser.parseChoice() }
    guard current.isSign(")") else { throw failure("a parenthesis is not closed.") }
    flags = outer
    try advance()
    return node
  }

  /// Parses `(?<=…)`, `(?<!…)` and `(?<name>…)`.
  private mutating func parseAngledGroup() throws(FetchPredicateError) -> Item {
    if let kind = peekScalar(), kind == "=" || kind == "!" {
      position += 1
      try advance()
      let inner = try parseBody()
      guard inner.length.most != nil else {
        throw failure("the expression in a look-behind must have a largest length.")
      }
      return (.look(inner, isBehind: true, isNegative: kind == "!"), false)
    }
    let name = try takeGroupName()
    groupCount += 1
    guard groupNames.updateValue(groupCount, forKey: name) == nil else {
      throw failure("two groups have the same name.")
    }
    let number = groupCount
    try advance()
    return (.capture(number, try parseBody()), true)
  }

  mutating func takeGroupName() throws(FetchPredicateError) -> String {
    var name = ""
    while let scalar = peekScalar(), scalar != ">" {
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      guard isLetter || (!name.isEmpty && ("0"..."9").contains(scalar)) else {
        throw failure("the name of a group can have only Latin letters and digits.")
      }
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard peekScalar() == ">", !name.isEmpty else { throw failure("a name in <> is missing.") }
    position += 1
    return name
  }

  /// Parses `(?i)`, `(?i-s)` and `(?i:…)`.
  private mutating func parseFlags() throws(FetchPredicateError) -> Item? {
    let outer = flags
    var switched = flags
    var isOn = true
    while let scalar = peekScalar() {
      position += 1
      switch scalar {
      case "-": isOn = false
      case ")":
        flags = switched
        try advance()
        return nil
      case ":":
        flags = switched
        try advance()
        return (try parseBody(thenWith: outer), true)
      default:
        guard let flag = Self.flag(scalar) else {
          throw failure(
            "(? must be followed by :, =, !, <, >, # or the flags imsxdwu.")
        }
        if isOn { switched.insert(flag) } else { switched.remove(flag) }
      }
    }
    throw failure("the group has no end.")
  }

  private static func flag(_ letter: Unicode.Scalar) -> Flags? {
    switch letter {
    case "i": .ignoresCase
    case "m": .linesAnchor
    case "s": .dotTakesLineEnds
    case "x": .allowsComments
    case "d": .unixLines
    case "w": .unicodeWords
    // ICU accepts the flag and ignores it.
    case "u": []
    default: nil
    }
  }
}
