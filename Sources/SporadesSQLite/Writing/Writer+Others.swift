// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// The commits of other connections, which are those of other processes as a rule.
//
// Rules:
// 1. Once another connection has committed, the contexts of this process may know rows that are gone, or not know rows
//    that link to those they delete. From then on the references of each change set are checked.
// 2. The check runs in the open transaction, in which no other connection can commit.
extension Writer {
  /// Notes the version of the file that the contexts begin with.
  mutating func beginBesideOthers() throws(StoreError) {
    guard connection.model != nil else { return }
    versionAtOpening = try othersVersion()
  }

  /// Looks whether others have committed. The caller has begun a transaction.
  mutating func noteOthers() {
    guard versionAtOpening != nil || !present.isEmpty else { return }
    // A failed look-up does not abort the transaction. It counts as a commit of others.
    let version = try? othersVersion()
    if let version { present.check(version) } else { present.forget() }
    if let first = versionAtOpening, version != first {
      mayMissOthers = true
      versionAtOpening = nil
    }
  }

  /// SQLite's `data_version`, which changes when another connection commits.
  func othersVersion() throws(StoreError) -> Int64 {
    let statement = try connection.statement(StatementNumber(.othersVersion), .dataVersion)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Refuses a change set that others would make wrong, or that would make wrong what others did.
  mutating func checkReferences(of changes: ChangeSet) throws(StoreError) {
    let check = ReferenceCheck(plan.model, plan.scope)
    try check.checkTargets(of: changes, in: &self)
    if !changes.deleted.isEmpty { try check.checkReferrers(of: changes, in: &self) }
  }
}

extension Writer: ReferencedRows {
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int
  ) throws(StoreError) -> [RowPage] {
    let statements = ReferenceStatements(
      plan.statements(entity.number), slot: slot, position: nil, plan.layout)
    let reader = plan.reader(entity.number)
    var pages: [RowPage] = []
    for group in KeyGroups(owners.map(\.primaryKey)) {
      let statement = try connection.statement(statements.select(group))
      group.bind(to: statement)
      pages += try reader.pages(of: statement)
    }
    return pages
  }
}
