// SPDX-License-Identifier: MIT
package import FoundationEssentials

// Slots whose values may lie elsewhere.
extension RowPage {
  /// Values with more bytes than this are referred to, and not held by a row.
  package static var largeThreshold: Int { LargeForm.threshold }

  /// What a large slot refers to; nil where it is null or the row itself holds the bytes.
  package func largeValue(_ index: Int, slot: Int) -> (any LargeValue)? {
    unsafe withForm(index, slot: slot) { form -> (any LargeValue)? in
      unsafe LargeForm.place(form).map { unsafe largeValues[$0] }
    } ?? nil
  }

  /// The bytes of a blob slot, wherever they lie; nil where it is null.
  package func data(_ index: Int, slot: Int) throws -> Data? {
    guard layout.isLarge(slot) else {
      return unsafe withBytes(index, slot: slot) { unsafe Data($0) }
    }
    if let value = largeValue(index, slot: slot) { return try value.read() }
    return unsafe withForm(index, slot: slot) { unsafe Data($0.dropFirst()) }
  }

  /// Whether large slots of two rows hold the same bytes, neither of them null.
  package func holdsLarge(_ index: Int, slot: Int, as other: RowPage, _ otherIndex: Int) -> Bool {
    switch (largeValue(index, slot: slot), other.largeValue(otherIndex, slot: slot)) {
    case (let mine?, let theirs?): mine.isSame(as: theirs)
    case (let value?, nil): other.holdsLarge(otherIndex, slot: slot, value)
    case (nil, let value?): holdsLarge(index, slot: slot, value)
    case (nil, nil):
      unsafe withForm(index, slot: slot) { mine in
        unsafe other.withForm(otherIndex, slot: slot) { unsafe mine.elementsEqual($0) } ?? false
      } ?? false
    }
  }

  /// Whether a large slot holds the bytes of a value.
  package func holdsLarge(_ index: Int, slot: Int, _ value: any LargeValue) -> Bool {
    if let own = largeValue(index, slot: slot) { return own.isSame(as: value) }
    return unsafe withForm(index, slot: slot) { form in
      // What can not be read is like nothing else; see `LargeValue.isSame(as:)`.
      guard let count = try? value.count(), count == form.count - 1, let data = try? value.read()
      else { return false }
      return unsafe data.elementsEqual(form.dropFirst())
    } ?? false
  }

  /// Calls `body` with what a large slot holds, its mark first, unless it is null.
  @unsafe
  package func withForm<Output>(
    _ index: Int, slot: Int, _ body: (UnsafeRawBufferPointer) -> Output
  ) -> Output? {
    precondition(layout.isLarge(slot), "Slot \(slot) is none of a large value.")
    guard !isNull(index, slot: slot) else { return nil }
    return unsafe body(byteRegion[BytePlace(rawValue: word(index, slot: slot))])
  }

  // MARK: - Open pages

  /// Takes the bytes of a large slot and returns what the slot is to hold. What the slot of the row
  /// referred to before is let go of.
  @unsafe
  package func openLarge(_ data: Data, for slot: Int, of row: PackedRow?) -> BytePlace {
    guard data.count > LargeForm.threshold else {
      return unsafe data.withUnsafeBytes { unsafe openForm(LargeForm.inline($0)) }
    }
    return unsafe openLarge(HeldValue(data), for: slot, of: row)
  }

  /// The same for what lies elsewhere.
  @unsafe
  package func openLarge(
    _ value: any LargeValue, for slot: Int, of row: PackedRow?
  ) -> BytePlace {
    if let place = unsafe listedPlace(slot, of: row) {
      // A place of its own tells who compares rows that the value is another one.
      unsafe largeValues[place] = value
      return openForm(LargeForm.listed(place))
    }
    unsafe largeValues.append(value)
    return openForm(LargeForm.listed(unsafe largeValues.count - 1))
  }

  /// Lets go of what a large slot of a row refers to, which is about to be null.
  @unsafe
  package func forgetLarge(_ slot: Int, of row: PackedRow) {
    if let place = unsafe listedPlace(slot, of: row) { unsafe largeValues[place] = Self.nothing }
  }

  private static let nothing = HeldValue(Data())

  private func listedPlace(_ slot: Int, of row: PackedRow?) -> Int? {
    guard let row = unsafe row, unsafe !row.isNull(slot, layout.places) else { return nil }
    let region = unsafe byteRegion
    return unsafe LargeForm.place(
      region[BytePlace(rawValue: row.word(slot, layout.places, region))])
  }

  private func openForm(_ form: [UInt8]) -> BytePlace {
    unsafe form.withUnsafeBytes { unsafe openBytes($0.baseAddress, $0.count) }
  }

  /// What a slot of a row is to hold so that it is a copy of another page's large slot.
  @unsafe
  func openCopyOfLarge(
    _ slot: Int, _ form: UnsafeRawBufferPointer, in page: RowPage, for row: PackedRow?
  ) -> BytePlace {
    if let place = unsafe LargeForm.place(form) {
      return unsafe openLarge(page.largeValues[place], for: slot, of: row)
    }
    return unsafe openBytes(form.baseAddress, form.count)
  }

  // MARK: - Pages in memory

  /// The page with all large values in memory, so that it needs no store's files.
  package func withLargeValuesInMemory() throws -> RowPage {
    guard unsafe largeValues.contains(where: { !$0.isInMemory }) else { return self }
    var builder = RowPageBuilder(layout: layout, capacity: count)
    for index in 0..<count { builder.appendCopy(of: index, in: self) }
    builder.largeValues = try builder.largeValues.map {
      $0.isInMemory ? $0 : HeldValue(try $0.read())
    }
    return builder.finish()
  }
}

extension RowPageBuilder {
  /// Sets a large slot of the row begun last to what lies elsewhere.
  package mutating func set(_ slot: Int, to value: any LargeValue) {
    largeValues.append(value)
    unsafe LargeForm.listed(largeValues.count - 1).withUnsafeBytes { unsafe setForm(slot, $0) }
  }

  /// Sets a large slot of the row begun last to bytes as Core Data's files hold them in a row: a mark
  /// of one, and then the value.
  @unsafe
  package mutating func setMarked(_ slot: Int, _ stored: UnsafeRawBufferPointer) {
    precondition(
      layout.isLarge(slot) && (unsafe stored.first) == LargeForm.inline,
      "Slot \(slot) was given bytes without their mark.")
    unsafe setForm(slot, stored)
  }

  /// Sets a large slot to bytes, which the row holds unless they are too many.
  @unsafe
  mutating func setLarge(_ slot: Int, _ source: UnsafeRawBufferPointer) {
    if source.count > LargeForm.threshold {
      set(slot, to: HeldValue(unsafe Data(source)))
    } else {
      unsafe LargeForm.inline(source).withUnsafeBytes { unsafe setForm(slot, $0) }
    }
  }

  mutating func copyLarge(_ slot: Int, of index: Int, in page: RowPage) {
    if let value = page.largeValue(index, slot: slot) { return set(slot, to: value) }
    unsafe page.withForm(index, slot: slot) { unsafe setForm(slot, $0) }
  }
}
