// SPDX-License-Identifier: MIT
import SporadesModel

/// The conversion of a slot's value into a column and back.
package enum Transfer: UInt8, Sendable {
  case integer, real, text, bytes
  /// Digits as text, which the column stores as a number.
  case decimal
  /// Bytes that may be in a separate file.
  case external
  /// A key of the relationship's destination entity.
  case reference
  /// A key, followed by a column with its entity's number.
  case typedReference
}

/// One slot and its place among a statement's columns.
package struct SlotTransfer: Sendable {
  package let slot: Int
  /// The index of the result column or parameter, counted from 0.
  package let place: Int
  package let transfer: Transfer
  /// The entity of a reference without a column for its entity.
  package let destination: Int
  /// The smallest and the largest number of the attribute's type.
  package let least: Int64
  package let greatest: Int64
  /// Whether the slot is a single word, and neither text nor blob.
  package let isWord: Bool
  /// The size of each value in bytes; 0 for a variable size.
  package let length: Int

  init(_ slot: Int, place: Int, _ layout: RowLayout, _ column: StoreLayout.Column) {
    self.slot = slot
    self.place = place
    transfer = Transfer(layout.slots[slot].kind, column)
    destination = column.destination
    isWord =
      switch transfer {
      case .integer, .real, .reference, .typedReference: true
      case .text, .bytes, .decimal, .external: false
      }
    var type: AttributeType?
    if case .attribute(let attribute) = layout.slots[slot].role { type = attribute.type }
    let range = type?.integerRange ?? .min ... .max
    (least, greatest) = (range.lowerBound, range.upperBound)
    length = type == .uuid ? 16 : 0
  }
}

extension Transfer {
  init(_ kind: RowLayout.Kind, _ column: StoreLayout.Column) {
    self =
      switch kind {
      case .integer, .truth: .integer
      case .real: .real
      case .text: column.type == .decimal ? .decimal : .text
      case .bytes: .bytes
      case .large: .external
      case .reference: column.entityColumn == nil ? .reference : .typedReference
      }
  }
}
