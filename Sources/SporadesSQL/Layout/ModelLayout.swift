// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A way to lay out models in a database: it names the tables, columns and indexes.
///
/// Statements take all names of tables and columns from a layout.
package protocol ModelLayout: Sendable {
  static var names: LayoutNames { get }
  var model: ManagedObjectModel { get }
  /// The layout of a new database.
  var layout: StoreLayout { get }

  /// Creates the layout of a store with all entities, or with those of the given numbers.
  init(_ model: ManagedObjectModel, holding entities: Set<Int>?)

  /// Whether the store keeps rows of the entity.
  func holds(_ entity: Int) -> Bool

  func indexName(ofReference column: String, in table: String) -> String
  func indexName(_ index: String, of entity: String) -> String
  func constraintName(_ properties: [String], of entity: String) -> String

  /// The statements that create what a new file maintains by itself, such as triggers.
  func upkeep(_ dialect: any SQLDialect) -> [SQLStatement]

  /// The layout of an existing database, whose names and numbers may differ.
  func existing(
    in catalog: some StoreCatalog, _ dialect: any SQLDialect
  ) throws(StoreError) -> StoreLayout
}

extension ModelLayout {
  package func upkeep(_ dialect: any SQLDialect) -> [SQLStatement] { [] }

  package func holds(_ join: JoinShape) -> Bool {
    holds(join.first.entity) && holds(join.second.entity)
  }
}

/// The tables that a database describes.
package protocol StoreCatalog {
  var tables: Set<String> { get }
  /// The database's numbers of entities, by their names.
  var numbers: [String: Int] { get }

  func columns(of table: String) throws(StoreError) -> [String]
  /// The texts of all triggers by their names.
  func triggers() throws(StoreError) -> [String: String]
}
