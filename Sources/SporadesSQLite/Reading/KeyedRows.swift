// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads many rows of one table by their primary keys.
///
/// If most rows of a range are wanted, a scan of the range that discards the others is cheaper than a seek
/// for each key.
struct KeyedRows {
  let reader: RowReader
  let connection: Connection

  /// The row with a key. It builds no arrays, because every read of a single object takes this path.
  func pages(_ key: Int64) throws(StoreError) -> [RowPage] {
    let entity = reader.entity
    let statement = try connection.statement(
      StatementNumber(.selectByKey, entity.entity), entity.selectByKey)
    statement.bind(key, at: 1)
    return try reader.pages(of: statement, expecting: 1, isSingle: true)
  }

  func pages(_ keys: [Int64]) throws(StoreError) -> [RowPage] {
    let groups = KeyGroups(keys)
    if let range = groups.denseRange {
      let isComplete = groups.wholeRange == range
      return try pages(in: range, only: isComplete ? nil : Set(groups.sorted))
    }
    var pages: [RowPage] = []
    for group in groups {
      let count = group.size == 0 ? groups.sorted.count : group.keys.count
      pages += try self.pages(of: group, expecting: count)
    }
    return pages
  }

  /// Reads all rows in a range of keys, or only the wanted ones.
  func pages(
    in range: ClosedRange<Int64>, only wanted: Set<Int64>? = nil
  ) throws(StoreError) -> [RowPage] {
    try pages(
      of: KeyGroups.Group(range), expecting: wanted?.count ?? range.count, only: wanted)
  }

  private func pages(
    of group: KeyGroups.Group, expecting hint: Int, only wanted: Set<Int64>? = nil
  ) throws(StoreError) -> [RowPage] {
    let entity = reader.entity
    let statement = try connection.statement(
      StatementNumber(group.use, entity.entity), entity.select(group))
    group.bind(to: statement)
    return try reader.pages(of: statement, expecting: hint, only: wanted)
  }
}

extension KeyGroups.Group {
  /// Identifies the statement for a group of this size.
  fileprivate var use: StatementNumber.Use {
    switch size {
    case 0: .selectRange
    case 1: .selectOne
    case Self.few: .selectFew
    default: .selectMany
    }
  }
}
