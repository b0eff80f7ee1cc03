// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// `SELECT … FROM ZPET t0 WHERE t0.ZOWNER IN (…) ORDER BY t0.ZOWNER, t0.Z_FOK_OWNER, t0.Z_PK`
  public func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    guard !owners.isEmpty else { return [] }
    let statements = plan.statements(entity.number)
    let columns = plan.layout.tables[statements.table].columns
    let reference = "t0.\(sqlName(columns[slot].name))"
    let place = position.map { "t0.\(sqlName(columns[$0].name)), " } ?? ""
    let family = statements.familyCondition
    let start =
      "SELECT \(statements.selectList) FROM \(statements.tableName) t0 WHERE "
      + (family.isEmpty ? "" : "+\(family) AND ")
    let order =
      " ORDER BY \(reference), \(place)" + (entity.hasSubentities ? "t0.Z_ENT, " : "") + "t0.Z_PK"
    let reader = plan.reader(entity.number, files)
    let groups = KeyGroups(owners.map(\.primaryKey))
    return try read(view) { (connection) throws(StoreError) in
      if position == nil, let range = groups.wholeRange,
        try isLargeShare(owners, reference, statements.tableName, connection)
      {
        // The plus keeps SQLite from the index: it reads the table in its own order.
        let all = start + "+\(reference) BETWEEN ? AND ?"
        return try pages(all, range, reader, connection)
      }
      var pages: [RowPage] = []
      for group in groups {
        let statement = try connection.statement(start + group.condition(reference) + order)
        group.bind(to: statement)
        pages += try reader.pages(of: statement)
      }
      return pages
    }
  }

  /// The pages of a statement that reads most of a table, in stretches of keys where that is quicker.
  private func pages(
    _ sql: String, _ range: ClosedRange<Int64>, _ reader: RowReader, _ connection: Connection
  ) throws(StoreError) -> [RowPage] {
    let pages = try scan(reader.entity.tableName, connection).pages {
      (connection, keys) throws(StoreError) in
      let statement = try connection.statement(sql + " AND t0.Z_PK BETWEEN ? AND ?")
      statement.bind([range.lowerBound, range.upperBound, keys.lowerBound, keys.upperBound])
      return try reader.pages(of: statement, expecting: keys.count)
    }
    if let pages { return pages }
    let statement = try connection.statement(sql)
    statement.bind([range.lowerBound, range.upperBound])
    return try reader.pages(of: statement)
  }

  /// Whether the rows of many owners are so large a share of a table that reading all of it is less
  /// work than going from an index to each of them. A few owners speak for all.
  private func isLargeShare(
    _ owners: [RowKey], _ reference: String, _ table: String, _ connection: Connection
  ) throws(StoreError) -> Bool {
    let asked = 4
    guard owners.count >= 4 * asked else { return false }
    let count = try connection.statement(
      "SELECT count(*) FROM \(table) t0 WHERE \(reference) = ?")
    var found: Int64 = 0
    for step in 0..<asked {
      count.bind(owners[step * owners.count / asked].primaryKey, at: 1)
      if try count.step() { found += count.integer(0) }
      count.reset()
    }
    let last = try connection.statement("SELECT max(Z_PK) FROM \(table)")
    let rows = try last.step() ? last.integer(0) : 0
    last.reset()
    return found / Int64(asked) * Int64(owners.count) * 3 >= rows
  }
}

/// Keys in ascending groups, of three fixed sizes, so that few statements serve all numbers of keys.
///
/// Keys that lie close together are asked for as a range: one pass over the index.
struct KeyGroups: Sequence {
  private let sorted: [Int64]

  init(_ keys: [Int64]) {
    var unique: [Int64] = []
    unique.reserveCapacity(keys.count)
    for key in keys.sorted() where unique.last != key { unique.append(key) }
    sorted = unique
  }

  /// The first and last key, where there are many and none between them is missing.
  var wholeRange: ClosedRange<Int64>? {
    guard sorted.count > 16, let first = sorted.first, let last = sorted.last,
      last - first + 1 == sorted.count
    else { return nil }
    return first...last
  }

  func makeIterator() -> AnyIterator<Group> {
    var start = 0
    return AnyIterator {
      guard start < sorted.count else { return nil }
      let left = sorted.count - start
      if left == sorted.count, left > 16, sorted[left - 1] - sorted[0] + 1 == left {
        start = left
        return Group(keys: [sorted[0], sorted[left - 1]], size: 0)
      }
      let size = left == 1 ? 1 : left > 16 ? 256 : 16
      let end = Swift.min(start + size, sorted.count)
      defer { start = end }
      return Group(keys: sorted[start..<end], size: size)
    }
  }

  struct Group {
    let keys: ArraySlice<Int64>
    /// The number of parameters; 0 for a range.
    let size: Int

    func condition(_ column: String) -> String {
      switch size {
      case 0: "\(column) BETWEEN ? AND ?"
      case 1: "\(column) = ?"
      default: "\(column) IN (\(Array(repeating: "?", count: size).joined(separator: ", ")))"
      }
    }

    func bind(to statement: Statement) {
      var place: Int32 = 1
      for key in keys {
        statement.bind(key, at: place)
        place += 1
      }
      // Places left over repeat the last key, which changes nothing.
      while place <= Int32(size) {
        statement.bind(keys.last ?? 0, at: place)
        place += 1
      }
    }
  }
}
