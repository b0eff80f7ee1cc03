// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL

extension ServerLayout {
  /// The layout of a model over existing tables, whose columns have the names of the queries that stand for the tables.
  init(_ model: ManagedObjectModel, _ mapping: MappedTables) {
    let roots = model.shapes.filter { $0.superNumber == 0 }
    let tables = zip(roots, mapping.tables).map { root, table in
      StoreLayout.Table(
        name: table.name.description, rootEntity: root.number, hasSubentities: root.hasSubentities,
        columns: zip(root.layout.slots, table.columns).map { slot, column in
          Self.column(slot, column, model)
        })
    }
    let joins = zip(model.joins, mapping.joins).map { shape, join in
      StoreLayout.JoinTable(
        name: join.name.description, first: join.first, second: join.second, firstPosition: nil,
        secondPosition: nil, isReflexive: shape.isReflexive)
    }
    let places = Dictionary(uniqueKeysWithValues: roots.enumerated().map { ($1.number, $0) })
    let dialect = PostgreSQLDialect()
    var constraints: [String: Constraint] = [:]
    for (root, table) in zip(roots, mapping.tables) {
      for (name, properties) in table.uniques {
        constraints[name] = Constraint(entity: root.number, properties: properties, columns: [])
      }
    }
    self.init(
      model: model,
      layout: StoreLayout(
        names: Self.names, tables: tables, joins: joins,
        tablesByEntity: model.shapes.map { places[$0.rootNumber] ?? 0 },
        storeNumbers: model.shapes.map(\.number),
        entityMarks: model.shapes.map { dialect.literal($0.name) }),
      constraints: constraints)
  }

  private static func column(
    _ slot: RowLayout.Slot, _ column: MappedTables.Column, _ model: ManagedObjectModel
  ) -> StoreLayout.Column {
    var (type, destination) = (ColumnType.integer, 0)
    switch slot.role {
    case .attribute(let attribute): type = ColumnType(attribute.type)
    case .toOne(let relationship):
      destination = model.shape(named: relationship.destinationEntityName)?.number ?? 0
    case .owner(let entity, _): destination = entity
    case .position: break
    }
    return StoreLayout.Column(
      name: column.alias, type: type, entity: slot.entity, entityColumn: column.entity?.alias,
      destination: destination, isPosition: slot.isPosition, isExternal: false)
  }
}
