// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Rows that were found in the store and are there still: an object that many others are linked to, one
/// save after the other, is looked for once.
///
/// What this process deletes, and any commit of another connection, makes all of it unknown.
struct PresentRows {
  private var keys: Set<RowKey> = []
  /// What SQLite calls the state of the file that others have made.
  private var version: Int64 = 0
  private static let limit = 4096

  var isEmpty: Bool { keys.isEmpty }

  func contains(_ key: RowKey) -> Bool { keys.contains(key) }

  mutating func insert(_ key: RowKey) {
    if keys.count == Self.limit { keys.removeAll(keepingCapacity: true) }
    keys.insert(key)
  }

  mutating func forget() { keys.removeAll(keepingCapacity: true) }

  /// Forgets all unless others have left the file as it was.
  mutating func check(_ version: Int64) {
    if version != self.version { forget() }
    self.version = version
  }
}

extension Writer {
  /// Above that, rows are read as a fetch would.
  static let fewKeys = 64

  mutating func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    try restore()
    if present.isEmpty { present.check(try othersVersion()) }
    var absent: [RowKey] = []
    for key in keys where try !isPresent(key) { absent.append(key) }
    return absent
  }

  private mutating func isPresent(_ key: RowKey) throws(StoreError) -> Bool {
    let place = plan.layout.tablesByEntity[key.entity - 1]
    let row = RowKey(entity: place, primaryKey: key.primaryKey)
    if present.contains(row) { return true }
    let statement = try statement(.presence, place, plan.tableStatements(place).isPresent)
    statement.bind(key.primaryKey, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return false }
    present.insert(row)
    return true
  }

  /// Forgets rows that others may have removed. The caller has begun a transaction, in which nobody else
  /// can commit.
  mutating func checkPresent() {
    guard !present.isEmpty else { return }
    // A failed look-up does not abort the transaction.
    guard let version = try? othersVersion() else { return present.forget() }
    present.check(version)
  }

  private func othersVersion() throws(StoreError) -> Int64 {
    let statement = try connection.statement(StatementNumber(.othersVersion), .dataVersion)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}
