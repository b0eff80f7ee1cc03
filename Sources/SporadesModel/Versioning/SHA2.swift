// SPDX-License-Identifier: MIT

/// SHA-256 and SHA-512 of FIPS 180-4, for whole messages in memory.
///
/// Both are one algorithm over words of different width. ``SHA2Word`` holds the differences.
enum SHA2 {
  static func sha256(_ message: [UInt8]) -> [UInt8] { digest(message, UInt32.self) }
  static func sha512(_ message: [UInt8]) -> [UInt8] { digest(message, UInt64.self) }

  private static func digest<Word: SHA2Word>(_ message: [UInt8], _: Word.Type) -> [UInt8] {
    let constants = Word.roundConstants
    var state = Word.initialState
    var schedule = [Word](repeating: 0, count: constants.count)
    let padded = pad(message, block: Word.blockSize)
    for start in stride(from: 0, to: padded.count, by: Word.blockSize) {
      fill(&schedule, from: padded[start..<start + Word.blockSize])
      compress(schedule, constants, into: &state)
    }
    return state.flatMap(bigEndianBytes)
  }

  /// Appends one bit, zeros, and the length in bits, so that the message ends with a block.
  private static func pad(_ message: [UInt8], block: Int) -> [UInt8] {
    let lengthSize = block / 8
    var padded = message
    padded.append(0x80)
    while (padded.count + lengthSize) % block != 0 { padded.append(0) }
    for _ in 8..<lengthSize { padded.append(0) }
    padded += bigEndianBytes(UInt64(message.count) * 8)
    return padded
  }

  private static func fill<Word: SHA2Word>(_ schedule: inout [Word], from block: ArraySlice<UInt8>)
  {
    let width = Word.bitWidth / 8
    for index in 0..<16 {
      let start = block.startIndex + index * width
      schedule[index] = block[start..<start + width].reduce(0) { $0 << 8 | Word($1) }
    }
    for index in 16..<schedule.count {
      schedule[index] =
        Word.smallSigma1(schedule[index - 2]) &+ schedule[index - 7]
        &+ Word.smallSigma0(schedule[index - 15]) &+ schedule[index - 16]
    }
  }

  private static func compress<Word: SHA2Word>(
    _ schedule: [Word], _ constants: [Word], into state: inout [Word]
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in schedule.indices {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first = h &+ Word.bigSigma1(e) &+ choice &+ constants[round] &+ schedule[round]
      let second = Word.bigSigma0(a) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func bigEndianBytes(_ word: some FixedWidthInteger) -> [UInt8] {
    stride(from: word.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: word >> $0)
    }
  }
}

/// The differences between SHA-256 and SHA-512.
protocol SHA2Word: FixedWidthInteger, UnsignedInteger, SendableMetatype {
  /// Bytes per block.
  static var blockSize: Int { get }
  static var initialState: [Self] { get }
  static var roundConstants: [Self] { get }
  static func smallSigma0(_ word: Self) -> Self
  static func smallSigma1(_ word: Self) -> Self
  static func bigSigma0(_ word: Self) -> Self
  static func bigSigma1(_ word: Self) -> Self
}

extension SHA2Word {
  /// Moves the bits to the right. The bits that fall out come back on the left.
  fileprivate func rotated(_ count: Int) -> Self { self >> count | self << (Self.bitWidth - count) }
}

extension UInt32: SHA2Word {
  static var blockSize: Int { 64 }
  /// The upper halves of SHA-512's constants: both hash functions use roots of the same primes.
  static var roundConstants: [UInt32] {
    SHA2Constants.rounds.prefix(64).map { UInt32(truncatingIfNeeded: $0 >> 32) }
  }
  static var initialState: [UInt32] {
    SHA2Constants.initial.map { UInt32(truncatingIfNeeded: $0 >> 32) }
  }
  static func smallSigma0(_ word: UInt32) -> UInt32 {
    word.rotated(7) ^ word.rotated(18) ^ word >> 3
  }
  static func smallSigma1(_ word: UInt32) -> UInt32 {
    word.rotated(17) ^ word.rotated(19) ^ word >> 10
  }
  static func bigSigma0(_ word: UInt32) -> UInt32 {
    word.rotated(2) ^ word.rotated(13) ^ word.rotated(22)
  }
  static func bigSigma1(_ word: UInt32) -> UInt32 {
    word.rotated(6) ^ word.rotated(11) ^ word.rotated(25)
  }
}

extension UInt64: SHA2Word {
  static var blockSize: Int { 128 }
  static var roundConstants: [UInt64] { SHA2Constants.rounds }
  static var initialState: [UInt64] { SHA2Constants.initial }
  static func smallSigma0(_ word: UInt64) -> UInt64 {
    word.rotated(1) ^ word.rotated(8) ^ word >> 7
  }
  static func smallSigma1(_ word: UInt64) -> UInt64 {
    word.rotated(19) ^ word.rotated(61) ^ word >> 6
  }
  static func bigSigma0(_ word: UInt64) -> UInt64 {
    word.rotated(28) ^ word.rotated(34) ^ word.rotated(39)
  }
  static func bigSigma1(_ word: UInt64) -> UInt64 {
    word.rotated(14) ^ word.rotated(18) ^ word.rotated(41)
  }
}
