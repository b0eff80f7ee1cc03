// SPDX-License-Identifier: MIT
public import SporadesModel

// Reading and writing of row slots, below the typed accessors.
extension ManagedObject {
  /// The object's row, after fulfilling a fault; nil if the row can not be read. The slot names the
  /// property that is accessed, and is negative if there is none.
  @usableFromInline @unsafe
  final func loadRow(for slot: Int = -1) -> PackedRow? {
    if let row = unsafe row { return unsafe row }
    guard !state.contains(.gone) else { return nil }
    guard let context = home.context else {
      refuseReading(slot < 0 ? nil : home.shape.layout.slots[slot].name)
      return nil
    }
    context.fulfil(self, for: slot < 0 ? nil : slot)
    return unsafe row
  }

  /// The object's row in an open page of its context; nil if the object can not change.
  @unsafe
  final func openRow() -> PackedRow? {
    if state.intersection(.openAndIndexed) == .open { return unsafe row }
    guard !state.isSuperset(of: .announcedGone), unsafe loadRow() != nil else { return nil }
    guard let context = home.context else {
      openRowWithoutContext()
      return unsafe row
    }
    requireBlock(of: context)
    if state.contains(.indexed) {
      state.remove(.indexed)
      context.pendingIndex?.noteChange(of: self)
    }
    context.openRow(of: self)
    return unsafe row
  }

  @usableFromInline
  final func setWord(_ slot: Int, _ word: UInt64) {
    guard let current = unsafe loadRow(for: slot) else { return refuseChange() }
    let slots = unsafe home.slots
    if unsafe current.word(slot, slots) == word && !current.isNull(slot, slots) { return }
    guard let row = unsafe openRow() else { return refuseChange() }
    unsafe row.set(slot, to: word, slots)
    markChanged(slot)
  }

  @usableFromInline @unsafe
  final func setBytes(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    guard let current = unsafe loadRow(for: slot) else { return refuseChange() }
    if unsafe holds(bytes, current, slot) { return }
    guard unsafe openRow() != nil, ensureRoom(for: bytes.count, in: slot) else { return }
    guard let row = unsafe row, let page = unsafe pageReference else { return refuseChange() }
    let place = unsafe page._withUnsafeGuaranteedRef {
      unsafe $0.openBytes(bytes.baseAddress, bytes.count)
    }
    unsafe row.set(slot, to: place.rawValue, home.slots)
    markChanged(slot)
  }

  @usableFromInline
  final func setNull(_ slot: Int) {
    guard let current = unsafe loadRow(for: slot) else { return refuseChange() }
    if unsafe current.isNull(slot, home.slots) { return }
    guard let row = unsafe openRow() else { return refuseChange() }
    if home.shape.layout.isLarge(slot) { unsafe page?.releaseLarge(slot, of: row) }
    unsafe row.setNull(slot, home.slots)
    markChanged(slot)
  }

  @unsafe
  private final func holds(
    _ bytes: UnsafeRawBufferPointer, _ row: PackedRow, _ slot: Int
  ) -> Bool {
    let slots = unsafe home.slots
    guard unsafe !row.isNull(slot, slots), let page = unsafe pageReference else { return false }
    let region = unsafe page._withUnsafeGuaranteedRef { unsafe $0.byteRegion }
    let held = unsafe region[BytePlace(rawValue: row.word(slot, slots, region))]
    return unsafe held.count == bytes.count && held.elementsEqual(bytes)
  }

  /// Sets a slot to the value that another row of the same layout has in it.
  final func setSlot(_ slot: Int, from page: RowPage, _ index: Int) {
    guard !page.isNull(index, slot: slot) else { return setNull(slot) }
    guard page.layout.slots[slot].kind.isBytes else {
      return setWord(slot, page.word(index, slot: slot))
    }
    if page.layout.isLarge(slot) { return setLarge(slot, from: page, index) }
    unsafe page.withBytes(index, slot: slot) { unsafe setBytes(slot, UnsafeRawBufferPointer($0)) }
  }

  final func markChanged(_ slot: Int) {
    guard !state.contains(.inserted) else { return }
    unsafe pageReference?._withUnsafeGuaranteedRef { $0.markChanged(rowIndex, slot: slot) }
  }

  /// The key in a reference slot; nil if the slot is null.
  final func reference(_ slot: Int) -> RowKey? {
    guard let row = unsafe loadRow(for: slot), unsafe !row.isNull(slot, home.slots) else {
      return nil
    }
    return unsafe RowKey(rawValue: row.word(slot, home.slots))
  }

  /// The key in a reference slot; nil if the slot is null or the object is a fault.
  final func referenceInMemory(_ slot: Int) -> RowKey? { isFault ? nil : reference(slot) }

  final func numberInMemory(_ slot: Int) -> Int64? { isFault ? nil : number(slot) }

  final func number(_ slot: Int) -> Int64? {
    guard let row = unsafe loadRow(for: slot), unsafe !row.isNull(slot, home.slots) else {
      return nil
    }
    return unsafe Int64(bitPattern: row.word(slot, home.slots))
  }

  /// Makes the object show another row, one that holds none of its changes.
  final func show(_ page: RowPage, _ index: Int) {
    setPage(page)
    unsafe row = page.row(index)
  }

  /// Makes a new object show a row. The object takes a reference to the page that the caller has counted.
  @unsafe
  final func showCounted(_ page: Unmanaged<RowPage>, _ index: Int) {
    unsafe pageReference = page
    unsafe row = page._withUnsafeGuaranteedRef { unsafe $0.row(index) }
  }

  /// The index of the object's row in its page; 0 for a fault.
  final var rowIndex: Int {
    guard let row = unsafe row, let page = unsafe pageReference else { return 0 }
    return unsafe page._withUnsafeGuaranteedRef { unsafe $0.index(of: row) }
  }

  /// The page that holds the object's row; nil for a fault.
  final var page: RowPage? { unsafe pageReference?.takeUnretainedValue() }

  private final func setPage(_ page: RowPage?) {
    let former = unsafe pageReference
    unsafe pageReference = page.map { unsafe Unmanaged.passRetained($0) }
    unsafe former?.release()
  }

  /// Drops the object's values. The next access reads them again.
  final func becomeFault() {
    if isFault { return dropValues() }
    guard let context = home.context else {
      willTurnIntoFault()
      dropValues()
      return didTurnIntoFault()
    }
    context.callHook { willTurnIntoFault() }
    dropValues()
    context.callHook { didTurnIntoFault() }
  }

  /// Marks the object, whose row is gone, as one of which others are to hear. It keeps its values until then.
  final func announceDeletion() {
    extras?.toMany.removeAll(where: \.isChanged)
    state.subtract([.open, .updated, .inserted, .deleted, .validating])
    state.formUnion(.announcedGone)
  }

  /// Leaves everything of the former context, and becomes a new object that has no row yet.
  final func leave(for key: RowKey) {
    unsafe row = nil
    setPage(nil)
    extras = nil
    state = []
    self.key = key
  }

  private final func dropValues() {
    unsafe row = nil
    setPage(nil)
    dropExtras()
    // because the context still lists the object, the mark `listed` stays
    state.subtract([.open, .updated, .inserted, .deleted])
  }
}
