// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Changes the tables of a store from one version of its model to another, without objects.
///
/// The changes are a value: making it reads the file and changes nothing. The caller runs it inside a transaction, so that
/// the file changes as a whole or not at all.
struct InPlaceMigration {
  let connection: Connection
  let succession: RowSuccession
  let changes: LayoutChanges
  let objects: FileObjects
  let indexes: IndexChanges
  let rowWork: [RowWork]
  let leftToCode: LeftToCode
  var reworkedRoots: Set<Int> { leftToCode.reworkedRoots }
  /// The largest key handed out in each old table.
  let largestKeys: [Int: Int64]

  init(
    _ connection: Connection, from old: MigrationSide, to new: MigrationSide,
    _ evolution: ModelEvolution, _ rowWork: [RowWork] = [], stageCode: StageCode = [],
    leavesColumns: Bool = false
  ) throws(StoreError) {
    self.connection = connection
    self.rowWork = rowWork
    let sameKeys = RowSuccession(old, new, evolution)
    largestKeys = try Self.largestKeys(old, connection)
    let statements = MigrationStatements(sameKeys, SQLiteDialect())
    let offsets = try sameKeys.keyOffsets(largest: largestKeys) {
      (piece, other) throws(StoreError) in
      try connection.number(statements.collision(piece, other)) == 1
    }
    let succession = RowSuccession(sameKeys, offsets: offsets)
    self.succession = succession
    let leftToCode = LeftToCode(succession, stageCode, rowsOf: rowWork.map(\.entity))
    self.leftToCode = leftToCode
    let changes = LayoutChanges(
      succession,
      keepingOldValuesOf: Array(leftToCode.reworkedRoots),
      leavesColumns: leavesColumns)
    self.changes = changes
    objects = try FileObjects(connection)
    indexes = IndexChanges(
      succession, changes.tables, changes.joins,
      present: Set(objects.indexes.map(\.name)),
      reworked: Set(
        leftToCode.reworkedRoots.filter(new.scheme.holds).map {
          new.layout.table(ofEntity: $0).name
        }),
      SQLiteDialect())
  }

  var tables: [TableChange] { changes.tables }
  var joins: [JoinChange] { changes.joins }
  var fills: [LinkFill] { changes.fills }
  var statements: MigrationStatements { MigrationStatements(succession, SQLiteDialect()) }

  // MARK: - Keys

  private static func largestKeys(
    _ old: MigrationSide, _ connection: Connection
  ) throws(StoreError) -> [Int: Int64] {
    var keys: [Int: Int64] = [:]
    let counters = CounterStatements(old.layout.names, SQLiteDialect())
    for place in old.tables {
      let table = old.table(place)
      let reserved = try connection.number(counters.maximum(of: old.number(table.rootEntity))) ?? 0
      let largest =
        try connection.number(
          TableStatements(table, old.layout.names, SQLiteDialect()).largestKey) ?? 0
      keys[place] = max(reserved, largest, 0)
    }
    return keys
  }

  /// The largest key of a new table.
  func largestKey(inTable place: Int) -> Int64 {
    succession.pieces(of: place).map {
      (largestKeys[$0.old] ?? 0) + (succession.offsets[$0] ?? 0)
    }.max() ?? 0
  }
}
