// SPDX-License-Identifier: MIT
package import SporadesModel

extension Value {
  /// The value as the Swift type of an attribute; nil if it is null or of another type.
  package func converted<V: AttributeConvertible>() -> V? {
    // A text is read where it lies, without a copy of its bytes.
    if case .string(var text) = self, V.attributeType == .string, !text.isEmpty {
      return text.withUTF8 { utf8 in
        let word = BytePlace(offset: 0, length: utf8.count).rawValue
        return unsafe V.load(word: word, bytes: utf8.baseAddress.unsafelyUnwrapped)
      }
    }
    guard let cell = Cell(self, as: V.attributeType) else { return nil }
    return cell.load()
  }
}
