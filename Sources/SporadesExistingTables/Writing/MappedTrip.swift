// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesStore

/// The statements of one change set over existing tables. Their foreign keys may hold at each moment: so rows are inserted before
/// others lead to them, and deleted when none does.
struct MappedTrip {
  let plan: ServerPlan
  let mapping: MappedTables
  let versions: RowVersions
  private(set) var statements: [Statement] = []
  /// The texts of inserts and updates, by the entity and the slots.
  private var texts: [TextKey: String] = [:]

  struct Statement {
    let sql: String
    let values: [ServerValue]
    let expectation: Expectation
  }

  enum Expectation {
    case nothing
    /// One row has changed, and has a new version.
    case written(RowKey, version: Int64)
    /// The rows are gone, whose keys the answer has.
    case deleted([RowKey])
    case versions([RowVersion])
  }

  private struct TextKey: Hashable {
    let entity: Int
    let slots: [Int]
    let isNew: Bool
  }

  init(plan: ServerPlan, mapping: MappedTables, versions: RowVersions) {
    (self.plan, self.mapping, self.versions) = (plan, mapping, versions)
  }

  private func root(_ key: RowKey) -> Int { plan.model.shape(numbered: key.entity).rootNumber }

  private func table(_ key: RowKey) -> MappedTables.Table {
    mapping.tables[plan.layout.tablesByEntity[key.entity - 1]]
  }

  private mutating func send(
    _ sql: String, _ values: [ServerValue], _ expectation: Expectation = .nothing
  ) {
    statements.append(Statement(sql: sql, values: values, expectation: expectation))
  }

  /// The server's mark of a row with a version.
  private func mark(_ key: RowKey, _ version: Int64) -> ServerValue {
    let table = table(key)
    let known =
      table.version == nil
      ? versions.mark(of: key.inTree(root(key)), version) : version
    return MappedStatements(table).value(ofVersion: known)
  }

  // MARK: - Changes

  /// Adds the statements of a change set. Returns the refusal of a value that a column does not keep.
  mutating func refusal(of changes: ChangeSet) -> StoreError? {
    do throws(StoreError) { try add(changes) } catch { return error }
    return nil
  }

  /// Adds the statements of a change set, in an order that foreign keys allow.
  private mutating func add(_ changes: ChangeSet) throws(StoreError) {
    try refuseReadOnly(changes)
    for (entity, rows) in Dictionary(grouping: changes.expected, by: \.key.entity) {
      let keys = ServerValue.int8List(rows.map(\.key.primaryKey))
      let table = table(rows[0].key)
      // Nobody changes the rows until the commit. A program that only reads a table may have no right to keep others out.
      if !table.isReadOnly { send(MappedStatements(table).share, [keys]) }
      send(plan.versions(ofEntity: entity), [keys], .versions(rows))
    }
    for change in changes.links { link(change, removed: true) }
    for place in inserted(changes) { try insert(place) }
    for rows in changes.updated {
      for index in 0..<rows.page.count { try update(rows, index) }
    }
    for change in changes.links { link(change, removed: false) }
    for rows in deleted(changes) { delete(rows) }
  }

  private func refuseReadOnly(_ changes: ChangeSet) throws(StoreError) {
    let keys =
      changes.insertedKeys
      + changes.updated.flatMap { rows in
        (0..<rows.page.count).map { rows.page.key($0) }
      } + changes.deleted.map(\.key)
    guard let key = keys.first(where: { table($0).isReadOnly }) else { return }
    throw StoreError(
      .readOnly,
      "\(plan.name(ofEntity: key.entity)) is read-only: \(table(key).name) is a view, or declared so."
    )
  }

  /// The new rows, each behind those to which it leads.
  private func inserted(_ changes: ChangeSet) -> [RowPlace] {
    var places: [RowPlace] = []
    for page in changes.inserted {
      for index in 0..<page.count { places.append(RowPlace(page: page, index: index)) }
    }
    places.sort { table($0.key).rank < table($1.key).rank }
    guard places.contains(where: { !table($0.key).ownReferences.isEmpty }) else { return places }
    let targets = places.map { place in
      table(place.key).ownReferences.compactMap { place.reference($0) }
        .map { $0.inTree(root($0)) }
    }
    return InOwnOrder.order(of: places.map { $0.key.inTree(root($0.key)) }, targets)
      .map { places[$0] }
  }

  /// The deleted rows of each table, before those to which they may lead.
  private func deleted(_ changes: ChangeSet) -> [[DeletedRow]] {
    Dictionary(grouping: changes.deleted) { root($0.key) }.values
      .sorted { table($0[0].key).rank > table($1[0].key).rank }
  }

  private mutating func delete(_ rows: [DeletedRow]) {
    for row in rows { removeLinks(of: row.key) }
    let table = table(rows[0].key)
    let marks = rows.map { mark($0.key, $0.version) }
    send(
      MappedStatements(table).delete,
      [
        .int8List(rows.map(\.key.primaryKey)),
        .list(table.version == nil ? .text : .int8, marks),
      ], .deleted(rows.map(\.key)))
  }

  private mutating func insert(_ place: RowPlace) throws(StoreError) {
    let (key, table) = (place.key, table(place.key))
    guard table.key.range.contains(key.primaryKey) else {
      throw StoreError(
        .full, "\(table.name).\(table.key.column) has no room for the key of a new row. Widen it.")
    }
    let columns = plan.entity(key.entity).inserted.filter { column in
      let mapped = table.columns[column.transfer.slot]
      guard mapped.form != nil else { return false }
      return !(mapped.fillsNil && place.page.isNull(place.index, slot: column.transfer.slot))
    }
    var values: [ServerValue] = [.int8(key.primaryKey)]
    for column in columns { try append(column, place.page, place.index, table, &values) }
    let slots = columns.map(\.transfer.slot)
    let sql = text(TextKey(entity: key.entity, slots: slots, isNew: true)) {
      MappedStatements(table).insert(slots, ofEntity: key.entity)
    }
    write(sql, values, key, place.version, table)
  }

  private mutating func update(_ rows: UpdatedRows, _ index: Int) throws(StoreError) {
    let page = rows.page
    let (key, version, table) = (page.key(index), page.version(index), table(page.key(index)))
    let columns = plan.entity(root(key)).columns.filter {
      rows.isChanged(index, slot: $0.transfer.slot) && table.columns[$0.transfer.slot].form != nil
    }
    var values: [ServerValue] = [.int8(key.primaryKey), mark(key, version - 1)]
    for column in columns { try append(column, page, index, table, &values) }
    let slots = columns.map(\.transfer.slot)
    let sql = text(TextKey(entity: root(key), slots: slots, isNew: false)) {
      MappedStatements(table).update(slots)
    }
    write(sql, values, key, version, table)
  }

  private mutating func write(
    _ sql: String, _ values: [ServerValue], _ key: RowKey, _ version: Int64,
    _ table: MappedTables.Table
  ) {
    send(sql, values, .written(key, version: version))
    let statements = MappedStatements(table)
    guard statements.answersLater else { return }
    send(statements.mark, [values[0]], .written(key, version: version))
  }

  /// Appends a value that the column keeps as it is.
  private func append(
    _ column: ServerColumn, _ page: RowPage, _ index: Int, _ table: MappedTables.Table,
    _ values: inout [ServerValue]
  ) throws(StoreError) {
    let slot = column.transfer.slot
    if let objection = table.columns[slot].form?.bound.objection(to: page, index, slot) {
      throw StoreError(
        .unsupported,
        "\(plan.name(ofEntity: page.key(index).entity)).\(page.layout.slots[slot].name) has \(objection). Give it another value."
      )
    }
    let count = values.count
    try column.append(page, index, plan, to: &values)
    // The name of a linked row's entity stands in that row.
    values.removeLast(values.count - count - 1)
  }

  private mutating func text(_ key: TextKey, _ make: () -> String) -> String {
    if let known = texts[key] { return known }
    let made = make()
    texts[key] = made
    return made
  }

  private mutating func link(_ change: LinkChange, removed: Bool) {
    let (join, layout) = (mapping.joins[change.join], plan.layout.joins[change.join])
    let others = removed ? change.removed : change.added.map(\.other)
    for other in others {
      let row = JoinRow(change, other)
      let both = layout.isReflexive && other != change.owner ? [row, row.turned] : [row]
      for row in both {
        send(removed ? join.remove : join.add, [.int8(row.first), .int8(row.second)])
      }
    }
  }

  /// The links of a deleted row go with it.
  private mutating func removeLinks(of key: RowKey) {
    for (join, shape) in zip(mapping.joins, plan.model.joins) {
      for (side, isFirst) in [(shape.first, true), (shape.second, false)]
      where plan.model.shape(numbered: side.entity).rootNumber == root(key) {
        send(join.removeAll(ofFirst: isFirst), [.int8(key.primaryKey)])
      }
    }
  }

  // MARK: - Answers

  /// The rows that others have changed.
  func conflicts(_ answers: some Sequence<ServerRows>) -> [RowKey] {
    var conflicts: [RowKey] = []
    for (answer, statement) in zip(answers, statements) {
      switch statement.expectation {
      case .nothing: break
      case .written(let key, _): if answer.changed != 1 { conflicts.append(key) }
      case .deleted(let keys):
        guard answer.count < keys.count else { break }
        let gone = Set((0..<answer.count).compactMap { answer.integer($0, 0) })
        conflicts += keys.filter { !gone.contains($0.primaryKey) }
      case .versions(let rows):
        let known = ServerReading.versions(answer)
        conflicts += rows.filter { row in
          let expected =
            table(row.key).version == nil
            ? versions.mark(of: row.key.inTree(root(row.key)), row.version) : row.version
          return known[row.key.primaryKey] != expected
        }.map(\.key)
      }
    }
    return conflicts
  }

  func noteVersions(_ answers: some Sequence<ServerRows>) {
    for (answer, statement) in zip(answers, statements) {
      guard case .written(let key, let version) = statement.expectation,
        table(key).version == nil, let mark = answer.integer(0, 0)
      else { continue }
      versions.note(key.inTree(root(key)), version: version, mark: mark)
    }
  }
}
