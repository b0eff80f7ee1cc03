// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  public func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    guard !owners.isEmpty else { return [] }
    let statements = ReferenceStatements(
      plan.statements(entity.number), slot: slot, position: position, plan.layout)
    let reader = plan.reader(entity.number)
    let groups = KeyGroups(owners.map(\.primaryKey))
    return try read(view, isLookUp: owners.count == 1) { (connection) throws(StoreError) in
      if position == nil, let range = groups.wholeRange,
        try isLargeShare(owners, statements, reader.entity.table, connection)
      {
        return try scan(of: range, statements, reader, connection)
      }
      var pages: [RowPage] = []
      for group in groups {
        let statement = try connection.statement(statements.select(group))
        group.bind(to: statement)
        pages += try reader.pages(of: statement)
      }
      return pages
    }
  }

  /// Reads the rows of a range of owners in one scan of their table.
  private func scan(
    of owners: ClosedRange<Int64>, _ statements: ReferenceStatements, _ reader: RowReader,
    _ connection: Connection
  ) throws(StoreError) -> [RowPage] {
    let stretch = statements.scanOfStretch
    let pages = try scan(reader.entity.table, connection).pages {
      (connection, keys) throws(StoreError) in
      let statement = try connection.statement(stretch)
      statement.bind([owners.lowerBound, owners.upperBound, keys.lowerBound, keys.upperBound])
      return try reader.pages(of: statement, expecting: keys.count)
    }
    if let pages { return pages }
    let statement = try connection.statement(statements.scan)
    statement.bind([owners.lowerBound, owners.upperBound])
    return try reader.pages(of: statement)
  }

  /// Whether the rows of the owners are so large a share of the table that a scan is cheaper than index
  /// look-ups. A sample of a few owners decides.
  private func isLargeShare(
    _ owners: [RowKey], _ statements: ReferenceStatements, _ table: Int, _ connection: Connection
  ) throws(StoreError) -> Bool {
    let asked = 4
    guard owners.count >= 4 * asked else { return false }
    let count = try connection.statement(statements.count)
    var found: Int64 = 0
    for step in 0..<asked {
      count.bind(owners[step * owners.count / asked].primaryKey, at: 1)
      if try count.step() { found += count.integer(0) }
      count.reset()
    }
    let last = try connection.statement(plan.tableStatements(table).largestKey)
    let rows = try last.step() ? last.integer(0) : 0
    last.reset()
    return found / Int64(asked) * Int64(owners.count) * 3 >= rows
  }
}
