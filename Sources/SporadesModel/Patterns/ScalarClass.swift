// SPDX-License-Identifier: MIT

/// The sets that letters after a backslash stand for, by ICU's definitions.
enum ScalarClass {
  /// The digits, `\d`.
  static let digits = ScalarSet.Definition.property {
    $0.properties.generalCategory == .decimalNumber
  }

  /// The characters of words, `\w`.
  static let words = ScalarSet.Definition.property { isWord($0) }

  /// White space, `\s`.
  static let spaces = ScalarSet.Definition.property { $0.properties.isWhitespace }

  /// Blanks within a line, `\h`.
  static let blanks = ScalarSet.Definition.property {
    $0 == "\t" || $0.properties.generalCategory == .spaceSeparator
  }

  /// Line ends, `\v`. The `.` takes none of them.
  static let lineEnds = ScalarSet.Definition.ranges([10...13, 0x85...0x85, 0x2028...0x2029])

  @inline(__always)
  static func isLineEnd(_ scalar: UInt32) -> Bool {
    10...13 ~= scalar || scalar == 0x85 || scalar == 0x2028 || scalar == 0x2029
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || scalar == "_"
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark:
      return true
    default: return properties.isAlphabetic || properties.isJoinControl
    }
  }

  /// The scalar is a character of words. A boundary lies between such a character and another one.
  static func isWord(_ scalar: UInt32) -> Bool {
    Unicode.Scalar(scalar).map { isWord($0) } ?? false
  }

  /// The scalar is a mark or invisible character, which belongs to the character before it.
  static func extendsCharacter(_ scalar: UInt32) -> Bool {
    guard scalar >= 0xAD, let properties = Unicode.Scalar(scalar)?.properties else { return false }
    return properties.isGraphemeExtend || properties.generalCategory == .format
  }
}
