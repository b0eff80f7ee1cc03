// SPDX-License-Identifier: MIT
import SporadesModel

extension Value {
  /// The value as the Swift type of an attribute; nil if it is null or of another type.
  func converted<V: AttributeConvertible>() -> V? {
    guard let cell = Cell(self, as: V.attributeType) else { return nil }
    return cell.load()
  }
}
