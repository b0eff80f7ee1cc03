// SPDX-License-Identifier: MIT

/// The statements about the single row that holds the store's model.
package struct ModelCacheStatements {
  private let names: LayoutNames.ModelCache
  private let dialect: any SQLDialect

  package init(_ names: LayoutNames.ModelCache, _ dialect: any SQLDialect) {
    self.names = names
    self.dialect = dialect
  }

  /// `SELECT contents FROM cache LIMIT 1`
  package var read: SQLStatement {
    ("SELECT \(name: names.contents) FROM \(name: names.table) LIMIT 1" as SQLFragment)
      .rendered(in: dialect)
  }

  /// `CREATE TABLE cache (contents BLOB)`
  package var create: SQLStatement {
    ("CREATE TABLE \(name: names.table) (\(name: names.contents) BLOB)" as SQLFragment)
      .rendered(in: dialect)
  }

  /// `DELETE FROM cache`
  package var clear: SQLStatement {
    ("DELETE FROM \(name: names.table)" as SQLFragment).rendered(in: dialect)
  }

  /// `INSERT INTO cache (contents) VALUES (?)`
  package func add(contents: [UInt8]) -> SQLStatement {
    ("""
    INSERT INTO \(name: names.table) (\(name: names.contents)) VALUES (\(.blob(contents)))
    """ as SQLFragment)
    .rendered(in: dialect)
  }
}
