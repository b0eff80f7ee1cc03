// SPDX-License-Identifier: MIT

/// The number of inserts, updates and deletes of each row, by statements and triggers.
final class RowTouches {
  /// The counts by table name, then by primary key.
  private(set) var counts: [String: [Int64: Int]] = [:]

  func count(_ row: Int64, in table: String) {
    counts[table, default: [:]][row, default: 0] += 1
  }

  func forget() { counts.removeAll() }
}
