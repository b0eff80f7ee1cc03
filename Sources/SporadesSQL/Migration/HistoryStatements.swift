// SPDX-License-Identifier: MIT

/// The change of the history of one entity's rows.
package struct HistoryChange: Sendable {
  /// The number of the entity in the older version, and in the newer one.
  package let numbers: (old: Int64, new: Int64)
  /// The number by which the keys of the rows grow.
  package let keyOffset: Int64
  /// For each bit in the newer version, the bit in the older one; nil for a property without a source. Nil if all bits
  /// stay.
  package let bits: [Int?]?
  /// The number of bits in the older version.
  package let width: Int
  /// For each kept value of a deleted object, the expression over the older ones. Nil if all stay.
  package let tombstones: [SQLFragment]?

  package init(
    numbers: (old: Int64, new: Int64), keyOffset: Int64, bits: [Int?]?, width: Int,
    tombstones: [SQLFragment]?
  ) {
    self.numbers = numbers
    self.keyOffset = keyOffset
    self.bits = bits
    self.width = width
    self.tombstones = tombstones
  }

  package var isUnchanged: Bool { bits == nil && changesBitsAlone }

  /// Whether rows without bits, as insertions and deletions are, stay as they are.
  var changesBitsAlone: Bool {
    numbers.old == numbers.new && keyOffset == 0 && tombstones == nil
  }
}

// The statements that carry the history over to another version of a model.
extension CoreDataHistory {
  /// Adds a column for a kept value.
  package func addTombstone(_ place: Int) -> SQLStatement {
    rendered(
      "ALTER TABLE \(name: Table.changes.name) ADD COLUMN \(name: Self.tombstoneColumn(place)) BLOB"
    )
  }

  /// Counts the changes of entities, by their numbers.
  package func count(ofEntities numbers: [Int64]) -> SQLStatement {
    rendered(
      """
      SELECT ZENTITY, COUNT(*) FROM \(name: Table.changes.name) \
      WHERE ZENTITY IN (\(Self.list(numbers))) GROUP BY ZENTITY
      """)
  }

  /// Counts the changes that ``update(_:tombstones:)`` writes; nil if there are none.
  package func count(of changes: [HistoryChange]) -> SQLStatement? {
    Self.condition(changes.filter { !$0.isUnchanged }).map {
      rendered("SELECT COUNT(*) FROM \(name: Table.changes.name) WHERE \($0)")
    }
  }

  /// The condition for the rows that change; nil if there are none. An added property changes no row without bits, and most
  /// histories consist of such rows.
  private static func condition(_ changes: [HistoryChange]) -> SQLFragment? {
    let bitsAlone = changes.filter(\.changesBitsAlone).map(\.numbers.old)
    let whole = changes.filter { !$0.changesBitsAlone }.map(\.numbers.old)
    var conditions: [SQLFragment] = []
    if !whole.isEmpty { conditions.append("ZENTITY IN (\(list(whole)))") }
    if !bitsAlone.isEmpty {
      conditions.append("(ZENTITY IN (\(list(bitsAlone))) AND ZCOLUMNS IS NOT NULL)")
    }
    return conditions.isEmpty ? nil : conditions.joined(by: " OR ")
  }

  /// Removes the changes of entities. The transactions stay.
  package func remove(entities numbers: [Int64]) -> SQLStatement {
    rendered("DELETE FROM \(name: Table.changes.name) WHERE ZENTITY IN (\(Self.list(numbers)))")
  }

  /// Writes all changes of the entities anew in one pass; nil if nothing changes. `tombstones` is the number of
  /// columns for kept values.
  package func update(_ changes: [HistoryChange], tombstones: Int) -> SQLStatement? {
    let changes = changes.filter { !$0.isUnchanged }
    guard let condition = Self.condition(changes) else { return nil }
    var assignments: [SQLFragment] = []
    if changes.contains(where: { $0.numbers.old != $0.numbers.new }) {
      let terms = changes.map { ($0.numbers.old, Self.number($0.numbers.new)) }
      assignments.append("ZENTITY = \(RowSuccession.choice("ZENTITY", terms, else: "ZENTITY"))")
    }
    let shifted = changes.filter { $0.keyOffset != 0 }
    if !shifted.isEmpty {
      let terms = shifted.map { ($0.numbers.old, Self.number($0.keyOffset)) }
      assignments.append(
        "ZENTITYPK = ZENTITYPK + \(RowSuccession.choice("ZENTITY", terms, else: "0"))")
    }
    if changes.contains(where: { $0.bits != nil }) {
      assignments.append("ZCOLUMNS = \(sql: SQLFunction.columns)(ZENTITY, ZCOLUMNS)")
    }
    assignments += tombstoneAssignments(changes, tombstones)
    return rendered(
      """
      UPDATE \(name: Table.changes.name) SET \(assignments.joined(by: ", ")) \
      WHERE \(condition)
      """)
  }

  private func tombstoneAssignments(
    _ changes: [HistoryChange], _ count: Int
  ) -> [SQLFragment] {
    (0..<count).compactMap { place -> SQLFragment? in
      let column: SQLFragment = "\(name: Self.tombstoneColumn(place))"
      let terms = changes.compactMap { change -> (Int64, SQLFragment)? in
        guard let values = change.tombstones else { return nil }
        let value = place < values.count ? values[place] : "NULL"
        return value == column ? nil : (change.numbers.old, value)
      }
      guard !terms.isEmpty else { return nil }
      return "\(column) = \(RowSuccession.choice("ZENTITY", terms, else: column))"
    }
  }

  static func number(_ number: Int64) -> SQLFragment { "\(sql: String(number))" }

  static func list(_ numbers: [Int64]) -> SQLFragment {
    "\(sql: numbers.map(String.init).joined(separator: ", "))"
  }
}

/// The table in which CloudKit's mirroring keeps one row for each mirrored object, and its statements.
package struct MirroringRecords: Sendable {
  package static let table = "ANSCKRECORDMETADATA"
  private let dialect: any SQLDialect

  package init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// Gives the rows the new numbers and keys of their objects. Two steps, because the pairs of both are unique and two
  /// entities may exchange their numbers.
  package func update(_ changes: [HistoryChange]) -> [SQLStatement] {
    let changes = changes.filter { $0.numbers.old != $0.numbers.new || $0.keyOffset != 0 }
    guard !changes.isEmpty else { return [] }
    let numbers = changes.map { ($0.numbers.old, CoreDataHistory.number(-$0.numbers.new)) }
    let offsets = changes.map { ($0.numbers.old, CoreDataHistory.number($0.keyOffset)) }
    let first: SQLFragment = """
      UPDATE \(name: Self.table) SET \
      ZENTITYID = \(RowSuccession.choice("ZENTITYID", numbers, else: "ZENTITYID")), \
      ZENTITYPK = ZENTITYPK + \(RowSuccession.choice("ZENTITYID", offsets, else: "0")) \
      WHERE ZENTITYID IN (\(CoreDataHistory.list(changes.map(\.numbers.old))))
      """
    let second: SQLFragment =
      "UPDATE \(name: Self.table) SET ZENTITYID = -ZENTITYID WHERE ZENTITYID < 0"
    return [first.rendered(in: dialect), second.rendered(in: dialect)]
  }

  package func remove(entities numbers: [Int64]) -> SQLStatement {
    let statement: SQLFragment =
      "DELETE FROM \(name: Self.table) WHERE ZENTITYID IN (\(CoreDataHistory.list(numbers)))"
    return statement.rendered(in: dialect)
  }
}
