// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL
import SporadesStore

/// The tables, columns and constraints of a model on a server.
///
/// Rules:
/// 1. A tree's table has the name of its root: `line_item`. A column has the name of its property: `unit_price`. A
///    reference ends in `_id`, and where rows of several entities can be linked, `_entity` names the linked row's.
/// 2. Entities of one tree that each declare a property of one name have columns with the entity's name before it.
/// 3. A many-to-many relationship has the table of its first side: `author_favourites`.
/// 4. Names that are the same in small letters are refused, since nobody could tell their columns apart.
package struct ServerLayout: Sendable {
  package let model: ManagedObjectModel
  package let layout: StoreLayout
  /// The uniqueness constraints, by their names.
  let constraints: [String: Constraint]

  /// A uniqueness constraint of an entity.
  package struct Constraint: Sendable {
    let entity: Int
    let properties: [String]
    let columns: [String]

    package init(entity: Int, properties: [String], columns: [String]) {
      (self.entity, self.properties, self.columns) = (entity, properties, columns)
    }
  }

  package static let names = LayoutNames(
    row: .init(key: "row_id", entity: "row_entity", version: "row_version"),
    counters: .init(
      table: "sporades_keys", entity: "entity", name: "entity", parent: "entity", maximum: "last"),
    metadata: .init(
      table: "sporades_store", version: "layout", identifier: "identifier", contents: "metadata"))
  /// The table of those who write, with the number of the last write of each.
  static let clients = "sporades_clients"
  /// The function of triggers by which another module notes changed rows.
  package static let noting = "sporades_note_change"
  /// The version of this layout, which the store's table names.
  static let version: Int64 = 2

  init(_ model: ManagedObjectModel) throws(StoreError) {
    self.model = model
    let roots = model.shapes.filter { $0.superNumber == 0 }
    var taken: [String: String] = [
      Self.names.counters.table: "the table of keys",
      Self.names.metadata.table: "the store's table", Self.clients: "the table of clients",
    ]
    for table in HistoryTables.all { taken[table] = "a table of the history" }
    var tables: [StoreLayout.Table] = []
    for root in roots { tables.append(try Self.table(of: root, in: model, &taken)) }
    var joins: [StoreLayout.JoinTable] = []
    for join in model.joins { joins.append(try Self.table(of: join, in: model, &taken)) }
    let places = Dictionary(uniqueKeysWithValues: roots.enumerated().map { ($1.number, $0) })
    let dialect = PostgreSQLDialect()
    layout = StoreLayout(
      names: Self.names, tables: tables, joins: joins,
      tablesByEntity: model.shapes.map { places[$0.rootNumber] ?? 0 },
      storeNumbers: model.shapes.map(\.number),
      entityMarks: model.shapes.map { dialect.literal($0.name) })
    constraints = Self.constraints(model, layout)
  }

  package init(
    model: ManagedObjectModel, layout: StoreLayout, constraints: [String: Constraint]
  ) {
    (self.model, self.layout, self.constraints) = (model, layout, constraints)
  }

  private static func take(
    _ name: String, for owner: String, _ taken: inout [String: String]
  ) throws(StoreError) {
    if let other = taken.updateValue(owner, forKey: name) {
      throw StoreError(
        .unsupported,
        "\(other) and \(owner) have one name on a server, \(name), where capitals do not count. Rename one of them, with "
          + "its former name as its renaming identifier.")
    }
  }

  // MARK: - Tables

  private static func table(
    of root: EntityShape, in model: ManagedObjectModel, _ tables: inout [String: String]
  ) throws(StoreError) -> StoreLayout.Table {
    let name = ServerNames.shortened(ServerNames.folded(root.name))
    try take(name, for: root.name, &tables)
    var taken = Dictionary(uniqueKeysWithValues: names.row.all.map { ($0, "the store") })
    let slots = root.layout.slots
    let bases = slots.indices.map { base(of: $0, in: root.layout, model) }
    let uses = Dictionary(bases.map { ($0, 1) }, uniquingKeysWith: +)
    var columns: [StoreLayout.Column] = []
    for (slot, base) in zip(slots, bases) {
      let entity = model.shape(numbered: slot.entity)
      let isShared = uses[base, default: 0] > 1 && slot.entity != root.number
      let full = isShared ? "\(ServerNames.folded(entity.name))_\(base)" : base
      let column = column(for: slot, full, in: model)
      for name in [column.name, column.entityColumn].compactMap(\.self) {
        try take(name, for: "\(entity.name).\(slot.name)", &taken)
      }
      columns.append(column)
    }
    return StoreLayout.Table(
      name: name, rootEntity: root.number, hasSubentities: root.hasSubentities, columns: columns)
  }

  /// The name of a slot's column without its ending.
  private static func base(
    of slot: Int, in layout: RowLayout, _ model: ManagedObjectModel
  ) -> String {
    switch layout.slots[slot].role {
    case .attribute, .toOne: ServerNames.folded(layout.slots[slot].name)
    case .owner(let entity, let relationship):
      ServerNames.folded("\(model.shape(numbered: entity).name).\(relationship.name)")
    case .position:
      layout.reference(ofPosition: slot).map { base(of: $0, in: layout, model) + "_position" }
        ?? ServerNames.folded(layout.slots[slot].name) + "_position"
    }
  }

  private static func column(
    for slot: RowLayout.Slot, _ base: String, in model: ManagedObjectModel
  ) -> StoreLayout.Column {
    var (end, type, destination, isTyped) = ("", ColumnType.integer, 0, false)
    switch slot.role {
    case .attribute(let attribute): type = ColumnType(attribute.type)
    case .toOne(let relationship):
      let shape = model.shape(named: relationship.destinationEntityName)
      (end, destination) = ("_id", shape?.number ?? 0)
      isTyped = shape?.hasSubentities ?? false
    case .owner(let entity, _): (end, destination) = ("_id", entity)
    case .position: break
    }
    return StoreLayout.Column(
      name: ServerNames.shortened(base + end), type: type, entity: slot.entity,
      entityColumn: isTyped ? ServerNames.shortened(base + "_entity") : nil,
      destination: destination, isPosition: slot.isPosition, isExternal: false)
  }

  private static func table(
    of join: JoinShape, in model: ManagedObjectModel, _ tables: inout [String: String]
  ) throws(StoreError) -> StoreLayout.JoinTable {
    let (first, second) = (
      model.shape(numbered: join.first.entity), model.shape(numbered: join.second.entity)
    )
    let relationship = join.first.relationship
    let name = ServerNames.shortened(
      ServerNames.folded("\(first.name).\(relationship.name)"))
    try take(name, for: "\(first.name).\(relationship.name)", &tables)
    let (one, other) = (ServerNames.folded(first.name), ServerNames.folded(second.name))
    let another = one == other ? "other_\(other)" : other
    return StoreLayout.JoinTable(
      name: name, first: ServerNames.shortened("\(one)_id"),
      second: ServerNames.shortened("\(another)_id"),
      firstPosition: join.second.relationship.isOrdered && !join.isReflexive
        ? ServerNames.shortened("\(one)_position") : nil,
      secondPosition: relationship.isOrdered ? ServerNames.shortened("\(another)_position") : nil,
      isReflexive: join.isReflexive)
  }

  // MARK: - Constraints

  private static func constraints(
    _ model: ManagedObjectModel, _ layout: StoreLayout
  ) -> [String: Constraint] {
    var all: [String: Constraint] = [:]
    for shape in model.shapes {
      let table = layout.table(ofEntity: shape.number)
      for properties in shape.description.uniquenessConstraints {
        let columns = properties.compactMap { property in
          shape.slot(named: property).map { table.columns[$0].name }
        }
        // An attribute that no store keeps is never the same.
        guard columns.count == properties.count else { continue }
        var name = "\(ServerNames.folded(shape.name))_\(columns.joined(separator: "_"))_key"
        // The underscores in it also stand in names of entities and properties.
        while all[ServerNames.shortened(name)] != nil { name += "_" }
        all[ServerNames.shortened(name)] = Constraint(
          entity: shape.number, properties: properties, columns: columns)
      }
    }
    return all
  }
}

extension RowLayout.Slot {
  package var isPosition: Bool { if case .position = role { true } else { false } }
}
