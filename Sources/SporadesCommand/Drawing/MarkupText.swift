// SPDX-License-Identifier: MIT

/// Texts in XML and in what Graphviz reads.
enum MarkupText {
  /// The text as XML contains it. A character that XML forbids becomes the sign for one that is missing.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      case "\t", "\n", "\r": result.append(" ")
      case _ where isForbidden(scalar.value): result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isForbidden(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// A number with at most one digit behind the point.
  static func number(_ number: Double) -> String {
    let tenths = (number * 10).rounded()
    guard let whole = Int(exactly: tenths) else { return "0" }
    return whole % 10 == 0
      ? String(whole / 10)
      : "\(whole < 0 ? "-" : "")\(whole.magnitude / 10).\(whole.magnitude % 10)"
  }
}
