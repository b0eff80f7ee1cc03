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
    let model = succession.new.model
    for name in code.reworked where model.shape(named: name) == nil {
      throw StoreError(
        .unsupported,
        "The migration has work for the rows of \(name), which the newer version of the model lacks. Its entities are "
          + "\(model.shapes.map(\.name).sorted().joined(separator: ", ")). The store is as it was.")
    }
    let worked = Set(code.reworked.compactMap(model.shape(named:)).flatMap(\.family)).sorted()
    for entity in worked {
      guard let source = succession.source(of: entity) else { continue }
      if let rows = rows(of: entity, from: source, parked) { try rework(rows) }
      try Cancellation.check()
    }
    for change in tables where isReworked(change.place) {
      if case .altered(let alteration) = change.form { try dropLeft(alteration, of: change.name) }
    }
    let checks = RowWorkStatements(succession.new, dialect)
      .lacks(worked.map(model.shape(numbered:)))
    try refuse(checks)
  }

  /// Throws if rows that code computed share the values of a uniqueness constraint.
  func checkReworkedConstraints() throws(StoreError) {
    let statements = RowWorkStatements(succession.new, dialect)
    let checks = succession.new.model.shapes
      .filter { leftToCode.reworkedRoots.contains($0.rootNumber) }
      .flatMap { shape in
        shape.description.uniquenessConstraints.compactMap {
          statements.duplicates($0, of: shape.number)
        }
      }
    try refuse(checks)
  }

  private func refuse(_ checks: [MigrationCheck]) throws(StoreError) {
    var problems: [MigrationProblem] = []
    for check in checks {
      if let problem = try check.problem(connection) { problems.append(problem) }
    }
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems) }
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
