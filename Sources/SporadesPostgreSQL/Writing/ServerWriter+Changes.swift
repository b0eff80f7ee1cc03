// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Writes a change set in one round trip: all statements are sent, and the numbers of rows that they changed are compared
// afterwards.
extension ServerWriter {
  /// What an answer must say.
  private enum Expectation {
    case nothing
    /// One row has changed.
    case one(RowKey)
    /// The rows have these versions.
    case versions([RowVersion])
  }

  /// Writes a change set into the open transaction, or into a new one. Constraints hold afterwards.
  mutating func write(_ changes: ChangeSet, isFirst: Bool) throws(StoreError) {
    var expectations: [Expectation] = []
    let (former, plan) = (hasSavepoint, plan)
    var texts = updates
    let (answers, error) = try connection.exchange { (connection) throws(StoreError) in
      var pipe = Pipe(connection: connection, plan: plan, texts: texts)
      try pipe.begin(isFirst: isFirst, former: former)
      try pipe.send(changes)
      try pipe.note("SET CONSTRAINTS ALL IMMEDIATE")
      (expectations, texts) = (pipe.expectations, pipe.texts)
    }
    updates = texts
    hasSavepoint = !isFirst
    let conflicts = Self.conflicts(answers, expectations)
    guard conflicts.isEmpty else { throw StoreError(Conflict(keys: conflicts)) }
    if let error { throw error }
  }

  private static func conflicts(
    _ answers: [ServerRows], _ expectations: [Expectation]
  ) -> [RowKey] {
    var conflicts: [RowKey] = []
    for (answer, expectation) in zip(answers, expectations) {
      switch expectation {
      case .nothing: break
      case .one(let key): if answer.changed != 1 { conflicts.append(key) }
      case .versions(let expected):
        let known = ServerReading.versions(answer)
        conflicts += expected.filter { known[$0.key.primaryKey] != $0.version }.map(\.key)
      }
    }
    return conflicts
  }

  /// The statements of one change set on their way.
  private struct Pipe {
    let connection: ServerConnection
    let plan: ServerPlan
    var texts: [UpdateKey: TableStatements.UpdateText]
    var expectations: [Expectation] = []

    mutating func note(
      _ sql: String, _ values: [ServerValue] = [], _ expectation: Expectation = .nothing
    ) throws(StoreError) {
      try connection.send(sql, values)
      expectations.append(expectation)
    }

    mutating func begin(isFirst: Bool, former: Bool) throws(StoreError) {
      guard !isFirst else { return try note("BEGIN") }
      // Readers slow down with many savepoints, so that only the last one stays.
      if former { try note("RELEASE SAVEPOINT change") }
      try note("SAVEPOINT change")
      try note("SET CONSTRAINTS ALL DEFERRED")
    }

    mutating func send(_ changes: ChangeSet) throws(StoreError) {
      for (entity, rows) in Dictionary(grouping: changes.expected, by: \.key.entity) {
        try note(
          plan.versions(ofEntity: entity), [.int8List(rows.map(\.key.primaryKey))], .versions(rows))
      }
      for row in changes.deleted {
        try note(
          plan.table(ofEntity: row.key.entity).delete.sql,
          [.int8(row.key.primaryKey), .int8(row.version)], .one(row.key))
      }
      for rows in changes.updated { try update(rows) }
      for page in changes.inserted { try insert(page) }
      for change in changes.links { try link(change) }
    }

    // MARK: - Rows

    private mutating func insert(_ page: RowPage) throws(StoreError) {
      for index in 0..<page.count {
        let key = page.key(index)
        let entity = plan.entity(key.entity)
        var values: [ServerValue] = [
          .int8(key.primaryKey), .text(plan.name(ofEntity: key.entity)), .int8(page.version(index)),
        ]
        for column in entity.inserted { try column.append(page, index, plan, to: &values) }
        try note(entity.insert, values, .one(key))
      }
    }

    private mutating func update(_ rows: UpdatedRows) throws(StoreError) {
      let page = rows.page
      let table = plan.layout.tablesByEntity[page.layout.rootEntity - 1]
      for index in 0..<page.count {
        let slots = page.layout.slots.indices.filter { rows.isChanged(index, slot: $0) }
        let text = text(UpdateKey(table: table, slots: slots), page.layout)
        var values: [ServerValue] = []
        for transfer in text.transfers {
          try ServerColumn(transfer, page.layout).append(page, index, plan, to: &values)
        }
        let (key, version) = (page.key(index), page.version(index))
        values += [.int8(version), .int8(key.primaryKey), .int8(version - 1)]
        try note(text.statement.sql, values, .one(key))
      }
    }

    /// The update for one set of changed slots. A few hundred stay known.
    private mutating func text(
      _ key: UpdateKey, _ layout: RowLayout
    ) -> TableStatements.UpdateText {
      if let known = texts[key] { return known }
      if texts.count >= 500 { texts.removeAll() }
      let statements = TableStatements(
        plan.layout.tables[key.table], plan.layout.names, plan.dialect)
      let made = statements.update(key.slots, layout)
      texts[key] = made
      return made
    }

    // MARK: - Links

    private mutating func link(_ change: LinkChange) throws(StoreError) {
      let table = plan.layout.joins[change.join]
      let join = ServerJoin(table)
      func both(_ row: JoinRow, _ other: RowKey) -> [JoinRow] {
        table.isReflexive && other != change.owner ? [row, row.turned] : [row]
      }
      for other in change.removed {
        for row in both(JoinRow(change, other), other) {
          try note(join.remove, [.int8(row.first), .int8(row.second)])
        }
      }
      for link in change.added {
        for row in both(JoinRow(change, link), link.other) {
          try note(join.add, join.values(row))
        }
      }
      guard join.hasPlaces else { return }
      for link in change.moved {
        for row in both(JoinRow(change, link), link.other) {
          try note(join.move, join.values(row))
        }
      }
    }
  }
}

extension JoinRow {
  fileprivate init(_ change: LinkChange, _ link: LinkChange.Link) {
    self.init(change, link.other, place: link.position, ownerPlace: link.ownerPosition)
  }
}

/// Rows that others changed or deleted since a change set read them.
struct Conflict: Error {
  let keys: [RowKey]
}

extension StoreError {
  /// A conflict whose keys are told apart once the change set is undone.
  fileprivate init(_ conflict: Conflict) {
    self.init(.conflict([]), "Others changed the rows.", underlying: conflict)
  }
}

extension ServerPlan {
  /// What an error of a change set means, once it is undone.
  func explained(
    _ error: StoreError, of changes: ChangeSet, in reading: ServerReading
  ) throws(StoreError) -> StoreError {
    if let conflict = error.underlying as? Conflict {
      let gone = try reading.absent(conflict.keys)
      return self.conflict(conflict.keys, deleted: gone)
    }
    guard let failure = error.serverFailure else { return error }
    switch failure.state {
    case "23503": return try brokenReference(error, changes, reading)
    case "23505" where server.constraints[failure.constraint ?? ""] == nil:
      // A key that is there already.
      let inserted = changes.insertedKeys
      let absent = Set(try reading.absent(inserted))
      let present = inserted.filter { !absent.contains($0) }
      return present.isEmpty ? error : self.conflict(present, deleted: [])
    default: return explained(error)
    }
  }

  /// Names the reference that leads to a deleted row, or the row to which others have linked.
  private func brokenReference(
    _ error: StoreError, _ changes: ChangeSet, _ reading: ServerReading
  ) throws(StoreError) -> StoreError {
    let check = ReferenceCheck(model, scope)
    var rows = reading
    do throws(StoreError) {
      try check.checkTargets(of: changes, in: &rows)
      try check.checkReferrers(of: changes, in: &rows)
    } catch {
      return error
    }
    return StoreError(
      .conflict(changes.deleted.map { id($0.key) }),
      "Objects lead to others that this save deletes. Link others, or delete both.",
      underlying: error.underlying)
  }
}
