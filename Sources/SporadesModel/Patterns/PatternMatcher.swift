// SPDX-License-Identifier: MIT

/// Runs a program over a text, and backtracks to the last choice when a branch fails.
///
/// The matcher keeps the branches that it has not tried in an array, so that no text makes the thread's
/// stack deeper. A matcher that remembers failures tries no instruction twice at one position. Its time is
/// then proportional to the product of the lengths of expression and text.
struct PatternMatcher {
  enum Outcome { case matches, fails, exhausted }

  /// The largest number of frames. Each frame has 20 bytes.
  static let largestStack = 1 << 21

  /// A branch to try later, or an action to take when the matcher backtracks.
  struct Frame {
    enum Kind: Int32 {
      /// Continues at the instruction `pc` and at `position`.
      case branch
      /// Continues at the instruction `pc`, first at `position`, then at each position down to `extra`.
      case shorterRun
      /// Lengthens the run of the instruction `pc` from `position`, up to `extra`.
      case longerRun
      /// Sets the register `extra` back to `position`.
      case restore
      /// Remembers that the choice `pc` fails from `position` to `extra`.
      case failure
      /// Marks the start of a group that the instruction `pc` opened at `position`. `extra` is the index of
      /// the enclosing group's frame.
      case barrier
    }

    let kind: Kind
    var pc: Int32
    var position: Int32
    var extra: Int32 = 0
    /// The position at which the match of a look-behind began.
    var start: Int32 = 0
  }

  let program: PatternProgram
  let text: [UInt32]
  private var frames: [Frame] = []
  private var registers: [Int32]
  /// The index of the innermost open group's frame; -1 if no group is open.
  private var barrier: Int32 = -1
  /// The position at which the text ends for instructions that take scalars. A look-behind takes no
  /// scalars after the position where it stands.
  private var limit: Int
  private(set) var steps = 0
  /// One bit for each choice at each position, set if the choice fails there. The array is empty in a
  /// matcher that does not remember failures.
  private var failures: [UInt64] = []
  /// The index of the next instruction.
  private var pc = 0
  private var position = 0

  init(_ program: PatternProgram, _ text: [UInt32], remembersFailures: Bool) {
    self.program = program
    self.text = text
    limit = text.count
    registers = [Int32](repeating: -1, count: program.registerCount)
    if remembersFailures {
      failures = [UInt64](
        repeating: 0, count: (program.choiceCount * (text.count + 1) + 63) / 64)
    }
  }

  /// Matches the whole text, and stops after a number of steps.
  mutating func run(limit: Int) -> Outcome {
    while steps < limit, frames.count < Self.largestStack {
      steps += 1
      let instruction = program.instructions[pc]
      if instruction.operation == .accept, position == text.count { return .matches }
      if !execute(instruction), !backtrack() { return .fails }
    }
    return .exhausted
  }

  // MARK: - Instructions

  /// Executes one instruction; false if the branch fails.
  @inline(__always)
  private mutating func execute(_ instruction: PatternInstruction) -> Bool {
    switch instruction.operation {
    case .scalar:
      guard position < limit, text[position] == UInt32(bitPattern: instruction.first) else {
        return false
      }
      position += 1
    case .foldedScalar:
      guard position < limit,
        ScalarCase.fold(text[position]) == UInt32(bitPattern: instruction.first)
      else { return false }
      position += 1
    case .set:
      guard position < limit,
        program.sets[Int(instruction.first)].contains(text[position], steps: &steps)
      else {
        return false
      }
      position += 1
    case .jump:
      pc = Int(instruction.first)
      return true
    case .split: return split(instruction)
    case .greedyRun, .lazyRun, .possessiveRun:
      guard executeRun(instruction) else { return false }
    default: return executeRare(instruction)
    }
    pc += 1
    return true
  }

  private mutating func executeRare(_ instruction: PatternInstruction) -> Bool {
    switch instruction.operation {
    case .anyUnit:
      guard position < limit else { return false }
      position += isLineBreakPair(position) ? 2 : 1
    case .lineBreak:
      guard position < limit, ScalarClass.isLineEnd(text[position]) else { return false }
      position += isLineBreakPair(position) ? 2 : 1
    case .cluster:
      guard position < limit else { return false }
      takeCluster()
    case .save: setRegister(instruction.first, to: Int32(position))
    case .endGroup:
      setRegister(instruction.first + 1, to: registers[Int(instruction.first)])
      setRegister(instruction.first + 2, to: Int32(position))
    case .loop:
      if registers[Int(instruction.second)] != Int32(position) {
        pc = Int(instruction.first)
        return true
      }
    case .reference: guard takeReference(instruction) else { return false }
    case .assertion:
      guard let assertion = PatternNode.Assertion(rawValue: instruction.first),
        TextBoundaries(text: text).holds(assertion, at: position, steps: &steps)
      else { return false }
    case .openAtomic, .openAhead: openGroup(at: position)
    case .openBehind: return openLookBehind()
    case .close: return closeGroup()
    case .accept: return false
    case .lengths, .scalar, .foldedScalar, .set, .jump, .split, .greedyRun, .lazyRun,
      .possessiveRun:
      preconditionFailure("`execute` handles this instruction itself.")
    }
    pc += 1
    return true
  }

  /// A carriage return and a line feed stand at the position.
  private func isLineBreakPair(_ position: Int) -> Bool {
    text[position] == 13 && position + 1 < limit && text[position + 1] == 10
  }

  /// Takes the scalars of one character, in growing windows so that the time follows its length.
  private mutating func takeCluster() {
    var width = 16
    while true {
      let end = min(position + width, limit)
      steps += end - position
      let scalars = text[position..<end].compactMap(Unicode.Scalar.init)
      let count = String(String.UnicodeScalarView(scalars)).first?.unicodeScalars.count ?? 1
      if position + count < end || end == limit {
        position += count
        return
      }
      width *= 2
    }
  }

  private mutating func takeReference(_ instruction: PatternInstruction) -> Bool {
    let start = Int(registers[Int(instruction.first) + 1])
    let end = Int(registers[Int(instruction.first) + 2])
    guard start >= 0, end >= start, limit - position >= end - start else { return false }
    steps += end - start
    for offset in 0..<(end - start) {
      let (left, right) = (text[start + offset], text[position + offset])
      guard
        left == right
          || (instruction.second == 1 && ScalarCase.fold(left) == ScalarCase.fold(right))
      else { return false }
    }
    position += end - start
    return true
  }

  private mutating func setRegister(_ register: Int32, to value: Int32) {
    frames.append(
      Frame(kind: .restore, pc: 0, position: registers[Int(register)], extra: register))
    registers[Int(register)] = value
  }

  // MARK: - Choices

  private mutating func split(_ instruction: PatternInstruction) -> Bool {
    guard beginChoice(instruction.choice) else { return false }
    frames.append(Frame(kind: .branch, pc: instruction.second, position: Int32(position)))
    pc = Int(instruction.first)
    return true
  }

  /// Begins a choice; false if the choice is known to fail at the position. A failure is remembered.
  private mutating func beginChoice(_ choice: Int32) -> Bool {
    guard choice >= 0, !failures.isEmpty else { return true }
    guard !isKnownToFail(choice, position) else { return false }
    frames.append(
      Frame(kind: .failure, pc: choice, position: Int32(position), extra: Int32(position)))
    return true
  }

  private func bit(_ choice: Int32, _ position: Int) -> (word: Int, mask: UInt64) {
    let number = Int(choice) * (text.count + 1) + position
    return (number >> 6, 1 << UInt64(number & 63))
  }

  private func isKnownToFail(_ choice: Int32, _ position: Int) -> Bool {
    let bit = bit(choice, position)
    return failures[bit.word] & bit.mask != 0
  }

  /// A run that reaches the position need not go further, because a run from there is known to fail.
  private func isHopelessRun(_ instruction: PatternInstruction, _ position: Int) -> Bool {
    instruction.third < 0 && instruction.choice >= 0 && !failures.isEmpty
      && isKnownToFail(instruction.choice, position)
  }

  private mutating func executeRun(_ instruction: PatternInstruction) -> Bool {
    let bound =
      instruction.third < 0
      ? limit : min(limit, position + Int(instruction.third))
    if instruction.operation == .possessiveRun {
      let end = endOfRun(instruction, bound)
      guard end - position >= Int(instruction.second) else { return false }
      position = end
      return true
    }
    guard beginChoice(instruction.choice) else { return false }
    if instruction.operation == .lazyRun {
      frames.append(
        Frame(
          kind: .longerRun, pc: Int32(pc), position: Int32(position), extra: Int32(bound)))
      return true
    }
    var end = endOfRun(instruction, bound)
    if instruction.third < 0, !failures.isEmpty, instruction.choice >= 0 {
      frames[frames.count - 1].extra = Int32(end)
      if end > position, isKnownToFail(instruction.choice, end) { end -= 1 }
    }
    if end > position {
      frames.append(
        Frame(
          kind: .shorterRun, pc: Int32(pc + 1), position: Int32(end - 1), extra: Int32(position)))
    }
    position = end
    return true
  }

  private mutating func endOfRun(_ instruction: PatternInstruction, _ bound: Int) -> Int {
    var end = position
    let set = program.sets[Int(instruction.first)]
    while end < bound, set.contains(text[end], steps: &steps) {
      end += 1
      if isHopelessRun(instruction, end) { break }
    }
    steps += end - position
    return end
  }

  // MARK: - Going back

  /// Continues with the last branch that the matcher has not tried; false if there is none.
  private mutating func backtrack() -> Bool {
    while let frame = frames.popLast() {
      steps += 1
      switch frame.kind {
      case .branch:
        (pc, position) = (Int(frame.pc), Int(frame.position))
        return true
      case .shorterRun:
        if frame.position > frame.extra {
          frames.append(
            Frame(kind: .shorterRun, pc: frame.pc, position: frame.position - 1, extra: frame.extra)
          )
        }
        (pc, position) = (Int(frame.pc), Int(frame.position))
        return true
      case .longerRun: if lengthenRun(frame) { return true }
      case .restore: registers[Int(frame.extra)] = frame.position
      case .failure:
        for position in frame.position...frame.extra {
          let bit = bit(frame.pc, Int(position))
          failures[bit.word] |= bit.mask
        }
        steps += Int(frame.extra - frame.position)
      case .barrier: if failGroup(frame) { return true }
      }
    }
    return false
  }

  /// Lengthens a lazy run by one scalar; false if the run cannot take it.
  private mutating func lengthenRun(_ frame: Frame) -> Bool {
    let instruction = program.instructions[Int(frame.pc)]
    let next = Int(frame.position)
    guard next < Int(frame.extra),
      program.sets[Int(instruction.first)].contains(text[next], steps: &steps),
      !isHopelessRun(instruction, next + 1)
    else { return false }
    frames.append(
      Frame(kind: .longerRun, pc: frame.pc, position: frame.position + 1, extra: frame.extra))
    (pc, position) = (Int(frame.pc) + 1, next + 1)
    return true
  }

  // MARK: - Groups that match once

  private mutating func openGroup(at start: Int) {
    frames.append(
      Frame(
        kind: .barrier, pc: Int32(pc), position: Int32(position), extra: barrier,
        start: Int32(start)))
    barrier = Int32(frames.count - 1)
    setLimit()
  }

  /// Sets the end of the text. The innermost look-around decides.
  private mutating func setLimit() {
    var outer = barrier
    while outer >= 0 {
      let frame = frames[Int(outer)]
      switch program.instructions[Int(frame.pc)].operation {
      case .openBehind:
        limit = Int(frame.position)
        return
      case .openAhead: outer = -1
      default: outer = frame.extra
      }
    }
    limit = text.count
  }

  /// Begins a look-behind at its shortest length; false if a positive one does not fit before the position.
  private mutating func openLookBehind() -> Bool {
    let lengths = program.instructions[pc + 1]
    guard position >= Int(lengths.first) else {
      guard program.instructions[pc].second == 1 else { return false }
      pc = Int(program.instructions[pc].first)
      return true
    }
    let start = position - Int(lengths.first)
    openGroup(at: start)
    (pc, position) = (pc + 2, start)
    return true
  }

  /// Handles the failure of a group's last branch. The result is true if a look-behind can begin earlier,
  /// or if a negative look-around succeeds by the failure.
  private mutating func failGroup(_ frame: Frame) -> Bool {
    barrier = frame.extra
    setLimit()
    let opening = program.instructions[Int(frame.pc)]
    if opening.operation == .openBehind {
      let largestLength = Int(program.instructions[Int(frame.pc) + 1].second)
      let start = Int(frame.start) - 1
      if start >= 0, Int(frame.position) - start <= largestLength {
        (pc, position) = (Int(frame.pc), Int(frame.position))
        openGroup(at: start)
        (pc, position) = (Int(frame.pc) + 2, start)
        return true
      }
    }
    guard opening.operation != .openAtomic, opening.second == 1 else { return false }
    (pc, position) = (Int(opening.first), Int(frame.position))
    return true
  }

  /// Handles the match of a group, and drops the branches that the group has not tried.
  private mutating func closeGroup() -> Bool {
    let frame = frames[Int(barrier)]
    let opening = program.instructions[Int(frame.pc)]
    if opening.operation == .openBehind, position != Int(frame.position) { return false }
    let kept = frames[(Int(barrier) + 1)...].filter { $0.kind == .restore }
    frames.removeLast(frames.count - Int(barrier))
    barrier = frame.extra
    setLimit()
    if opening.operation != .openAtomic {
      position = Int(frame.position)
      if opening.second == 1 {
        for restore in kept.reversed() { registers[Int(restore.extra)] = restore.position }
        return false
      }
    }
    frames += kept
    pc = Int(opening.first)
    return true
  }
}
