// SPDX-License-Identifier: MIT
import SporadesModel

/// The part of a token that one scalar of a text becomes.
///
/// `TextFolding` folds each scalar by itself, so that the folded scalars of a word are the folded word.
struct FoldedScalar {
  /// The UTF-8 bytes, the first in the lowest place, and their number in the highest byte.
  private let packed: UInt64

  /// The scalar stands between words.
  static let separator = FoldedScalar(packed: UInt64(0xFF) << 56)
  /// The bytes are more than a number holds.
  private static let long = FoldedScalar(packed: UInt64(0xFE) << 56)

  var isSeparator: Bool { packed == Self.separator.packed }
  var isLong: Bool { packed == Self.long.packed }
  /// The scalar is a mark that folding drops.
  var isEmpty: Bool { packed == 0 }

  /// The scalars below this number stand in a table.
  private static let tableEnd: UInt32 = 0x3100
  private static let table: [FoldedScalar] = (0..<tableEnd).map { number in
    Unicode.Scalar(number).map { FoldedScalar(folding: $0) } ?? separator
  }

  /// The table of the scalars up to the kana. A loop reads it once, because each access asks whether the table is made.
  static var common: [FoldedScalar] { table }

  /// The part of a scalar, from a table that the caller holds.
  @inline(__always)
  static func of(_ scalar: Unicode.Scalar, _ table: [FoldedScalar]) -> FoldedScalar {
    scalar.value < tableEnd ? table[Int(scalar.value)] : FoldedScalar(folding: scalar)
  }

  private init(packed: UInt64) { self.packed = packed }

  private init(folding scalar: Unicode.Scalar) {
    switch scalar.value {
    // Ideographs fold to themselves.
    case 0x4E00...0x9FFF: packed = Self.packed(UTF8.encode(scalar)!)
    case Self.hangul: self = .long
    default:
      let bytes = Self.isWord(scalar) ? Self.bytes(scalar) : nil
      packed =
        bytes.map { $0.count < 8 ? Self.packed($0) : Self.long.packed } ?? Self.separator.packed
    }
  }

  private static func packed(_ bytes: some Collection<UInt8>) -> UInt64 {
    var packed = UInt64(bytes.count) << 56
    for (place, byte) in bytes.enumerated() { packed |= UInt64(byte) << UInt64(8 * place) }
    return packed
  }

  /// Letters, numbers, marks and scalars of private use make words.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark,
      .privateUse:
      true
    default: false
    }
  }

  /// The folded bytes of a scalar, without ASCII characters that are neither letters nor digits.
  static func bytes(_ scalar: Unicode.Scalar) -> [UInt8] {
    TextFolding.fold(String(scalar), [.caseInsensitive, .diacriticInsensitive]).utf8.filter {
      byte in
      byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
  }

  /// Calls a closure with the bytes of each folded scalar, in order.
  @inline(__always)
  func forEachByte(of scalar: Unicode.Scalar, _ body: (UInt8) -> Void) {
    if isLong {
      if Self.hangul.contains(scalar.value) {
        Self.forEachByte(ofSyllable: scalar.value - Self.hangul.lowerBound, body)
      } else {
        for byte in Self.bytes(scalar) { body(byte) }
      }
    } else {
      var rest = packed
      for _ in 0..<(packed >> 56) {
        body(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }
  }

  // MARK: - Hangul

  /// The syllables, which decompose into two or three letters by their numbers.
  private static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  private static func forEachByte(ofSyllable number: UInt32, _ body: (UInt8) -> Void) {
    func letter(_ value: UInt32) {
      body(0xE1)
      body(UInt8(0x80 | value >> 6 & 0x3F))
      body(UInt8(0x80 | value & 0x3F))
    }
    letter(0x1100 + number / 588)
    letter(0x1161 + number % 588 / 28)
    if !number.isMultiple(of: 28) { letter(0x11A7 + number % 28) }
  }
}

extension UInt8 {
  /// The byte begins a scalar of UTF-8.
  @inline(__always)
  var beginsScalar: Bool { self & 0xC0 != 0x80 }
}
