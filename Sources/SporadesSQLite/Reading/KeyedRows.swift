// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads many rows of one table by their primary keys.
///
/// Where most rows of a stretch are wanted, the stretch is read and the rest thrown away, which is
/// less work than seeking each. Else keys are asked for in groups of a fixed size, so that two
/// prepared statements serve all numbers of keys.
struct KeyedRows {
  let reader: RowReader
  let connection: Connection

  func pages(_ keys: [Int64]) throws(StoreError) -> [RowPage] {
    let sorted = Self.sortedUnique(keys)
    guard let first = sorted.first, let last = sorted.last else { return [] }
    if sorted.count >= 64, Int64(sorted.count) * 2 >= last - first + 1 {
      let isComplete = last - first + 1 == sorted.count
      return try self.pages(in: first...last, only: isComplete ? nil : Set(sorted))
    }
    var pages: [RowPage] = []
    var start = 0
    while start < sorted.count {
      let size = sorted.count - start > 16 ? 256 : 16
      let end = min(start + size, sorted.count)
      pages += try group(sorted[start..<end], size: size)
      start = end
    }
    return pages
  }

  private static func sortedUnique(_ keys: [Int64]) -> [Int64] {
    var sorted = keys
    sorted.sort()
    var unique: [Int64] = []
    unique.reserveCapacity(sorted.count)
    for key in sorted where unique.last != key { unique.append(key) }
    return unique
  }

  private func group(_ keys: ArraySlice<Int64>, size: Int) throws(StoreError) -> [RowPage] {
    let entity = reader.entity
    let statement = try connection.statement(
      StatementNumber(size == 16 ? .selectFew : .selectMany, entity.entity),
      "SELECT \(entity.selectList) FROM \(entity.tableName) t0 WHERE t0.Z_PK IN "
        + "(\(Array(repeating: "?", count: size).joined(separator: ", "))) ORDER BY t0.Z_PK")
    var place: Int32 = 1
    for key in keys {
      statement.bind(key, at: place)
      place += 1
    }
    // The places left over repeat the last key, which changes nothing.
    while place <= Int32(size) {
      statement.bind(keys.last ?? 0, at: place)
      place += 1
    }
    return try reader.pages(of: statement, expecting: keys.count)
  }

  /// All rows with keys of a range, or only those wanted.
  func pages(
    in range: ClosedRange<Int64>, only wanted: Set<Int64>? = nil
  ) throws(StoreError) -> [RowPage] {
    let entity = reader.entity
    let statement = try connection.statement(
      StatementNumber(.selectRange, entity.entity),
      "SELECT \(entity.selectList) FROM \(entity.tableName) t0 "
        + "WHERE t0.Z_PK BETWEEN ? AND ? ORDER BY t0.Z_PK")
    statement.bind(range.lowerBound, at: 1)
    statement.bind(range.upperBound, at: 2)
    return try reader.pages(of: statement, expecting: wanted?.count ?? range.count, only: wanted)
  }
}
