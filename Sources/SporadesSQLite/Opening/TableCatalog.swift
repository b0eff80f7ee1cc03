// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The entities that the tables of a file tell: numbers, names, parents and columns.
package struct TableCatalog {
  /// A row of the table of counters.
  package struct Entity: Equatable {
    package let number: Int
    package let name: String
    /// The number of the superentity; nil for a root.
    package let parent: Int?
  }

  /// A column, and the type that the table declares for it.
  package struct Column: Equatable {
    package let name: String
    package let type: String
  }

  /// The entities in the order of their numbers.
  package let entities: [Entity]
  /// The columns of each table.
  package let tables: [String: [Column]]

  /// Reads the catalog of a file. The entities of Core Data's history and of its mirror of iCloud have no objects
  /// and are left out; their numbers begin with 16,001.
  init(_ connection: Connection, _ names: LayoutNames) throws(StoreError) {
    entities = try Self.entities(connection, names)
    var tables: [String: [Column]] = [:]
    for row in try connection.rows(.tables) {
      guard let name = row[0].text, name.utf8.first == UInt8(ascii: "Z") else { continue }
      tables[name] = try connection.rows(.columns(of: name)).compactMap { row in
        row[1].text.map { Column(name: $0, type: row[2].text ?? "") }
      }
    }
    self.tables = tables
  }

  private static let firstOwnNumber = 16_001

  private static func entities(
    _ connection: Connection, _ names: LayoutNames
  ) throws(StoreError) -> [Entity] {
    let counters = CounterStatements(names, SQLiteDialect())
    let rows = try connection.rows(
      counters.entities(below: firstOwnNumber, limit: RowKey.largestEntity + 1))
    guard rows.count <= RowKey.largestEntity else {
      throw StoreError(
        .unsupported,
        "\(names.counters.table) lists more than \(RowKey.largestEntity) entities, which no model has. "
          + "Restore a copy of the store.")
    }
    var entities: [Entity] = []
    for row in rows {
      guard let number = row[0].integer, let name = row[1].text, number > 0 else {
        throw StoreError(
          .corrupt,
          "\(names.counters.table) has a row without the number or the name of an entity. Restore a copy of "
            + "the store.")
      }
      entities.append(
        Entity(number: Int(number), name: name, parent: try parent(row[2], of: name, names)))
    }
    return entities
  }

  private static func parent(
    _ value: SQLValue, of name: String, _ names: LayoutNames
  ) throws(StoreError) -> Int? {
    switch value {
    case .null, .integer(0): return nil
    case .integer(let number): return Int(number)
    case .text, .real, .blob:
      throw StoreError(
        .corrupt,
        "\(names.counters.table).\(names.counters.parent) of \(name) is no number. Restore a copy of the "
          + "store.")
    }
  }
}
