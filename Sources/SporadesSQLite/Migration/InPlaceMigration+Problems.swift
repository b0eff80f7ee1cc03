// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// The reasons against a migration, and its forecast. Both only read.
extension InPlaceMigration {
  /// The reasons against the migration that no code is there to solve.
  func problems() throws(StoreError) -> [MigrationProblem] {
    var problems = succession.evolution.problems
    problems += try namesInUse()
    // Tables with columns in the way cannot be made, so nothing can be tried on them.
    if problems.isEmpty { problems += try triggerProblems() }
    problems += try strangers()
    for check in MigrationChecks(succession, changes).all where !leftToCode.includes(check) {
      if let problem = try check.problem(connection) { problems.append(problem) }
    }
    return problems
  }

  /// The reasons against the migration that code is there to solve.
  private func problemsLeftToCode() throws(StoreError) -> [MigrationProblem] {
    var problems: [MigrationProblem] = []
    for check in MigrationChecks(succession, changes).all where leftToCode.includes(check) {
      guard var problem = try check.problem(connection) else { continue }
      problem.isLeftToCode = true
      problems.append(problem)
    }
    return problems
  }

  /// A store whose entities all go belongs to another program, or to a mistake. Its objects are not removed.
  private func strangers() throws(StoreError) -> [MigrationProblem] {
    guard succession.pieces.isEmpty else { return [] }
    for place in succession.old.tables {
      let table = succession.old.table(place)
      guard try count(table.name) > 0 else { continue }
      return [
        MigrationProblem(
          .unsupported, entity: succession.old.model.shape(numbered: table.rootEntity).name,
          "No entity of the store is in the program's model, so that all its objects would be removed. Open another "
            + "file, or give the entities that are meant a renaming identifier.")
      ]
    }
    return []
  }

  /// Columns of other programs that stand in the way.
  private func namesInUse() throws(StoreError) -> [MigrationProblem] {
    var problems: [MigrationProblem] = []
    for change in tables {
      let entity = succession.new.model.shape(
        numbered: succession.new.table(change.place).rootEntity
      ).name
      let own = Set(change.columns.map(\.name))
      for piece in change.pieces {
        let table = succession.old.table(piece.old)
        for column in try foreignColumns(of: table, now: table.name)
        where own.contains(column.name) || (column.isGenerated && change.form == .rewritten) {
          problems.append(
            MigrationProblem(
              .unsupported, entity: entity,
              "The table \(table.name) has a column \(column.name) of another program, which stands in the "
                + "way. Rename or drop it."))
        }
      }
    }
    let old = Set(
      succession.old.tables.map { succession.old.table($0).name }
        + succession.old.layout.joins.map(\.name))
    let new = tables.map(\.name) + joins.map(\.table.name)
    for name in new where objects.tables.contains(name) && !old.contains(name) {
      problems.append(
        MigrationProblem(
          .unsupported, entity: name,
          "The file has a table \(name) of another program, which stands in the way. Rename or drop it."
        ))
    }
    return problems
  }

  // MARK: - Forecast

  func forecast() throws(StoreError) -> MigrationForecast {
    var forecast = MigrationForecast()
    forecast.problems = try problems()
    forecast.bytes = try writtenBytes()
    for change in tables { try add(change, to: &forecast) }
    for change in joins { try add(change, to: &forecast) }
    forecast.steps += indexes.dropped.map { .init("drop the index \($0)") }
    forecast.steps += indexes.created.map { .init(table: $0.table, "create the index \($0.name)") }
    forecast.losses = try losses()
    forecast.problemsLeftToCode = try problemsLeftToCode()
    forecast.lossesLeftToCode = try losses(leftToCode: true)
    for (piece, offset) in succession.offsets.inNumberOrder(of: { $0.key.old }) {
      let (from, to) = (succession.old.table(piece.old), succession.new.table(piece.new))
      forecast.notes.append(
        "The objects of \(from.name) come into \(to.name), and their keys grow by \(offset).")
    }
    let lacks = LinkLacks(succession).notes.map { ($0.count, $0.sentence) }
    let cut = LinksToNothing(succession).notes.map { ($0.count, $0.sentence) }
    for (question, sentence) in lacks + cut {
      let count = try connection.number(question.rendered(in: SQLiteDialect())) ?? 0
      if count > 0 { forecast.notes.append(sentence.text(count)) }
    }
    try HistoryMigration(succession, connection).add(to: &forecast, connection)
    return forecast
  }

  /// The bytes of the tables whose rows are written, with their indexes, as they are now.
  private func writtenBytes() throws(StoreError) -> Int {
    let names = tables.flatMap { change -> [String] in
      if case .altered(let alteration) = change.form, !alteration.writesRows { return [] }
      return change.pieces.map { succession.old.table($0.old).name }
    }
    guard !names.isEmpty else { return 0 }
    return Int(clamping: try connection.bytes(ofTables: names))
  }

  private func count(_ table: String) throws(StoreError) -> Int {
    Int(try connection.number(statements.count(ofTable: table)) ?? 0)
  }

  private func add(
    _ change: TableChange, to forecast: inout MigrationForecast
  ) throws(StoreError) {
    let name = change.name
    func step(_ text: String, rows: Int = 0) -> MigrationForecast.Step {
      .init(table: name, rows: rows, text)
    }
    switch change.form {
    case .made: forecast.steps.append(step("create the table \(name)"))
    case .rewritten:
      var rows = 0
      for piece in change.pieces { rows += try count(succession.old.table(piece.old).name) }
      let sources = change.pieces.map { succession.old.table($0.old).name }
      forecast.steps.append(
        step("write the table \(name) again from \(sources.joined(separator: ", "))", rows: rows))
    case .altered(let alteration):
      if alteration.oldName != name {
        forecast.steps.append(step("rename the table \(alteration.oldName) to \(name)"))
      }
      for (from, to) in alteration.renamed.inOrder {
        forecast.steps.append(step("rename the column \(from) of \(name) to \(to)"))
      }
      for index in alteration.added {
        forecast.steps.append(step("add the column \(change.columns[index].name) to \(name)"))
      }
      guard alteration.writesRows else { return }
      let written = alteration.computed.map { change.columns[$0].name }
      let all =
        written + (alteration.changesNumbers ? [succession.old.layout.names.row.entity] : [])
      forecast.steps.append(
        step(
          all.isEmpty
            ? "delete rows of \(name)" : "write \(all.joined(separator: ", ")) of \(name)",
          rows: try count(alteration.oldName)))
    }
  }

  private func add(_ change: JoinChange, to forecast: inout MigrationForecast) throws(StoreError) {
    let name = change.table.name
    switch change.form {
    case .made: forecast.steps.append(.init(table: name, "create the table \(name)"))
    case .filled:
      forecast.steps.append(.init(table: name, "write the links of \(name) again"))
    case .renamed(let old, let columns):
      let former = succession.old.layout.joins[old].name
      guard former != name || !columns.isEmpty else { return }
      forecast.steps.append(.init(table: name, "rename the table \(former) of links to \(name)"))
    }
  }

  /// The content that the migration removes, either for good or after code has seen it.
  func losses(
    leftToCode isLeft: Bool = false
  ) throws(StoreError) -> [MigrationForecast.Loss] {
    var losses: [MigrationForecast.Loss] = []
    for loss in MigrationLosses(succession).all where leftToCode.includes(loss) == isLeft {
      let count = try connection.number(loss.count.rendered(in: SQLiteDialect())) ?? 0
      guard count > 0 else { continue }
      losses.append(.init(entity: loss.entity, property: loss.property, count: Int(count)))
    }
    return losses
  }
}

extension MigrationCheck {
  private static let listedKeys = 5

  /// The problem with its number of rows and the first of them; nil if no row has it.
  func problem(_ connection: Connection) throws(StoreError) -> MigrationProblem? {
    let count = try connection.number(count(SQLiteDialect())) ?? 0
    guard count > 0 else { return nil }
    let keys = try connection.rows(firstKeys(Self.listedKeys, SQLiteDialect()))
      .compactMap { $0[0].integer }
    return MigrationProblem(
      kind, entity: entity, property: property, count: Int(count), keys: keys,
      sentence.text(count))
  }
}

extension Connection {
  /// Throws if rows have problems.
  func refuse(_ checks: [MigrationCheck]) throws(StoreError) {
    var problems: [MigrationProblem] = []
    for check in checks {
      if let problem = try check.problem(self) { problems.append(problem) }
    }
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems) }
  }

  /// The bytes of tables and of their indexes. Those of the whole database, if SQLite was built without a table of sizes.
  fileprivate func bytes(ofTables names: [String]) throws(StoreError) -> Int64 {
    do throws(StoreError) { return try number(.bytes(ofTables: names)) ?? 0 } catch
      where error.code == .unsupported
    {
      return try number(.byteCount) ?? 0
    }
  }
}
