// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// Mends the damages in a file that can be mended without loss, in one transaction, and returns the number of changed
  /// rows. Nobody may have the file open.
  ///
  /// Links that lead nowhere are emptied, unless the model requires them. A link that one side alone has gets its other
  /// side. Numbers that no save makes get those that saves go on from, and indexes are built anew.
  package static func mendDamages(
    ofStoreAt path: String, _ model: ManagedObjectModel, configuration: String? = nil
  ) throws(StoreError) -> Int {
    let held = try StoreConfiguration(configuration, of: model)
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
    defer { connection.close() }
    connection.limit.allow(0)
    try connection.registerFunctions(nil)
    try rebuildIndexes(connection)
    let layout = try ExistingLayout(connection, CoreDataLayout(model, holding: held.entities))
      .layout()
    let statements = IntegrityStatements(layout, model, SQLiteDialect())
    let checks =
      layout.tables.flatMap(statements.checks(of:))
      + zip(layout.joins, model.joins).flatMap { statements.checks(of: $0, $1) }
    try connection.run(.beginToWrite)
    do throws(StoreError) {
      var changes = 0
      for check in checks {
        guard let mending = check.mending else { continue }
        // Without damage a largest key stays, also one above all rows.
        guard try connection.number(.finds(check.statement)) == 1 else { continue }
        try connection.run(mending)
        changes += Int(connection.changes)
      }
      try connection.run(.commit)
      return changes
    } catch {
      connection.endRead()
      throw error
    }
  }

  /// Builds all indexes anew, because rows may be missing from one.
  private static func rebuildIndexes(_ connection: Connection) throws(StoreError) {
    do throws(StoreError) { try connection.run(.rebuildIndexes) } catch {
      // The rows of a unique index share a value, which the check reports.
      guard case .constraint = error.code else { throw error }
    }
  }
}
