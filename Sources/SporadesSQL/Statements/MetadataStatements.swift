// SPDX-License-Identifier: MIT

/// The statements about the single row that identifies the store.
package struct MetadataStatements {
  private let names: LayoutNames.Metadata
  private let dialect: any SQLDialect

  package init(_ names: LayoutNames, _ dialect: any SQLDialect) {
    self.names = names.metadata
    self.dialect = dialect
  }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  /// `SELECT identifier, contents FROM metadata LIMIT 1`
  package var read: SQLStatement {
    rendered(
      "SELECT \(names: [names.identifier, names.contents]) FROM \(name: names.table) LIMIT 1")
  }

  package func add(identifier: String, contents: [UInt8]) -> SQLStatement {
    let columns = [names.version, names.identifier, names.contents]
    return rendered(
      """
      INSERT INTO \(name: names.table) (\(names: columns)) \
      VALUES (\(.integer(1)), \(.text(identifier)), \(.blob(contents)))
      """)
  }

  /// `UPDATE metadata SET contents = ?`
  package func set(contents: [UInt8]) -> SQLStatement {
    rendered("UPDATE \(name: names.table) SET \(name: names.contents) = \(.blob(contents))")
  }
}
