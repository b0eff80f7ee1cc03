// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Deletes the rows of a batch, and carries out the delete rules of the model.
///
/// 1. The keys of the rows are read and locked, and those that cascades reach follow, one round trip for each step of all
///    cascades.
/// 2. A row that stays and whose rule denies the deletion ends it, and so does a required reference that would become nil.
/// 3. References become nil and the rows go, in one round trip. Their links go with them.
///
/// Every statement gets the keys as lists, since a server's temporary tables need a right and leave their traces in its catalog.
struct ServerDeletion {
  private let connection: ServerConnection
  private let plan: ServerPlan
  private let statements: DeletionStatements
  private let rules: [DeletionRule]
  private let places: [Int]
  /// The rows to delete, by their tables.
  private var doomed: [Int: [DeletedRow]] = [:]
  private var known: [Int: Set<Int64>] = [:]

  init(of family: ClosedRange<Int>, _ connection: ServerConnection, _ plan: ServerPlan) {
    self.connection = connection
    self.plan = plan
    statements = DeletionStatements(plan.layout, plan.model, plan.dialect)
    (rules, places) = DeletionRule.reach(of: family, plan.model, plan.layout)
  }

  /// Deletes the rows whose keys, entities and versions an answer has. Returns nil if a rule makes that impossible. `note` sends what the history notes of rows
  /// before they go.
  mutating func delete(
    _ found: ServerRows, _ batch: StoreBatch, note: (ChangeSet) throws(StoreError) -> Void
  ) throws(StoreError) -> BatchEffects? {
    let own = try add(found, to: places[0])
    try addCascades(from: [places[0]: own])
    guard try isAllowed() else { return nil }
    let deleted = places.flatMap { doomed[$0] ?? [] }
    let (rewritten, owners) = try write(deleted, note)
    let changes = ChangeSet(
      rewritten: rewritten, deleted: deleted, relinked: owners, author: batch.author,
      contextName: batch.contextName)
    return BatchEffects(changes: changes, keys: own.map(\.key).sorted())
  }

  // MARK: - The rows to delete

  /// Adds the rows of an answer, and returns those that are new.
  private mutating func add(
    _ answer: ServerRows, to place: Int
  ) throws(StoreError) -> [DeletedRow] {
    var added: [DeletedRow] = []
    for (row, key) in try keys(answer, place).enumerated() {
      guard known[place, default: []].insert(key.primaryKey).inserted else { continue }
      added.append(DeletedRow(key: key, version: answer.integer(row, 2) ?? 0))
    }
    doomed[place, default: []] += added
    return added
  }

  /// Follows the cascades from the rows that the last step found, until there are no more.
  private mutating func addCascades(from first: [Int: [DeletedRow]]) throws(StoreError) {
    var last = first
    while true {
      let rules = rules.filter { $0.isCascade && last[$0.place]?.isEmpty == false }
      guard !rules.isEmpty else { return }
      let lists = lists(last)
      let answers = try connection.pipelined { (connection) throws(StoreError) in
        for rule in rules {
          let reached = statements.reached(rule).rendered(in: plan.dialect).sql
          try connection.send("\(reached) FOR UPDATE OF t0", lists)
        }
      }
      last = [:]
      for (rule, answer) in zip(rules, answers) {
        last[rule.otherPlace, default: []] += try add(answer, to: rule.otherPlace)
      }
    }
  }

  private func isAllowed() throws(StoreError) -> Bool {
    let rules = rules.filter(\.mayDeny)
    guard !rules.isEmpty else { return true }
    let lists = lists(doomed)
    return try connection.pipelined { (connection) throws(StoreError) in
      for rule in rules { try connection.send(statements.remaining(rule).sql, lists) }
    }.allSatisfy { $0.count == 0 }
  }

  // MARK: - Changes

  private func write(
    _ deleted: [DeletedRow], _ note: (ChangeSet) throws(StoreError) -> Void
  ) throws(StoreError) -> (rewritten: [RewrittenRows], owners: [RowKey]) {
    let lists = lists(doomed)
    let noting = rules.filter { if case .noteOwner = $0.effect { true } else { false } }
    let nullifying = Dictionary(grouping: rules.filter(\.isNullification), by: \.otherPlace)
      .sorted { $0.key < $1.key }
    let answers = try connection.pipelined { (connection) throws(StoreError) in
      for rule in noting { try connection.send(statements.owners(rule).sql, lists) }
      for (place, rules) in nullifying {
        try connection.send(statements.nullify(rules, in: place).sql, lists)
      }
      try note(ChangeSet(deleted: deleted))
      for place in places { try connection.send(statements.delete(place).sql, lists) }
    }
    let gone = answers.suffix(places.count).reduce(0) { $0 + ($1.changed ?? 0) }
    guard gone == deleted.count else { throw conflict(gone, deleted.count) }
    var owners: Set<RowKey> = []
    for (rule, answer) in zip(noting, answers) {
      owners.formUnion(try keys(answer, rule.otherPlace))
    }
    var rewritten: [RewrittenRows] = []
    for ((place, rules), answer) in zip(nullifying, answers.dropFirst(noting.count)) {
      let keys = try keys(answer, place)
      guard !keys.isEmpty else { continue }
      rewritten.append(RewrittenRows(keys: keys, slots: rules.flatMap(\.clearedSlots)))
    }
    return (rewritten, owners.sorted())
  }

  private func conflict(_ gone: Int, _ count: Int) -> StoreError {
    StoreError(
      .unsupported,
      "\(connection.place): A trigger or a rule of the database kept \(count - gone) of \(count) rows from being deleted. Remove "
        + "it from the tables of the store.")
  }

  // MARK: - Keys

  /// The lists of keys, entities and places.
  private func lists(_ rows: [Int: [DeletedRow]]) -> [ServerValue] {
    let all = rows.sorted { $0.key < $1.key }.flatMap { place, rows in rows.map { (place, $0.key) }
    }
    return [
      .int8List(all.map(\.1.primaryKey)),
      .list(.text, all.map { .text(plan.name(ofEntity: $0.1.entity)) }),
      .int8List(all.map { Int64($0.0) }),
    ]
  }

  /// The keys in the first two columns of an answer about a table.
  private func keys(_ answer: ServerRows, _ place: Int) throws(StoreError) -> [RowKey] {
    let root = plan.model.shape(numbered: plan.layout.tables[place].rootEntity)
    return try ServerRowReader(plan, root).keys(answer)
  }
}
