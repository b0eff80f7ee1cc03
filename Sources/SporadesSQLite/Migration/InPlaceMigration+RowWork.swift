// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// The program's code for rows runs between the change of the tables and the removal of the old ones.
extension InPlaceMigration {
  /// Runs the code for the rows, and checks that no required value is missing afterwards.
  func runRowWork(_ parked: Parked, _ progress: MigrationProgress) throws(StoreError) {
    for work in rowWork {
      guard let shape = succession.new.model.shape(named: work.entity) else {
        throw StoreError(
          .unsupported,
          "The migration has work for the rows of \(work.entity), which the newer version of the model lacks."
        )
      }
      for entity in shape.family where succession.new.scheme.holds(entity) {
        guard let source = succession.source(of: entity) else { continue }
        try run(work, entity, source, parked, progress)
      }
    }
    let worked = Set(rowWork.flatMap { entities(of: $0) })
    try RequiredValues(succession.new, connection).check(worked.sorted())
  }

  private func run(
    _ work: RowWork, _ entity: Int, _ source: Int, _ parked: Parked, _ progress: MigrationProgress
  ) throws(StoreError) {
    let place = succession.new.place(ofEntity: entity)
    guard let change = tables.first(where: { $0.place == place }) else { return }
    let former = succession.old.table(succession.old.place(ofEntity: source)).name
    var oldTable: String?
    if case .rewritten = change.form { oldTable = parked.tables[former] ?? former }
    try RowWorker(connection, succession, change, entity, from: source, oldTable: oldTable)
      .run(work, progress)
  }

  /// The numbers of the entities of some work; none for an entity that the newer version lacks.
  private func entities(of work: RowWork) -> [Int] {
    succession.new.model.shape(named: work.entity).map { Array($0.family) } ?? []
  }

  /// Whether code is there to solve a problem: it fills values, and reads those that have no equal in a new type.
  func isLeftToCode(_ kind: MigrationProblem.Kind, _ entity: String) -> Bool {
    let hasWork = succession.new.model.shape(named: entity).map { shape in
      rowWork.contains { entities(of: $0).contains(shape.number) }
    }
    switch kind {
    case .missingValue: return leavesMissingValues || hasWork == true
    case .missingLink: return leavesMissingValues
    case .inconvertibleType, .inconvertibleValue: return hasWork == true
    case .duplicates, .tooManyLinks, .unreadableFile, .unsupported, .mapping, .policy,
      .invalidObject, .loss:
      return false
    }
  }
}

/// Finds objects without a value in a required attribute.
struct RequiredValues {
  private let side: MigrationSide
  private let connection: Connection

  init(_ side: MigrationSide, _ connection: Connection) {
    self.side = side
    self.connection = connection
  }

  /// Throws if an object of the entities lacks a required value, or with `links` a required link.
  func check(_ entities: [Int], links: Bool = false) throws(StoreError) {
    var problems: [MigrationProblem] = []
    for entity in entities where side.scheme.holds(entity) {
      let shape = side.model.shape(numbered: entity)
      let table = side.table(side.place(ofEntity: entity))
      for (slot, declared) in shape.layout.slots.enumerated() {
        guard let kind = shape.lack(of: declared), links || kind != .missingLink else { continue }
        let check = RowWorkStatements(side, SQLiteDialect())
          .missing(declared.name, in: table.columns[slot].name, of: entity, kind)
        if let problem = try check.problem(connection) { problems.append(problem) }
      }
    }
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems) }
  }
}

extension EntityShape {
  /// The problem of an object without content in a slot of the tree; nil if the slot may be empty, or belongs neither to the entity
  /// nor to one above it.
  fileprivate func lack(of slot: RowLayout.Slot) -> MigrationProblem.Kind? {
    switch slot.role {
    case .attribute(let attribute):
      let name = slot.name.split(separator: ".").first.map(String.init)
      let isOwn = attributes.contains { $0.entity == slot.entity && $0.name == name }
      return isOwn && !attribute.isOptional && !attribute.isDerived ? .missingValue : nil
    case .toOne(let relationship):
      let isOwn = relationships.contains {
        $0.entity == slot.entity && $0.name == relationship.name && $0.isStored
      }
      return isOwn && !relationship.isOptional ? .missingLink : nil
    case .owner, .position: return nil
    }
  }
}
