// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

// A migration converts a value only where the way back leads to the value.
extension Value {
  /// The same value in another type; nil if the new type has no equal, or keeps less of it.
  package func converted(from old: AttributeType, keptAs new: AttributeType) -> Value? {
    converted(to: new).flatMap { isKept(old, as: $0, new) ? $0 : nil }
  }

  /// Whether the way back leads to the value. A text that becomes a number may be spelled otherwise than the number is.
  private func isKept(_ old: AttributeType, as converted: Value, _ new: AttributeType) -> Bool {
    if new == .uuid { return true }
    let back = converted.converted(to: old)
    if back == self { return true }
    guard case .string(let text) = self, case .string(let spelling)? = back else { return false }
    switch new {
    case .double, .float, .decimal: return PlainNumber.areEqual(text, spelling)
    default: return false
    }
  }
}

/// Texts that are numbers for people: `12`, `-12.50`. A text with other signs, or with zeros at its beginning, may be a
/// code.
private enum PlainNumber {
  /// The digits that a decimal number surely keeps.
  private static let digits = 38

  /// Whether a plain number and a spelling of Swift's, which may have an exponent, are the same number.
  static func areEqual(_ text: String, _ spelling: String) -> Bool {
    guard isPlain(text), let number = Decimal(string: text) else { return false }
    return Decimal(string: spelling) == number
  }

  private static func isPlain(_ text: String) -> Bool {
    let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, unsigned.count <= digits,
      parts.allSatisfy({ part in
        !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      })
    else { return false }
    return whole.count == 1 || whole.first != UInt8(ascii: "0")
  }
}
