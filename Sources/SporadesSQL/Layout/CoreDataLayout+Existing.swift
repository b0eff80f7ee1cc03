// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

// Adapts the layout to an existing file. It finds entities and columns by name, and joins by either of their
// two possible names.
extension CoreDataLayout {
  package func existing(
    in catalog: some StoreCatalog, _ dialect: any SQLDialect
  ) throws(StoreError) -> StoreLayout {
    var layout = self.layout
    layout.storeNumbers = try numbers(in: catalog)
    for place in layout.tables.indices where holds(layout.tables[place].rootEntity) {
      try map(&layout.tables[place], layout, catalog)
    }
    for place in layout.joins.indices where holds(model.joins[place]) {
      try map(&layout.joins[place], model.joins[place], layout, catalog)
    }
    try addUpkeep(to: &layout, catalog, dialect)
    return layout
  }

  /// Finds the numbers by name. An entity without a row under its name was renamed by an app, and keeps its
  /// number. An entity outside the store has number 0.
  private func numbers(in catalog: some StoreCatalog) throws(StoreError) -> [Int] {
    let stored = catalog.numbers
    let known = Set(model.shapes.map(\.name))
    let unclaimed = Set(stored.filter { !known.contains($0.key) }.values)
    var numbers: [Int] = []
    for shape in model.shapes {
      guard holds(shape.number) else {
        numbers.append(0)
        continue
      }
      let usual = layout.storeNumber(shape.number)
      guard let number = stored[shape.name] ?? (unclaimed.contains(usual) ? usual : nil)
      else {
        throw StoreError(
          .incompatibleModel([shape.name]), "The store has no entity \(shape.name).")
      }
      guard 1...StoreLayout.largestNumber ~= number, !numbers.contains(number) else {
        let names = Self.names.counters
        throw StoreError(
          .corrupt,
          "\(names.table).\(names.entity) of \(shape.name) is no number an entity can have, or "
            + "another's. It is between 1 and \(StoreLayout.largestNumber); restore a copy of the store."
        )
      }
      numbers.append(number)
    }
    return numbers
  }

  // MARK: - Tables

  private func map(
    _ table: inout StoreLayout.Table, _ layout: StoreLayout, _ catalog: some StoreCatalog
  ) throws(StoreError) {
    let root = model.shape(numbered: table.rootEntity)
    guard catalog.tables.contains(table.name) else { throw missing("table \(table.name)", root) }
    let present = Set(try catalog.columns(of: table.name))
    for slot in table.columns.indices {
      var column = table.columns[slot]
      // A column with the number of an owner's entity in its name uses the store's number.
      if let name = renumbered(column.name, layout), present.contains(name) {
        column.name = name
      } else if !present.contains(column.name) {
        throw missing("column \(table.name).\(column.name)", root)
      }
      if let name = column.entityColumn, !present.contains(name) {
        let property = String(column.name.dropFirst())
        column.entityColumn = [layout, self.layout]
          .map { Self.entityColumn(of: property, $0.storeNumber(column.destination)) }
          .first(where: present.contains)
      }
      table.columns[slot] = column
    }
  }

  private func renumbered(_ name: String, _ layout: StoreLayout) -> String? {
    let prefix = name.hasPrefix(Self.positionPrefix) ? Self.positionPrefix : Self.column("")
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isNumber }
    guard let number = Int(digits), let place = self.layout.storeNumbers.firstIndex(of: number)
    else { return nil }
    return "\(prefix)\(layout.storeNumbers[place])\(rest.dropFirst(digits.count))"
  }

  private func missing(_ what: String, _ shape: EntityShape) -> StoreError {
    StoreError(.incompatibleModel([shape.name]), "The store has no \(what).")
  }

  // MARK: - Joins

  private func map(
    _ table: inout StoreLayout.JoinTable, _ join: JoinShape, _ layout: StoreLayout,
    _ catalog: some StoreCatalog
  ) throws(StoreError) {
    let first = layout.storeNumber(join.first.entity)
    let second = layout.storeNumber(join.second.entity)
    let (own, inverse) = (join.first.relationship.name, join.second.relationship.name)
    let (name, other) = (Self.joinName(of: own, first), Self.joinName(of: inverse, second))
    if catalog.tables.contains(name) {
      let near = Self.joinName(of: inverse, first)
      try map(&table, name, catalog.columns(of: name), near: near, isTurned: false)
    } else if catalog.tables.contains(other) {
      let near = Self.joinName(of: own, second)
      try map(&table, other, catalog.columns(of: other), near: near, isTurned: true)
    } else {
      throw missing("table \(table.name)", model.shape(numbered: join.first.entity))
    }
  }

  /// Finds the columns by their names without a suffix. If both sides have the same name, their order
  /// decides.
  private func map(
    _ table: inout StoreLayout.JoinTable, _ name: String, _ names: [String],
    near side: String, isTurned: Bool
  ) throws(StoreError) {
    let keys = names.filter { !$0.hasPrefix(Self.positionPrefix) }
    guard keys.count == 2 else {
      throw StoreError(.corrupt, "The table \(name) does not have two keys.")
    }
    let isSwapped =
      !Self.matches(keys[0], side) && Self.matches(keys[1], side) && !table.isReflexive
    let near = isSwapped ? keys[1] : keys[0]
    let far = isSwapped ? keys[0] : keys[1]
    table.name = name
    table.first = isTurned ? far : near
    table.second = isTurned ? near : far
    if table.firstPosition != nil { table.firstPosition = Self.position(of: table.first, names) }
    if table.secondPosition != nil {
      table.secondPosition = Self.position(of: table.second, names)
    }
  }

  private static func matches(_ column: some StringProtocol, _ wanted: String) -> Bool {
    column.hasPrefix(wanted) && column.dropFirst(wanted.count).allSatisfy(\.isNumber)
  }

  /// The column of places beside a key. It has the key's name, with or without its suffix.
  private static func position(of key: String, _ names: [String]) -> String? {
    var plain = String(key.dropFirst(2))
    while plain.last?.isNumber == true { plain.removeLast() }
    return names.first { $0 == positionColumn(beside: key) }
      ?? names.first {
        $0.hasPrefix(positionPrefix) && matches($0.dropFirst(positionPrefix.count), plain)
      }
  }
}
