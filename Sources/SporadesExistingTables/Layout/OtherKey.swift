// SPDX-License-Identifier: MIT
import SporadesPostgreSQL

/// A unique column by which other tables lead to the rows of a table, such as a UUID, beside the column of whole numbers that has
/// the keys of objects.
///
/// The number stands in place of the other key where a table is read, by a join that the server takes apart with the query. Where
/// a row is written, the server looks the other key up.
struct OtherKey: Sendable {
  /// The table and its columns, as they stand in statements.
  private let table: String
  let column: String
  private let key: String

  init(_ table: TableName, column: String, key: String) {
    let dialect = PostgreSQLDialect()
    self.table = table.quoted
    self.column = dialect.quoted(column)
    self.key = dialect.quoted(key)
  }

  /// The number of the row whose other key stands in a column, and the join that finds it under an alias.
  func reading(
    _ value: String, as alias: String, by join: String = "LEFT JOIN"
  ) -> (key: String, join: String) {
    ("\(alias).\(key)", " \(join) \(table) \(alias) ON \(alias).\(column) = \(value)")
  }

  /// What stands before and behind the parameter with a number where the other key is written. The statement divides by zero
  /// where there is no such row, or where it has none: nil would be another value.
  var writing: (before: String, behind: String) {
    (
      "(SELECT CASE WHEN k.number IS NULL OR r.\(column) IS NOT NULL THEN r.\(column) "
        + "ELSE (ARRAY[r.\(column)])[1 / (coalesce(r.\(key), 0) * 0)] END FROM (SELECT ",
      "::bigint) k(number) LEFT JOIN \(table) r ON r.\(key) = k.number)"
    )
  }

  /// The other key of a row that may be gone.
  func known(_ parameter: String) -> String {
    "(SELECT r.\(column) FROM \(table) r WHERE r.\(key) = \(parameter))"
  }
}
