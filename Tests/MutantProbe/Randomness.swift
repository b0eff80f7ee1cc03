// SPDX-License-Identifier: MIT

/// Random numbers from a seed (SplitMix64).
struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Damages bytes: flips them, sets them to extreme values, copies them, or cuts them off.
  mutating func damage(_ bytes: inout [UInt8], times: Int) {
    for _ in 0..<times where !bytes.isEmpty {
      // Damage to the first page of a store, and to the head and trailer of a list, has the most effects.
      let place =
        below(3) == 0
        ? below(min(bytes.count, 4096))
        : below(4) == 0 ? bytes.count - 1 - below(min(bytes.count, 40)) : below(bytes.count)
      switch below(8) {
      case 0: bytes[place] ^= 1 << UInt8(below(8))
      case 1: bytes[place] = one(of: [0, 1, 0x7F, 0x80, 0xFE, 0xFF])
      case 2:
        let end = min(bytes.count, place + 1 + below(8))
        for index in place..<end { bytes[index] = 0xFF }
      case 3:
        let count = min(bytes.count - place, 1 + below(64))
        let source = below(bytes.count - count + 1)
        bytes.replaceSubrange(place..<place + count, with: Array(bytes[source..<source + count]))
      case 4:
        // A number of four bytes with the high byte first, as in these formats.
        for (index, byte) in extreme().prefix(bytes.count - place).enumerated() {
          bytes[place + index] = byte
        }
      case 5 where below(4) == 0: bytes.removeLast(min(bytes.count - 1, below(bytes.count)))
      case 6 where below(4) == 0: bytes += Array(bytes.prefix(1 + below(4096)))
      default: bytes[place] = UInt8(below(256))
      }
    }
  }

  private mutating func extreme() -> [UInt8] {
    one(of: [
      [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0],
      [0, 0, 0, 1], [0, 0, 0, UInt8(below(32))],
    ])
  }
}
