// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

// Cells of a row for imports and exports, which move bytes without making values of them.
extension ManagedObject {
  /// The shape of the object's entity.
  package final var entityShape: EntityShape { home.shape }

  /// Sets a slot that holds neither text nor blob. Returns whether the row changed.
  package final func takeWord(_ word: UInt64, in slot: Int) -> Bool {
    guard !isNew else {
      setWord(slot, word)
      return true
    }
    guard let row = unsafe loadRow(for: slot) else {
      refuseChange()
      return false
    }
    let slots = unsafe home.slots
    if unsafe !row.isNull(slot, slots) && row.word(slot, slots) == word { return false }
    setWord(slot, word)
    return true
  }

  /// Sets the slot of a text or blob. Returns whether the row changed.
  @unsafe
  package final func takeBytes(_ bytes: UnsafeRawBufferPointer, in slot: Int) -> Bool {
    guard !home.shape.layout.isLarge(slot) else { return takeLarge(unsafe Data(bytes), in: slot) }
    guard !isNew else {
      unsafe setBytes(slot, bytes)
      return true
    }
    guard unsafe loadRow(for: slot) != nil, let page else {
      refuseChange()
      return false
    }
    let isSame =
      unsafe page.withBytes(rowIndex, slot: slot) { held in
        unsafe held.count == bytes.count && held.elementsEqual(bytes)
      } ?? false
    if isSame { return false }
    unsafe setBytes(slot, bytes)
    return true
  }

  private final func takeLarge(_ data: Data, in slot: Int) -> Bool {
    if !isNew, largeData(slot) == data { return false }
    setLarge(slot, data)
    return true
  }

  /// Sets a slot to nil. Returns whether the row changed.
  package final func takeNull(in slot: Int) -> Bool {
    guard let row = unsafe loadRow(for: slot) else {
      refuseChange()
      return false
    }
    if unsafe row.isNull(slot, home.slots) { return false }
    setNull(slot)
    return true
  }

  /// Calls `body` with the cell of a slot. The bytes are valid until it returns.
  @unsafe
  package final func withCell(_ slot: Int, _ body: (RowCell) throws -> Void) rethrows {
    let slots = unsafe home.slots
    guard let row = unsafe loadRow(for: slot), unsafe !row.isNull(slot, slots),
      let reference = unsafe pageReference
    else { return unsafe try body(.null) }
    let layout = home.shape.layout
    if layout.isLarge(slot) {
      guard let data = largeData(slot) else { return unsafe try body(.null) }
      return unsafe try data.withUnsafeBytes { unsafe try body(.bytes($0)) }
    }
    guard layout.slots[slot].kind.isBytes else {
      return unsafe try body(.word(row.word(slot, slots)))
    }
    // The object holds the page while the cell is read.
    let region = unsafe reference._withUnsafeGuaranteedRef { unsafe $0.byteRegion }
    let place = unsafe BytePlace(rawValue: row.word(slot, slots, region))
    unsafe try body(.bytes(region[place]))
  }

  /// The key of the object that a to-one relationship leads to, as the row has it.
  package final func targetKey(_ slot: Int) -> RowKey? { reference(slot) }

  /// The object that a to-one relationship leads to.
  package final func target(inSlot slot: Int) -> ManagedObject? { related(slot) }

  /// Sets a to-one relationship. Returns whether it changed.
  package final func takeTarget(
    _ object: ManagedObject?, of relationship: RelationshipShape
  ) -> Bool {
    guard target(of: relationship) !== object else { return false }
    setToOne(relationship, object)
    return true
  }
}

/// The content of a row's slot.
@unsafe
package enum RowCell {
  case null
  case word(UInt64)
  case bytes(UnsafeRawBufferPointer)
}

extension ManagedObjectContext {
  /// The attribute at the path has an enum as its Swift type.
  package final func hasCases(_ path: [String], entity number: Int) -> Bool {
    stack.bindings[number - 1].enumChecks[path] != nil
  }

  /// The sentence about a raw value that belongs to no case of the attribute's enum; nil if it belongs to one.
  package final func describeUnknownCase(
    _ value: Value, _ path: [String], entity number: Int
  ) -> String? {
    guard !value.isNull, let cases = stack.bindings[number - 1].enumChecks[path],
      !cases.contain(value)
    else { return nil }
    return "no case of \(cases.typeName) has this value.\(cases.hint(for: value))"
  }
}
