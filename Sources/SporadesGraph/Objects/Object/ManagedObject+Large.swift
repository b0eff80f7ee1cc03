// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

// Attributes that allow external storage. The row holds a reference, and the value may lie in a
// file. Each access reads the file; the store caches the last value read. If the file can not be
// read, the property shows nil and the context reports the failure.
extension ManagedObject {
  /// The slot of a property whose values may lie in files; nil for all other properties.
  final func largeSlot(ofProperty index: Int) -> Int? {
    guard case .attribute(let attribute) = home.shape.properties[index], let slot = attribute.slot,
      home.shape.layout.isLarge(slot)
    else { return nil }
    return slot
  }

  /// Whether the slot has a value. The value itself is not read.
  final func hasLargeValue(_ slot: Int) -> Bool {
    guard let row = unsafe loadRow(for: slot) else { return false }
    return unsafe !row.isNull(slot, home.slots)
  }

  final func large<V: AttributeConvertible>(_ slot: Int) -> V? {
    guard let data = largeData(slot) else { return nil }
    return data as? V ?? Cell.bytes(Array(data)).load()
  }

  /// The bytes of a large slot; nil, with a report, if they can not be read.
  final func largeData(_ slot: Int) -> Data? {
    do {
      return try readLarge(slot)
    } catch {
      home.context?.report(
        .unreadable(objectID, property: home.shape.layout.slots[slot].name, error))
      return nil
    }
  }

  final func readLarge(_ slot: Int) throws(StoreError) -> Data? {
    guard hasLargeValue(slot), let page else { return nil }
    return try page.bytes(rowIndex, slot: slot)
  }

  // MARK: - Changes

  final func setLarge(_ slot: Int, _ data: Data) {
    guard let current = unsafe loadRow(for: slot) else { return refuseChange() }
    if unsafe !current.isNull(slot, home.slots),
      page?.holdsLarge(rowIndex, slot: slot, LargeValueInMemory(data)) == true
    {
      return
    }
    unsafe changeLarge(slot) { page, row in unsafe page.openLarge(data, for: slot, of: row) }
  }

  /// Sets a large slot to the value that another row of the same layout refers to.
  final func setLarge(_ slot: Int, from page: RowPage, _ index: Int) {
    guard let value = page.largeValue(index, slot: slot) else {
      // because bytes inside the row need no file, their reading can not fail
      guard let data = try? page.data(index, slot: slot) else { return setNull(slot) }
      return setLarge(slot, data)
    }
    guard let current = unsafe loadRow(for: slot) else { return refuseChange() }
    if unsafe !current.isNull(slot, home.slots),
      self.page?.holdsLarge(rowIndex, slot: slot, as: page, index) == true
    {
      return
    }
    unsafe changeLarge(slot) { page, row in unsafe page.openLarge(value, for: slot, of: row) }
  }

  private final func changeLarge(
    _ slot: Int, _ place: (RowPage, PackedRow) -> BytePlace
  ) {
    guard unsafe openRow() != nil else { return refuseChange() }
    guard ensureRoom(for: RowPage.largeThreshold, in: slot), let row = unsafe row, let page else {
      return
    }
    let place = unsafe place(page, row)
    unsafe row.set(slot, to: place.rawValue, home.slots)
    markChanged(slot)
  }

  // MARK: - Room

  /// Makes room for `length` more bytes in the object's open page. A full page moves the object to
  /// another page. Returns false, with a report, if no page can take the bytes.
  final func ensureRoom(for length: Int, in slot: Int) -> Bool {
    guard let reference = unsafe pageReference else { return false }
    if unsafe reference._withUnsafeGuaranteedRef({ $0.hasRoom(for: length) }) { return true }
    guard let page else { return false }
    guard length <= RowPage.longestValue, fitsNewPage(length, page) else {
      home.context?.report(.tooLarge(objectID, property: home.shape.layout.slots[slot].name))
      return false
    }
    if let context = home.context { context.moveToNewPage(self) } else { openRowWithoutContext() }
    return self.page?.isOpen == true
  }

  /// Whether a fresh page has room for the row, for its base row and for `length` bytes.
  private final func fitsNewPage(_ length: Int, _ page: RowPage) -> Bool {
    let former = base.map { $0.page.regionBytes(of: $0.index) } ?? 0
    let own = page.regionBytes(of: rowIndex)
    return former + own + RowPage.regionBytes(length) <= RowPage.largestRegion
  }
}

extension AttributeConvertible {
  /// The value as the bytes of a large slot.
  fileprivate var bytes: Data {
    var data = Data()
    unsafe store(word: { _ in }, bytes: { unsafe data.append(contentsOf: $0) })
    return data
  }

  var largeData: Data { self as? Data ?? bytes }
}
