// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads the identity of the store in a file, and its layout of the model.
struct ExistingLayout {
  private let connection: Connection
  /// The layout of a new store.
  private let made: any ModelLayout

  init(_ connection: Connection, _ made: any ModelLayout) {
    self.connection = connection
    self.made = made
  }

  func layout() throws(StoreError) -> StoreLayout {
    try made.existing(in: FileCatalog(connection, type(of: made).names), SQLiteDialect())
  }
}

/// The tables of a file.
private struct FileCatalog: StoreCatalog {
  let tables: Set<String>
  let numbers: [String: Int]
  private let connection: Connection

  init(_ connection: Connection, _ names: LayoutNames) throws(StoreError) {
    self.connection = connection
    tables = Set(try connection.texts(.tables))
    numbers = try Self.numbers(connection, names)
  }

  func columns(of table: String) throws(StoreError) -> [String] {
    try connection.columns(of: table)
  }

  func triggers() throws(StoreError) -> [String: String] {
    var texts: [String: String] = [:]
    for row in try connection.rows(.triggerTexts) {
      guard let name = row[0].text, let text = row[1].text else { continue }
      texts[name] = text
    }
    return texts
  }

  private static func numbers(
    _ connection: Connection, _ names: LayoutNames
  ) throws(StoreError) -> [String: Int] {
    var numbers: [String: Int] = [:]
    let counters = CounterStatements(names, SQLiteDialect())
    for row in try connection.rows(counters.numbers(limit: StoreLayout.largestNumber + 1)) {
      guard let name = row[0].text, let number = row[1].integer else { continue }
      guard numbers.updateValue(Int(number), forKey: name) == nil else {
        throw StoreError(
          .corrupt,
          "\(names.counters.table) has two rows with the same \(names.counters.name), so that one entity has "
            + "two numbers. Restore a copy of the store.")
      }
    }
    return numbers
  }
}
