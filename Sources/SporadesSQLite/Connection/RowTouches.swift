// SPDX-License-Identifier: MIT

/// How often statements and triggers inserted, updated or deleted each row.
final class RowTouches {
  /// By table, then by primary key.
  private(set) var counts: [String: [Int64: Int]] = [:]

  func count(_ row: Int64, in table: String) {
    counts[table, default: [:]][row, default: 0] += 1
  }

  func forget() { counts.removeAll() }
}
