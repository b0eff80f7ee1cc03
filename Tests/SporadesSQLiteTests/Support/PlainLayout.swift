// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// A layout with the names of the model: `book`, `id`, `entity`, `version`, `author`.
///
/// Names are what a person would choose, words of SQL among them, and nothing of Core Data's.
struct PlainLayout: ModelLayout {
  static let names = LayoutNames(
    row: .init(key: "id", entity: "entity", version: "version"),
    counters: .init(
      table: "counters", entity: "number", name: "name", parent: "parent", maximum: "maximum"),
    metadata: .init(
      table: "store", version: "version", identifier: "identifier", contents: "contents"))

  let model: ManagedObjectModel
  let layout: StoreLayout
  private let entities: Set<Int>?

  init(_ model: ManagedObjectModel, holding entities: Set<Int>?) {
    self.model = model
    self.entities = entities
    let roots = model.shapes.filter { $0.superNumber == 0 }
    let places = Dictionary(uniqueKeysWithValues: roots.enumerated().map { ($1.number, $0) })
    layout = StoreLayout(
      names: Self.names, tables: roots.map { Self.table(of: $0, model) },
      joins: model.joins.map { Self.table(of: $0, model) },
      tablesByEntity: model.shapes.map { places[$0.rootNumber] ?? 0 },
      // Numbers that are not the model's, so that nobody takes one for the other.
      storeNumbers: model.shapes.map { $0.number + 100 })
  }

  func holds(_ entity: Int) -> Bool { entities?.contains(entity) ?? true }

  func indexName(ofReference column: String, in table: String) -> String {
    "index of \(table).\(column)"
  }
  func indexName(_ index: String, of entity: String) -> String { "\(entity).\(index)" }
  func constraintName(_ properties: [String], of entity: String) -> String {
    "\(entity): \(properties.joined(separator: " & "))"
  }

  func existing(
    in catalog: some StoreCatalog, _ dialect: any SQLDialect
  ) throws(StoreError) -> StoreLayout {
    for table in layout.tables where holds(table.rootEntity) {
      let columns = Set(try catalog.columns(of: table.name))
      guard columns.isSuperset(of: table.columns.map(\.name)) else {
        throw StoreError(.incompatibleModel([table.name]), "\(table.name) lacks columns.")
      }
    }
    for shape in model.shapes where holds(shape.number) {
      guard catalog.numbers[shape.name] == layout.storeNumber(shape.number) else {
        throw StoreError(.incompatibleModel([shape.name]), "\(shape.name) has another number.")
      }
    }
    return layout
  }

  // MARK: - Names

  private static func table(of root: EntityShape, _ model: ManagedObjectModel) -> StoreLayout.Table
  {
    var taken = Set(names.row.all)
    return StoreLayout.Table(
      name: root.name.lowercased(), rootEntity: root.number, hasSubentities: root.hasSubentities,
      columns: root.layout.slots.map { column(for: $0, model, &taken) })
  }

  private static func column(
    for slot: RowLayout.Slot, _ model: ManagedObjectModel, _ taken: inout Set<String>
  ) -> StoreLayout.Column {
    var (type, destination, isPosition, isTyped) = (ColumnType.integer, 0, false, false)
    switch slot.role {
    case .attribute(let attribute): type = ColumnType(attribute.type)
    case .toOne(let relationship):
      let shape = model.shape(named: relationship.destinationEntityName)
      destination = shape?.number ?? 0
      isTyped = shape?.hasSubentities ?? false
    case .owner(let entity, _): destination = entity
    case .position: isPosition = true
    }
    let name = free(isPosition ? "\(slot.name) order" : slot.name, &taken)
    return StoreLayout.Column(
      name: name, type: type, entity: slot.entity,
      entityColumn: isTyped ? free("\(name) entity", &taken) : nil, destination: destination,
      isPosition: isPosition, isExternal: slot.kind == .large)
  }

  private static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    // SQLite takes names that differ in case for one.
    while !taken.insert(candidate.lowercased()).inserted { candidate += "'" }
    return candidate
  }

  private static func table(
    of join: JoinShape, _ model: ManagedObjectModel
  ) -> StoreLayout.JoinTable {
    let (first, second) = (join.first.relationship, join.second.relationship)
    let owner = model.shape(numbered: join.first.entity).name.lowercased()
    return StoreLayout.JoinTable(
      name: "\(owner) \(first.name)", first: "from", second: "to",
      firstPosition: second.isOrdered && !join.isReflexive ? "order of from" : nil,
      secondPosition: first.isOrdered ? "order" : nil, isReflexive: join.isReflexive)
  }
}
