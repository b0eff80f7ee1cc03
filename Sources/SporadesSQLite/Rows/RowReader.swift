// SPDX-License-Identifier: MIT
import CSQLite
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Steps a statement with the columns of ``EntityStatements/selectList``, and packs its rows into pages.
///
/// Each value is copied once, from SQLite's memory into the page. No row allocates memory.
///
/// There is one for each entity of a store. It is a class, so that a request retains one object and not four.
final class RowReader: Sendable {
  /// The largest number of rows in a page. Pages are freed one by one, so they should be small. A page with
  /// much text or many blobs ends earlier.
  static let rowsPerPage = 512

  let layout: RowLayout
  let entity: EntityStatements
  let entities: EntityNumbers
  let files: ExternalFiles?

  init(
    layout: RowLayout, entity: EntityStatements, entities: EntityNumbers, files: ExternalFiles?
  ) {
    self.layout = layout
    self.entity = entity
    self.entities = entities
    self.files = files
  }

  /// Whether rows may be shared by several reads: each row of the table has the entity of this reader, and holds all of
  /// its values.
  var readsWholeRows: Bool {
    entity.entity == layout.rootEntity && !entity.hasSubentities && layout.largeSlots.isEmpty
  }

  /// Reads all rows, or only those with certain primary keys. The statement of a single row ends after it,
  /// without a search for the next.
  func pages(
    of statement: Statement, expecting hint: Int = 0, only wanted: Set<Int64>? = nil,
    isSingle: Bool = false
  ) throws(StoreError) -> [RowPage] {
    try statement.checkParameters()
    var pages: [RowPage] = []
    if isSingle { pages.reserveCapacity(1) }
    var bound = RowBound()
    var bytesPerRow = 0
    var rows = hint > 0 ? min(hint, Self.rowsPerPage) : 16
    while true {
      var builder = RowPageBuilder(
        layout: layout, capacity: rows,
        byteCapacity: min(rows * bytesPerRow, RowPage.roomyByteCount))
      let code = unsafe entity.transfers.withUnsafeBufferPointer { plan in
        unsafe fill(
          &builder, isSingle ? 1 : Self.rowsPerPage, from: statement.pointer, plan, wanted)
      }
      if builder.count > 0 {
        bytesPerRow = builder.byteCount * 17 / builder.count / 16
        if !isSingle { Cancellation.current?.note(rows: builder.count) }
        pages.append(builder.finish())
      }
      guard code == SQLITE_ROW else {
        defer { if code != SQLITE_DONE { statement.reset() } }
        if code == Self.impossible { throw impossible(statement) }
        if code <= Self.impossibleValue { throw impossibleValue(code, statement) }
        if code != SQLITE_DONE { throw statement.failure(code) }
        try statement.end()
        return pages
      }
      if isSingle {
        // No further step would tell that SQLite ran out of memory while it read a value.
        try statement.end()
        return pages
      }
      do { try bound.count(Self.rowsPerPage, of: statement) } catch {
        statement.reset()
        throw error
      }
      rows = Self.rowsPerPage
    }
  }

  /// Fills one page. Returns SQLITE_ROW if the page is full and rows remain.
  private func fill(
    _ builder: inout RowPageBuilder, _ limit: Int, from statement: OpaquePointer,
    _ plan: UnsafeBufferPointer<SlotTransfer>, _ wanted: Set<Int64>?
  ) -> Int32 {
    let rootEntity = layout.rootEntity
    let isSingle = entities.isSingle(rootEntity)
    let places = unsafe layout.places
    // The union of the bits of all keys, so that one branch per row detects an impossible key.
    var bits: UInt64 = 0
    while builder.count < limit, builder.byteCount < RowPage.roomyByteCount {
      let code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW else { return code }
      let key = unsafe sqlite3_column_int64(statement, 0)
      if let wanted, !wanted.contains(key) { continue }
      let number =
        isSingle
        ? rootEntity
        : entities.modelNumber(unsafe sqlite3_column_int64(statement, 1), else: rootEntity)
      let version = unsafe sqlite3_column_int64(statement, 2)
      bits |= UInt64(bitPattern: key)
      guard 0...Self.largestVersion ~= version, bits <= Self.keyBits else { return Self.impossible }
      let rowKey = RowKey(entity: number, primaryKey: key)
      builder.appendRow(rowKey, version: version)
      for index in 0..<plan.count {
        let transfer = unsafe plan[index]
        if let word = unsafe word(transfer, statement, &bits) {
          unsafe builder.lastRow.set(transfer.slot, to: word, places)
        } else if unsafe !setBytes(transfer, statement, rowKey, &builder, places) {
          return Self.impossibleValue - Int32(truncatingIfNeeded: index)
        }
      }
      guard bits <= Self.keyBits else { return Self.impossible }
    }
    return SQLITE_ROW
  }

  // MARK: - Impossible values

  /// This number minus a transfer's index marks the value that cannot be read. SQLite uses no such code.
  private static let impossibleValue: Int32 = -1_000

  private func impossibleValue(_ code: Int32, _ statement: Statement) -> StoreError {
    let slot = entity.transfers[Int(Self.impossibleValue - code)].slot
    return StoreError(
      .corrupt,
      "Row \(statement.integer(0)) of \(entity.tableName) holds in \(layout.slots[slot].name) no "
        + "value of the attribute's type. Correct it with a program that reads SQLite's files.")
  }

  /// SQLite uses no such code.
  private static let impossible: Int32 = -1
  /// Half of the largest version that a page can hold. Later saves use the other half.
  private static let largestVersion = RowLayout.largestVersion / 2
  private static let keyBits = UInt64(RowKey.largestPrimaryKey)
  /// Marks an impossible key; larger than any key.
  private static let noKey = UInt64.max

  /// The error for the statement's current row.
  private func impossible(_ statement: Statement) -> StoreError {
    let name = entity.tableName
    guard 0...Self.largestVersion ~= statement.integer(2) else {
      return StoreError(
        .corrupt,
        "Row \(statement.integer(0)) of \(name) has an impossible version in \(entity.versionName): "
          + "no number of saves reaches it. Set it to 1.")
    }
    guard 0...RowKey.largestPrimaryKey ~= statement.integer(0) else {
      return statement.noKey(0, of: name)
    }
    let columns = entity.transfers
      .filter { [.reference, .typedReference].contains($0.transfer) }
      .map { Int32(truncatingIfNeeded: $0.place) }
    let wrong = columns.first { column in
      let value = unsafe sqlite3_column_value(statement.pointer, column)
      let key = unsafe Self.reference(value, sqlite3_value_type(value))
      return key.map { $0 > Self.keyBits } ?? false
    }
    return statement.noKey(wrong ?? 0, of: name)
  }

  /// The key in a reference; nil for null.
  @inline(__always)
  private static func reference(_ value: OpaquePointer?, _ type: Int32) -> UInt64? {
    if type == SQLITE_INTEGER { return UInt64(bitPattern: unsafe sqlite3_value_int64(value)) }
    return type == SQLITE_NULL ? nil : noKey
  }

  /// The word of a slot. Nil for a null, for a value of another type, and for texts and blobs.
  @inline(__always)
  private func word(
    _ transfer: SlotTransfer, _ statement: OpaquePointer, _ bits: inout UInt64
  ) -> UInt64? {
    if !transfer.isWord { return nil }
    let column = Int32(truncatingIfNeeded: transfer.place)
    // One look-up of the column serves for its type and its value. The value needs no lock, because the
    // connection has no mutex and one thread uses it.
    let value = unsafe sqlite3_column_value(statement, column)
    let type = unsafe sqlite3_value_type(value)
    switch transfer.transfer {
    case .integer:
      guard type == SQLITE_INTEGER else { return nil }
      let number = unsafe sqlite3_value_int64(value)
      guard transfer.least <= number, number <= transfer.greatest else { return nil }
      return UInt64(bitPattern: number)
    case .real:
      guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
      return unsafe sqlite3_value_double(value).bitPattern
    case .reference:
      guard let key = unsafe Self.reference(value, type) else { return nil }
      bits |= key
      return RowKey(entity: transfer.destination, primaryKey: Int64(bitPattern: key)).rawValue
    case .typedReference:
      guard let key = unsafe Self.reference(value, type) else { return nil }
      bits |= key
      let number = unsafe sqlite3_column_int64(statement, column + 1)
      let entity = entities.modelNumber(number, else: transfer.destination)
      return RowKey(entity: entity, primaryKey: Int64(bitPattern: key)).rawValue
    case .text, .bytes, .decimal, .external: return nil
    }
  }

  @inline(__always)
  private func isNull(_ statement: OpaquePointer, _ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// Sets the slot of a text, a blob or a number that the file stores in another type, unless the column is
  /// null. False if the value does not have the attribute's type. If SQLite runs out of memory, the value
  /// appears as null and the next step fails.
  @inline(__always)
  private func setBytes(
    _ transfer: SlotTransfer, _ statement: OpaquePointer, _ key: RowKey,
    _ builder: inout RowPageBuilder, _ places: SlotPlaces
  ) -> Bool {
    let (column, slot) = (Int32(truncatingIfNeeded: transfer.place), transfer.slot)
    switch transfer.transfer {
    case .text, .bytes:
      let bytes = unsafe blob(statement, column)
      if unsafe bytes.baseAddress == nil, unsafe isNull(statement, column) { return true }
      guard transfer.length == 0 || bytes.count == transfer.length else { return false }
      unsafe builder.setBytes(slot, bytes)
    case .decimal: return unsafe setDecimal(slot, statement, column, &builder)
    case .external: unsafe setExternal(slot, statement, column, key, &builder)
    case .integer, .real, .reference, .typedReference:
      if unsafe isNull(statement, column) { return true }
      guard let word = unsafe OddNumber.word(transfer, statement, column) else { return false }
      unsafe builder.lastRow.set(slot, to: word, places)
    }
    return true
  }

  private func blob(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
    // One look-up of the column serves for its start and its length.
    let value = unsafe sqlite3_column_value(statement, column)
    let start = unsafe sqlite3_value_blob(value)
    let count = Int(unsafe sqlite3_value_bytes(value))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  private func setDecimal(
    _ slot: Int, _ statement: OpaquePointer, _ column: Int32, _ builder: inout RowPageBuilder
  ) -> Bool {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER:
      unsafe builder.setBytes(slot, blob(statement, column))
      return true
    case let type:
      guard let text = unsafe decimalText(statement, column, type) else { return false }
      builder.set(slot, to: text)
      return true
    }
  }

  /// The digits of a decimal that is no whole number.
  private func decimalText(
    _ statement: OpaquePointer, _ column: Int32, _ type: Int32
  ) -> String? {
    type == SQLITE_FLOAT
      ? DecimalText.text(of: unsafe sqlite3_column_double(statement, column))
      : unsafe DecimalText.text(of: blob(statement, column))
  }

  /// Leaves a value in its file until a caller reads it.
  private func setExternal(
    _ slot: Int, _ statement: OpaquePointer, _ column: Int32, _ key: RowKey,
    _ builder: inout RowPageBuilder
  ) {
    guard !(unsafe isNull(statement, column)) else { return }
    let stored = unsafe blob(statement, column)
    if unsafe stored.first == 1 {
      unsafe builder.setMarked(slot, stored)
    } else if unsafe ValueName.isMarked(stored) {
      let place = ColumnPlace(key: key, slot: slot, layout: layout)
      if let files, let name = unsafe ValueName(stored: stored) {
        builder.set(slot, to: FileValue(name, place, files))
      } else {
        builder.set(slot, to: BrokenValue(place))
      }
    } else {
      unsafe builder.setBytes(slot, stored)
    }
  }
}

// MARK: - Checks

extension RowReader {
  /// Whether reads show the value of the statement's current row as it is stored. A text that is no UTF-8 is shown with
  /// marks in the place of what is wrong in it, and a text that is no URL as nil.
  func showsWhole(_ transfer: SlotTransfer, of statement: Statement) -> Bool {
    let pointer = unsafe statement.pointer
    let column = Int32(truncatingIfNeeded: transfer.place)
    let type = unsafe sqlite3_column_type(pointer, column)
    if type == SQLITE_NULL { return true }
    switch transfer.transfer {
    case .integer, .real, .reference, .typedReference:
      var bits: UInt64 = 0
      if unsafe word(transfer, pointer, &bits) != nil { return bits <= Self.keyBits }
      return unsafe OddNumber.word(transfer, pointer, column) != nil
    case .text:
      guard type != SQLITE_BLOB,
        let text = unsafe String(validating: blob(pointer, column), as: UTF8.self)
      else { return false }
      guard case .attribute(let attribute) = layout.slots[transfer.slot].role,
        attribute.type == .uri
      else { return true }
      return URL(string: text) != nil
    case .bytes:
      if transfer.length == 0 { return true }
      return unsafe blob(pointer, column).count == transfer.length
    case .decimal:
      if type == SQLITE_INTEGER { return true }
      return unsafe decimalText(pointer, column, type) != nil
    case .external:
      let stored = unsafe blob(pointer, column)
      guard unsafe ValueName.isMarked(stored) else { return true }
      return unsafe ValueName(stored: stored) != nil
    }
  }

  /// The file that the statement's current row names for a large value.
  func fileName(_ transfer: SlotTransfer, of statement: Statement) -> ValueName? {
    guard transfer.transfer == .external else { return nil }
    let column = Int32(truncatingIfNeeded: transfer.place)
    return unsafe ValueName(stored: blob(statement.pointer, column))
  }
}
