// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Lists the damage that SQLite finds, rows and links that refer to missing rows, and missing files of
  /// large values.
  public func integrityProblems() throws(StoreError) -> [String] {
    let plan = plan
    return try read(.accepted) { (connection) throws(StoreError) in
      var problems = try connection.rows(.integrityCheck)
        .compactMap(\.first?.text).filter { $0 != "ok" }
      for table in plan.layout.tables {
        // The step limit counts per request. Each table is a request, because this reads the whole store.
        connection.limit.renew()
        problems += try Self.problems(plan.integrity.checks(of: table), connection)
      }
      if let files, plan.namesFiles { problems += try Self.missing(files.folder, connection) }
      for (join, shape) in zip(plan.layout.joins, plan.model.joins) {
        problems += try Self.problems(plan.integrity.checks(of: join, shape), connection)
      }
      return problems
    }
  }

  private static func problems(
    _ checks: [IntegrityStatements.Check], _ connection: Connection
  ) throws(StoreError) -> [String] {
    var problems: [String] = []
    for check in checks {
      let count = try connection.number(check.statement) ?? 0
      if count > 0 { problems.append("\(count) \(check.problem).") }
    }
    return problems
  }

  private static func missing(
    _ folder: ValueFolder, _ connection: Connection
  ) throws(StoreError) -> [String] {
    var missing = 0
    let present = Set(try UnusedFiles.listed(folder))
    try UnusedFiles.visitNames(connection) { if !present.contains($0) { missing += 1 } }
    return missing == 0 ? [] : ["\(missing) files of large values are missing from \(folder.path)."]
  }
}
