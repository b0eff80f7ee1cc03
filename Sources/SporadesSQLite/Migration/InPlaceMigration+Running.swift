// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Runs a migration step by step. A table that gets another name, or is written again, is first parked under a name
// that no table has, so that tables can exchange their names.
extension InPlaceMigration {
  /// Changes the tables. The caller has begun a transaction, and has asked for the problems.
  func run(
    _ progress: MigrationProgress, _ values: LargeValueMigration
  ) throws(StoreError) {
    try values.begin(succession, tables, reworking: reworkedRoots, connection)
    try connection.run(.renameAlone)
    let upkeep = upkeepChanges
    for fill in fills { try run(fill.collecting) }
    let others = try removeOthers(upkeep)
    for name in indexes.dropped { try connection.run(statements.drop(.index, name)) }
    let parked = try park()
    let foreignIndexes = try foreignIndexes(parked)
    try runTables(parked, progress)
    for change in joins { try run(change, parked) }
    try runRowWork(parked, progress, values)
    for name in parked.tables.values.inOrder() where !parked.kept.contains(name) {
      try connection.run(statements.drop(.table, name))
    }
    for fill in fills { try run(fill.filling) }
    try run(LinksToNothing(succession).statements)
    try runDerivedFills()
    try checkReworkedConstraints()
    for index in indexes.created {
      try connection.run(index.creation.rendered(in: SQLiteDialect()))
    }
    try restore(foreignIndexes)
    try dropEqualIndexes()
    try restore(upkeep)
    try renumber()
    try HistoryMigration(succession, connection).run(on: connection)
    try others.restore(on: connection)
  }

  private func runTables(
    _ parked: Parked, _ progress: MigrationProgress
  ) throws(StoreError) {
    let pace = MigrationPace(
      progress, share: rowWork.isEmpty ? 0.8 : Self.shareBeforeRowWork, steps: tables.map(steps))
    let isCancelled = connection.limit.isCancelled
    connection.limit.isCancelled = { pace.advance(steps: StepLimit.stride) }
    defer { connection.limit.isCancelled = isCancelled }
    for change in tables {
      guard !progress.isCancelled else { throw Self.cancelled }
      try run(change, parked)
      pace.endTable()
    }
  }

  /// The steps of SQLite that a change takes, by the largest keys.
  private func steps(_ change: TableChange) -> Double {
    if case .altered(let alteration) = change.form, !alteration.writesRows { return 0 }
    let rows = change.pieces.reduce(0.0) { $0 + Double(largestKeys[$1.old] ?? 0) }
    return rows * MigrationPace.steps(ofRowWith: change.columns.count)
  }

  static var cancelled: StoreError {
    StoreError(.cancelled, "The program cancelled the migration. The store is as it was.")
  }

  private func run(_ fragments: [SQLFragment]) throws(StoreError) {
    for fragment in fragments { try connection.run(fragment.rendered(in: SQLiteDialect())) }
  }

  private func runDerivedFills() throws(StoreError) {
    let fills = DerivedFills(succession, changes, followingCode: !rowWork.isEmpty).fills
    try run(fills.map(\.statement))
    try connection.refuse(fills.compactMap(\.check))
  }

  // MARK: - Names

  /// The old tables under their passing names.
  struct Parked {
    /// The passing names by the old names.
    var tables: [String: String] = [:]
    /// The passing names of the tables that get other names and stay.
    var kept: Set<String> = []
  }

  private func park() throws(StoreError) -> Parked {
    let old = succession.old
    var kept: Set<String> = []
    var renamed: [String] = []
    for change in tables {
      guard case .altered(let alteration) = change.form else { continue }
      let name = alteration.oldName
      if name == change.name { kept.insert(name) } else { renamed.append(name) }
    }
    var parked = Parked()
    for change in joins {
      guard case .renamed(let index, _) = change.form else { continue }
      let name = old.layout.joins[index].name
      if name == change.table.name { kept.insert(name) } else { renamed.append(name) }
    }
    let joined = zip(old.layout.joins, old.model.joins).filter { old.scheme.holds($0.1) }
    let names = old.tables.map { old.table($0).name } + joined.map(\.0.name)
    for name in names where !kept.contains(name) {
      let passing = CoreDataLayout.passingName(parked.tables.count)
      try connection.run(statements.rename(name, to: passing))
      parked.tables[name] = passing
    }
    parked.kept = Set(renamed.compactMap { parked.tables[$0] })
    return parked
  }

  /// Renames columns, which can exchange their names.
  func rename(_ columns: [String: String], of table: String) throws(StoreError) {
    guard !columns.isEmpty else { return }
    let present = Set(try connection.columns(of: table))
    var parked: [(passing: String, name: String)] = []
    for (from, to) in columns.inOrder where present.contains(to) {
      let passing = CoreDataLayout.passingName(parked.count)
      try connection.run(statements.rename(from, of: table, to: passing))
      parked.append((passing, to))
    }
    for (from, to) in columns.inOrder where !present.contains(to) {
      try connection.run(statements.rename(from, of: table, to: to))
    }
    for (passing, name) in parked {
      try connection.run(statements.rename(passing, of: table, to: name))
    }
  }

  // MARK: - Tables

  private func run(_ change: TableChange, _ parked: Parked) throws(StoreError) {
    switch change.form {
    case .made: try connection.run(statements.create(change, others: []))
    case .altered(let alteration): try alter(change, alteration, parked)
    case .rewritten: try rewrite(change, parked)
    }
  }

  private func alter(
    _ change: TableChange, _ alteration: TableChange.Alteration, _ parked: Parked
  ) throws(StoreError) {
    if let passing = parked.tables[alteration.oldName] {
      try connection.run(statements.rename(passing, to: change.name))
    }
    try rename(alteration.renamed, of: change.name)
    for index in alteration.added {
      try connection.run(statements.add(change.columns[index], to: change.name))
    }
    if let statement = statements.removeGone(alteration, from: change.name) {
      try connection.run(statement)
    }
    if let statement = statements.update(change, alteration, in: change.name) {
      try connection.run(statement)
    }
  }

  private func rewrite(_ change: TableChange, _ parked: Parked) throws(StoreError) {
    let names = renamings(change)
    var foreign: [RowSuccession.Piece: [FileObjects.Column]] = [:]
    var all: [FileObjects.Column] = []
    for piece in change.pieces {
      let old = succession.old.table(piece.old)
      let columns = try foreignColumns(
        of: old, now: parked.tables[old.name] ?? old.name, names)
      foreign[piece] = columns
      all += columns.filter { column in !all.contains { $0.name == column.name } }
    }
    try connection.run(statements.create(change, others: all.map { ($0.name, $0.declaration) }))
    for piece in change.pieces {
      let name = succession.old.table(piece.old).name
      try connection.run(
        statements.copy(
          piece, change, from: parked.tables[name] ?? name, names,
          others: (foreign[piece] ?? []).map(\.name)))
    }
  }

  /// The new names of columns that only change their names, if no column stands in the way. They are changed in the
  /// old table, so that SQLite changes the indexes of other programs.
  func renamings(_ change: TableChange) -> [String: String] {
    guard change.form == .rewritten, change.pieces.count == 1 else { return [:] }
    let kept = change.columns.compactMap { column -> (String, String)? in
      guard case .kept(let name) = column.content(change.pieces[0]), name != column.name else {
        return nil
      }
      return (name, column.name)
    }
    let old = succession.old.table(change.pieces[0].old)
    let names = Dictionary(kept) { first, _ in first }
    let isClear =
      names.count == kept.count && Set(names.values).isDisjoint(with: old.columnNames)
      && succession.pieces.count { $0.old == change.pieces[0].old } == 1
    return isClear ? names : [:]
  }

  /// The columns of other programs in an old table.
  func foreignColumns(
    of table: StoreLayout.Table, now name: String, _ names: [String: String] = [:]
  ) throws(StoreError) -> [FileObjects.Column] {
    let own = Set(
      succession.old.layout.names.row.all
        + table.columnNames.map { names[$0] ?? $0 })
    return try FileObjects.columns(of: name, connection).filter { !own.contains($0.name) }
  }

  private func run(_ change: JoinChange, _ parked: Parked) throws(StoreError) {
    switch change.form {
    case .made, .filled:
      let creation = CreateStatements(succession.new.scheme, SQLiteDialect())
        .creation(of: change.table)
      try connection.run(creation)
    case .renamed(let old, let columns):
      if let passing = parked.tables[succession.old.layout.joins[old].name] {
        try connection.run(statements.rename(passing, to: change.table.name))
      }
      try rename(columns, of: change.table.name)
    }
  }

  // MARK: - Numbers

  private func renumber() throws(StoreError) {
    try connection.run(statements.removeCounters())
    let new = succession.new
    let counters = CounterStatements(new.layout.names, SQLiteDialect())
    for shape in new.model.shapes where new.scheme.holds(shape.number) {
      let parent = shape.superNumber == 0 ? 0 : new.layout.storeNumber(shape.superNumber)
      let number = new.layout.storeNumber(shape.number)
      try connection.run(counters.add(number, name: shape.name, parent: parent))
      guard parent == 0 else { continue }
      let largest = largestKey(inTable: new.place(ofEntity: shape.number))
      try connection.run(counters.set(largest, of: Int64(number)))
    }
  }
}
