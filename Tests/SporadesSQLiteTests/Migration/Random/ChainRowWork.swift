// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite

/// Code for the rows of every entity, which checks the old values and the new ones of each row, and sets some of them.
final class ChainRowWork: Sendable {
  private struct State {
    var mistakes: [String] = []
    var rows: PlainRows
    var seen: Set<Int> = []
  }

  private let number: Int
  private let model: ManagedObjectModel
  private let before: PlainRows
  /// The paths of values that code for rows does not read.
  private let oldLarge: Set<String>
  private let state: Guarded<State>

  /// The number chooses the values. The rows are those of the two versions.
  init(
    _ number: Int, from old: ManagedObjectModel, _ before: PlainRows,
    to model: ManagedObjectModel, _ after: PlainRows
  ) {
    self.number = number
    self.model = model
    self.before = before
    let all = Self.attributes(of: old.shapes.flatMap(\.attributes))
    oldLarge = Set(all.filter(\.isLarge).map(\.path))
    state = Guarded(State(rows: after))
  }

  /// Work for each root entity, which goes through its subentities, too.
  var rowWork: [RowWork] {
    model.shapes.filter { $0.superNumber == 0 }.map { shape in
      RowWork(shape.name) { [self] row in work(on: row) }
    }
  }

  /// What a row had otherwise than expected, and the rows that nobody saw.
  var mistakes: [String] {
    state.withLock { state in
      let missing = Set(state.rows.rows.keys).subtracting(state.seen).sorted()
      return state.mistakes + missing.map { "row \($0) was not handed to the code" }
    }
  }

  /// The rows as the code left them.
  var rows: PlainRows { state.withLock(\.rows) }

  private func work(on row: MigratedRow) {
    guard case .integer(let serial) = row["serial"] else {
      return state.withLock { $0.mistakes.append("a row of \(row.entity) has no serial number") }
    }
    let number = Int(serial)
    let now = state.withLock { $0.rows.rows[number] }
    var mistakes: [String] = []
    if now?.entity != row.entity { mistakes.append("row \(number) came as one of \(row.entity)") }
    for (path, cell) in before.rows[number]?.values ?? [:] where !oldLarge.contains(path) {
      let found = PlainRows.Cell(row.old[path])
      if found != cell { mistakes.append("row \(number), old \(path): \(found), not \(cell)") }
    }
    for attribute in attributes(of: row.entity) where !attribute.isDerived {
      guard let cell = now?.values[attribute.path], !attribute.isLarge else { continue }
      let found = PlainRows.Cell(row[attribute.path])
      if found != cell {
        mistakes.append("row \(number), \(attribute.path): \(found), not \(cell)")
      }
    }
    let changes = changes(number, row.entity)
    for (path, cell) in changes { row[path] = cell.value }
    state.withLock { [mistakes] state in
      state.mistakes += mistakes
      state.seen.insert(number)
      for (path, cell) in changes { state.rows.rows[number]?.values[path] = cell }
    }
  }

  // MARK: - Values

  private struct Attribute {
    let path: String
    let type: AttributeType
    let isLarge: Bool
    let isDerived: Bool
  }

  private func attributes(of entity: String) -> [Attribute] {
    Self.attributes(of: model.shape(named: entity)?.attributes ?? [])
  }

  private static func attributes(of shapes: [AttributeShape]) -> [Attribute] {
    shapes.flatMap { shape in
      let description = shape.description
      guard shape.type == .composite else { return [attribute(description, shape.name)] }
      return description.elements.map { attribute($0, "\(shape.name).\($0.name)") }
    }
  }

  private static func attribute(_ description: AttributeDescription, _ path: String) -> Attribute {
    Attribute(
      path: path, type: description.type, isLarge: description.type == .binary,
      isDerived: description.isDerived)
  }

  /// New values for a third of the attributes of half of the rows. Serial numbers and unique values stay.
  private func changes(_ serial: Int, _ entity: String) -> [(String, PlainRows.Cell)] {
    guard (serial + number) % 2 == 0 else { return [] }
    let unique = Set(model.shapes.flatMap(\.description.uniquenessConstraints).flatMap(\.self))
    return attributes(of: entity).enumerated().compactMap { place, attribute in
      guard (place + number) % 3 == 0, !attribute.isLarge, !attribute.isDerived,
        attribute.path != "serial", !unique.contains(attribute.path)
      else { return nil }
      let cell = PlainRows.Cell.sample(attribute.type, serial + place)
      return cell == .none ? nil : (attribute.path, cell)
    }
  }
}
