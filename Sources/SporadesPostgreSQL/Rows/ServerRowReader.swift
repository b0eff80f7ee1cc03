// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Packs the rows of answers into pages. Each value is copied once, from libpq's memory into the page.
struct ServerRowReader {
  private let plan: ServerPlan
  private let shape: EntityShape
  private let entity: ServerPlan.Entity
  private let entityName: [UInt8]
  private let rowsPerPage = 512

  /// Reads rows of an entity and of those that inherit from it.
  init(_ plan: ServerPlan, _ shape: EntityShape) {
    self.plan = plan
    self.shape = shape
    entity = plan.entity(shape.number)
    entityName = Array(shape.name.utf8)
  }

  /// Reads all rows, in their order or in that of their keys.
  func pages(
    _ rows: ServerRows, sorting isSorting: Bool = false
  ) throws(StoreError) -> [RowPage] {
    try checkTypes(rows)
    let places = isSorting ? placesByKey(rows) : nil
    var pages: [RowPage] = []
    var row = 0
    while row < rows.count {
      var builder = RowPageBuilder(
        layout: shape.layout, capacity: min(rowsPerPage, rows.count - row))
      while row < rows.count, builder.count < rowsPerPage,
        builder.byteCount < RowPage.roomyByteCount
      {
        try append(rows, places?[row] ?? row, to: &builder)
        row += 1
      }
      Cancellation.current?.note(rows: builder.count)
      try Cancellation.check()
      pages.append(builder.finish())
    }
    return pages
  }

  /// The places of the rows in the order of their keys; nil if they have it. A row without a key is refused when it is read.
  private func placesByKey(_ rows: ServerRows) -> [Int]? {
    func key(_ row: Int) -> Int64 { rows.integer(row, 0) ?? -1 }
    guard (1..<max(1, rows.count)).contains(where: { key($0) < key($0 - 1) }) else { return nil }
    return (0..<rows.count).map { (key: key($0), row: $0) }.sorted { $0.key < $1.key }.map(\.row)
  }

  private func name(of column: ServerColumn) -> String {
    shape.layout.slots[column.transfer.slot].name
  }

  /// A migration may have given a column another type, whose bytes would be taken for a value.
  private func checkTypes(_ rows: ServerRows) throws(StoreError) {
    for column in entity.columns where !column.reads(rows.type(column.transfer.place)) {
      throw StoreError(
        .modelChanged,
        "\(plan.place(ofEntity: shape.number)) has another type for \(name(of: column)) than when the store was opened. Open it again."
      )
    }
  }

  private func append(
    _ rows: ServerRows, _ row: Int, to builder: inout RowPageBuilder
  ) throws(StoreError) {
    let key = try key(rows, row, at: 0)
    guard let version = rows.integer(row, 2), 0...RowLayout.largestVersion / 2 ~= version else {
      throw StoreError(
        .corrupt,
        "Row \(key.primaryKey) of \(plan.place(ofEntity: shape.number)) has an impossible version. Set it to 1."
      )
    }
    builder.appendRow(key, version: plan.version(of: key, version))
    for column in entity.columns where !column.read(rows, row, plan, into: &builder) {
      throw StoreError(
        .corrupt,
        "Row \(key.primaryKey) of \(plan.place(ofEntity: shape.number)) holds in \(name(of: column)) no value of the "
          + "attribute's type. Correct it with psql.")
    }
  }

  @unsafe
  private func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.count == entityName.count
      && entityName.withUnsafeBytes { unsafe bytes.elementsEqual($0) }
  }

  /// The keys of all rows, from the first two columns.
  func keys(
    _ rows: ServerRows, sorting isSorting: Bool = false
  ) throws(StoreError) -> [RowKey] {
    let places = isSorting ? placesByKey(rows) : nil
    var keys: [RowKey] = []
    keys.reserveCapacity(rows.count)
    for row in 0..<rows.count { keys.append(try key(rows, places?[row] ?? row, at: 0)) }
    return keys
  }

  /// The key of a row, from the columns of its key and its entity's name. A row without the name is of the reader's entity.
  func key(
    _ rows: ServerRows, _ row: Int, at column: Int, isMarked: Bool = true
  ) throws(StoreError) -> RowKey {
    guard let key = rows.integer(row, column), 0...RowKey.largestPrimaryKey ~= key else {
      throw StoreError(
        .corrupt,
        "\(plan.place(ofEntity: shape.number)) has a row with an impossible key. Keys lie between 0 and "
          + "\(RowKey.largestPrimaryKey).")
    }
    guard isMarked else { return RowKey(entity: shape.number, primaryKey: key) }
    // Most rows are of the entity that is read, and no text need be made of its name.
    if let found = unsafe rows.cell(row, column + 1), unsafe isName(found) {
      return RowKey(entity: shape.number, primaryKey: key)
    }
    guard let name = rows.text(row, column + 1), let number = plan.number(ofEntity: name),
      plan.model.shape(numbered: number).rootNumber == shape.rootNumber
    else {
      throw StoreError(
        .corrupt,
        "Row \(key) of \(plan.place(ofEntity: shape.number)) is of an entity that the model does not have there: "
          + "\(rows.text(row, column + 1) ?? "none"). Correct it with psql.")
    }
    return RowKey(entity: number, primaryKey: key)
  }
}
