// SPDX-License-Identifier: MIT
package import FoundationEssentials

// Slots whose values may lie outside the page.
extension RowPage {
  /// The largest number of bytes that a row holds. A row holds a reference to a larger value.
  package static var largeThreshold: Int { LargeForm.threshold }

  /// The value that a large slot refers to; nil if the slot is nil or the row itself holds the bytes.
  package func largeValue(_ index: Int, slot: Int) -> (any LargeValue)? {
    unsafe withForm(index, slot: slot) { form -> (any LargeValue)? in
      unsafe LargeForm.listIndex(form).map { unsafe largeValues[$0] }
    } ?? nil
  }

  /// Reads the bytes of a blob slot, inside or outside the page; nil if the slot is nil.
  package func data(_ index: Int, slot: Int) throws -> Data? {
    guard layout.isLarge(slot) else {
      return unsafe withBytes(index, slot: slot) { unsafe Data($0) }
    }
    if let value = largeValue(index, slot: slot) { return try value.read() }
    return unsafe withForm(index, slot: slot) { unsafe Data($0.dropFirst()) }
  }

  /// The large slots of two rows hold equal bytes. Neither slot is nil.
  package func holdsLarge(_ index: Int, slot: Int, as other: RowPage, _ otherIndex: Int) -> Bool {
    switch (largeValue(index, slot: slot), other.largeValue(otherIndex, slot: slot)) {
    case (let mine?, let theirs?): mine.isEqual(to: theirs)
    case (let value?, nil): other.holdsLarge(otherIndex, slot: slot, value)
    case (nil, let value?): holdsLarge(index, slot: slot, value)
    case (nil, nil):
      unsafe withForm(index, slot: slot) { mine in
        unsafe other.withForm(otherIndex, slot: slot) { unsafe mine.elementsEqual($0) } ?? false
      } ?? false
    }
  }

  /// A large slot holds the bytes of a value.
  package func holdsLarge(_ index: Int, slot: Int, _ value: any LargeValue) -> Bool {
    if let own = largeValue(index, slot: slot) { return own.isEqual(to: value) }
    return unsafe withForm(index, slot: slot) { form in
      // A value that cannot be read differs from every other value; see `LargeValue.isEqual(to:)`.
      guard let count = try? value.count(), count == form.count - 1, let data = try? value.read()
      else { return false }
      return unsafe data.elementsEqual(form.dropFirst())
    } ?? false
  }

  /// Calls `body` with the form of a large slot, unless the slot is nil. The form begins with a mark.
  @unsafe
  package func withForm<Output>(
    _ index: Int, slot: Int, _ body: (UnsafeRawBufferPointer) -> Output
  ) -> Output? {
    precondition(layout.isLarge(slot), "Slot \(slot) holds no large value.")
    guard !isNull(index, slot: slot) else { return nil }
    return unsafe body(byteRegion[BytePlace(rawValue: word(index, slot: slot))])
  }

  // MARK: - Open pages

  /// Adds bytes for a large slot to the page, and returns the place that the slot must hold.
  ///
  /// The page releases the value that the slot of the row referred to before.
  @unsafe
  package func openLarge(_ data: Data, for slot: Int, of row: PackedRow?) -> BytePlace {
    guard data.count > LargeForm.threshold else {
      return unsafe data.withUnsafeBytes { unsafe appendForm(LargeForm.inline($0)) }
    }
    return unsafe openLarge(LargeValueInMemory(data), for: slot, of: row)
  }

  /// Adds a value outside the page for a large slot, and returns the place that the slot must hold.
  @unsafe
  package func openLarge(
    _ value: any LargeValue, for slot: Int, of row: PackedRow?
  ) -> BytePlace {
    if let index = unsafe listIndex(slot, of: row) {
      // The form takes a new place, so that a comparison of rows sees the change.
      unsafe largeValues[index] = value
      return appendForm(LargeForm.listed(index))
    }
    unsafe largeValues.append(value)
    return appendForm(LargeForm.listed(unsafe largeValues.count - 1))
  }

  /// Releases the value that a large slot refers to, before the slot becomes nil.
  @unsafe
  package func releaseLarge(_ slot: Int, of row: PackedRow) {
    if let index = unsafe listIndex(slot, of: row) { unsafe largeValues[index] = Self.noBytes }
  }

  private static let noBytes = LargeValueInMemory(Data())

  private func listIndex(_ slot: Int, of row: PackedRow?) -> Int? {
    guard let row = unsafe row, unsafe !row.isNull(slot, layout.places) else { return nil }
    let region = unsafe byteRegion
    return unsafe LargeForm.listIndex(
      region[BytePlace(rawValue: row.word(slot, layout.places, region))])
  }

  private func appendForm(_ form: [UInt8]) -> BytePlace {
    unsafe form.withUnsafeBytes { unsafe openBytes($0.baseAddress, $0.count) }
  }

  /// Adds a copy of another page's large slot, and returns the place that the slot must hold.
  @unsafe
  func openCopyOfLarge(
    _ slot: Int, _ form: UnsafeRawBufferPointer, in page: RowPage, for row: PackedRow?
  ) -> BytePlace {
    if let index = unsafe LargeForm.listIndex(form) {
      return unsafe openLarge(page.largeValues[index], for: slot, of: row)
    }
    return unsafe openBytes(form.baseAddress, form.count)
  }

  // MARK: - Pages in memory

  /// The page with all large values in memory, so that it does not depend on the files of a store.
  package func withLargeValuesInMemory() throws -> RowPage {
    guard unsafe largeValues.contains(where: { !$0.isInMemory }) else { return self }
    var builder = RowPageBuilder(layout: layout, capacity: count)
    for index in 0..<count { builder.appendCopy(of: index, in: self) }
    builder.largeValues = try builder.largeValues.map {
      $0.isInMemory ? $0 : LargeValueInMemory(try $0.read())
    }
    return builder.finish()
  }
}

extension RowPageBuilder {
  /// Sets a large slot of the last row to a value outside the page.
  package mutating func set(_ slot: Int, to value: any LargeValue) {
    largeValues.append(value)
    unsafe LargeForm.listed(largeValues.count - 1).withUnsafeBytes { unsafe setForm(slot, $0) }
  }

  /// Sets a large slot of the last row to bytes in the form of Core Data's files: a mark of one, then
  /// the value.
  @unsafe
  package mutating func setMarked(_ slot: Int, _ stored: UnsafeRawBufferPointer) {
    precondition(
      layout.isLarge(slot) && (unsafe stored.first) == LargeForm.inline,
      "The bytes for slot \(slot) do not begin with their mark.")
    unsafe setForm(slot, stored)
  }

  /// Sets a large slot of the last row to bytes. The row refers to them if they are too many.
  @unsafe
  mutating func setLarge(_ slot: Int, _ source: UnsafeRawBufferPointer) {
    if source.count > LargeForm.threshold {
      set(slot, to: LargeValueInMemory(unsafe Data(source)))
    } else {
      unsafe LargeForm.inline(source).withUnsafeBytes { unsafe setForm(slot, $0) }
    }
  }

  mutating func copyLarge(_ slot: Int, of index: Int, in page: RowPage) {
    if let value = page.largeValue(index, slot: slot) { return set(slot, to: value) }
    unsafe page.withForm(index, slot: slot) { unsafe setForm(slot, $0) }
  }
}
