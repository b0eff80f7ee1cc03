// SPDX-License-Identifier: MIT

/// SHA-256 and SHA-512 of FIPS 180-4, for whole messages in memory.
///
/// Both are one algorithm over words of different width. The words of either lie in 64 bits, and the differences are
/// values: a debug build of generic code over two types of words takes seven times as long.
struct SHA2 {
  /// How far a word is rotated twice, and then rotated or shifted.
  typealias Distances = (UInt64, UInt64, UInt64)

  /// The bits of a word.
  let width: UInt64
  let rounds: Int
  let smallSigma0: Distances
  let smallSigma1: Distances
  let bigSigma0: Distances
  let bigSigma1: Distances
  private let constants: [UInt64]
  private let initial: [UInt64]

  private init(
    width: UInt64, rounds: Int, smallSigma0: Distances, smallSigma1: Distances,
    bigSigma0: Distances, bigSigma1: Distances
  ) {
    (self.width, self.rounds) = (width, rounds)
    (self.smallSigma0, self.smallSigma1) = (smallSigma0, smallSigma1)
    (self.bigSigma0, self.bigSigma1) = (bigSigma0, bigSigma1)
    // Both functions begin with roots of the same primes: the shorter words are the upper halves of the longer ones.
    constants = SHA2Constants.rounds.map { $0 >> (64 - width) }
    initial = SHA2Constants.initial.map { $0 >> (64 - width) }
  }

  static func sha256(_ message: [UInt8]) -> [UInt8] { words32.digest(message) }
  static func sha512(_ message: [UInt8]) -> [UInt8] { words64.digest(message) }

  private static let words32 = SHA2(
    width: 32, rounds: 64, smallSigma0: (7, 18, 3), smallSigma1: (17, 19, 10),
    bigSigma0: (2, 13, 22), bigSigma1: (6, 11, 25))
  private static let words64 = SHA2(
    width: 64, rounds: 80, smallSigma0: (1, 8, 7), smallSigma1: (19, 61, 6),
    bigSigma0: (28, 34, 39), bigSigma1: (14, 18, 41))

  private var wordSize: Int { Int(width) / 8 }
  private var blockSize: Int { 16 * wordSize }
  private var mask: UInt64 { ~0 >> (64 - width) }

  private func digest(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    var schedule = [UInt64](repeating: 0, count: rounds)
    let padded = padded(message)
    for start in stride(from: 0, to: padded.count, by: blockSize) {
      fill(&schedule, from: padded, at: start)
      compress(schedule, into: &state)
    }
    var digest: [UInt8] = []
    digest.reserveCapacity(state.count * wordSize)
    for word in state { append(word, of: wordSize, to: &digest) }
    return digest
  }

  /// Appends one bit, zeros, and the length in bits, so that the message ends with a block.
  private func padded(_ message: [UInt8]) -> [UInt8] {
    var padded: [UInt8] = []
    padded.reserveCapacity((message.count / blockSize + 2) * blockSize)
    padded += message
    padded.append(0x80)
    while (padded.count + 2 * wordSize) % blockSize != 0 { padded.append(0) }
    for _ in 8..<2 * wordSize { padded.append(0) }
    append(UInt64(message.count) * 8, of: 8, to: &padded)
    return padded
  }

  private func fill(_ schedule: inout [UInt64], from message: [UInt8], at start: Int) {
    let (size, mask) = (wordSize, mask)
    var place = start
    for index in 0..<16 {
      var word: UInt64 = 0
      for next in place..<place + size { word = word << 8 | UInt64(message[next]) }
      schedule[index] = word
      place += size
    }
    for index in 16..<rounds {
      let sum =
        mixed(schedule[index - 2], smallSigma1, isShifted: true) &+ schedule[index - 7]
        &+ mixed(schedule[index - 15], smallSigma0, isShifted: true) &+ schedule[index - 16]
      schedule[index] = sum & mask
    }
  }

  private func compress(_ schedule: [UInt64], into state: inout [UInt64]) {
    let mask = mask
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<rounds {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first =
        h &+ mixed(e, bigSigma1, isShifted: false) &+ choice &+ constants[round] &+ schedule[round]
      let second = mixed(a, bigSigma0, isShifted: false) &+ majority
      (h, g, f, e) = (g, f, e, (d &+ first) & mask)
      (d, c, b, a) = (c, b, a, (first &+ second) & mask)
    }
    state[0] = (state[0] &+ a) & mask
    state[1] = (state[1] &+ b) & mask
    state[2] = (state[2] &+ c) & mask
    state[3] = (state[3] &+ d) & mask
    state[4] = (state[4] &+ e) & mask
    state[5] = (state[5] &+ f) & mask
    state[6] = (state[6] &+ g) & mask
    state[7] = (state[7] &+ h) & mask
  }

  @inline(__always)
  private func mixed(_ word: UInt64, _ by: Distances, isShifted: Bool) -> UInt64 {
    rotated(word, by.0) ^ rotated(word, by.1) ^ (isShifted ? word &>> by.2 : rotated(word, by.2))
  }

  /// Moves the bits to the right. The bits that fall out come back on the left. The bits beyond the width are whatever they
  /// are, until a sum leaves them out.
  @inline(__always)
  private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word &>> count | word &<< (width &- count)
  }

  /// Appends the lowest bytes of a word, the highest of them first.
  private func append(_ word: UInt64, of count: Int, to bytes: inout [UInt8]) {
    for place in (0..<UInt64(count)).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: word &>> (8 &* place)))
    }
  }
}
