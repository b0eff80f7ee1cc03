// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
import SporadesStore

/// Binds rows of a page to the parameters of inserts and updates.
///
/// Text and blobs are bound where they lie in the page, which outlives the step; nothing is copied.
@safe
struct RowWriter {
  let page: RowPage
  let layout: StoreLayout
  let files: ExternalFiles?
  private let places: SlotPlaces
  private let region: ByteRegion

  init(_ page: RowPage, _ layout: StoreLayout, _ files: ExternalFiles?) {
    self.page = page
    self.layout = layout
    self.files = files
    unsafe places = page.layout.places
    unsafe region = page.byteRegion
  }

  /// Inserts the rows from `index` on that are of one entity, and leaves `index` at the first row
  /// that is not in the store.
  func insert(
    from index: inout Int, _ statement: Statement, _ entity: EntityStatements
  ) throws(StoreError) {
    let pointer = unsafe statement.pointer
    let storeNumber = Int64(layout.storeNumber(entity.entity))
    let count = page.count
    while index < count {
      let row = unsafe page.row(index)
      let key = unsafe row.key
      guard key.entity == entity.entity else { break }
      unsafe sqlite3_bind_int64(pointer, 1, key.primaryKey)
      unsafe sqlite3_bind_int64(pointer, 2, storeNumber)
      unsafe sqlite3_bind_int64(pointer, 3, row.version)
      try unsafe bind(row, entity.insertTransfers, pointer)
      let code = unsafe sqlite3_step(pointer)
      guard code == SQLITE_DONE else { throw statement.failure(code) }
      unsafe sqlite3_reset(pointer)
      index += 1
    }
  }

  /// Updates one row; false if the store has it in another version or not at all.
  func update(
    _ index: Int, _ statement: Statement, _ transfers: [SlotTransfer], parameters: Int,
    _ connection: Connection
  ) throws(StoreError) -> Bool {
    let row = unsafe page.row(index)
    let pointer = unsafe statement.pointer
    let (key, version) = unsafe (row.key, row.version)
    try unsafe bind(row, transfers, pointer)
    unsafe sqlite3_bind_int64(pointer, Int32(parameters - 2), version)
    unsafe sqlite3_bind_int64(pointer, Int32(parameters - 1), key.primaryKey)
    unsafe sqlite3_bind_int64(pointer, Int32(parameters), version - 1)
    let code = unsafe sqlite3_step(pointer)
    guard code == SQLITE_DONE else { throw statement.failure(code) }
    unsafe sqlite3_reset(pointer)
    return connection.changes == 1
  }

  // MARK: - Slots

  private func bind(
    _ row: PackedRow, _ transfers: [SlotTransfer], _ pointer: OpaquePointer
  ) throws(StoreError) {
    for transfer in transfers {
      let place = Int32(truncatingIfNeeded: transfer.place + 1)
      let slot = transfer.slot
      if unsafe row.isNull(slot, places) {
        unsafe sqlite3_bind_null(pointer, place)
        if transfer.transfer == .typedReference { unsafe sqlite3_bind_null(pointer, place + 1) }
        continue
      }
      let word = unsafe row.word(slot, places, region)
      switch transfer.transfer {
      case .integer: unsafe sqlite3_bind_int64(pointer, place, Int64(bitPattern: word))
      case .real: unsafe sqlite3_bind_double(pointer, place, Double(bitPattern: word))
      case .text:
        unsafe region[BytePlace(rawValue: word)].withMemoryRebound(to: CChar.self) {
          _ = unsafe sqlite3_bind_text(
            pointer, place, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), sporades_static())
        }
      case .bytes:
        let blob = unsafe region[BytePlace(rawValue: word)]
        unsafe sqlite3_bind_blob(
          pointer, place, blob.baseAddress, Int32(truncatingIfNeeded: blob.count),
          sporades_static())
      case .reference:
        unsafe sqlite3_bind_int64(pointer, place, RowKey(rawValue: word).primaryKey)
      case .typedReference:
        let key = RowKey(rawValue: word)
        unsafe sqlite3_bind_int64(pointer, place, key.primaryKey)
        unsafe sqlite3_bind_int64(pointer, place + 1, Int64(layout.storeNumber(key.entity)))
      case .decimal: unsafe bindDecimal(region[BytePlace(rawValue: word)], pointer, place)
      case .external: try unsafe bindExternal(region[BytePlace(rawValue: word)], pointer, place)
      }
    }
  }

  /// Numbers that SQLite has bind as numbers. One with more digits than a double holds binds as its
  /// text in a blob, which the column's affinity leaves alone; `CAST … AS NUMERIC` reads it, and so
  /// does Core Data.
  private func bindDecimal(
    _ bytes: UnsafeRawBufferPointer, _ pointer: OpaquePointer, _ parameter: Int32
  ) {
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    if let number = Int64(text) {
      unsafe sqlite3_bind_int64(pointer, parameter, number)
    } else if text == DecimalText.notANumber {
      // SQLite would make a null of the number.
      unsafe Statement.bindText(text, pointer, parameter)
    } else if let number = Double(text), bytes.count <= 16 || DecimalText.isExact(number, text) {
      unsafe sqlite3_bind_double(pointer, parameter, number)
    } else {
      unsafe sqlite3_bind_blob(
        pointer, parameter, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count),
        sporades_static())
    }
  }

  private func bindExternal(
    _ value: UnsafeRawBufferPointer, _ pointer: OpaquePointer, _ parameter: Int32
  ) throws(StoreError) {
    var stored: [UInt8]
    if let files, value.count > ExternalFiles.threshold {
      stored = unsafe [2] + Array(try files.write(value).utf8) + [0]
    } else {
      stored = [1]
      unsafe stored.append(contentsOf: value)
    }
    unsafe stored.withUnsafeBytes { memory in
      _ = unsafe sqlite3_bind_blob(
        pointer, parameter, memory.baseAddress, Int32(memory.count), sporades_transient())
    }
  }
}

extension Statement {
  @unsafe
  static func bindText(_ text: String, _ pointer: OpaquePointer, _ place: Int32) {
    var text = text
    text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { text in
        _ = unsafe sqlite3_bind_text(
          pointer, place, text.baseAddress ?? UnsafePointer(bitPattern: 1), Int32(text.count),
          sporades_transient())
      }
    }
  }
}
