// SPDX-License-Identifier: MIT

extension PatternParser {
  /// Parses a set, from the token after its opening bracket to the token after its closing bracket.
  mutating func parseSet() throws(FetchPredicateError) -> ScalarSet.Definition {
    if current.isSign(":"), let definition = try parsePosixClass() { return definition }
    var reader = SetReader(ignoresCase: flags.contains(.ignoresCase))
    let isNegated = current.isSign("^")
    if isNegated { try advance() }
    if current.isSign("]") { reader.add(try takeScalar()) }
    while !current.isSign("]") { try readMember(&reader) }
    guard reader.last != .operation else { throw failure("-- or && has no right side.") }
    try advance()
    let definition = reader.finished()
    return isNegated ? .complement(definition) : definition
  }

  private mutating func takeScalar() throws(FetchPredicateError) -> UInt32 {
    guard let scalar = current.scalar else { throw failure("a set is not closed by ].") }
    try advance()
    return scalar
  }

  private mutating func readMember(_ reader: inout SetReader) throws(FetchPredicateError) {
    if current.isSign("[") {
      reader.add(try parseNestedSet())
    } else if current.isSign("-") {
      try readDash(&reader)
    } else if current.isSign("&") {
      try readAmpersand(&reader)
    } else if current.isSign("\\") {
      try advance()
      try readEscape(&reader)
    } else {
      reader.add(try takeScalar())
    }
  }

  private mutating func parseNestedSet() throws(FetchPredicateError) -> ScalarSet.Definition {
    try advance()
    return try parseNested { parser throws(FetchPredicateError) in try parser.parseSet() }
  }

  private mutating func readEscape(_ reader: inout SetReader) throws(FetchPredicateError) {
    if try beginQuotes() { return }
    let isProperty = current.isSign("p") || current.isSign("P")
    if let definition = try parseCharacterClass() {
      return reader.add(definition, takesOperations: isProperty)
    }
    reader.add(try takeEscapedScalar())
  }

  private mutating func beginQuotes() throws(FetchPredicateError) -> Bool {
    guard current.isSign("Q") else { return false }
    isInQuotes = true
    try advance()
    return true
  }

  private mutating func takeEscapedScalar() throws(FetchPredicateError) -> UInt32 {
    if current.scalar == Unicode.Scalar("N").value {
      let scalar = try parseNamedScalar()
      try advance()
      return scalar
    }
    return try takeScalar()
  }

  /// Parses the dash of `a-z`, `[a-z]-[x]` or `a-z--x`, or the dash itself.
  private mutating func readDash(_ reader: inout SetReader) throws(FetchPredicateError) {
    try advance()
    switch reader.last {
    case .nothing:
      guard !current.isSign("-") else { throw failure("-- has no left side.") }
      reader.add(45)
    case .operation: reader.add(45)
    case .scalar(let first):
      if current.isSign("-") { return try readOperation(.difference, &reader) }
      if current.isSign("[") || current.isSign("]") { return reader.add(45) }
      try readRange(from: first, &reader)
    case .set:
      if current.isSign("[") {
        try countOperation()
        return reader.subtract(try parseNestedSet())
      }
      fallthrough
    case .range:
      if current.isSign("-") { return try readOperation(.difference, &reader) }
      reader.add(45)
    }
  }

  private mutating func readRange(
    from first: UInt32, _ reader: inout SetReader
  ) throws(FetchPredicateError) {
    let last: UInt32
    if current.isSign("\\") {
      try advance()
      guard !"sSwWdD".unicodeScalars.contains(where: { $0.value == current.scalar }) else {
        throw failure("the range ends in a set.")
      }
      last = try beginQuotes() ? takeScalar() : takeEscapedScalar()
    } else {
      last = try takeScalar()
    }
    guard first <= last else { throw failure("the range ends before it begins.") }
    reader.add(first...last)
  }

  /// Parses the sign of `[a-z]&[x]` or `a-z&&x`, or the sign itself.
  private mutating func readAmpersand(_ reader: inout SetReader) throws(FetchPredicateError) {
    try advance()
    if reader.last == .operation { return reader.add(38) }
    if current.isSign("&") {
      guard reader.last != .nothing else { throw failure("&& has no left side.") }
      return try readOperation(.intersection, &reader)
    }
    if reader.last == .set, current.isSign("[") {
      try countOperation()
      return reader.intersect(try parseNestedSet())
    }
    reader.add(38)
  }

  private mutating func readOperation(
    _ operation: SetReader.Operation, _ reader: inout SetReader
  ) throws(FetchPredicateError) {
    try countOperation()
    reader.begin(operation)
    try advance()
  }

  private mutating func countOperation() throws(FetchPredicateError) {
    setOperations += 1
    guard setOperations <= Self.largestDepth else {
      throw failure("its sets have more than \(Self.largestDepth) operations.")
    }
  }

  /// Parses `[:alpha:]` from its first colon on; nil if no name and second colon follow.
  private mutating func parsePosixClass() throws(FetchPredicateError) -> ScalarSet.Definition? {
    var end = position
    while end + 1 < scalars.count, scalars[end] != 58, scalars[end] != 93, scalars[end] != 91 {
      end += 1
    }
    guard end + 1 < scalars.count, scalars[end] == 58, scalars[end + 1] == 93 else { return nil }
    var name = String(
      String.UnicodeScalarView(scalars[position..<end].compactMap(Unicode.Scalar.init)))
    let isNegated = name.hasPrefix("^")
    if isNegated { name.removeFirst() }
    let definition = try findProperty(name)
    position = end + 2
    try advance()
    return isNegated ? .complement(definition) : definition
  }
}

/// Puts the members of a set together.
///
/// Members that follow each other form a union. `&&` and `--` bind less strongly, from the left.
struct SetReader {
  enum Operation { case intersection, difference }
  enum Last: Equatable {
    case nothing, operation
    case scalar(UInt32)
    case range, set
  }

  let ignoresCase: Bool
  private(set) var last = Last.nothing
  private var left: (definition: ScalarSet.Definition, operation: Operation)?
  private var ranges: [ClosedRange<UInt32>] = []
  private var parts: [ScalarSet.Definition] = []

  init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }

  mutating func add(_ scalar: UInt32) {
    ranges.append(scalar...scalar)
    last = .scalar(scalar)
  }

  /// Adds a range that begins with the scalar that was added last.
  mutating func add(_ range: ClosedRange<UInt32>) {
    ranges.append(range)
    last = .range
  }

  /// Adds a set. ICU reads `&[` and `-[` as operations after properties and sets, but not after `\w` and
  /// similar letters.
  mutating func add(_ definition: ScalarSet.Definition, takesOperations: Bool = true) {
    parts.append(definition)
    last = takesOperations ? .set : .range
  }

  mutating func subtract(_ definition: ScalarSet.Definition) {
    parts = [.difference(united(), definition)]
    last = .set
  }

  mutating func intersect(_ definition: ScalarSet.Definition) {
    parts = [.intersection(united(), definition)]
    last = .set
  }

  mutating func begin(_ operation: Operation) {
    left = (joined(), operation)
    last = .operation
  }

  mutating func finished() -> ScalarSet.Definition { joined() }

  private mutating func joined() -> ScalarSet.Definition {
    let right = united()
    guard let left else { return right }
    switch left.operation {
    case .intersection: return .intersection(left.definition, right)
    case .difference: return .difference(left.definition, right)
    }
  }

  private mutating func united() -> ScalarSet.Definition {
    var united = parts
    if !ranges.isEmpty {
      united.append(.ranges(Self.merged(ranges)).ignoringCase(ignoresCase))
    }
    (ranges, parts) = ([], [])
    return united.count == 1 ? united[0] : .union(united)
  }

  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
