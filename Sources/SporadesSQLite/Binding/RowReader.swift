// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
import SporadesStore

/// Steps a statement whose columns are those of ``EntityStatements/selectList`` and packs its rows
/// into pages.
///
/// Values go from SQLite's memory into the page's, once; nothing is allocated per row.
struct RowReader {
  /// Rows of a page: pages are given back one by one, so they should not be large. A page whose texts
  /// and blobs are many ends sooner.
  static let rowsPerPage = 512

  let layout: RowLayout
  let entity: EntityStatements
  let entities: EntityNumbers
  let files: ExternalFiles?

  /// All rows, or only those with certain primary keys.
  func pages(
    of statement: Statement, expecting hint: Int = 0, only wanted: Set<Int64>? = nil
  ) throws(StoreError) -> [RowPage] {
    try statement.checkParameters()
    var pages: [RowPage] = []
    var bytesPerRow = 0
    var rows = hint > 0 ? min(hint, Self.rowsPerPage) : 16
    while true {
      var builder = RowPageBuilder(
        layout: layout, capacity: rows,
        byteCapacity: min(rows * bytesPerRow, RowPage.roomyByteCount))
      let code = unsafe entity.transfers.withUnsafeBufferPointer { plan in
        unsafe fill(&builder, from: statement.pointer, plan, wanted)
      }
      if builder.count > 0 {
        bytesPerRow = builder.byteCount * 17 / builder.count / 16
        pages.append(builder.finish())
      }
      guard code == SQLITE_ROW else {
        defer { if code != SQLITE_DONE { statement.reset() } }
        if code == Self.impossibleVersion { throw impossibleVersion(statement) }
        if code != SQLITE_DONE { throw statement.failure(code) }
        try statement.end()
        return pages
      }
      rows = Self.rowsPerPage
    }
  }

  /// Fills one page; returns SQLITE_ROW when the page is full.
  private func fill(
    _ builder: inout RowPageBuilder, from statement: OpaquePointer,
    _ plan: UnsafeBufferPointer<SlotTransfer>, _ wanted: Set<Int64>?
  ) -> Int32 {
    let rootEntity = layout.rootEntity
    let isSingle = entities.isSingle(rootEntity)
    let places = unsafe layout.places
    while builder.count < Self.rowsPerPage, builder.byteCount < RowPage.roomyByteCount {
      let code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW else { return code }
      let key = unsafe sqlite3_column_int64(statement, 0)
      if let wanted, !wanted.contains(key) { continue }
      let number =
        isSingle
        ? rootEntity
        : entities.modelNumber(unsafe sqlite3_column_int64(statement, 1), else: rootEntity)
      let version = unsafe sqlite3_column_int64(statement, 2)
      guard 0...RowLayout.largestVersion ~= version else { return Self.impossibleVersion }
      let rowKey = RowKey(entity: number, primaryKey: key)
      builder.appendRow(rowKey, version: version)
      for index in 0..<plan.count {
        let transfer = unsafe plan[index]
        if let word = unsafe word(transfer, statement) {
          unsafe builder.lastRow.set(transfer.slot, to: word, places)
        } else {
          unsafe setBytes(transfer, statement, rowKey, &builder)
        }
      }
    }
    return SQLITE_ROW
  }

  /// No code of SQLite's.
  private static let impossibleVersion: Int32 = -1

  private func impossibleVersion(_ statement: Statement) -> StoreError {
    let (key, version) = (statement.integer(0), statement.integer(2))
    return StoreError(
      .corrupt,
      "Row \(key) of \(entity.tableName) has version \(version), which no number of saves makes. "
        + "Set its Z_OPT to 1.")
  }

  /// The word of a slot; nil where the column is null, and for texts and blobs.
  @inline(__always)
  private func word(_ transfer: SlotTransfer, _ statement: OpaquePointer) -> UInt64? {
    let column = Int32(truncatingIfNeeded: transfer.place)
    switch transfer.transfer {
    case .integer:
      let number = unsafe sqlite3_column_int64(statement, column)
      // Null reads as zero, so only zero needs a second look.
      if number == 0, unsafe isNull(statement, column) { return nil }
      return UInt64(bitPattern: number)
    case .real:
      let number = unsafe sqlite3_column_double(statement, column)
      if number == 0, unsafe isNull(statement, column) { return nil }
      return number.bitPattern
    case .reference:
      let key = unsafe sqlite3_column_int64(statement, column)
      if key == 0, unsafe isNull(statement, column) { return nil }
      return RowKey(entity: transfer.destination, primaryKey: key).rawValue
    case .typedReference:
      let key = unsafe sqlite3_column_int64(statement, column)
      if key == 0, unsafe isNull(statement, column) { return nil }
      let number = unsafe sqlite3_column_int64(statement, column + 1)
      let entity = entities.modelNumber(number, else: transfer.destination)
      return RowKey(entity: entity, primaryKey: key).rawValue
    case .text, .bytes, .decimal, .external: return nil
    }
  }

  @inline(__always)
  private func isNull(_ statement: OpaquePointer, _ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// Sets the slot of a text or blob, unless the column is null. A value that SQLite found no memory for
  /// shows as null as well, and then the next step fails.
  @inline(__always)
  private func setBytes(
    _ transfer: SlotTransfer, _ statement: OpaquePointer, _ key: RowKey,
    _ builder: inout RowPageBuilder
  ) {
    let (column, slot) = (Int32(truncatingIfNeeded: transfer.place), transfer.slot)
    switch transfer.transfer {
    case .text, .bytes:
      let bytes = unsafe blob(statement, column)
      if unsafe bytes.baseAddress == nil, unsafe isNull(statement, column) { return }
      unsafe builder.setBytes(slot, bytes)
    case .decimal: unsafe setDecimal(slot, statement, column, &builder)
    case .external: unsafe setExternal(slot, statement, column, key, &builder)
    case .integer, .real, .reference, .typedReference: break
    }
  }

  private func blob(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  private func setDecimal(
    _ slot: Int, _ statement: OpaquePointer, _ column: Int32, _ builder: inout RowPageBuilder
  ) {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_NULL: break
    case SQLITE_FLOAT:
      builder.set(slot, to: DecimalText.text(of: unsafe sqlite3_column_double(statement, column)))
    default: unsafe builder.setBytes(slot, blob(statement, column))
    }
  }

  /// A value in a file stays there until somebody asks for it.
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

/// The entities' numbers in the store and in the model, which differ where an app renamed an entity.
final class EntityNumbers: Sendable {
  private let models: [UInt16]
  private let hasSubentities: [Bool]

  init(_ layout: StoreLayout, _ model: ManagedObjectModel) {
    var models = [UInt16](repeating: 0, count: (layout.storeNumbers.max() ?? 0) + 1)
    for (index, number) in layout.storeNumbers.enumerated() where number > 0 {
      models[number] = UInt16(index + 1)
    }
    self.models = models
    hasSubentities = [false] + model.shapes.map(\.hasSubentities)
  }

  /// The tree under a root has one entity only.
  func isSingle(_ root: Int) -> Bool { !hasSubentities[root] }

  @inline(__always)
  func modelNumber(_ store: Int64, else other: Int) -> Int {
    guard store > 0, store < models.count, models[Int(store)] > 0 else { return other }
    return Int(models[Int(store)])
  }
}
