// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The facts about a store's model and file, computed once at opening.
final class StorePlan: Sendable {
  let model: ManagedObjectModel
  let layout: StoreLayout
  let numbers: EntityNumbers
  let scope: StoreScope
  /// The statements of entity number *n* are at index *n* − 1.
  let entities: [EntityStatements]
  /// The reader of the rows of entity number *n* is at index *n* − 1.
  private let readers: [RowReader]
  /// The joins that may hold links of an entity's rows, each with the entity's side.
  let joins: [[JoinUse]]
  /// The slots of each table with a unique value.
  let uniqueSlots: [Set<Int>]
  /// The slots of each table whose values the file's triggers maintain, each with its index in the layout's
  /// derivations.
  let maintained: [[Int: Int]]
  /// Whether columns may name files of large values.
  let namesFiles: Bool

  struct JoinUse: Sendable {
    let join: Int
    let isFirst: Bool
  }

  init(
    _ model: ManagedObjectModel, _ layout: StoreLayout, identifier: String, _ files: ExternalFiles?
  ) {
    self.model = model
    self.layout = layout
    numbers = EntityNumbers(layout, model)
    namesFiles = layout.tables.contains { $0.columns.contains(where: \.isExternal) }
    scope = StoreScope(identifier: identifier, entityNames: model.shapes.map(\.name))
    let entities = model.shapes.map { EntityStatements($0, layout, model, SQLiteDialect()) }
    let numbers = numbers
    self.entities = entities
    readers = zip(model.shapes, entities).map {
      RowReader(layout: $0.layout, entity: $1, entities: numbers, files: files)
    }
    joins = model.shapes.map { shape in
      model.joins.flatMap { join -> [JoinUse] in
        let first = model.shape(numbered: join.first.entity).family.contains(shape.number)
        let second = model.shape(numbered: join.second.entity).family.contains(shape.number)
        return (first ? [JoinUse(join: join.index, isFirst: true)] : [])
          + (second ? [JoinUse(join: join.index, isFirst: false)] : [])
      }
    }
    maintained = layout.tables.map { table in
      let own = layout.derivations.enumerated().filter { $1.rootEntity == table.rootEntity }
      return Dictionary(uniqueKeysWithValues: own.map { ($1.slot, $0) })
    }
    uniqueSlots = layout.tables.map { table in
      var slots: Set<Int> = []
      for shape in model.shapes where shape.rootNumber == table.rootEntity {
        for name in shape.description.uniquenessConstraints.joined() {
          if let slot = shape.slot(named: name) { slots.insert(slot) }
        }
      }
      return slots
    }
  }

  func statements(_ entity: Int) -> EntityStatements { entities[entity - 1] }

  func reader(_ entity: Int) -> RowReader { readers[entity - 1] }

  func compiler(_ fetch: StoreFetch) throws(StoreError) -> FetchCompiler {
    try FetchCompiler(fetch, entities[fetch.entity.number - 1], model, layout, scope)
  }

  // MARK: - Errors

  func id(_ key: RowKey) -> ManagedObjectID { ManagedObjectID(key: key, scope: scope) }

  func conflict(_ keys: [RowKey], deleted: [RowKey] = []) -> StoreError {
    .conflict(keys.map(id), deleted: Set(deleted.map(id)))
  }

  /// The error of an insert that a trigger of the file ignores with `RAISE(IGNORE)`.
  func refusedInsert(_ key: RowKey) -> StoreError {
    refusedByTrigger(key.entity, "ignored the insert of an object of")
  }

  /// The error of a written row that is no longer under its key, although nobody deleted it.
  func movedByTrigger(_ key: RowKey) -> StoreError {
    refusedByTrigger(key.entity, "gave another key to the row of an object of")
  }

  /// The error of a link that a trigger of the file ignores.
  func refusedLink(_ join: Int) -> StoreError {
    let side = model.joins[join].first
    return refusedByTrigger(
      side.entity, "ignored a link of \(side.relationship.name) of an object of")
  }

  private func refusedByTrigger(_ entity: Int, _ deed: String) -> StoreError {
    let entity = model.shape(numbered: entity).name
    return StoreError(
      .constraint(entity: entity, properties: []),
      "A trigger of the file \(deed) \(entity). The store would lack what was saved, so nothing was. Change the trigger, "
        + "or the object.")
  }

  /// The same error with entity and properties in place of SQLite's table and columns:
  /// `UNIQUE constraint failed: ZCAR.ZNUMBERPLATE`.
  func explained(_ error: StoreError) -> StoreError {
    guard error.isUniqueViolation, let message = error.sqliteFailure?.message,
      let list = message.split(separator: ":", maxSplits: 1).last
    else { return error }
    let columns = list.split(separator: ",").map { part -> [String] in
      part.filter { $0 != " " && $0 != "\"" }.split(separator: ".").map(String.init)
    }
    let names = columns.compactMap(\.last)
    guard let table = layout.tables.first(where: { $0.name == columns.first?.first }) else {
      return error
    }
    for shape in model.shapes where shape.rootNumber == table.rootEntity {
      for constraint in shape.description.uniquenessConstraints
      where constraint.compactMap({ shape.slot(named: $0).map { table.columns[$0].name } })
        == names
      {
        return .taken(constraint, in: shape, underlying: error.underlying)
      }
    }
    return StoreError(
      .constraint(
        entity: model.shape(numbered: table.rootEntity).name, properties: names),
      error.detail, underlying: error.underlying)
  }
}
