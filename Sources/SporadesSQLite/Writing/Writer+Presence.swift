// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Rows that were found in the store and still exist. An object that many others link to is looked up once,
/// not at every save.
///
/// A deletion by this process empties the set, and so does a commit by another connection.
struct PresentRows {
  private var keys: Set<RowKey> = []
  /// SQLite's `data_version`, which changes when another connection commits.
  private var version: Int64 = 0
  private static let limit = 4096

  var isEmpty: Bool { keys.isEmpty }

  func contains(_ key: RowKey) -> Bool { keys.contains(key) }

  mutating func insert(_ key: RowKey) {
    if keys.count == Self.limit { keys.removeAll(keepingCapacity: true) }
    keys.insert(key)
  }

  mutating func forget() { keys.removeAll(keepingCapacity: true) }

  /// Empties the set if another connection has committed since the last check.
  mutating func check(_ version: Int64) {
    if version != self.version { forget() }
    self.version = version
  }
}

extension Writer {
  /// A larger number of keys is read by a fetch.
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
}
