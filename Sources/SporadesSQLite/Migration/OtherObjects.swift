// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The views and triggers of other programs, which are absent while tables change.
struct OtherObjects {
  private let views: [FileObjects.Object]
  let triggers: [FileObjects.Object]
  /// The tables whose triggers failed before the migration.
  private let broken: Set<String>

  init(
    _ views: [FileObjects.Object], _ triggers: [FileObjects.Object], on connection: Connection
  ) throws(StoreError) {
    (self.views, self.triggers) = (views, triggers)
    var broken: Set<String> = []
    for table in Set(triggers.map(\.table)) {
      do throws(StoreError) { try TriggerCheck(table).run(connection) } catch
        where error.code == .unsupported
      {
        broken.insert(table)
      }
    }
    self.broken = broken
  }

  /// Creates the objects again from their texts.
  func restore(on connection: Connection) throws(StoreError) {
    let problems = try restoring(on: connection)
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems) }
  }

  /// Creates the objects again from their texts, and returns the triggers that do not compile.
  func restoring(on connection: Connection) throws(StoreError) -> [MigrationProblem] {
    for view in views { try connection.run(SQLStatement(view.text)) }
    var problems: [MigrationProblem] = []
    for trigger in triggers {
      do throws(StoreError) {
        try connection.run(SQLStatement(trigger.text))
        try TriggerCheck(trigger.table).run(connection)
      } catch  where error.code == .unsupported {
        guard !broken.contains(trigger.table) else { continue }
        let reason = error.sqliteFailure?.message ?? error.detail
        problems.append(
          MigrationProblem(
            .unsupported, entity: trigger.table,
            "The trigger \(trigger.name) of another program does not fit the new tables: \(reason). Change it, or drop it."
          ))
      }
    }
    return problems
  }
}

/// Compiles the triggers of a table.
private struct TriggerCheck {
  private let table: String

  init(_ table: String) { self.table = table }

  func run(_ connection: Connection) throws(StoreError) {
    let columns = try connection.columns(of: table)
    guard let first = columns.first else { return }
    let assignments = columns.map { "\(name: $0) = \(name: first)" as SQLFragment }
    let statements: [SQLFragment] = [
      "EXPLAIN INSERT INTO main.\(name: table) DEFAULT VALUES",
      "EXPLAIN DELETE FROM main.\(name: table)",
      "EXPLAIN UPDATE main.\(name: table) SET \(assignments.joined(by: ", "))",
    ]
    for statement in statements {
      try Statement(statement.rendered(in: SQLiteDialect()), on: connection).finalize()
    }
  }
}

extension InPlaceMigration {
  /// The triggers of other programs that do not compile with the new tables. They are tried on copies of the tables
  /// without rows, in memory.
  func triggerProblems() throws(StoreError) -> [MigrationProblem] {
    let others = try otherObjects(upkeepChanges)
    guard !others.triggers.isEmpty else { return [] }
    // A copy cannot judge a trigger that needs something the copy lacks, such as the module of a virtual table.
    let unjudged = Set(
      try emptyCopy { (copy) throws(StoreError) in
        try create(objects.tableObjects, in: copy)
        return try others.restoring(on: copy)
      }.map(\.entity))
    let problems = try emptyCopy { (copy) throws(StoreError) in
      let former = Set(
        succession.old.tables.map { succession.old.table($0).name }
          + succession.old.layout.joins.map(\.name))
      try makeNewTables(in: copy)
      try create(objects.tableObjects.filter { !former.contains($0.name) }, in: copy)
      return try others.restoring(on: copy)
    }
    return problems.filter { !unjudged.contains($0.entity) }
  }

  private func emptyCopy(
    _ body: (Connection) throws(StoreError) -> [MigrationProblem]
  ) throws(StoreError) -> [MigrationProblem] {
    let copy = try Connection(path: ":memory:", access: .readWrite, busyMilliseconds: 0)
    defer { copy.close() }
    try copy.registerFunctions(nil)
    return try body(copy)
  }

  /// A table that is there already, or that needs a module, is left out.
  private func create(
    _ tables: [FileObjects.Object], in copy: Connection
  ) throws(StoreError) {
    for table in tables {
      do throws(StoreError) { try copy.run(SQLStatement(table.text)) } catch
        where error.code == .unsupported
      {
        continue
      }
    }
  }

  private func makeNewTables(in copy: Connection) throws(StoreError) {
    for change in tables {
      var others: [FileObjects.Column] = []
      for piece in change.pieces {
        let old = succession.old.table(piece.old)
        others += try foreignColumns(of: old, now: old.name, renamings(change))
          .filter { column in !others.contains { $0.name == column.name } }
      }
      let left = changes.leftColumns[change.name] ?? []
      try copy.run(
        statements.create(
          change, others: others.map { ($0.name, $0.declaration) } + left.map { ($0, "") }))
    }
    let creation = CreateStatements(succession.new.scheme, SQLiteDialect())
    for change in joins { try copy.run(creation.creation(of: change.table)) }
  }
}
