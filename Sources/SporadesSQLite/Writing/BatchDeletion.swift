// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Deletes the rows of a batch, and carries out the delete rules of the model.
///
/// 1. The keys of the rows go into temporary tables, and those that cascades reach follow.
/// 2. A rule that denies the deletion ends it, and so does a required reference that would become nil.
/// 3. References become nil, links go, and the rows go.
struct BatchDeletion {
  private let connection: Connection
  private let plan: StorePlan
  private let statements: DeletionStatements
  private let rules: [DeletionRule]
  /// The indexes of the tables that may lose rows, the batch's own table first.
  private let places: [Int]

  init(of family: ClosedRange<Int>, _ connection: Connection, _ plan: StorePlan) {
    self.connection = connection
    self.plan = plan
    statements = DeletionStatements(plan.layout, plan.model, SQLiteDialect())
    (rules, places) = DeletionRule.reach(of: family, plan.model, plan.layout)
  }

  /// Deletes the rows of a selection. Returns nil if a rule makes that impossible. `willDelete` gets the keys of rows
  /// whose large values may lie in files.
  func delete(
    _ rows: SQLFragment, _ batch: StoreBatch, willDelete: (RowKey) throws(StoreError) -> Void
  ) throws(StoreError) -> BatchEffects? {
    for place in tablesOfRules {
      try connection.run(statements.makeKeys(place))
      try connection.run(statements.forgetKeys(place))
    }
    try connection.run(statements.add(rows, to: places[0]))
    let own = try keys(places[0]).map(\.key)
    try addCascades()
    guard try isAllowed() else { return nil }
    let rewritten = try nullify()
    let owners = try owners()
    try unlink()
    let deleted = try deleteRows(willDelete)
    for place in tablesOfRules { try connection.run(statements.forgetKeys(place)) }
    let changes = ChangeSet(
      rewritten: rewritten, deleted: deleted, relinked: owners, author: batch.author,
      contextName: batch.contextName)
    return BatchEffects(changes: changes, keys: own)
  }

  /// All tables that a rule concerns. Those that lose no rows have an empty temporary table.
  private var tablesOfRules: [Int] { Set(places + rules.map(\.otherPlace)).inOrder() }

  // MARK: - Rules

  /// Adds the rows that cascades reach, until there are no more.
  private func addCascades() throws(StoreError) {
    let cascades = rules.filter(\.isCascade)
    var grows = !cascades.isEmpty
    while grows {
      grows = false
      for rule in cascades {
        try connection.run(statements.cascade(rule))
        if connection.changes > 0 { grows = true }
      }
    }
  }

  private func isAllowed() throws(StoreError) -> Bool {
    for rule in rules where rule.mayDeny {
      if try connection.number(statements.remaining(rule)) != nil { return false }
    }
    return true
  }

  private func nullify() throws(StoreError) -> [RewrittenRows] {
    var rewritten: [RewrittenRows] = []
    let all = rules.filter(\.isNullification)
    for place in Set(all.map(\.otherPlace)).inOrder() {
      let rules = all.filter { $0.otherPlace == place }
      let statement = try connection.statement(statements.nullify(rules, in: place))
      defer { statement.reset() }
      let keys = try keys(of: statement, in: place)
      let slots = rules.flatMap(\.clearedSlots)
      if !keys.isEmpty { rewritten.append(RewrittenRows(keys: keys, slots: slots)) }
    }
    return rewritten
  }

  private func owners() throws(StoreError) -> [RowKey] {
    var owners: Set<RowKey> = []
    for rule in rules {
      guard case .noteOwner = rule.effect else { continue }
      let statement = try connection.statement(statements.owners(rule))
      defer { statement.reset() }
      owners.formUnion(try keys(of: statement, in: rule.otherPlace))
    }
    return owners.sorted()
  }

  // MARK: - Rows

  private func unlink() throws(StoreError) {
    for join in plan.model.joins {
      for (side, isFirst) in [(join.first, true), (join.second, false)] {
        let place = plan.layout.tablesByEntity[side.entity - 1]
        guard places.contains(place) else { continue }
        try connection.run(statements.unlink(join.index, isFirst: isFirst, place))
      }
    }
  }

  private func deleteRows(
    _ willDelete: (RowKey) throws(StoreError) -> Void
  ) throws(StoreError) -> [DeletedRow] {
    var deleted: [DeletedRow] = []
    for place in places {
      let rows = try keys(place)
      if plan.layout.tables[place].columns.contains(where: \.isExternal) {
        for row in rows { try willDelete(row.key) }
      }
      deleted += rows
      try connection.run(statements.delete(place))
    }
    return deleted
  }

  /// The rows of a table that the batch deletes.
  private func keys(_ place: Int) throws(StoreError) -> [DeletedRow] {
    let statement = try connection.statement(statements.keys(place))
    defer { statement.reset() }
    var rows: [DeletedRow] = []
    while try statement.step() {
      rows.append(DeletedRow(key: key(in: statement, place), version: statement.integer(2)))
    }
    return rows
  }

  private func keys(of statement: Statement, in place: Int) throws(StoreError) -> [RowKey] {
    var keys: [RowKey] = []
    while try statement.step() { keys.append(key(in: statement, place)) }
    return keys
  }

  /// The key in the first two columns: its number and its entity.
  private func key(in statement: Statement, _ place: Int) -> RowKey {
    let root = plan.layout.tables[place].rootEntity
    return RowKey(
      entity: plan.numbers.modelNumber(statement.integer(1), else: root),
      primaryKey: statement.integer(0))
  }
}
