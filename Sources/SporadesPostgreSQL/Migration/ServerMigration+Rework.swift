// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// The program's code for rows runs between the change of the tables and the removal of the old ones.
extension ServerMigration {
  /// Whether code computes rows of a new table.
  func isReworked(_ place: Int) -> Bool {
    leftToCode.reworkedRoots.contains(succession.new.table(place).rootEntity)
  }

  /// Runs the code for the rows, and checks that no required value is missing afterwards.
  func rework(_ parked: Parked) throws(StoreError) {
    guard let rework = code.rework else { return }
    let worked = try leftToCode.reworkedEntities()
    for entity in worked {
      guard let source = succession.source(of: entity) else { continue }
      if let rows = rows(of: entity, from: source, parked) { try rework(rows) }
      try Cancellation.check()
    }
    for change in tables where isReworked(change.place) {
      if case .altered(let alteration) = change.form { try dropLeft(alteration, of: change.name) }
    }
    try connection.refuse(
      RowWorkStatements(succession.new, dialect)
        .lacks(worked.map(succession.new.model.shape(numbered:))))
  }

  /// Throws if rows that code computed share the values of a uniqueness constraint.
  func checkReworkedConstraints() throws(StoreError) {
    try connection.refuse(
      RowWorkStatements(succession.new, dialect).duplicates(inTreesOf: leftToCode.reworkedRoots))
  }

  private func rows(of entity: Int, from source: Int, _ parked: Parked) -> StagedRows? {
    let place = succession.new.place(ofEntity: entity)
    guard let change = tables.first(where: { $0.place == place }) else { return nil }
    let former = succession.old.table(succession.old.place(ofEntity: source)).name
    var (oldTable, names): (String?, [String: String]) = (nil, [:])
    switch change.form {
    case .made: return nil
    case .altered(let alteration): names = alteration.renamed
    case .rewritten: oldTable = parked.tables[former] ?? former
    }
    let old = StagedRows.Fields(of: source, in: succession.old, renamed: names)
    let new = StagedRows.Fields(of: entity, in: succession.new, renamed: [:])
    let origin = oldTable.map { (name: $0, offset: succession.offset(of: source)) }
    return StagedRows(
      of: succession.new.model.shape(numbered: entity), in: change.name, connection, old: old,
      new: new, from: origin, RowWorkStatements(succession.new, dialect))
  }
}
