// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Notes a change set in the history, within its own transaction and without a round trip of its own: the server itself finds
// what the program would have to read. Objects may be noted several times, which the reader joins.
extension ServerWriter.Pipe {
  private static let place = "currval('\(HistoryTables.places)')"
  private static let nextPlace = "nextval('\(HistoryTables.places)')"
  private static let row = ServerLayout.names.row
  private static let change =
    "INSERT INTO \(HistoryTables.changes) (place, kind, entity, object, properties)"

  // MARK: - Before the rows are written

  /// Notes what only the rows before a change set tell: kept values of rows that go, and the objects to which references and
  /// links led.
  mutating func noteFormer(_ changes: ChangeSet) throws(StoreError) {
    guard let history = plan.history, notesFormer(changes, history) else { return }
    try note("SELECT \(Self.nextPlace)")
    let groups = Dictionary(grouping: changes.deleted) {
      plan.model.shape(numbered: $0.key.entity).rootNumber
    }
    for root in groups.keys.sorted() {
      guard let tree = history.tree(ofRoot: root), let rows = groups[root] else { continue }
      try noteDeleted(rows.map(\.key.primaryKey), tree)
    }
    for rows in changes.updated {
      for (slot, reference) in changedReferences(of: rows, history) {
        try noteReferences(rows, slot, reference)
      }
    }
  }

  private func notesFormer(_ changes: ChangeSet, _ history: HistoryWords) -> Bool {
    !changes.deleted.isEmpty
      || changes.updated.contains { !changedReferences(of: $0, history).isEmpty }
  }

  private func changedReferences(
    of rows: UpdatedRows, _ history: HistoryWords
  ) -> [(slot: Int, reference: HistoryWords.Reference)] {
    guard let tree = history.tree(ofRoot: rows.page.layout.rootEntity) else { return [] }
    return tree.references.filter { slot, _ in
      (0..<rows.page.count).contains { rows.isChanged($0, slot: slot) }
    }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private mutating func noteDeleted(
    _ keys: [Int64], _ tree: HistoryWords.Tree
  ) throws(StoreError) {
    let list = ServerValue.int8List(keys)
    try note(
      """
      INSERT INTO \(HistoryTables.changes) (place, kind, entity, object, kept) \
      SELECT \(Self.place), \(ChangeKind.delete.rawValue), t.\(Self.row.entity), t.\(Self.row.key), \
      \(tree.kept ?? "NULL::text[]") FROM unnest($1::bigint[]) WITH ORDINALITY u(key, n) \
      JOIN \(tree.table) t ON t.\(Self.row.key) = u.key ORDER BY u.n
      """, [list])
    for (_, reference) in tree.references.sorted(by: { $0.key < $1.key }) {
      try note(
        """
        \(Self.change) SELECT DISTINCT \(touched(reference.entity, "t.\(reference.column)", reference.names)) \
        FROM \(tree.table) t WHERE t.\(Self.row.key) = ANY($1) AND t.\(reference.column) IS NOT NULL
        """, [list])
    }
    for link in tree.links {
      try note(
        """
        \(Self.change) SELECT DISTINCT \(touched("o.\(Self.row.entity)", "o.\(Self.row.key)", link.names)) \
        FROM \(link.table) l JOIN \(link.otherTable) o ON o.\(Self.row.key) = l.\(link.other) \
        WHERE l.\(link.own) = ANY($1)
        """, [list])
    }
  }

  /// Notes the objects that a changed reference left and those that it leads to, where they differ.
  private mutating func noteReferences(
    _ rows: UpdatedRows, _ slot: Int, _ reference: HistoryWords.Reference
  ) throws(StoreError) {
    let page = rows.page
    let indexes = (0..<page.count).filter { rows.isChanged($0, slot: slot) }
    let owners = indexes.map { page.reference($0, slot: slot) }
    let names = owners.map { owner -> ServerValue in
      owner.map { .text(plan.name(ofEntity: $0.entity)) } ?? .null(.text)
    }
    try note(
      """
      \(Self.change) SELECT DISTINCT \(touched("o.entity", "o.object", reference.names)) \
      FROM unnest($1::bigint[], $2::bigint[], $3::text[]) u(key, owner, entity) \
      JOIN \(plan.tableName(ofEntity: page.layout.rootEntity)) t ON t.\(Self.row.key) = u.key \
      AND t.\(reference.column) IS DISTINCT FROM u.owner \
      CROSS JOIN LATERAL (VALUES (\(reference.entity), t.\(reference.column)), (u.entity, u.owner)) o(entity, object) \
      WHERE o.object IS NOT NULL
      """,
      [
        .int8List(indexes.map { page.key($0).primaryKey }),
        .list(.int8, owners.map { .int8($0?.primaryKey) }), .list(.text, names),
      ])
  }

  /// The columns of a change of relationships.
  private func touched(_ entity: String, _ key: String, _ names: [String]) -> String {
    let literals = names.map(plan.dialect.literal).joined(separator: ", ")
    return "\(Self.place), \(ChangeKind.update.rawValue), \(entity), \(key), ARRAY[\(literals)]"
  }

  // MARK: - After the rows are written

  /// Notes the transaction, with its changes as the change set tells them. It comes last, so that its rank is drawn when the
  /// rows are locked.
  mutating func noteTransaction(_ changes: ChangeSet) throws(StoreError) {
    guard let history = plan.history, changes.hasWrites || !changes.rewritten.isEmpty else {
      return
    }
    var notes = HistoryNotes(plan.model, history)
    notes.add(changes)
    let place = notesFormer(changes, history) ? Self.place : Self.nextPlace
    func text(_ text: String?) -> ServerValue { text.map { .text($0) } ?? .null(.text) }
    let facts = [changes.author, changes.contextName, history.bundle, HistoryProgram.process]
    let lists = notes.lists(plan)
    try note(
      """
      WITH t AS (INSERT INTO \(HistoryTables.transactions) (place, client, author, context, bundle, process) \
      VALUES (\(place), $1, $2, $3, $4, $5) RETURNING place) \
      \(Self.change) SELECT t.place, u.kind, u.entity, u.object, string_to_array(u.properties, ',') \
      FROM t, unnest($6::smallint[], $7::text[], $8::bigint[], $9::text[]) \
      WITH ORDINALITY u(kind, entity, object, properties, n) ORDER BY u.n
      """, [.uuid(client.bytes)] + facts.map(text) + lists)
  }
}

extension ServerWriter {
  /// Runs a statement about the history: in the open transaction, or in one of its own.
  mutating func note(_ sql: String, _ values: [ServerValue]) throws(StoreError) {
    try restore()
    do throws(StoreError) { try connection.run(sql, values) } catch {
      // What was accepted is executed again before anything else.
      if connection.isInFailedTransaction { rollback() }
      throw error
    }
  }

  /// Notes the removal of all rows as one transaction, unless there are none.
  func sendHistoryOfRemoval() throws(StoreError) {
    guard let history = plan.history else { return }
    let row = plan.layout.names.row
    try connection.send("SELECT nextval('\(HistoryTables.places)')")
    for table in plan.layout.tables {
      guard let tree = history.tree(ofRoot: table.rootEntity) else { continue }
      try connection.send(
        """
        INSERT INTO \(HistoryTables.changes) (place, kind, entity, object, kept) \
        SELECT currval('\(HistoryTables.places)'), \(ChangeKind.delete.rawValue), t.\(row.entity), t.\(row.key), \
        \(tree.kept ?? "NULL::text[]") FROM \(tree.table) t ORDER BY t.\(row.key)
        """)
    }
    let place = "currval('\(HistoryTables.places)')"
    try connection.send(
      """
      INSERT INTO \(HistoryTables.transactions) (place, client, bundle, process) SELECT \(place), $1, $2, $3 \
      WHERE EXISTS (SELECT 1 FROM \(HistoryTables.changes) WHERE place = \(place))
      """,
      [
        .uuid(client.bytes), history.bundle.map { .text($0) } ?? .null(.text),
        .text(HistoryProgram.process),
      ])
  }
}
