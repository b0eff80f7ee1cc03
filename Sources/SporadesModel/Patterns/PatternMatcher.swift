// SPDX-License-Identifier: MIT

/// Runs a program over a text, going back where a way fails.
///
/// What is left to try lies on a stack of its own, so no text makes the thread's stack deeper. Where
/// failures are remembered no instruction is tried twice at one place: the time is proportional to
/// the product of the lengths of expression and text, whatever the expression.
struct PatternMatcher {
  enum Outcome { case matches, fails, exhausted }

  /// How much may be left to try; 20 bytes each.
  static let largestStack = 1 << 21

  struct Frame {
    enum Kind: Int32 {
      /// Goes on at `pc` and `place`.
      case branch
      /// Goes on at `pc` from `place` down to `extra`, or up to it where it is not below zero.
      case shorterRun, longerRun
      /// Sets the register `extra` back to `place`.
      case restore
      /// Remembers that the choice `pc` fails from `place` to `extra`.
      case failure
      /// The opening instruction `pc` was reached at `place`; `extra` is the barrier outside.
      case barrier
    }

    let kind: Kind
    var pc: Int32
    var place: Int32
    var extra: Int32 = 0
    /// Where the match of a look-behind began.
    var start: Int32 = 0
  }

  let program: PatternProgram
  let text: [UInt32]
  private var frames: [Frame] = []
  private var registers: [Int32]
  private var barrier: Int32 = -1
  /// Where the text ends for what takes scalars: a look-behind takes none after it.
  private var limit: Int
  private(set) var steps = 0
  /// A bit for each choice at each place; empty where nothing is remembered.
  private var failures: [UInt64] = []
  private var pc = 0
  private var place = 0

  init(_ program: PatternProgram, _ text: [UInt32], remembers: Bool) {
    self.program = program
    self.text = text
    limit = text.count
    registers = [Int32](repeating: -1, count: program.registerCount)
    if remembers {
      failures = [UInt64](
        repeating: 0, count: (program.choiceCount * (text.count + 1) + 63) / 64)
    }
  }

  /// Whether the whole text matches; gives up after a number of steps.
  mutating func run(limit: Int) -> Outcome {
    while steps < limit, frames.count < Self.largestStack {
      steps += 1
      let instruction = program.instructions[pc]
      if instruction.operation == .accept, place == text.count { return .matches }
      if !execute(instruction), !goBack() { return .fails }
    }
    return .exhausted
  }

  // MARK: - Instructions

  /// False where the way ends here.
  @inline(__always)
  private mutating func execute(_ instruction: PatternInstruction) -> Bool {
    switch instruction.operation {
    case .scalar:
      guard place < limit, text[place] == UInt32(bitPattern: instruction.first) else {
        return false
      }
      place += 1
    case .foldedScalar:
      guard place < limit,
        ScalarCase.fold(text[place]) == UInt32(bitPattern: instruction.first)
      else { return false }
      place += 1
    case .set:
      guard place < limit, program.sets[Int(instruction.first)].contains(text[place], steps: &steps)
      else {
        return false
      }
      place += 1
    case .jump:
      pc = Int(instruction.first)
      return true
    case .split: return split(instruction)
    case .greedyRun, .lazyRun, .possessiveRun:
      guard run(instruction) else { return false }
    default: return executeRare(instruction)
    }
    pc += 1
    return true
  }

  private mutating func executeRare(_ instruction: PatternInstruction) -> Bool {
    switch instruction.operation {
    case .anyUnit:
      guard place < limit else { return false }
      place += isBreakOfTwo(place) ? 2 : 1
    case .lineBreak:
      guard place < limit, ScalarClass.isLineEnd(text[place]) else { return false }
      place += isBreakOfTwo(place) ? 2 : 1
    case .cluster:
      guard place < limit else { return false }
      takeCluster()
    case .save: set(instruction.first, to: Int32(place))
    case .endGroup:
      set(instruction.first + 1, to: registers[Int(instruction.first)])
      set(instruction.first + 2, to: Int32(place))
    case .loop:
      if registers[Int(instruction.second)] != Int32(place) {
        pc = Int(instruction.first)
        return true
      }
    case .reference: guard takeReference(instruction) else { return false }
    case .assertion:
      guard let assertion = PatternNode.Assertion(rawValue: instruction.first),
        PatternPlaces(text: text).holds(assertion, at: place, steps: &steps)
      else { return false }
    case .openAtomic, .openAhead: open(at: place)
    case .openBehind: return openBehind()
    case .close: return close()
    case .accept: return false
    case .lengths, .scalar, .foldedScalar, .set, .jump, .split, .greedyRun, .lazyRun,
      .possessiveRun:
      preconditionFailure("No instruction of this kind is reached here.")
    }
    pc += 1
    return true
  }

  private func isBreakOfTwo(_ place: Int) -> Bool {
    text[place] == 13 && place + 1 < limit && text[place + 1] == 10
  }

  private mutating func takeCluster() {
    var width = 16
    while true {
      let end = min(place + width, limit)
      steps += end - place
      let scalars = text[place..<end].compactMap(Unicode.Scalar.init)
      let count = String(String.UnicodeScalarView(scalars)).first?.unicodeScalars.count ?? 1
      if place + count < end || end == limit {
        place += count
        return
      }
      width *= 2
    }
  }

  private mutating func takeReference(_ instruction: PatternInstruction) -> Bool {
    let start = Int(registers[Int(instruction.first) + 1])
    let end = Int(registers[Int(instruction.first) + 2])
    guard start >= 0, end >= start, limit - place >= end - start else { return false }
    steps += end - start
    for offset in 0..<(end - start) {
      let (left, right) = (text[start + offset], text[place + offset])
      guard
        left == right
          || (instruction.second == 1 && ScalarCase.fold(left) == ScalarCase.fold(right))
      else { return false }
    }
    place += end - start
    return true
  }

  private mutating func set(_ register: Int32, to value: Int32) {
    frames.append(
      Frame(kind: .restore, pc: 0, place: registers[Int(register)], extra: register))
    registers[Int(register)] = value
  }

  // MARK: - Choices

  private mutating func split(_ instruction: PatternInstruction) -> Bool {
    guard begin(instruction.choice) else { return false }
    frames.append(Frame(kind: .branch, pc: instruction.second, place: Int32(place)))
    pc = Int(instruction.first)
    return true
  }

  /// False where the choice is known to fail here. What fails later is remembered.
  private mutating func begin(_ choice: Int32) -> Bool {
    guard choice >= 0, !failures.isEmpty else { return true }
    guard !fails(choice, place) else { return false }
    frames.append(Frame(kind: .failure, pc: choice, place: Int32(place), extra: Int32(place)))
    return true
  }

  private func bit(_ choice: Int32, _ place: Int) -> (word: Int, mask: UInt64) {
    let number = Int(choice) * (text.count + 1) + place
    return (number >> 6, 1 << UInt64(number & 63))
  }

  private func fails(_ choice: Int32, _ place: Int) -> Bool {
    let bit = bit(choice, place)
    return failures[bit.word] & bit.mask != 0
  }

  /// A run from a later place that is known to fail ends this one there: it would only take the same.
  private func isHopeless(_ instruction: PatternInstruction, _ place: Int) -> Bool {
    instruction.third < 0 && instruction.choice >= 0 && !failures.isEmpty
      && fails(instruction.choice, place)
  }

  private mutating func run(_ instruction: PatternInstruction) -> Bool {
    let bound =
      instruction.third < 0
      ? limit : min(limit, place + Int(instruction.third))
    if instruction.operation == .possessiveRun {
      let end = endOfRun(instruction, bound)
      guard end - place >= Int(instruction.second) else { return false }
      place = end
      return true
    }
    guard begin(instruction.choice) else { return false }
    if instruction.operation == .lazyRun {
      frames.append(
        Frame(
          kind: .longerRun, pc: Int32(pc), place: Int32(place), extra: Int32(bound)))
      return true
    }
    var end = endOfRun(instruction, bound)
    if instruction.third < 0, !failures.isEmpty, instruction.choice >= 0 {
      frames[frames.count - 1].extra = Int32(end)
      if end > place, fails(instruction.choice, end) { end -= 1 }
    }
    if end > place {
      frames.append(
        Frame(kind: .shorterRun, pc: Int32(pc + 1), place: Int32(end - 1), extra: Int32(place)))
    }
    place = end
    return true
  }

  private mutating func endOfRun(_ instruction: PatternInstruction, _ bound: Int) -> Int {
    var end = place
    let set = program.sets[Int(instruction.first)]
    while end < bound, set.contains(text[end], steps: &steps) {
      end += 1
      if isHopeless(instruction, end) { break }
    }
    steps += end - place
    return end
  }

  // MARK: - Going back

  /// Goes on with what is left to try; false where nothing is.
  private mutating func goBack() -> Bool {
    while let frame = frames.popLast() {
      steps += 1
      switch frame.kind {
      case .branch:
        (pc, place) = (Int(frame.pc), Int(frame.place))
        return true
      case .shorterRun:
        if frame.place > frame.extra {
          frames.append(
            Frame(kind: .shorterRun, pc: frame.pc, place: frame.place - 1, extra: frame.extra))
        }
        (pc, place) = (Int(frame.pc), Int(frame.place))
        return true
      case .longerRun: if goFurther(frame) { return true }
      case .restore: registers[Int(frame.extra)] = frame.place
      case .failure:
        for place in frame.place...frame.extra {
          let bit = bit(frame.pc, Int(place))
          failures[bit.word] |= bit.mask
        }
        steps += Int(frame.extra - frame.place)
      case .barrier: if leave(frame) { return true }
      }
    }
    return false
  }

  private mutating func goFurther(_ frame: Frame) -> Bool {
    let instruction = program.instructions[Int(frame.pc)]
    let next = Int(frame.place)
    guard next < Int(frame.extra),
      program.sets[Int(instruction.first)].contains(text[next], steps: &steps),
      !isHopeless(instruction, next + 1)
    else { return false }
    frames.append(
      Frame(kind: .longerRun, pc: frame.pc, place: frame.place + 1, extra: frame.extra))
    (pc, place) = (Int(frame.pc) + 1, next + 1)
    return true
  }

  // MARK: - Groups that are matched once

  private mutating func open(at start: Int) {
    frames.append(
      Frame(
        kind: .barrier, pc: Int32(pc), place: Int32(place), extra: barrier, start: Int32(start)))
    barrier = Int32(frames.count - 1)
    setLimit()
  }

  /// The innermost look around this place decides.
  private mutating func setLimit() {
    var outer = barrier
    while outer >= 0 {
      let frame = frames[Int(outer)]
      switch program.instructions[Int(frame.pc)].operation {
      case .openBehind:
        limit = Int(frame.place)
        return
      case .openAhead: outer = -1
      default: outer = frame.extra
      }
    }
    limit = text.count
  }

  private mutating func openBehind() -> Bool {
    let lengths = program.instructions[pc + 1]
    guard place >= Int(lengths.first) else {
      guard program.instructions[pc].second == 1 else { return false }
      pc = Int(program.instructions[pc].first)
      return true
    }
    let start = place - Int(lengths.first)
    open(at: start)
    (pc, place) = (pc + 2, start)
    return true
  }

  /// What was opened can not be matched; true where that is what a look wants, or a look-behind can
  /// begin earlier.
  private mutating func leave(_ frame: Frame) -> Bool {
    barrier = frame.extra
    setLimit()
    let opening = program.instructions[Int(frame.pc)]
    if opening.operation == .openBehind {
      let most = Int(program.instructions[Int(frame.pc) + 1].second)
      let start = Int(frame.start) - 1
      if start >= 0, Int(frame.place) - start <= most {
        (pc, place) = (Int(frame.pc), Int(frame.place))
        open(at: start)
        (pc, place) = (Int(frame.pc) + 2, start)
        return true
      }
    }
    guard opening.operation != .openAtomic, opening.second == 1 else { return false }
    (pc, place) = (Int(opening.first), Int(frame.place))
    return true
  }

  /// What was opened is matched: nothing of it is tried in another way.
  private mutating func close() -> Bool {
    let frame = frames[Int(barrier)]
    let opening = program.instructions[Int(frame.pc)]
    if opening.operation == .openBehind, place != Int(frame.place) { return false }
    let kept = frames[(Int(barrier) + 1)...].filter { $0.kind == .restore }
    frames.removeLast(frames.count - Int(barrier))
    barrier = frame.extra
    setLimit()
    if opening.operation != .openAtomic {
      place = Int(frame.place)
      if opening.second == 1 {
        for restore in kept.reversed() { registers[Int(restore.extra)] = restore.place }
        return false
      }
    }
    frames += kept
    pc = Int(opening.first)
    return true
  }
}
