// SPDX-License-Identifier: MIT
import SporadesModel

/// How the value of a slot crosses into the database and back.
package enum Transfer: UInt8, Sendable {
  case integer, real, text, bytes
  /// Text of digits, kept as a number.
  case decimal
  /// Bytes that may lie in a file of their own.
  case external
  /// A key whose entity is the relationship's destination.
  case reference
  /// A key followed by a column with the number of its entity.
  case typedReference
}

/// One slot and its place among the columns of a statement.
package struct SlotTransfer: Sendable {
  package let slot: Int
  /// Result columns and parameters count from here; the first of them is 0.
  package let place: Int
  package let transfer: Transfer
  /// The entity of a reference that does not tell its own.
  package let destination: Int
  /// The least and the greatest number that the attribute's type holds.
  package let least: Int64
  package let greatest: Int64
  /// The slot is one word, and no text or blob.
  package let isWord: Bool
  /// How many bytes each value has; 0 where that is not fixed.
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
    (least, greatest) =
      switch type {
      case .integer16: (Int64(Int16.min), Int64(Int16.max))
      case .integer32: (Int64(Int32.min), Int64(Int32.max))
      default: (Int64.min, Int64.max)
      }
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
