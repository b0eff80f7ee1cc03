// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL

/// A column of an answer, and what its values are.
struct ResultColumn: Sendable {
  /// The name that the database gives the column.
  let name: String
  /// The name of the property whose column the query interpolated; nil for others.
  let property: String?
  let meaning: Meaning

  enum Meaning: Sendable {
    /// The values are computed, or the database does not tell where they are from.
    case unknown
    case attribute(AttributeDescription)
    /// Keys of rows of an entity or of its subentities, by its number.
    case key(entity: Int)
  }

  init(
    _ column: StatementAnswer.Column, property: String?, _ layout: StoreLayout,
    _ model: ManagedObjectModel
  ) {
    name = column.name
    self.property = property
    meaning = column.origin.map { Self.meaning($0, layout, model) } ?? .unknown
  }

  private static func meaning(
    _ origin: StatementAnswer.Origin, _ layout: StoreLayout, _ model: ManagedObjectModel
  ) -> Meaning {
    if let table = layout.tables.first(where: { $0.name == origin.table }) {
      if origin.column == layout.names.row.key { return .key(entity: table.rootEntity) }
      let slots = model.shape(numbered: table.rootEntity).layout.slots
      guard let slot = table.columns.firstIndex(where: { $0.name == origin.column }) else {
        return .unknown
      }
      return meaning(slots[slot].role, model)
    }
    guard let number = layout.joins.firstIndex(where: { $0.name == origin.table }) else {
      return .unknown
    }
    let (table, join) = (layout.joins[number], model.joins[number])
    if origin.column == table.first { return .key(entity: join.first.entity) }
    return origin.column == table.second ? .key(entity: join.second.entity) : .unknown
  }

  private static func meaning(_ role: RowLayout.Role, _ model: ManagedObjectModel) -> Meaning {
    switch role {
    case .attribute(let attribute): return .attribute(attribute)
    case .toOne(let relationship):
      let destination = model.shape(named: relationship.destinationEntityName)
      return destination.map { .key(entity: $0.number) } ?? .unknown
    case .owner(let entity, _): return .key(entity: entity)
    case .position: return .unknown
    }
  }
}
