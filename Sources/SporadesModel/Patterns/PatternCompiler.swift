// SPDX-License-Identifier: MIT

/// Turns a regular expression into instructions.
struct PatternCompiler {
  /// The largest number of instructions of an expression. A counted repetition repeats its instructions.
  static let largestProgram = 100_000

  private var instructions: [PatternInstruction] = []
  private var sets: [ScalarSet] = []
  /// The numbers of the sets of single scalars, because a counted repetition uses one scalar many times.
  private var scalarSets: [Letter: Int32] = [:]
  private var literals: [Letter: PatternInstruction] = [:]
  private var registers = 0
  private var choices = 0
  /// The matcher must record groups, because the expression refers back to them.
  private let keepsGroups: Bool
  /// The current node stands in a look-behind.
  private var isBehind = false
  /// The current node stands in a group that matches once.
  private var isInside = false
  private var remembersFailures: Bool

  private struct Letter: Hashable {
    let scalar: UInt32
    let ignoresCase: Bool
  }

  private init(groups: Int, keepsGroups: Bool) {
    self.keepsGroups = keepsGroups
    registers = keepsGroups ? 3 * (groups + 1) : 0
    remembersFailures = !keepsGroups
  }

  static func program(
    _ pattern: String, _ flags: PatternParser.Flags
  ) throws(FetchPredicateError) -> PatternProgram {
    var parser = try PatternParser(pattern, flags)
    let node = try parser.parse()
    var compiler = PatternCompiler(
      groups: parser.groupCount, keepsGroups: parser.hasReferences)
    try compiler.compile(node)
    try compiler.emit(.init(operation: .accept))
    return PatternProgram(
      instructions: compiler.instructions, sets: compiler.sets,
      registerCount: compiler.registers, choiceCount: compiler.choices,
      remembersFailures: compiler.remembersFailures)
  }

  // MARK: - Instructions

  private var next: Int32 { Int32(instructions.count) }

  @discardableResult
  private mutating func emit(
    _ instruction: PatternInstruction
  ) throws(FetchPredicateError) -> Int {
    guard instructions.count < Self.largestProgram else {
      throw FetchPredicateError(
        .invalidPattern,
        "The regular expression is too large: its repetitions make more than "
          + "\(Self.largestProgram) instructions. Use smaller counts.")
    }
    instructions.append(instruction)
    return instructions.count - 1
  }

  /// Numbers a choice. A choice in a look-behind gets no number, because its failures must not be
  /// remembered: they depend on the position at which the look-behind must end.
  private mutating func nextChoice() -> Int32 {
    guard !isBehind else { return -1 }
    defer { choices += 1 }
    return Int32(choices)
  }

  private mutating func addSet(_ set: ScalarSet) -> Int32 {
    sets.append(set)
    return Int32(sets.count - 1)
  }

  // MARK: - Nodes

  private mutating func compile(_ node: PatternNode) throws(FetchPredicateError) {
    switch node {
    case .empty: break
    case .scalar(let scalar, let ignoresCase): try emit(makeLiteral(scalar, ignoresCase))
    case .set(let set): try emit(.init(operation: .set, first: addSet(set)))
    case .anyUnit: try emit(.init(operation: .anyUnit))
    case .lineBreak: try emit(.init(operation: .lineBreak))
    case .cluster: try emit(.init(operation: .cluster))
    case .sequence(let parts): for part in parts { try compile(part) }
    case .choice(let parts): try compileChoice(parts)
    case .repetition(let inner, let least, let most, let greed):
      try compileRepetition(inner, least, most, greed)
    case .capture(let number, let inner):
      if keepsGroups { try emit(.init(operation: .save, first: Int32(3 * number))) }
      try compile(inner)
      if keepsGroups { try emit(.init(operation: .endGroup, first: Int32(3 * number))) }
    case .atomic(let inner):
      try compileAtomic { compiler throws(FetchPredicateError) in
        try compiler.compile(inner)
      }
    case .look(let inner, let isBehind, let isNegative):
      try compileLook(inner, isBehind, isNegative)
    case .reference(let number, let ignoresCase):
      try emit(.init(operation: .reference, first: Int32(3 * number), second: ignoresCase ? 1 : 0))
    case .assertion(let assertion):
      try emit(.init(operation: .assertion, first: assertion.rawValue))
    }
  }

  private mutating func makeLiteral(_ scalar: UInt32, _ ignoresCase: Bool) -> PatternInstruction {
    let letter = Letter(scalar: scalar, ignoresCase: ignoresCase)
    if let known = literals[letter] { return known }
    let folded = ScalarCase.fold(scalar)
    let hasCase = ignoresCase && (folded != scalar || !ScalarCase.variants(of: scalar).isEmpty)
    let instruction = PatternInstruction(
      operation: hasCase ? .foldedScalar : .scalar,
      first: Int32(bitPattern: hasCase ? folded : scalar))
    literals[letter] = instruction
    return instruction
  }

  private mutating func compileChoice(_ parts: [PatternNode]) throws(FetchPredicateError) {
    var ends: [Int] = []
    for (position, part) in parts.enumerated() {
      guard position < parts.count - 1 else {
        try compile(part)
        break
      }
      let split = try emit(.init(operation: .split, choice: nextChoice()))
      instructions[split].first = next
      try compile(part)
      ends.append(try emit(.init(operation: .jump)))
      instructions[split].second = next
    }
    for end in ends { instructions[end].first = next }
  }

  private mutating func compileAtomic(
    _ body: (inout PatternCompiler) throws(FetchPredicateError) -> Void
  ) throws(FetchPredicateError) {
    let wasInside = isInside
    isInside = true
    let open = try emit(.init(operation: .openAtomic))
    try body(&self)
    try emit(.init(operation: .close))
    instructions[open].first = next
    isInside = wasInside
  }

  private mutating func compileLook(
    _ inner: PatternNode, _ behind: Bool, _ isNegative: Bool
  ) throws(FetchPredicateError) {
    let (wasInside, wasBehind) = (isInside, isBehind)
    isInside = true
    isBehind = isBehind || behind
    let open = try emit(
      .init(operation: behind ? .openBehind : .openAhead, second: isNegative ? 1 : 0))
    if behind {
      let length = inner.length
      try emit(
        .init(
          operation: .lengths, first: Int32(length.least),
          second: Int32(length.most ?? length.least)))
    }
    try compile(inner)
    try emit(.init(operation: .close))
    instructions[open].first = next
    (isInside, isBehind) = (wasInside, wasBehind)
  }

  // MARK: - Repetitions

  private mutating func compileRepetition(
    _ inner: PatternNode, _ least: Int, _ most: Int?, _ greed: PatternNode.Greed
  ) throws(FetchPredicateError) {
    if let number = findSetNumber(of: inner) { return try compileRun(number, least, most, greed) }
    if greed == .possessive {
      return try compileAtomic { compiler throws(FetchPredicateError) in
        try compiler.compileRepetition(inner, least, most, .greedy)
      }
    }
    for _ in 0..<least {
      let before = next
      try compile(inner)
      if next == before { break }
    }
    guard let most else { return try compileLoop(inner, isLazy: greed == .lazy) }
    var exits: [Int] = []
    for _ in least..<most {
      exits.append(try emitSplit(isLazy: greed == .lazy))
      try compile(inner)
    }
    for exit in exits { setExit(of: exit, isLazy: greed == .lazy) }
  }

  /// Finds the number of the set of a node that takes one scalar; nil for other nodes.
  private mutating func findSetNumber(of node: PatternNode) -> Int32? {
    switch node {
    case .set(let set): return addSet(set)
    case .scalar(let scalar, let ignoresCase):
      let letter = Letter(scalar: scalar, ignoresCase: ignoresCase)
      if let known = scalarSets[letter] { return known }
      let set = ScalarSet(ScalarSet.Definition.one(scalar).ignoringCase(ignoresCase))
      let number = addSet(set)
      scalarSets[letter] = number
      return number
    case .capture(_, let inner) where !keepsGroups: return findSetNumber(of: inner)
    default: return nil
    }
  }

  private mutating func compileRun(
    _ number: Int32, _ least: Int, _ most: Int?, _ greed: PatternNode.Greed
  ) throws(FetchPredicateError) {
    if least > 0 {
      let count = Int32(least)
      try emit(.init(operation: .possessiveRun, first: number, second: count, third: count))
    }
    guard most != least else { return }
    let remaining = most.map { Int32($0 - least) } ?? -1
    let operation: PatternInstruction.Operation =
      switch greed {
      case .greedy: .greedyRun
      case .lazy: .lazyRun
      case .possessive: .possessiveRun
      }
    try emit(.init(operation: operation, first: number, third: remaining, choice: nextChoice()))
  }

  /// Emits a split whose exit is not known yet.
  private mutating func emitSplit(isLazy: Bool) throws(FetchPredicateError) -> Int {
    let split = try emit(.init(operation: .split, choice: nextChoice()))
    if isLazy { instructions[split].second = next } else { instructions[split].first = next }
    return split
  }

  private mutating func setExit(of split: Int, isLazy: Bool) {
    if isLazy { instructions[split].first = next } else { instructions[split].second = next }
  }

  private mutating func compileLoop(
    _ inner: PatternNode, isLazy: Bool
  ) throws(FetchPredicateError) {
    let mayTakeNothing = inner.length.least == 0
    let start = next
    let split = try emitSplit(isLazy: isLazy)
    if mayTakeNothing {
      // The start of an iteration decides how the iteration ends. A group that matches once drops
      // branches, so a failure in it at one position does not prove a later failure there.
      if isInside { remembersFailures = false }
      let register = Int32(registers)
      registers += 1
      try emit(.init(operation: .save, first: register))
      try compile(inner)
      try emit(.init(operation: .loop, first: start, second: register))
    } else {
      try compile(inner)
      try emit(.init(operation: .jump, first: start))
    }
    setExit(of: split, isLazy: isLazy)
  }
}
