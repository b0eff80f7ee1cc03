// SPDX-License-Identifier: MIT

/// Makes random numbers. The same seed gives the same numbers on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator whose numbers the seed decides.
  public init(seed: UInt64) { state = seed }

  /// SplitMix64, by Steele, Lea and Flood.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Picks one of the elements.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Returns true once in `odds` times, on average.
  package mutating func once(in odds: Int) -> Bool { Int.random(in: 0..<odds, using: &self) == 0 }
}
