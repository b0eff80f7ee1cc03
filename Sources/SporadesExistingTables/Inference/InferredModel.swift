// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesPostgreSQL
import SporadesStore

/// A model made of the tables of an existing database, which opens a store over them.
///
/// ```swift
/// let inferred = try PostgreSQLStore.inferredModel(at: "postgresql://db.example.com/shop")
/// print(inferred.omissions)
/// let store = try PostgreSQLStore("postgresql://db.example.com/shop", model: inferred.model)
/// ```
public struct InferredModel: Sendable {
  /// The model, whose user info says where the rows are.
  public let model: ManagedObjectModel
  /// What the model leaves out of the tables, each in a sentence.
  public let omissions: [String]
}

/// Makes entities of the tables of a catalog.
struct ModelInference {
  let tables: [CatalogTable]
  private(set) var omissions: [String] = []
  /// The entities of tables, by the names of both.
  private(set) var entityNames: [TableName: String] = [:]
  private var descriptions: [TableName: EntityDescription] = [:]

  init(_ catalog: TableCatalog) {
    // Tables of a store's own are no tables of a program.
    tables = catalog.tables.values.filter {
      $0.isPlain && !$0.name.table.hasPrefix("sporades_")
    }.sorted { $0.name < $1.name }
  }

  mutating func omit(_ detail: String) { omissions.append(detail) }

  mutating func change(
    _ table: TableName, _ body: (inout EntityDescription) -> Void
  ) {
    guard var entity = descriptions[table] else { return }
    body(&entity)
    descriptions[table] = entity
  }

  func names(in table: TableName) -> Set<String> {
    Set(descriptions[table]?.propertyNames ?? [])
  }

  // MARK: - Entities

  mutating func entities() -> [EntityDescription] {
    let joins = tables.filter { linkTables.contains($0.name) }
    let rows = tables.filter { !linkTables.contains($0.name) }
    var taken: Set<String> = []
    for table in rows {
      guard table.primaryKey.count == 1, let key = table[column: table.primaryKey[0]],
        key.integerRange != nil
      else {
        omit("\(table.name) is left out: it has no primary key of one whole number.")
        continue
      }
      var name = InferredNames.entity(table.name.table)
      while ModelNames.isReserved(entity: name) || !taken.insert(name).inserted { name += "Row" }
      entityNames[table.name] = name
    }
    let kept = rows.filter { entityNames[$0.name] != nil }
    for table in kept { descriptions[table.name] = entity(of: table) }
    for table in kept { addReferences(of: table) }
    for table in joins { addLinks(of: table) }
    for table in kept { addConstraints(of: table) }
    return kept.compactMap { descriptions[$0.name] }
  }

  private mutating func entity(of table: CatalogTable) -> EntityDescription {
    var entity = EntityDescription(entityNames[table.name] ?? "")
    var notes = [MappingNote.table: table.name.table, MappingNote.schema: table.name.schema]
    notes[MappingNote.key] = table.primaryKey[0]
    notes[SchemaNote.documentation] = table.comment
    // Rails raises it with each change.
    if let version = table[column: "lock_version"], version.integerRange != nil, version.isNotNull {
      notes[MappingNote.version] = version.name
    }
    entity.userInfo = notes
    let references = Set(
      table.references.filter { leadsToEntity($0, from: table) }.flatMap(\.columns))
    for column in table.columns
    where !table.primaryKey.contains(column.name) && !references.contains(column.name)
      && column.name != notes[MappingNote.version]
    {
      guard let attribute = attribute(of: column, in: table, beside: Set(entity.propertyNames))
      else {
        omit(
          "\(table.name).\(column.name) is left out: no attribute has values of type \(column.declared)."
        )
        continue
      }
      entity.attributes.append(attribute)
    }
    return entity
  }

  private func attribute(
    of column: CatalogColumn, in table: CatalogTable, beside others: Set<String>
  ) -> AttributeDescription? {
    guard let type = column.attributeType else { return nil }
    let name = InferredNames.property(column.name, in: table.name.table, beside: others)
    var attribute = AttributeDescription(name, type, isOptional: !column.isNotNull)
    if let value = column.literalDefault(type) {
      attribute.defaultValue = value
    } else if column.hasDefault {
      // The database has the value of a new row.
      attribute.isOptional = true
    }
    attribute.userInfo[MappingNote.column] = column.name
    attribute.userInfo[SchemaNote.documentation] = column.comment
    if column.isGenerated { attribute.userInfo[MappingNote.isReadOnly] = "YES" }
    return attribute
  }

  // MARK: - Questions

  /// Whether a foreign key is one column that holds the primary key of an entity's row, and is no key itself.
  func leadsToEntity(_ reference: CatalogTable.Reference, from table: CatalogTable) -> Bool {
    guard reference.columns.count == 1, reference.columns != table.primaryKey,
      let destination = tables.first(where: { $0.name == reference.destination })
    else { return false }
    return entityNames[reference.destination] != nil
      && reference.destinationColumns == destination.primaryKey
      && table[column: reference.columns[0]]?.integerRange != nil
  }

  /// The tables that hold links and nothing that needs a value, and to which nothing leads.
  private var linkTables: Set<TableName> {
    let led = Set(tables.flatMap { $0.references.map(\.destination) })
    return Set(
      tables.filter { table in
        let links = table.references.map(\.columns)
        guard links.count == 2, links.allSatisfy({ $0.count == 1 }), !led.contains(table.name)
        else { return false }
        let pair = Set(links.flatMap(\.self))
        let isUnique = (table.uniques.map(\.columns) + [table.primaryKey]).contains {
          Set($0) == pair
        }
        let others = table.columns.filter { !pair.contains($0.name) }
        let needNothing = others.allSatisfy { $0.isNotNull && $0.hasDefault }
        return pair.count == 2 && needNothing && (isUnique || others.isEmpty)
      }.map(\.name))
  }
}

extension CatalogColumn {
  /// The type of an attribute that has all values of the column; nil if there is none.
  var attributeType: AttributeType? {
    if isEnum { return .string }
    return switch type {
    case "int2": .integer16
    case "int4": .integer32
    case "int8": .integer64
    case "float4": .float
    case "float8": .double
    case "numeric": .decimal
    case "bool": .boolean
    case "text", "varchar", "bpchar", "citext", "name", "json", "jsonb": .string
    case "date", "timestamp", "timestamptz": .date
    case "uuid": .uuid
    case "bytea": .binary
    default: nil
    }
  }

  /// The default that the catalog gives as a literal: `0`, `true`, `'new'::character varying`.
  func literalDefault(_ type: AttributeType) -> Value? {
    guard let text = defaultText, !isGenerated else { return nil }
    switch type {
    case .integer16, .integer32, .integer64:
      return Int64(text).flatMap { type.integerRange.contains($0) ? .integer($0) : nil }
    case .boolean: return ["true": true, "false": false][text].map { .boolean($0) }
    case .string:
      guard text.hasPrefix("'"), let end = text.dropFirst().firstIndex(of: "'") else { return nil }
      let behind = text[text.index(after: end)...]
      // A quote or a backslash within the text has a spelling of its own.
      guard behind.isEmpty || behind.hasPrefix("::"), !behind.contains("'") else { return nil }
      return .string(String(text[text.index(after: text.startIndex)..<end]))
    default: return nil
    }
  }
}
