// SPDX-License-Identifier: MIT

/// The number of inserts, updates and deletes of each row, by statements and triggers.
final class RowTouches {
  /// The counts by table name, then by primary key.
  private(set) var counts: [String: [Int64: Int]] = [:]
  /// The rows that were deleted, and perhaps inserted again.
  private var deleted: [String: Set<Int64>] = [:]

  func count(_ row: Int64, in table: String, isDeletion: Bool) {
    counts[table, default: [:]][row, default: 0] += 1
    if isDeletion { deleted[table, default: []].insert(row) }
  }

  func wasDeleted(_ row: Int64, in table: String) -> Bool { deleted[table]?.contains(row) == true }

  func forget() {
    counts.removeAll()
    deleted.removeAll()
  }
}
