// SPDX-License-Identifier: MIT

extension RowPage {
  /// Reads the value of an attribute; null if no store keeps the attribute. The function traps if the
  /// value lies in a file.
  public func value(_ index: Int, of attribute: AttributeShape) -> Value {
    guard let slot = attribute.slot else { return .null }
    return value(index, slot: slot, as: attribute.type)
  }
}
