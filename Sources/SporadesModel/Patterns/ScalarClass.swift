// SPDX-License-Identifier: MIT

/// The sets that letters after a backslash stand for, as ICU defines them.
enum ScalarClass {
  /// `\d`
  static let digits = ScalarSet.Definition.property {
    $0.properties.generalCategory == .decimalNumber
  }

  /// `\w`
  static let words = ScalarSet.Definition.property { isWord($0) }

  /// `\s`
  static let spaces = ScalarSet.Definition.property { $0.properties.isWhitespace }

  /// `\h`
  static let blanks = ScalarSet.Definition.property {
    $0 == "\t" || $0.properties.generalCategory == .spaceSeparator
  }

  /// `\v`, and what `.` does not take
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

  /// A boundary of words lies where a word character and another meet. Marks and invisible
  /// characters belong to what stands before them.
  static func isWord(_ scalar: UInt32) -> Bool {
    Unicode.Scalar(scalar).map { isWord($0) } ?? false
  }

  static func joinsWhatIsBefore(_ scalar: UInt32) -> Bool {
    guard scalar >= 0xAD, let properties = Unicode.Scalar(scalar)?.properties else { return false }
    return properties.isGraphemeExtend || properties.generalCategory == .format
  }
}
