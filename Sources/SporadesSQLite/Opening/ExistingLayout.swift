// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads how a file lays out a model: numbers by the entities' names, columns by theirs, joins by
/// either name they may have.
struct ExistingLayout {
  private let connection: Connection
  private let model: ManagedObjectModel
  /// The layout as it would be made.
  private let made: CoreDataLayout

  init(_ connection: Connection, _ made: CoreDataLayout) {
    self.connection = connection
    self.made = made
    model = made.model
  }

  func layout() throws(StoreError) -> StoreLayout {
    var layout = made.layout
    layout.storeNumbers = try numbers()
    let tables = try tableNames()
    for place in layout.tables.indices where made.holds(layout.tables[place].rootEntity) {
      try map(&layout.tables[place], layout, tables)
    }
    for place in layout.joins.indices where made.holds(model.joins[place]) {
      try map(&layout.joins[place], model.joins[place], layout, tables)
    }
    return layout
  }

  private func tableNames() throws(StoreError) -> Set<String> {
    Set(
      // Virtual tables have no root page, and read and write as whoever made them likes.
      try connection.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
      ).compactMap(\.first?.text))
  }

  private func columns(of table: String) throws(StoreError) -> [String] {
    try connection.rows("PRAGMA table_info(\(sqlName(table)))").compactMap { $0[1].text }
  }

  // MARK: - Numbers

  /// By name; an entity whose name is missing was renamed by an app and keeps its number. What the
  /// store does not hold has none.
  private func numbers() throws(StoreError) -> [Int] {
    let stored = try storedNumbers()
    let known = Set(model.shapes.map(\.name))
    let unclaimed = Set(stored.filter { !known.contains($0.key) }.values)
    var numbers: [Int] = []
    for shape in model.shapes {
      guard made.holds(shape.number) else {
        numbers.append(0)
        continue
      }
      let usual = made.layout.storeNumber(shape.number)
      guard let number = stored[shape.name] ?? (unclaimed.contains(usual) ? usual : nil)
      else {
        throw StoreError(
          .incompatibleModel([shape.name]), "The store has no entity \(shape.name).")
      }
      guard 1...EntityNumbers.largest ~= number, !numbers.contains(number) else {
        throw StoreError(
          .corrupt,
          "Z_PRIMARYKEY.Z_ENT of \(shape.name) is no number an entity can have, or another's. It is "
            + "between 1 and \(EntityNumbers.largest); restore a copy of the store.")
      }
      numbers.append(number)
    }
    return numbers
  }

  private func storedNumbers() throws(StoreError) -> [String: Int] {
    var stored: [String: Int] = [:]
    let rows = try connection.rows(
      "SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY LIMIT \(EntityNumbers.largest + 1)")
    for row in rows {
      guard let name = row[0].text, let number = row[1].integer else { continue }
      guard stored.updateValue(Int(number), forKey: name) == nil else {
        throw StoreError(
          .corrupt,
          "Z_PRIMARYKEY has two rows with one Z_NAME, and so two numbers for one entity. Restore a "
            + "copy of the store.")
      }
    }
    return stored
  }

  // MARK: - Tables

  private func map(
    _ table: inout StoreLayout.Table, _ layout: StoreLayout, _ tables: Set<String>
  ) throws(StoreError) {
    let root = model.shape(numbered: table.rootEntity)
    guard tables.contains(table.name) else { throw missing("table \(table.name)", root) }
    let present = Set(try columns(of: table.name))
    for slot in table.columns.indices {
      var column = table.columns[slot]
      if !present.contains(column.name) {
        // Columns named after the number of an owner's entity carry the store's number.
        let other = renumbered(column.name, model.shape(numbered: column.entity), layout)
        guard let name = other.first(where: present.contains) else {
          throw missing("column \(table.name).\(column.name)", root)
        }
        column.name = name
      }
      if let name = column.entityColumn, !present.contains(name) {
        let tail = column.name.dropFirst()
        let number = layout.storeNumber(column.destination)
        let usual = made.layout.storeNumber(column.destination)
        column.entityColumn = ["Z\(number)_\(tail)", "Z\(usual)_\(tail)"]
          .first(where: present.contains)
      }
      table.columns[slot] = column
    }
  }

  private func renumbered(
    _ name: String, _ shape: EntityShape, _ layout: StoreLayout
  ) -> [String] {
    let prefix = name.hasPrefix("Z_FOK_") ? "Z_FOK_" : "Z"
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isNumber }
    guard let number = Int(digits), let place = made.layout.storeNumbers.firstIndex(of: number)
    else { return [] }
    return ["\(prefix)\(layout.storeNumbers[place])\(rest.dropFirst(digits.count))"]
  }

  private func missing(_ what: String, _ shape: EntityShape) -> StoreError {
    StoreError(.incompatibleModel([shape.name]), "The store has no \(what).")
  }

  // MARK: - Joins

  private func map(
    _ table: inout StoreLayout.JoinTable, _ join: JoinShape, _ layout: StoreLayout,
    _ tables: Set<String>
  ) throws(StoreError) {
    let first = layout.storeNumber(join.first.entity)
    let second = layout.storeNumber(join.second.entity)
    let (own, inverse) = (
      join.first.relationship.name.uppercased(), join.second.relationship.name.uppercased()
    )
    if tables.contains("Z_\(first)\(own)") {
      try map(&table, "Z_\(first)\(own)", "Z_\(first)\(inverse)", "Z_\(second)\(own)", false)
    } else if tables.contains("Z_\(second)\(inverse)") {
      try map(&table, "Z_\(second)\(inverse)", "Z_\(second)\(own)", "Z_\(first)\(inverse)", true)
    } else {
      throw missing("table \(table.name)", model.shape(numbered: join.first.entity))
    }
  }

  /// Finds the columns by their names up to a suffix; where both sides have the same name, by place.
  private func map(
    _ table: inout StoreLayout.JoinTable, _ name: String, _ namingSide: String, _ otherSide: String,
    _ isTurned: Bool
  ) throws(StoreError) {
    let names = try columns(of: name)
    let keys = names.filter { !$0.hasPrefix("Z_FOK_") }
    guard keys.count == 2 else {
      throw StoreError(.corrupt, "The table \(name) does not have two keys.")
    }
    func matches(_ column: String, _ wanted: String) -> Bool {
      column.hasPrefix(wanted) && column.dropFirst(wanted.count).allSatisfy(\.isNumber)
    }
    let isSwapped =
      !matches(keys[0], namingSide) && matches(keys[1], namingSide) && !table.isReflexive
    let near = isSwapped ? keys[1] : keys[0]
    let far = isSwapped ? keys[0] : keys[1]
    func position(_ key: String) -> String? {
      names.first { $0 == "Z_FOK_" + key.dropFirst(2) }
        ?? names.first { $0.hasPrefix("Z_FOK_") && matches(String($0.dropFirst(6)), plain(key)) }
    }
    func plain(_ key: String) -> String {
      var text = String(key.dropFirst(2))
      while text.last?.isNumber == true { text.removeLast() }
      return text
    }
    table.name = name
    table.first = isTurned ? far : near
    table.second = isTurned ? near : far
    table.firstPosition = table.firstPosition.flatMap { _ in position(table.first) }
    table.secondPosition = table.secondPosition.flatMap { _ in position(table.second) }
  }
}
