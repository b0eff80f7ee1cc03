// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A way to lay out models in a database: it gives tables, columns and indexes their names.
///
/// Statements are made of what a layout says, and name no table or column themselves.
package protocol ModelLayout: Sendable {
  static var names: LayoutNames { get }
  var model: ManagedObjectModel { get }
  /// The layout that a new database gets.
  var layout: StoreLayout { get }

  /// The layout of a store of all entities, or of those with the numbers given.
  init(_ model: ManagedObjectModel, holding entities: Set<Int>?)

  /// Whether the store keeps rows of the entity.
  func holds(_ entity: Int) -> Bool

  func indexName(ofReference column: String, in table: String) -> String
  func indexName(_ index: String, of entity: String) -> String
  func constraintName(_ properties: [String], of entity: String) -> String

  /// The layout that an existing database has, whose names and numbers may differ.
  func existing(in catalog: some StoreCatalog) throws(StoreError) -> StoreLayout
}

extension ModelLayout {
  package func holds(_ join: JoinShape) -> Bool {
    holds(join.first.entity) && holds(join.second.entity)
  }
}

/// What a database says of the tables in it.
package protocol StoreCatalog {
  var tables: Set<String> { get }
  /// The numbers that the database gives entities, by their names.
  var numbers: [String: Int] { get }

  func columns(of table: String) throws(StoreError) -> [String]
}
