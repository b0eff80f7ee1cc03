// SPDX-License-Identifier: MIT
package import SporadesModel

/// What databases write differently in the statements of a migration.
package protocol MigrationWords: Sendable {
  /// What stands before the names of the store's tables, so that no other table hides them.
  var schema: String { get }
  /// What stands before the names of temporary tables.
  var temporary: String { get }
  /// The types of keys, and of what tells the entities of rows.
  var keyType: String { get }
  var entityType: String { get }
  /// Large values lie in files, if their attributes allow it.
  var keepsFiles: Bool { get }

  /// The declared type of a slot's column.
  func declaration(of slot: RowLayout.Slot, _ type: ColumnType) -> String
  func constant(_ value: Value, _ type: AttributeType) -> SQLFragment
  /// A value in another type. A null stays null.
  func value(
    _ old: SQLFragment, _ conversion: ValueConversion, _ from: AttributeType, _ to: AttributeType
  ) -> SQLFragment
  /// The condition for a value that has no equal in the other type; nil if there is none. A null never meets it.
  func isLost(
    _ old: SQLFragment, _ conversion: ValueConversion, _ from: AttributeType, _ to: AttributeType
  ) -> SQLFragment?
}

/// The words of SQLite.
package struct SQLiteMigrationWords: MigrationWords {
  package init() {}

  package var schema: String { "main." }
  package var temporary: String { "temp." }
  package var keyType: String { "INTEGER" }
  package var entityType: String { "INTEGER" }
  package var keepsFiles: Bool { true }

  package func declaration(of slot: RowLayout.Slot, _ type: ColumnType) -> String {
    type.declaration
  }

  package func constant(_ value: Value, _ type: AttributeType) -> SQLFragment {
    "\(SQLValue(content: value))"
  }

  package func value(
    _ old: SQLFragment, _ conversion: ValueConversion, _ from: AttributeType, _ to: AttributeType
  ) -> SQLFragment {
    ConversionTerms(conversion).value(old)
  }

  package func isLost(
    _ old: SQLFragment, _ conversion: ValueConversion, _ from: AttributeType, _ to: AttributeType
  ) -> SQLFragment? {
    ConversionTerms(conversion).isLost(old)
  }
}
