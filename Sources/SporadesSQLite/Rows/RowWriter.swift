// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
import SporadesStore

/// Binds rows of a page to the parameters of inserts and updates.
///
/// Text and blobs are bound without a copy, because the page outlives the step.
@safe
struct RowWriter {
  let page: RowPage
  let plan: StorePlan
  let files: ExternalFiles?
  private let places: SlotPlaces
  private let region: ByteRegion

  init(_ page: RowPage, _ plan: StorePlan, _ files: ExternalFiles?) {
    self.page = page
    self.plan = plan
    self.files = files
    unsafe places = page.layout.places
    unsafe region = page.byteRegion
  }

  /// Inserts the rows of one entity from `index` on. Afterwards `index` is at the first row that was not
  /// inserted.
  func insert(
    from index: inout Int, _ statement: Statement, _ entity: EntityStatements,
    _ connection: Connection
  ) throws(StoreError) {
    let pointer = unsafe statement.pointer
    let storeNumber = Int64(plan.layout.storeNumber(entity.entity))
    let count = page.count
    while index < count {
      let row = unsafe page.row(index)
      let key = unsafe row.key
      guard key.entity == entity.entity else { break }
      let codes =
        unsafe sqlite3_bind_int64(pointer, 1, key.primaryKey)
        | sqlite3_bind_int64(pointer, 2, storeNumber)
        | sqlite3_bind_int64(pointer, 3, row.version)
      guard codes == SQLITE_OK else { throw statement.failure(codes) }
      try unsafe bind(row, index, entity.insertTransfers, statement)
      let code = unsafe sqlite3_step(pointer)
      guard code == SQLITE_DONE else { throw failure(code, key, nil, statement) }
      try statement.end()
      guard connection.changes == 1 else { throw plan.refusedInsert(key) }
      index += 1
    }
  }

  /// Updates one row; false if the row is missing or has another version.
  func update(
    _ index: Int, _ statement: Statement, _ transfers: [SlotTransfer], parameters: Int,
    _ connection: Connection
  ) throws(StoreError) -> Bool {
    let row = unsafe page.row(index)
    let pointer = unsafe statement.pointer
    let (key, version) = unsafe (row.key, row.version)
    try unsafe bind(row, index, transfers, statement)
    let codes =
      unsafe sqlite3_bind_int64(pointer, Int32(parameters - 2), version)
      | sqlite3_bind_int64(pointer, Int32(parameters - 1), key.primaryKey)
      | sqlite3_bind_int64(pointer, Int32(parameters), version - 1)
    guard codes == SQLITE_OK else { throw statement.failure(codes) }
    let code = unsafe sqlite3_step(pointer)
    guard code == SQLITE_DONE else { throw failure(code, key, nil, statement) }
    try statement.end()
    return connection.changes == 1
  }

  // MARK: - Slots

  private func bind(
    _ row: PackedRow, _ index: Int, _ transfers: [SlotTransfer], _ statement: Statement
  ) throws(StoreError) {
    for transfer in transfers {
      let code = try unsafe bind(row, index, transfer, statement.pointer)
      guard code == SQLITE_OK else {
        throw failure(code, unsafe row.key, transfer.slot, statement)
      }
    }
  }

  /// Binds one slot; returns SQLite's result code.
  @inline(__always)
  private func bind(
    _ row: PackedRow, _ index: Int, _ transfer: SlotTransfer, _ pointer: OpaquePointer
  ) throws(StoreError) -> Int32 {
    let place = Int32(truncatingIfNeeded: transfer.place + 1)
    let slot = transfer.slot
    if unsafe row.isNull(slot, places) {
      let code = unsafe sqlite3_bind_null(pointer, place)
      guard transfer.transfer == .typedReference else { return code }
      return unsafe code | sqlite3_bind_null(pointer, place + 1)
    }
    let word = unsafe row.word(slot, places, region)
    switch transfer.transfer {
    case .integer: return unsafe sqlite3_bind_int64(pointer, place, Int64(bitPattern: word))
    case .real: return unsafe sqlite3_bind_double(pointer, place, Double(bitPattern: word))
    case .text: return unsafe bindText(region[BytePlace(rawValue: word)], pointer, place)
    case .bytes: return unsafe bindBlob(region[BytePlace(rawValue: word)], pointer, place)
    case .reference:
      return unsafe sqlite3_bind_int64(pointer, place, RowKey(rawValue: word).primaryKey)
    case .typedReference:
      let key = RowKey(rawValue: word)
      let number = Int64(plan.layout.storeNumber(key.entity))
      return unsafe sqlite3_bind_int64(pointer, place, key.primaryKey)
        | sqlite3_bind_int64(pointer, place + 1, number)
    case .decimal: return unsafe bindDecimal(region[BytePlace(rawValue: word)], pointer, place)
    case .external:
      guard let value = page.largeValue(index, slot: slot) else {
        // The row's bytes begin with the same mark as the column's.
        return unsafe bindBlob(region[BytePlace(rawValue: word)], pointer, place)
      }
      return try unsafe bindLarge(value, index, slot, pointer, place)
    }
  }

  private func bindText(
    _ bytes: UnsafeRawBufferPointer, _ pointer: OpaquePointer, _ place: Int32
  ) -> Int32 {
    unsafe bytes.withMemoryRebound(to: CChar.self) {
      unsafe sqlite3_bind_text64(
        pointer, place, $0.baseAddress, UInt64($0.count), sporades_static(), UInt8(SQLITE_UTF8))
    }
  }

  private func bindBlob(
    _ bytes: UnsafeRawBufferPointer, _ pointer: OpaquePointer, _ place: Int32
  ) -> Int32 {
    unsafe sqlite3_bind_blob64(
      pointer, place, bytes.baseAddress, UInt64(bytes.count), sporades_static())
  }

  private func bindDecimal(
    _ bytes: UnsafeRawBufferPointer, _ pointer: OpaquePointer, _ place: Int32
  ) -> Int32 {
    switch DecimalText.stored(unsafe String(decoding: bytes, as: UTF8.self)) {
    case .integer(let number): return unsafe sqlite3_bind_int64(pointer, place, number)
    case .real(let number): return unsafe sqlite3_bind_double(pointer, place, number)
    case .text: return unsafe bindText(bytes, pointer, place)
    case .blob, .null: return unsafe bindBlob(bytes, pointer, place)
    }
  }

  /// Writes the value to a file and binds the file's name. A store without files binds the value itself.
  private func bindLarge(
    _ value: any LargeValue, _ index: Int, _ slot: Int, _ pointer: OpaquePointer, _ place: Int32
  ) throws(StoreError) -> Int32 {
    var stored: [UInt8]
    if let files {
      let own = ExternalFiles.Place(page: page, index: index, slot: slot)
      stored = try files.write(value, for: own).stored
    } else {
      do { stored = [1] + Array(try value.read()) } catch { throw StoreError(reading: error) }
    }
    return unsafe stored.withUnsafeBytes {
      unsafe sqlite3_bind_blob64(
        pointer, place, $0.baseAddress, UInt64($0.count), sporades_transient())
    }
  }

  /// The error for a row or one of its values. If it has too many bytes, the error names the entity and the
  /// attribute.
  private func failure(
    _ code: Int32, _ key: RowKey, _ slot: Int?, _ statement: Statement
  ) -> StoreError {
    let error = statement.failure(code)
    guard code & 0xFF == SQLITE_TOOBIG else { return error }
    let entity = plan.model.shape(numbered: key.entity).name
    let name = slot.map { page.layout.slots[$0].name }
    let what = name.map { "The value of \(entity).\($0)" } ?? "An object of \(entity)"
    return StoreError(
      .tooLarge(entity: entity, property: name),
      "\(what) has more bytes than a row of a SQLite store can hold. Keep less, or allow the attribute "
        + "external storage.", underlying: error.underlying)
  }
}
