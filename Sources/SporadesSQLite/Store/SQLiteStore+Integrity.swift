// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Lists the damage that SQLite finds, rows and links that lead nowhere, and large values that are missing.
  public func integrityProblems() throws(StoreError) -> [String] {
    let plan = plan
    return try read(.accepted) { (connection) throws(StoreError) in
      var problems = try connection.rows("PRAGMA integrity_check")
        .compactMap(\.first?.text).filter { $0 != "ok" }
      for table in plan.layout.tables {
        // Each table is a request of its own: this reads all there is.
        connection.limit.renew()
        problems += try IntegrityCheck(connection, plan, table).problems()
      }
      if let files, plan.namesFiles { problems += try Self.missing(files.folder, connection) }
      for (index, join) in plan.layout.joins.enumerated() {
        problems += try IntegrityCheck.problems(of: join, index, connection, plan)
      }
      return problems
    }
  }
}

extension SQLiteStore {
  private static func missing(
    _ folder: ValueFolder, _ connection: Connection
  ) throws(StoreError) -> [String] {
    var missing = 0
    let present = Set(try UnusedFiles.listed(folder))
    try UnusedFiles.visitNames(connection) { if !present.contains($0) { missing += 1 } }
    return missing == 0 ? [] : ["\(missing) files of large values are missing from \(folder.path)."]
  }
}

/// What Core Data's layout leaves unchecked: it declares no foreign keys.
private struct IntegrityCheck {
  private let connection: Connection
  private let plan: StorePlan
  private let table: StoreLayout.Table
  private let name: String

  init(_ connection: Connection, _ plan: StorePlan, _ table: StoreLayout.Table) {
    self.connection = connection
    self.plan = plan
    self.table = table
    name = sqlName(table.name)
  }

  func problems() throws(StoreError) -> [String] {
    let family = plan.model.shape(numbered: table.rootEntity).family
    let numbers = family.map { String(plan.layout.storeNumber($0)) }.joined(separator: ", ")
    var problems = try count(
      "SELECT COUNT(*) FROM \(name) WHERE Z_ENT NOT IN (\(numbers)) OR Z_ENT IS NULL",
      "rows of \(table.name) are of no entity of the model")
    for column in table.columns where column.destination > 0 {
      let other = sqlName(plan.layout.table(ofEntity: column.destination).name)
      let reference = sqlName(column.name)
      problems += try count(
        "SELECT COUNT(*) FROM \(name) t WHERE t.\(reference) IS NOT NULL AND NOT EXISTS "
          + "(SELECT 1 FROM \(other) o WHERE o.Z_PK = t.\(reference))",
        "references in \(table.name).\(column.name) lead nowhere")
    }
    let number = plan.layout.storeNumber(table.rootEntity)
    problems += try count(
      "SELECT COUNT(*) FROM \(name) WHERE NOT IFNULL(typeof(Z_PK) = 'integer' AND Z_PK BETWEEN 1 AND "
        + "\(RowKey.largestPrimaryKey), 0)",
      "rows of \(table.name) have keys that no row can have")
    return try problems
      + count(
        "SELECT COUNT(*) FROM \(name) WHERE Z_PK > (SELECT IFNULL(MAX(Z_MAX), 0) FROM "
          + "Z_PRIMARYKEY WHERE Z_ENT = \(number))",
        "rows of \(table.name) have keys above the largest one handed out")
  }

  private func count(_ sql: String, _ what: String) throws(StoreError) -> [String] {
    try Self.count(sql, what, connection)
  }

  private static func count(
    _ sql: String, _ what: String, _ connection: Connection
  ) throws(StoreError) -> [String] {
    let number = try connection.number(sql) ?? 0
    return number > 0 ? ["\(number) \(what)."] : []
  }

  static func problems(
    of join: StoreLayout.JoinTable, _ index: Int, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) -> [String] {
    let shape = plan.model.joins[index]
    var problems: [String] = []
    for (column, entity) in [(join.first, shape.first.entity), (join.second, shape.second.entity)] {
      let other = sqlName(plan.layout.table(ofEntity: entity).name)
      problems += try count(
        "SELECT COUNT(*) FROM \(sqlName(join.name)) j WHERE NOT EXISTS "
          + "(SELECT 1 FROM \(other) o WHERE o.Z_PK = j.\(sqlName(column)))",
        "links in \(join.name).\(column) lead nowhere", connection)
    }
    return problems
  }
}
