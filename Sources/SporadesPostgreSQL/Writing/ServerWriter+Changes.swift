// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel
import SporadesSQL
package import SporadesStore

// Writes a change set in one round trip: all statements are sent, and the numbers of rows that they changed are compared
// afterwards. Many new rows are copied between two such trips.
extension ServerWriter {
  /// The condition that an answer must satisfy.
  enum Expectation {
    case nothing
    /// One row has changed.
    case one(RowKey)
    /// All of the rows have changed, whose keys the answer has.
    case rows([RowKey])
    /// The rows have these versions.
    case versions([RowVersion])
  }

  /// The largest number of new rows that are inserted one by one.
  private static let fewRows = 100

  /// Writes a change set into tables of the store's own.
  mutating func writeOwn(_ changes: ChangeSet, isFirst: Bool) throws(StoreError) {
    let former = hasSavepoint
    hasSavepoint = false
    let areMany = hasMany(changes)
    try exchange { (pipe) throws(StoreError) in
      try pipe.begin(isFirst: isFirst, former: former)
      try pipe.sendRows(of: changes)
      guard !areMany else { return }
      for page in changes.inserted { try pipe.insert(page) }
      try pipe.sendLinks(of: changes)
      try pipe.noteTransaction(changes)
      try pipe.checkConstraints()
    }
    hasSavepoint = !isFirst
    guard areMany else { return }
    try copy(changes.inserted)
    try exchange { (pipe) throws(StoreError) in
      try pipe.sendLinks(of: changes)
      try pipe.noteTransaction(changes)
      try pipe.checkConstraints()
    }
  }

  /// Whether the new rows are so many that they are copied.
  func hasMany(_ changes: ChangeSet) -> Bool {
    changes.inserted.reduce(0) { $0 + $1.count } > Self.fewRows
  }

  /// Sends what `body` sends, and compares the answers.
  private mutating func exchange(
    _ body: (inout Pipe) throws(StoreError) -> Void
  ) throws(StoreError) {
    var pipe = Pipe(
      connection: connection, plan: plan, client: client, texts: updates, isGuarded: false)
    let (answers, error) = try connection.exchange { (_) throws(StoreError) in try body(&pipe) }
    updates = pipe.texts
    let conflicts = Self.conflicts(answers, pipe.expectations)
    guard conflicts.isEmpty else { throw StoreError(changedByOthers: conflicts) }
    if let error { throw error }
  }

  /// Copies the rows of each entity into its table.
  private func copy(_ pages: [RowPage]) throws(StoreError) {
    var places: [Int: [RowPlace]] = [:]
    for page in pages {
      for index in 0..<page.count {
        places[page.key(index).entity, default: []].append(RowPlace(page: page, index: index))
      }
    }
    for (entity, places) in places {
      let known = plan.entity(entity)
      var rest = places[...]
      try connection.copy(into: known.copy) { (rows) throws(StoreError) in
        guard let place = rest.popFirst() else { return false }
        rows.append(try plan.values(ofNew: place))
        return true
      }
    }
  }

  static func conflicts(
    _ answers: [ServerRows], _ expectations: [Expectation]
  ) -> [RowKey] {
    var conflicts: [RowKey] = []
    for (answer, expectation) in zip(answers, expectations) {
      switch expectation {
      case .nothing: break
      case .one(let key): if answer.changed != 1 { conflicts.append(key) }
      case .rows(let keys):
        guard answer.count < keys.count else { break }
        let changed = Set((0..<answer.count).compactMap { answer.integer($0, 0) })
        conflicts += keys.filter { !changed.contains($0.primaryKey) }
      case .versions(let expected):
        let known = ServerReading.versions(answer)
        conflicts += expected.filter { known[$0.key.primaryKey] != $0.version }.map(\.key)
      }
    }
    return conflicts
  }

  /// The statements of one change set on their way.
  struct Pipe {
    let connection: ServerConnection
    let plan: ServerPlan
    let client: UUID
    var texts: [UpdateKey: TableStatements.UpdateText]
    /// Statements fail on the server where they change other rows than they should.
    let isGuarded: Bool
    var expectations: [Expectation] = []

    mutating func note(
      _ sql: String, _ values: [ServerValue] = [], _ expectation: Expectation = .nothing
    ) throws(StoreError) {
      try connection.send(sql, values)
      expectations.append(expectation)
    }

    /// Sends a statement that changes or deletes rows.
    private mutating func change(
      _ sql: String, _ values: [ServerValue], _ expectation: Expectation
    ) throws(StoreError) {
      let (count, returning): (Int, String)
      switch expectation {
      case .one: (count, returning) = (1, " RETURNING 1")
      case .rows(let keys): (count, returning) = (keys.count, "")
      case .nothing, .versions: return try note(sql, values, expectation)
      }
      guard isGuarded else { return try note(sql, values, expectation) }
      let guarded = """
        WITH changed AS (\(sql)\(returning)) SELECT CASE count(*) WHEN $\(values.count + 1) THEN 0 \
        ELSE ('others changed rows: ' || count(*))::int END FROM changed
        """
      try note(guarded, values + [.int8(Int64(count))])
    }

    mutating func begin(isFirst: Bool, former: Bool) throws(StoreError) {
      if isFirst {
        try note("BEGIN")
        // The owner's transaction has checked its constraints before.
        if connection.inner != nil { try note("SET CONSTRAINTS ALL DEFERRED") }
        return
      }
      // Readers slow down with many savepoints, so that only the last one stays.
      if former { try note("RELEASE SAVEPOINT change") }
      try note("SAVEPOINT change")
      try note("SET CONSTRAINTS ALL DEFERRED")
    }

    /// Compares and writes the rows that are there already.
    mutating func sendRows(of changes: ChangeSet) throws(StoreError) {
      try noteFormer(changes)
      for (entity, rows) in Dictionary(grouping: changes.expected, by: \.key.entity) {
        // Nobody changes the rows until the commit, which else could leave both of two writers with what the other one read.
        try note(
          plan.versions(ofEntity: entity) + " FOR SHARE",
          [.int8List(rows.map(\.key.primaryKey))], .versions(rows))
      }
      try delete(changes.deleted)
      for rows in changes.updated { try update(rows) }
    }

    mutating func sendLinks(of changes: ChangeSet) throws(StoreError) {
      for change in changes.links { try link(change) }
    }

    /// All constraints hold afterwards.
    mutating func checkConstraints() throws(StoreError) {
      try note("SET CONSTRAINTS ALL IMMEDIATE")
    }

    // MARK: - Rows

    private mutating func delete(_ rows: [DeletedRow]) throws(StoreError) {
      guard rows.count >= Self.several else {
        for row in rows {
          try change(
            plan.table(ofEntity: row.key.entity).delete.sql,
            [.int8(row.key.primaryKey), .int8(row.version)], .one(row.key))
        }
        return
      }
      let groups = Dictionary(grouping: rows) { plan.layout.tablesByEntity[$0.key.entity - 1] }
      for rows in groups.values {
        let lists = [rows.map(\.key.primaryKey), rows.map(\.version)]
        try change(
          plan.delete(ofEntity: rows[0].key.entity), lists.map { .int8List($0) },
          .rows(rows.map(\.key)))
      }
    }

    mutating func insert(_ page: RowPage) throws(StoreError) {
      for index in 0..<page.count {
        let place = RowPlace(page: page, index: index)
        try note(
          plan.entity(place.key.entity).insert, try plan.values(ofNew: place), .one(place.key))
      }
    }

    /// Updates rows with the same changed slots together, where there are several.
    private mutating func update(_ rows: UpdatedRows) throws(StoreError) {
      let page = rows.page
      let table = plan.layout.tablesByEntity[page.layout.rootEntity - 1]
      var groups: [UpdateKey: [Int]] = [:]
      for index in 0..<page.count {
        let slots = page.layout.slots.indices.filter { rows.isChanged(index, slot: $0) }
        groups[UpdateKey(table: table, slots: slots), default: []].append(index)
      }
      for (key, indexes) in groups {
        let text = text(key, page.layout)
        for start in stride(from: 0, to: indexes.count, by: Self.rowsTogether) {
          let part = indexes[start..<min(start + Self.rowsTogether, indexes.count)]
          if part.count < Self.several {
            for index in part { try update(page, index, text) }
          } else {
            try update(page, Array(part), text)
          }
        }
      }
    }

    /// One statement for so many rows takes less than one for each.
    private static let several = 10
    /// The largest number of rows in one statement.
    private static let rowsTogether = 1_000

    private mutating func update(
      _ page: RowPage, _ index: Int, _ text: TableStatements.UpdateText
    ) throws(StoreError) {
      var values: [ServerValue] = []
      for transfer in text.transfers {
        try ServerColumn(transfer, page.layout).append(page, index, plan, to: &values)
      }
      let (key, version) = (page.key(index), page.version(index))
      values += [.int8(version), .int8(key.primaryKey), .int8(version - 1)]
      try change(text.statement.sql, values, .one(key))
    }

    /// `UPDATE pet t SET name = u.c0, row_version = u.c1 FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS u(c0, c1, c2)
    /// WHERE t.row_id = u.c2 AND t.row_version = u.c1 - 1 RETURNING t.row_id`
    private mutating func update(
      _ page: RowPage, _ indexes: [Int], _ text: TableStatements.UpdateText
    ) throws(StoreError) {
      let columns = text.transfers.map { ServerColumn($0, page.layout) }
      var lists: [[ServerValue]] = []
      for index in indexes {
        var values: [ServerValue] = []
        for column in columns { try column.append(page, index, plan, to: &values) }
        values += [.int8(page.version(index)), .int8(page.key(index).primaryKey)]
        if lists.isEmpty { lists = values.map { _ in [] } }
        for (place, value) in values.enumerated() { lists[place].append(value) }
      }
      let types = lists.map { $0[0].type }
      let names = EntityStatements.names(text.transfers.map(\.slot), plan.table(of: page.layout))
      let sql = plan.update(page.layout, names, types)
      try change(
        sql, zip(types, lists).map { .list($0, $1) }, .rows(indexes.map { page.key($0) }))
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
      let join = ServerJoin(table, plan.dialect)
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
private struct Conflict: Error {
  let keys: [RowKey]
}

extension StoreError {
  /// A conflict whose keys are told apart once the change set is undone.
  package init(changedByOthers keys: [RowKey]) {
    self.init(.conflict([]), "Others changed the rows.", underlying: Conflict(keys: keys))
  }
}

extension ServerPlan {
  /// The refusal of a change set, with its objects and properties, after the change set was undone.
  func explained(
    _ error: StoreError, of changes: ChangeSet, in reading: ServerReading
  ) throws(StoreError) -> StoreError {
    if let conflict = error.underlying as? Conflict {
      let gone = try reading.absent(conflict.keys)
      return self.conflict(conflict.keys, deleted: gone)
    }
    guard let failure = error.serverFailure else { return error }
    switch failure.state {
    // Tables of others may look a row up by its key, and divide by zero where there is none.
    case "23503":
      return try brokenReference(changes, reading)
        ?? StoreError(
          .conflict(changes.deleted.map { id($0.key) }),
          "Objects lead to others that this save deletes. Link others, or delete both.",
          underlying: error.underlying)
    case "22012": return try brokenReference(changes, reading) ?? explained(error)
    case "23505" where server.constraints[failure.constraint ?? ""] == nil:
      // A key that is there already.
      let inserted = changes.insertedKeys
      let absent = Set(try reading.absent(inserted))
      let present = inserted.filter { !absent.contains($0) }
      return present.isEmpty ? error : self.conflict(present, deleted: [])
    default: return explained(error)
    }
  }

  /// Names the reference that leads to a deleted row, or the row to which others have linked; nil if there is none.
  private func brokenReference(
    _ changes: ChangeSet, _ reading: ServerReading
  ) throws(StoreError) -> StoreError? {
    let check = ReferenceCheck(model, scope)
    var rows = reading
    do throws(StoreError) {
      try check.checkTargets(of: changes, in: &rows)
      try check.checkReferrers(of: changes, in: &rows)
    } catch {
      return error
    }
    return nil
  }
}
