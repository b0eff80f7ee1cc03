// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Lists the damage that SQLite finds, rows and links that refer to missing rows, and missing files of
  /// large values. A check that the damage stops is listed with its error.
  public func integrityProblems() throws(StoreError) -> [String] {
    let plan = plan
    return try read(.accepted) { (connection) throws(StoreError) in
      var report = IntegrityReport()
      try report.add { () throws(StoreError) in
        try connection.texts(.integrityCheck).filter { $0 != "ok" }
      }
      for table in plan.layout.tables {
        // The step limit counts per request. Each table is a request, because this reads the whole store.
        connection.limit.renew()
        try report.add(plan.integrity.checks(of: table), connection)
      }
      if let files, plan.namesFiles {
        try report.add { () throws(StoreError) in try Self.missing(files.folder, connection) }
      }
      for (join, shape) in zip(plan.layout.joins, plan.model.joins) {
        try report.add(plan.integrity.checks(of: join, shape), connection)
      }
      return report.problems
    }
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

/// The problems of a store, each once.
private struct IntegrityReport {
  private(set) var problems: [String] = []

  mutating func add(
    _ checks: [IntegrityStatements.Check], _ connection: Connection
  ) throws(StoreError) {
    for check in checks {
      try add { () throws(StoreError) in
        let count = try connection.number(check.statement) ?? 0
        return count > 0 ? ["\(count) \(check.problem)."] : []
      }
    }
  }

  /// Adds the findings of a check. Damage that stops the check is a finding too.
  mutating func add(_ check: () throws(StoreError) -> [String]) throws(StoreError) {
    let found: [String]
    do throws(StoreError) { found = try check() } catch  where error.code == .corrupt {
      found = ["\(error)"]
    }
    for problem in found where !problems.contains(problem) { problems.append(problem) }
  }
}
