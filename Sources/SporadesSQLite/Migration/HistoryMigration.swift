// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesSQL
package import SporadesStore

/// Carries the history of a store over to another version of its model, and so the records of CloudKit's mirroring.
///
/// Rules:
/// 1. A change keeps its key, its transaction and its kind. It names the same object by the new number of its entity, and
///    the same properties by their new bits. An added property has none of the old changes, and a removed one leaves
///    them.
/// 2. A kept value of a deleted object stays with its attribute, converted as in a row. A value without an equal is left
///    out.
/// 3. The changes of an entity that is gone go, because its number may become another entity's. The transactions stay.
/// 4. Bits that do not fit the older version cannot be read. They become null: a change of unknown properties.
package struct HistoryMigration {
  private let succession: RowSuccession
  private let tables: CoreDataHistory?
  private let hasRecords: Bool
  private let hasValues: Bool
  /// By the numbers of entities in the older version, the new names of the attributes that stay by their old ones.
  private let names: [Int64: [String: String]]
  private let changes: [HistoryChange]
  /// The numbers of entities whose changes go.
  private let gone: [Int64]
  /// The number of columns for kept values that the newer version needs.
  private let tombstones: Int

  package init(_ succession: RowSuccession, _ connection: Connection) throws(StoreError) {
    self.succession = succession
    let present = Set(try connection.texts(.tables))
    tables = try History.tables(on: connection, present)
    hasRecords = present.contains(MirroringRecords.table)
    hasValues = tables != nil && present.contains(KeptValueStatements.table)
    guard tables != nil || hasRecords else {
      (changes, gone, tombstones, names) = ([], [], 0, [:])
      return
    }
    let (old, new) = (succession.old, succession.new)
    var changes: [HistoryChange] = []
    var gone: [Int64] = []
    var names: [Int64: [String: String]] = [:]
    for shape in old.model.shapes where old.scheme.holds(shape.number) {
      if let successor = succession.successor(of: shape.number) {
        let pair = EntityHistory(succession, shape, new.model.shape(numbered: successor))
        changes.append(pair.change)
        if hasValues { names[pair.change.numbers.old] = pair.names }
      } else {
        gone.append(old.number(shape.number))
      }
    }
    // A number that no entity had may be in rows of older versions.
    let known = Set(changes.map(\.numbers.old))
    let taken = Set(changes.map(\.numbers.new)).union(
      new.model.shapes.map { new.number($0.number) })
    self.gone = Set(gone).union(taken.filter { $0 > 0 }).subtracting(known).sorted()
    self.changes = changes
    self.names = names
    tombstones =
      new.model.shapes.filter { new.scheme.holds($0.number) }.map { $0.keptInHistory.count }.max()
      ?? 0
  }

  /// Whether the migration writes the history.
  var isNeeded: Bool {
    hasValues
      || (tables != nil || hasRecords)
        && !(gone.isEmpty && changes.allSatisfy(\.isUnchanged))
  }

  /// The numbers of changes that are written again, and of those that go, by their entities in the older version.
  func counts(
    on connection: Connection
  ) throws(StoreError) -> (written: Int, removed: [String: Int]) {
    guard let tables, isNeeded else { return (0, [:]) }
    var written = 0
    if let question = tables.count(of: changes) {
      written = Int(clamping: try connection.number(question) ?? 0)
    }
    var removed: [String: Int] = [:]
    for row in try connection.rows(tables.count(ofEntities: gone)) {
      let shape = succession.old.model.shapes.first {
        succession.old.number($0.number) == row[0].integer
      }
      removed[shape?.name ?? "an unknown entity"] = Int(clamping: row[1].integer ?? 0)
    }
    return (written, removed)
  }

  /// Adds the work on the history, and the changes that go, to a forecast.
  func add(
    to forecast: inout MigrationForecast, _ connection: Connection
  ) throws(StoreError) {
    let (written, removed) = try counts(on: connection)
    if written > 0 {
      forecast.steps.append(
        .init(
          table: CoreDataHistory.Table.changes.name, rows: written,
          "carry the history over to the new numbers and properties"))
    }
    for (entity, count) in removed.inOrder {
      forecast.notes.append(
        "\(count) changes of \(entity) leave the history, because the entity is gone.")
    }
  }

  package func run(on connection: Connection) throws(StoreError) {
    guard isNeeded else { return }
    let records = MirroringRecords(SQLiteDialect())
    if let tables {
      if !gone.isEmpty { try connection.run(tables.remove(entities: gone)) }
      for place in tables.tombstones..<max(tables.tombstones, tombstones) {
        try connection.run(tables.addTombstone(place))
      }
      let count = max(tables.tombstones, tombstones)
      if let update = tables.update(changes, tombstones: count) {
        try connection.registerColumns(SlotTranslations(changes))
        try connection.run(update)
      }
    }
    if hasValues { try carryValues(on: connection) }
    guard hasRecords else { return }
    if !gone.isEmpty { try connection.run(records.remove(entities: gone)) }
    for statement in records.update(changes) { try connection.run(statement) }
  }
}

extension HistoryMigration {
  /// The kept values stay with their attributes, as they were stored.
  private func carryValues(on connection: Connection) throws(StoreError) {
    let statements = KeptValues.statements
    if !gone.isEmpty { try connection.run(statements.removal(ofEntities: gone)) }
    for (number, names) in names {
      for statement in statements.rename(names, ofEntity: number) { try connection.run(statement) }
    }
    if let renumbering = statements.renumber(changes) { try connection.run(renumbering) }
  }
}

/// The change of one entity's history.
private struct EntityHistory {
  private let succession: RowSuccession
  private let old: EntityShape
  private let new: EntityShape

  init(_ succession: RowSuccession, _ old: EntityShape, _ new: EntityShape) {
    (self.succession, self.old, self.new) = (succession, old, new)
  }

  var change: HistoryChange {
    HistoryChange(
      numbers: (succession.old.number(old.number), succession.new.number(new.number)),
      keyOffset: succession.offset(of: old.number), bits: bits,
      width: HistorySlots(old, succession.old.model).slots.count, tombstones: tombstones)
  }

  /// The new names of the attributes that stay, by their old ones.
  var names: [String: String] {
    var names: [String: String] = [:]
    for attribute in new.attributes {
      if let source = succession.evolution.source(ofAttribute: attribute.name, in: new.name) {
        names[source] = attribute.name
      }
    }
    return names
  }

  // MARK: - Bits

  private enum Part: Hashable {
    case property(String)
    case entity(String)
    case position(String)
  }

  private var bits: [Int?]? {
    let before = HistorySlots(old, succession.old.model).slots
    let after = HistorySlots(new, succession.new.model).slots
    let places = Dictionary(
      zip(before.map { part($0, of: old) }, before.indices)
    ) { first, _ in first }
    let bits = after.map { slot in source(of: part(slot, of: new)).flatMap { places[$0] } }
    return bits.count == before.count && bits.enumerated().allSatisfy { $0.offset == $0.element }
      ? nil : bits
  }

  private func part(_ slot: HistorySlots.Slot, of shape: EntityShape) -> Part {
    switch slot {
    case .toOne(let relationship, _), .toMany(let relationship): .property(relationship.name)
    case .entity(let relationship, _): .entity(relationship.name)
    case .position(let relationship, _): .position(relationship.name)
    case .attribute(_, let slot): .property(shape.layout.slots[slot].name)
    }
  }

  /// The part in the older version that a part continues.
  private func source(of part: Part) -> Part? {
    func relationship(_ name: String) -> String? {
      succession.evolution.source(ofRelationship: name, in: new.name)
    }
    switch part {
    case .property(let name):
      let source = succession.evolution.source(ofAttribute: name, in: new.name)
      return (source ?? relationship(name)).map { .property($0) }
    case .entity(let name): return relationship(name).map { .entity($0) }
    case .position(let name): return relationship(name).map { .position($0) }
    }
  }

  // MARK: - Kept values

  private var tombstones: [SQLFragment]? {
    let before = old.keptInHistory
    let after = new.keptInHistory
    let columns = before.indices.map {
      "\(name: CoreDataHistory.tombstoneColumn($0))" as SQLFragment
    }
    let values = after.map { attribute -> SQLFragment in
      let source = succession.evolution.source(ofAttribute: attribute.name, in: new.name)
      guard let place = before.firstIndex(where: { $0.name == source }),
        let conversion = ValueConversion(from: before[place].type, to: attribute.type)
      else { return "NULL" }
      let terms = ConversionTerms(conversion)
      guard let isLost = terms.isLost(columns[place]) else { return terms.value(columns[place]) }
      return "CASE WHEN \(isLost) THEN NULL ELSE \(terms.value(columns[place])) END"
    }
    return values == columns ? nil : values
  }
}
