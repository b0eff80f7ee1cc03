// SPDX-License-Identifier: MIT

/// The sum of numbers, rounded once at its end, so that their order changes nothing.
///
/// Whole numbers have a sum of their own. Doubles are added as whole multiples of the smallest double, in pieces of 32
/// bits. A piece has room for the carries of some hundred million additions.
package struct ExactTotal {
  private static let pieceCount = 70
  /// The multiple that the number 1 is: 2 to the power of this.
  private static let one = 1074
  private static let mostAdditions = 1 << 29

  private var whole: Int128 = 0
  /// Empty until a double is added. The last piece has the sign.
  private var pieces: [Int64] = []
  private var additions = 0
  /// The sum of infinities and of what is no number.
  private var infinite = 0.0
  /// The number of numbers.
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ number: Int64) {
    count += 1
    whole += Int128(number)
  }

  package mutating func add(_ number: Double) {
    count += 1
    guard number.isFinite else {
      infinite += number
      return
    }
    if pieces.isEmpty { pieces = Array(repeating: 0, count: Self.pieceCount) }
    let exponent = Int(number.exponentBitPattern)
    let digits = number.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
    add(digits, at: max(exponent, 1) - 1, isNegative: number.sign == .minus)
  }

  /// Adds a multiple of a power of 2.
  private mutating func add(_ digits: UInt64, at place: Int, isNegative: Bool) {
    let (piece, shift) = (place >> 5, UInt64(place & 31))
    let lower = (digits & 0xFFFF_FFFF) << shift
    let upper = (digits >> 32) << shift
    let parts = (
      Int64(lower & 0xFFFF_FFFF), Int64(lower >> 32) + Int64(upper & 0xFFFF_FFFF),
      Int64(upper >> 32)
    )
    let sign: Int64 = isNegative ? -1 : 1
    pieces[piece] += sign * parts.0
    pieces[piece + 1] += sign * parts.1
    pieces[piece + 2] += sign * parts.2
    additions += 1
    if additions == Self.mostAdditions { carry() }
  }

  /// Brings all pieces but the last between 0 and 2 to the power of 32.
  private mutating func carry() {
    additions = 0
    for place in 0..<pieces.count - 1 {
      let carried = pieces[place] >> 32
      pieces[place] -= carried << 32
      pieces[place + 1] += carried
    }
  }

  // MARK: - The result

  /// The sum: a whole number if all numbers are whole and 64 bits hold it, else a double. Null without numbers, and
  /// where infinities leave none.
  package var value: Value {
    guard count > 0 else { return .null }
    guard pieces.isEmpty, infinite == 0 else { return Self.value(of: double) }
    return Int64(exactly: whole).map { .integer($0) } ?? .double(Double(whole))
  }

  /// The sum, divided by the number of numbers.
  package var average: Value {
    count > 0 ? Self.value(of: double / Double(count)) : .null
  }

  private static func value(of number: Double) -> Value { number.isNaN ? .null : .double(number) }

  /// The sum as the nearest double; of two, the even one.
  private var double: Double {
    guard infinite == 0 else { return infinite }
    guard !pieces.isEmpty else { return Double(whole) }
    var all = self
    all.addWhole()
    all.carry()
    let isNegative = (all.pieces.last ?? 0) < 0
    if isNegative {
      for place in all.pieces.indices { all.pieces[place].negate() }
      all.carry()
    }
    return isNegative ? -all.magnitude : all.magnitude
  }

  private mutating func addWhole() {
    let isNegative = whole < 0
    var rest = whole.magnitude
    var place = Self.one
    while rest > 0 {
      add(UInt64(truncatingIfNeeded: rest & 0xFFFF_FFFF), at: place, isNegative: isNegative)
      rest >>= 32
      place += 32
    }
    whole = 0
  }

  /// The three highest pieces hold more digits than a double. The lower pieces tell which way a
  /// half goes.
  private var magnitude: Double {
    guard let top = pieces.lastIndex(where: { $0 != 0 }) else { return 0 }
    let lowest = max(top - 2, 0)
    var digits: UInt128 = 0
    for place in (lowest...top).reversed() { digits = digits << 32 | UInt128(pieces[place]) }
    if pieces[..<lowest].contains(where: { $0 != 0 }) { digits |= 1 }
    return Double(sign: .plus, exponent: 32 * lowest - Self.one, significand: Double(digits))
  }
}
