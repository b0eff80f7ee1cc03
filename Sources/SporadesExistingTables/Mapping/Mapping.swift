// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesStore

/// Finds the tables of a model whose entities say where their rows are, and all that does not fit there.
struct Mapping {
  let model: ManagedObjectModel
  let schema: String
  let catalog: TableCatalog
  private(set) var problems: [Problem] = []

  /// What does not fit, in a sentence.
  struct Problem {
    let entity: String
    let detail: String
  }

  /// The schemas in which a model has tables.
  static func schemas(_ model: ManagedObjectModel, _ schema: String) -> [String] {
    let others = model.entities.flatMap { entity in
      [entity.userInfo[MappingNote.schema]]
        + entity.relationships.map { $0.userInfo[MappingNote.joinSchema] }
    }
    return Array(Set([schema] + others.compactMap(\.self))).sorted()
  }

  /// The existing tables of a model. Throws one error with all that does not fit.
  static func tables(
    of model: ManagedObjectModel, _ schema: String, on connection: ServerConnection
  ) throws(StoreError) -> ExistingTables {
    let catalog = try TableCatalog(connection, schemas: schemas(model, schema))
    var mapping = Mapping(model: model, schema: schema, catalog: catalog)
    let tables = mapping.tables()
    let joins = mapping.joins()
    let problems = mapping.problems
    guard problems.isEmpty else {
      var names: [String] = []
      for problem in problems where !names.contains(problem.entity) { names.append(problem.entity) }
      throw StoreError(
        .incompatibleModel(names),
        "\(connection.place): The tables do not fit the model. "
          + problems.map(\.detail).joined(separator: " "))
    }
    let isOfBytes = mapping.texts.allSatisfy(\.hasByteOrder)
    return ExistingTables(
      model, MappedTables(tables: tables, joins: joins, hasByteOrder: isOfBytes))
  }

  private init(model: ManagedObjectModel, schema: String, catalog: TableCatalog) {
    (self.model, self.schema, self.catalog) = (model, schema, catalog)
  }

  /// The columns that hold texts.
  private var texts: [CatalogColumn] = []

  mutating func refuse(_ entity: String, _ detail: String) {
    problems.append(Problem(entity: entity, detail: detail))
  }

  mutating func note(text column: CatalogColumn) { texts.append(column) }

  // MARK: - Tables

  /// The name of an entity's table.
  func name(of root: EntityShape) -> TableName? {
    let notes = root.description.userInfo
    return notes[MappingNote.table].map {
      .init(schema: notes[MappingNote.schema] ?? schema, table: $0)
    }
  }

  private mutating func tables() -> [MappedTables.Table] {
    var parts: [(EntityShape, CatalogTable, CatalogColumn)] = []
    for root in model.shapes where root.superNumber == 0 {
      guard let name = name(of: root) else {
        refuse(
          root.name,
          "\(root.name) names no table. Give it one: @Entity(userInfo: .table(…))."
        )
        continue
      }
      guard let table = catalog.tables[name] else {
        refuse(root.name, "\(root.name) is to be in \(name), which is not there.")
        continue
      }
      guard let key = key(of: root, table) else { continue }
      parts.append((root, table, key))
    }
    guard problems.isEmpty else { return [] }
    let ranks = ranks()
    return parts.map { root, table, key in
      self.table(of: root, table, key, rank: ranks[root.number] ?? 0)
    }
  }

  private mutating func key(of root: EntityShape, _ table: CatalogTable) -> CatalogColumn? {
    let name: String
    if let given = root.description.userInfo[MappingNote.key] {
      name = given
    } else if table.primaryKey.count == 1 {
      name = table.primaryKey[0]
    } else {
      let reason =
        table.primaryKey.isEmpty
        ? "has no primary key" : "has a primary key of \(table.primaryKey.count) columns"
      refuse(
        root.name,
        "\(table.name) \(reason). Name one column whose values are unique and not null: .table(…, key: …)."
      )
      return nil
    }
    guard let column = table[column: name] else {
      refuse(
        root.name, "\(root.name) is to have its keys in \(table.name).\(name), which is not there.")
      return nil
    }
    guard column.integerRange != nil else {
      refuse(
        root.name,
        "\(table.name).\(name) is of type \(column.declared), and keys of objects are whole numbers. Add a column of numbers "
          + "to the table, and name it: .table(…, key: …).")
      return nil
    }
    let isUnique = (table.uniques.map(\.columns) + [table.primaryKey]).contains([name])
    if table.isPlain, !isUnique {
      refuse(
        root.name,
        "\(table.name).\(name) is to be the key of \(root.name), and no constraint makes it unique."
      )
    }
    return column
  }

  /// The places of the trees in an order in which rows come after those to which they lead. Circles have none: their tables
  /// come in the order of the model.
  private func ranks() -> [Int: Int] {
    var ranks: [Int: Int] = [:]
    var visited: Set<Int> = []
    func visit(_ root: Int) {
      guard visited.insert(root).inserted else { return }
      for slot in model.shape(numbered: root).layout.slots {
        switch slot.role {
        case .toOne(let relationship):
          if let shape = model.shape(named: relationship.destinationEntityName) {
            visit(shape.rootNumber)
          }
        case .owner(let entity, _): visit(model.shape(numbered: entity).rootNumber)
        case .attribute, .position: break
        }
      }
      ranks[root] = ranks.count
    }
    for root in model.shapes where root.superNumber == 0 { visit(root.number) }
    return ranks
  }

  // MARK: - Joins

  private mutating func joins() -> [MappedTables.Join] {
    guard problems.isEmpty else { return [] }
    return model.joins.compactMap { join(of: $0) }
  }

  private mutating func join(of shape: JoinShape) -> MappedTables.Join? {
    let entity = model.shape(numbered: shape.first.entity).name
    let place = "\(entity).\(shape.first.relationship.name)"
    let sides = [shape.first, shape.second].map(\.relationship)
    guard let side = sides.firstIndex(where: { $0.userInfo[MappingNote.join] != nil }) else {
      refuse(
        entity,
        "\(place) leads to many objects from both sides, and names no table of its links: .join(…)."
      )
      return nil
    }
    let notes = sides[side].userInfo
    let name = TableName(
      schema: notes[MappingNote.joinSchema] ?? schema, table: notes[MappingNote.join] ?? "")
    guard let table = catalog.tables[name] else {
      refuse(entity, "\(place) is to have its links in \(name), which is not there.")
      return nil
    }
    if sides.contains(where: \.isOrdered) {
      refuse(entity, "\(place) is ordered, and an existing table keeps no order of links.")
    }
    let columns = [
      notes[MappingNote.joinColumn] ?? "", notes[MappingNote.joinOtherColumn] ?? "",
    ]
    for column in columns where table[column: column]?.integerRange == nil {
      refuse(
        entity, "\(place) is to have its links in \(name).\(column), which holds no whole numbers.")
    }
    let others = table.columns.filter {
      !columns.contains($0.name) && $0.isNotNull && !$0.hasDefault && !table.hasTriggers
    }
    for column in others {
      refuse(
        entity,
        "\(name).\(column.name) is NOT NULL and has no default, so that \(place) could add no links. Make an entity of the table."
      )
    }
    let (first, second) = side == 0 ? (columns[0], columns[1]) : (columns[1], columns[0])
    return MappedTables.Join(name: name, first: first, second: second)
  }
}
