// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// Makes a model of the tables of a store alone.
///
/// Rules:
/// 1. Nothing is guessed. A relationship is one only where a name holds the number of its entity; any other column
///    of keys is a column of numbers.
/// 2. Names are those of the tables, without the `Z`: `ZFIRSTNAME` becomes `FIRSTNAME`. The spelling of the
///    program's model is not in the file.
/// 3. The tables do not tell which entity of a tree declares a column, so the root declares it.
/// 4. A part that cannot be told or named is left out with a warning.
struct ModelInference {
  let catalog: TableCatalog
  /// The entities that have a place in the model, by their numbers in the store.
  private(set) var entities: [Int: EntityDescription] = [:]
  private var order: [Int] = []
  /// The number of the root of each entity.
  private var roots: [Int: Int] = [:]
  /// The numbers of the entities that have subentities.
  private var parents: Set<Int> = []
  private var warnings: [ModelWarning] = []
  private var silenced = 0
  /// The names of all properties of a tree, by the number of its root.
  private var taken: [Int: Set<String>] = [:]

  static func read(_ catalog: TableCatalog) throws(StoreError) -> ModelReading {
    var inference = ModelInference(catalog: catalog)
    try inference.placeEntities()
    for number in inference.order where inference.roots[number] == number {
      inference.addColumns(of: number)
    }
    inference.addJoins()
    return try inference.reading()
  }

  private init(catalog: TableCatalog) { self.catalog = catalog }

  private func reading() throws(StoreError) -> ModelReading {
    guard !order.isEmpty else {
      throw StoreError(
        .corrupt,
        "The store has no table of an entity, so that its model cannot be told from its tables. Open it with "
          + "the model of the program.")
    }
    var all = warnings
    if silenced > 0 {
      all.append(ModelWarning(.tooLarge, "\(silenced) more parts of the tables are left out."))
    }
    do throws(ModelError) {
      return ModelReading(
        model: try ManagedObjectModel(entities: order.compactMap { entities[$0] }), warnings: all)
    } catch {
      throw StoreError(
        .corrupt,
        "No model can be told from the tables of the store. Open it with the model of the program. \(error)",
        underlying: error)
    }
  }

  private static let mostWarnings = 100

  mutating func warn(
    _ code: ModelError.Code, _ entity: String?, _ property: String?, _ detail: String
  ) {
    if warnings.count < Self.mostWarnings {
      warnings.append(ModelWarning(code, entity: entity, property: property, detail))
    } else {
      silenced += 1
    }
  }

  // MARK: - Entities

  private mutating func placeEntities() throws(StoreError) {
    var known: [Int: TableCatalog.Entity] = [:]
    var names: Set<String> = []
    for entity in catalog.entities {
      guard known.updateValue(entity, forKey: entity.number) == nil,
        names.insert(entity.name).inserted
      else {
        throw StoreError(
          .corrupt,
          "The store lists the entity \(entity.name), or the number \(entity.number), twice. Restore a copy "
            + "of the store.")
      }
    }
    for entity in catalog.entities { try place(entity, known) }
  }

  private mutating func place(
    _ entity: TableCatalog.Entity, _ known: [Int: TableCatalog.Entity]
  ) throws(StoreError) {
    let line = try lineage(entity, known)
    let root = line[line.count - 1]
    if let unusable = line.first(where: { !isUsable($0.name) }) {
      return warn(
        .invalidName, entity.name, nil,
        "is left out, because \(unusable.name.debugDescription) cannot name an entity.")
    }
    if let (one, other) = line.lazy.compactMap(earlierOfSpelling).first {
      return warn(
        .duplicateName, entity.name, nil,
        "is left out, because \(other) differs from \(one) in case alone.")
    }
    guard let columns = catalog.tables[CoreDataLayout.tableName(root.name)], hasRowColumns(columns)
    else {
      return warn(
        .unknownEntity, entity.name, nil,
        "is left out, because the store has no table \(CoreDataLayout.tableName(root.name)) with the columns of rows."
      )
    }
    var description = EntityDescription(entity.name)
    description.superentityName = entity.parent.flatMap { known[$0]?.name }
    entities[entity.number] = description
    if let parent = entity.parent { parents.insert(parent) }
    roots[entity.number] = root.number
    order.append(entity.number)
  }

  /// The entity and those above it.
  private func lineage(
    _ entity: TableCatalog.Entity, _ known: [Int: TableCatalog.Entity]
  ) throws(StoreError) -> [TableCatalog.Entity] {
    var line = [entity]
    while let number = line[line.count - 1].parent {
      guard let above = known[number], line.count <= ModelLookup.deepestInheritance else {
        throw StoreError(
          .corrupt,
          "The entity \(entity.name) is below an entity that the store does not list, or below itself. "
            + "Restore a copy of the store.")
      }
      line.append(above)
    }
    return line
  }

  /// The entity with a smaller number whose name differs in case alone, before the entity itself. No model has both.
  private func earlierOfSpelling(_ entity: TableCatalog.Entity) -> (String, String)? {
    let name = entity.name.lowercased()
    let first = catalog.entities.first { $0.name.lowercased() == name }
    guard let first, first.number != entity.number else { return nil }
    return (first.name, entity.name)
  }

  private func isUsable(_ name: String) -> Bool {
    ModelNames.isIdentifier(name) && !ModelNames.isReserved(entity: name)
  }

  private func hasRowColumns(_ columns: [TableCatalog.Column]) -> Bool {
    CoreDataLayout.names.row.all.allSatisfy { name in columns.contains { $0.name == name } }
  }

  /// The entity with a number in the store; nil if it has no place in the model.
  func name(of number: Int) -> String? { entities[number]?.name }

  /// Whether other entities of the model are below the entity.
  func hasSubentities(_ number: Int) -> Bool { parents.contains(number) }

  // MARK: - Properties

  /// Claims the name of a property in the whole tree of an entity. The tree's tables could not tell two of one name
  /// apart. A name in small letters would name a column in capitals, and is refused.
  mutating func claim(_ name: String, in number: Int) -> Bool {
    guard ModelNames.isIdentifier(name), !ModelNames.isReserved(property: name),
      name == name.uppercased(), let root = roots[number]
    else { return false }
    return taken[root, default: []].insert(name).inserted
  }

  mutating func add(_ attribute: AttributeDescription, to number: Int) {
    entities[number]?.attributes.append(attribute)
  }

  mutating func add(_ relationship: RelationshipDescription, to number: Int) {
    entities[number]?.relationships.append(relationship)
  }

  private mutating func addColumns(of root: Int) {
    guard let entity = entities[root],
      let columns = catalog.tables[CoreDataLayout.tableName(entity.name)]
    else { return }
    let own = columns.filter { !CoreDataLayout.names.row.all.contains($0.name) }
    let names = Set(own.map(\.name))
    let links = own.compactMap { NumberedName(column: $0.name, among: names) }
    let used = addLinks(links, of: root)
    for column in own where !used.contains(column.name) {
      addAttribute(column, of: root, entity.name)
    }
  }

  private mutating func addAttribute(
    _ column: TableCatalog.Column, of root: Int, _ entity: String
  ) {
    guard let type = Self.type(declared: column.type) else {
      return warn(
        .unsupportedType, entity, column.name,
        "is left out, because no column of Core Data has the type \(column.type.debugDescription).")
    }
    let name = String(column.name.dropFirst())
    guard column.name.hasPrefix("Z"), claim(name, in: root) else {
      return warn(
        .invalidName, entity, column.name,
        "is left out, because the rest of its name after the Z cannot name a property.")
    }
    add(AttributeDescription(name, type, isOptional: true), to: root)
  }

  /// The type of a column's values. Several types of attributes share one type of column; the widest is taken.
  private static func type(declared: String) -> AttributeType? {
    switch declared.uppercased() {
    case "INTEGER": .integer64
    case "FLOAT": .double
    case "TIMESTAMP": .date
    case "DECIMAL": .decimal
    case "VARCHAR": .string
    case "BLOB": .binary
    default: nil
    }
  }
}
