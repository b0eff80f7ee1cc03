// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// Hands over the damage that SQLite finds, rows that reads refuse, required properties without values, links that lead
  /// nowhere, and missing files of large values. A check that the damage stops is a problem with its error.
  package func findDamages(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    let (plan, files) = (plan, files)
    try read(.accepted) { (connection) throws(StoreError) in
      try withoutActuallyEscaping(body) { (body) throws(StoreError) in
        try IntegrityCheck(connection, plan, files, body).run()
      }
    }
  }
}

/// Checks a whole store on one connection.
private final class IntegrityCheck {
  private let connection: Connection
  private let plan: StorePlan
  private let folder: ValueFolder?
  private let body: (IntegrityProblem) throws(StoreError) -> Void
  /// The block has thrown an error.
  private var isEnded = false
  /// SQLite keeps its texts in memory.
  private static let mostTexts = 1_000

  init(
    _ connection: Connection, _ plan: StorePlan, _ files: ExternalFiles?,
    _ body: @escaping (IntegrityProblem) throws(StoreError) -> Void
  ) {
    self.connection = connection
    self.plan = plan
    self.body = body
    folder = plan.namesFiles ? files?.folder : nil
  }

  func run() throws(StoreError) {
    try step(checkDatabase)
    for table in plan.layout.tables {
      try run(plan.integrity.checks(of: table))
      try step { () throws(StoreError) in try checkValues(of: table) }
    }
    try step(checkOtherFiles)
    for (join, shape) in zip(plan.layout.joins, plan.model.joins) {
      try run(plan.integrity.checks(of: join, shape))
    }
  }

  private func report(_ problem: IntegrityProblem) throws(StoreError) {
    do throws(StoreError) { try body(problem) } catch {
      isEnded = true
      throw error
    }
  }

  /// Runs a check. Damage that stops it is a problem, too.
  private func step(_ check: () throws(StoreError) -> Void) throws(StoreError) {
    // The step limit counts per request. Each check is a request, because this reads the whole store.
    connection.limit.renew()
    do throws(StoreError) { try check() } catch  where error.code == .corrupt && !isEnded {
      try report(IntegrityProblem(.database, "\(error)"))
    }
  }

  private func checkDatabase() throws(StoreError) {
    let texts = try connection.texts(.integrityCheck(limit: Self.mostTexts))
    for text in texts where text != "ok" { try report(IntegrityProblem(.database, text)) }
    guard texts.count >= Self.mostTexts else { return }
    try report(
      IntegrityProblem(
        .database, "SQLite's check ends after \(Self.mostTexts) problems, and may have found more.")
    )
  }

  // MARK: - Rows that a statement finds

  private func run(_ checks: [IntegrityStatements.Check]) throws(StoreError) {
    for check in checks {
      try step { () throws(StoreError) in
        try visit(check.statement) { (row) throws(StoreError) in
          let id = self.id(of: row, ofRoot: check.root)
          try report(
            IntegrityProblem(
              check.kind, check.problem, objectID: id, property: check.property,
              isMendable: check.mending != nil))
        }
      }
    }
  }

  private func visit(
    _ statement: SQLStatement, _ body: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statement = try Statement(statement, on: connection)
    defer { statement.finalize() }
    var bound = RowBound()
    while try statement.step() {
      try bound.count(1, of: statement)
      try body(statement)
    }
  }

  /// The id of the object in a statement's row, whose first columns are the key and the entity.
  private func id(of row: Statement, ofRoot root: Int) -> ManagedObjectID? {
    guard case .integer(let key) = row.value(0), 1...RowKey.largestPrimaryKey ~= key else {
      return nil
    }
    let entity = plan.numbers.modelNumber(row.integer(1), else: root)
    return plan.id(RowKey(entity: entity, primaryKey: key))
  }

  // MARK: - Values

  /// Reads each row of a table as a fetch does.
  private func checkValues(of table: StoreLayout.Table) throws(StoreError) {
    let reader = plan.reader(table.rootEntity)
    let required = requiredSlots(of: table)
    try visit(reader.entity.selectAll) { (row) throws(StoreError) in
      let id = self.id(of: row, ofRoot: table.rootEntity)
      let lacks = required[id?.key.entity ?? table.rootEntity] ?? []
      for transfer in reader.entity.transfers {
        guard let (kind, words) = problem(transfer, row, reader, lacks) else { continue }
        let place = "\(table.name).\(table.columns[transfer.slot].name)"
        let name = reader.layout.slots[transfer.slot].name
        try report(IntegrityProblem(kind, words(place), objectID: id, property: name))
      }
    }
  }

  private func problem(
    _ transfer: SlotTransfer, _ row: Statement, _ reader: RowReader, _ required: Set<Int>
  ) -> (IntegrityProblem.Kind, (String) -> String)? {
    if row.isNull(Int32(truncatingIfNeeded: transfer.place)) {
      guard required.contains(transfer.slot) else { return nil }
      return (.missingValue, { "rows lack a value in \($0), which the model requires" })
    }
    guard reader.showsWhole(transfer, of: row) else {
      return (.unreadableValue, { "values in \($0) are none of the property's type" })
    }
    guard let folder, let name = reader.fileName(transfer, of: row), !folder.holds(name) else {
      return nil
    }
    return (.missingFile, { _ in Self.words(ofMissingIn: folder) })
  }

  private static func words(ofMissingIn folder: ValueFolder) -> String {
    "files of large values are missing from \(folder.path)"
  }

  /// The slots that need a value, by the number of the row's entity.
  private func requiredSlots(of table: StoreLayout.Table) -> [Int: Set<Int>] {
    var required: [Int: Set<Int>] = [:]
    for number in plan.model.shape(numbered: table.rootEntity).family {
      let shape = plan.model.shape(numbered: number)
      let slots = shape.layout.slots
      required[number] = Set(slots.indices.filter { shape.lack(of: slots[$0]) != nil })
    }
    return required
  }

  /// Looks for files that rows of a history or of other programs' tables name.
  private func checkOtherFiles() throws(StoreError) {
    guard let folder else { return }
    let own = Set(plan.layout.tables.map(\.name))
    try UnusedFiles.visitNames(connection, leavingOut: own) { (name) throws(StoreError) in
      guard !folder.holds(name) else { return }
      try report(IntegrityProblem(.missingFile, Self.words(ofMissingIn: folder)))
    }
  }
}
