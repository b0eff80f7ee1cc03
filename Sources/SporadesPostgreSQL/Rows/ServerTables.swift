// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesPlans
package import SporadesStore

/// The tables that hold a store's rows, as far as reading needs to know. A store makes its own (`OwnTables`). Those that existed
/// before it are another product's.
package protocol ServerTables: AnyObject, Sendable {
  var layout: ServerLayout { get }
  var dialect: PostgreSQLDialect { get }

  /// The table of an entity's rows, as people name it.
  func place(ofEntity number: Int) -> String

  /// The version that contexts have of a row, which the store's own writes give it.
  func version(of key: RowKey, _ stored: Int64) -> Int64

  /// The model's names for tables and columns that statements call by others than the database.
  var planSources: [String: PlanNames.Source] { get }

  /// The refusal of a row by what the tables themselves ask for; nil for another error.
  func refusal(_ error: StoreError) -> StoreError?
}

extension ServerTables {
  package var planSources: [String: PlanNames.Source] { [:] }
}
