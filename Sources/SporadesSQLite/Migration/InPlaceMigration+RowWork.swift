// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// The program's code for rows runs between the change of the tables and the removal of the old ones.
extension InPlaceMigration {
  /// Runs the code for the rows, and checks that no required value is missing afterwards.
  func runRowWork(
    _ parked: Parked, _ progress: MigrationProgress, _ files: LargeValueMigration
  ) throws(StoreError) {
    let worked = try leftToCode.reworkedEntities().filter(succession.new.scheme.holds)
    let weights = worked.map { Double(largestKey(inTable: succession.new.place(ofEntity: $0))) + 1 }
    let pace = RowPace(progress, weights, from: Self.shareBeforeRowWork, to: 0.8)
    for entity in worked {
      // Each row is handed to all work for it in turn: a later one sees what an earlier one set.
      let work = rowWork.filter { entities(of: $0).contains(entity) }
      if let source = succession.source(of: entity) {
        try run(work, entity, source, parked, pace, files)
      }
      pace.endEntity()
    }
    try succession.new.checkRequiredValues(of: worked, connection)
  }

  /// The part of the whole work that is done when the code for rows begins.
  static let shareBeforeRowWork = 0.4

  private func run(
    _ work: [RowWork], _ entity: Int, _ source: Int, _ parked: Parked, _ pace: RowPace,
    _ files: LargeValueMigration
  ) throws(StoreError) {
    let place = succession.new.place(ofEntity: entity)
    guard let change = tables.first(where: { $0.place == place }) else { return }
    let former = succession.old.table(succession.old.place(ofEntity: source)).name
    var oldTable: String?
    var names: [String: String] = [:]
    switch change.form {
    case .made: return
    case .altered(let alteration): names = alteration.renamed
    case .rewritten:
      oldTable = parked.tables[former] ?? former
      names = renamings(change)
    }
    try RowWorker(
      connection, succession, change, entity, from: source, oldTable: oldTable, renamed: names,
      files
    ).run(work, pace)
  }

  /// Throws if rows that code computed share the values of a uniqueness constraint.
  func checkReworkedConstraints() throws(StoreError) {
    try connection.refuse(
      RowWorkStatements(succession.new, SQLiteDialect()).duplicates(inTreesOf: reworkedRoots))
  }

  /// The numbers of the entities of some work; none for an entity that the newer version lacks.
  func entities(of work: RowWork) -> [Int] {
    succession.new.model.shape(named: work.entity).map { Array($0.family) } ?? []
  }
}

extension MigrationSide {
  /// Throws if an object of the entities lacks a required value, or with `links` a required link.
  func checkRequiredValues(
    of entities: [Int], links: Bool = false, _ connection: Connection
  ) throws(StoreError) {
    try connection.refuse(
      RowWorkStatements(self, SQLiteDialect())
        .lacks(entities.map(model.shape(numbered:)), links: links))
  }
}
