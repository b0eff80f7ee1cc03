// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL

/// The statements that make the tables of a model, as an administrator would read them.
struct ServerSchema {
  private let server: ServerLayout
  private let dialect = PostgreSQLDialect()
  private var layout: StoreLayout { server.layout }
  private var model: ManagedObjectModel { server.model }

  init(_ layout: ServerLayout) { server = layout }

  /// All statements: tables before what refers to them.
  var statements: [String] { statementsOfRows + bookkeeping }

  /// The statements for the tables of rows and links.
  var statementsOfRows: [String] {
    layout.tables.map(creation) + layout.joins.map(creation) + partStatements + comments
  }

  /// `COMMENT ON COLUMN pet.name IS 'What it is called.'`, of the documentation that the model carries.
  var comments: [String] {
    layout.tables.flatMap { table in
      let root = model.shape(numbered: table.rootEntity)
      let notes = root.description.userInfo[SchemaNote.documentation]
      let own = notes.map { ["COMMENT ON TABLE \(name(table.name)) IS \(dialect.literal($0))"] }
      return (own ?? [])
        + zip(root.layout.slots, table.columns).compactMap { slot, column in
          guard let note = slot.notes[SchemaNote.documentation] else { return nil }
          return
            "COMMENT ON COLUMN \(name(table.name)).\(name(column.name)) IS \(dialect.literal(note))"
        }
    }
  }

  private var partStatements: [String] {
    parts.map { $0.part.creation($0.name, layout.names, dialect) }
  }

  /// A constraint or an index with its name.
  struct NamedPart: Hashable {
    let name: String
    let part: SchemaPart
  }

  /// All constraints and indexes but the primary keys, in the order in which they are made.
  var parts: [NamedPart] { Self.toldApart(constraints + references + joinReferences + indexes) }

  /// Numbers those whose names are the same once they are folded: the index `uuid` of `FaceAlbum`, and `albumUUID` of `Face`.
  private static func toldApart(_ parts: [NamedPart]) -> [NamedPart] {
    var taken: Set<String> = []
    var numbers: [String: Int] = [:]
    return parts.map { part in
      var name = part.name
      while !taken.insert(name).inserted {
        numbers[part.name, default: 1] += 1
        name = ServerNames.shortened("\(part.name)_\(numbers[part.name, default: 1])")
      }
      return NamedPart(name: name, part: part.part)
    }
  }

  private func name(_ text: String) -> String { dialect.quoted(text) }
  private func names(_ texts: [String]) -> String { texts.map(name).joined(separator: ", ") }

  // MARK: - Tables

  func creation(of table: StoreLayout.Table) -> String {
    let slots = model.shape(numbered: table.rootEntity).layout.slots
    let row = layout.names.row
    var lines = [
      "\(name(row.key)) bigint PRIMARY KEY", "\(name(row.entity)) text NOT NULL",
      "\(name(row.version)) bigint NOT NULL",
    ]
    for (slot, column) in zip(slots, table.columns) {
      lines.append("\(name(column.name)) \(ServerType(of: slot).declaration)")
      if let entity = column.entityColumn { lines.append("\(name(entity)) text") }
    }
    return "CREATE TABLE \(name(table.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  func creation(of join: StoreLayout.JoinTable) -> String {
    var lines = join.columns.map { "\(name($0)) bigint NOT NULL" }
    lines.append("PRIMARY KEY (\(names([join.first, join.second])))")
    return "CREATE TABLE \(name(join.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  // MARK: - Constraints

  private var constraints: [NamedPart] {
    server.constraints.sorted { $0.key < $1.key }.map { key, constraint in
      let shape = model.shape(numbered: constraint.entity)
      let kind: SchemaPart.Kind =
        shape.superNumber == 0
        ? .unique : .exclusion(among: shape.family.map(layout.entityMark))
      let table = layout.table(ofEntity: constraint.entity).name
      return NamedPart(
        name: key, part: SchemaPart(kind: kind, table: table, columns: constraint.columns))
    }
  }

  /// References that lead to a row of their destination. A relationship without an inverse, or with the rule "no action",
  /// may lead nowhere.
  private var references: [NamedPart] {
    layout.tables.flatMap { table in
      let slots = model.shape(numbered: table.rootEntity).layout.slots
      return zip(slots, table.columns).compactMap { slot, column -> NamedPart? in
        guard case .toOne(let relationship) = slot.role, column.destination > 0,
          leadsSomewhere(relationship, to: column.destination)
        else { return nil }
        return reference(
          table.name, column.name, to: column.destination, cascades: false)
      }
    }
  }

  /// The links of a deleted row go with it.
  private var joinReferences: [NamedPart] {
    zip(layout.joins, model.joins).flatMap { join, shape in
      [(join.first, shape.first), (join.second, shape.second)].map { column, side in
        reference(join.name, column, to: side.entity, cascades: true)
      }
    }
  }

  private func reference(
    _ table: String, _ column: String, to entity: Int, cascades: Bool
  ) -> NamedPart {
    let other = layout.table(ofEntity: entity).name
    return NamedPart(
      name: ServerNames.shortened("\(table)_\(column)_fkey"),
      part: SchemaPart(
        kind: .reference(to: other, cascades: cascades), table: table, columns: [column]))
  }

  private func leadsSomewhere(_ relationship: RelationshipDescription, to entity: Int) -> Bool {
    guard relationship.deleteRule != .noAction, let inverse = relationship.inverseName,
      case .relationship(let other)? = model.shape(numbered: entity)[inverse]
    else { return false }
    return other.description.deleteRule != .noAction && !other.description.isTransient
  }

  // MARK: - Indexes

  private var indexes: [NamedPart] {
    layout.tables.flatMap { table in
      table.columns.filter { $0.destination > 0 }.map { index(table.name, [$0.name]) }
        + (table.hasSubentities ? [index(table.name, [layout.names.row.entity])] : [])
        + modelIndexes(of: table)
    }
      + layout.joins.map { join in
        index(join.name, [join.second, join.first], join.second)
      }
  }

  private func index(
    _ table: String, _ columns: [String], _ end: String? = nil
  ) -> NamedPart {
    let end = end ?? columns.joined(separator: "_")
    return NamedPart(
      name: ServerNames.shortened("\(table)_\(end)_idx"),
      part: SchemaPart(
        kind: .index(endings: columns.map { _ in "" }), table: table, columns: columns))
  }

  /// The model's indexes over columns.
  private func modelIndexes(of table: StoreLayout.Table) -> [NamedPart] {
    model.shape(numbered: table.rootEntity).family.map(model.shape(numbered:)).flatMap { shape in
      shape.description.indexes.compactMap { index -> NamedPart? in
        let slots = index.elements.compactMap { shape.slot(named: $0.property) }
        guard slots.count == index.elements.count else { return nil }
        // Orders put nil before everything else, and a server behind it unless it is told.
        let endings = index.elements.map {
          $0.isAscending ? " NULLS FIRST" : " DESC NULLS LAST"
        }
        return NamedPart(
          name: ServerNames.shortened(
            "\(ServerNames.folded(shape.name))_\(ServerNames.folded(index.name))_model_idx"),
          part: SchemaPart(
            kind: .index(endings: endings), table: table.name,
            columns: slots.map { table.columns[$0].name }))
      }
    }
  }

  // MARK: - Bookkeeping

  private var bookkeeping: [String] {
    let (counters, metadata) = (layout.names.counters, layout.names.metadata)
    return [
      """
      CREATE TABLE \(name(metadata.table)) (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        \(name(metadata.version)) bigint NOT NULL,
        \(name(metadata.identifier)) uuid NOT NULL,
        migrations bigint NOT NULL DEFAULT 0,
        model bytea NOT NULL,
        \(name(metadata.contents)) bytea NOT NULL
      )
      """,
      """
      CREATE TABLE \(name(counters.table)) (
        \(name(counters.entity)) text PRIMARY KEY,
        \(name(counters.maximum)) bigint NOT NULL
      )
      """,
      """
      CREATE TABLE \(name(ServerLayout.clients)) (
        id uuid PRIMARY KEY,
        last_write bigint NOT NULL,
        seen timestamptz NOT NULL DEFAULT now()
      )
      """,
    ]
  }
}

extension RowLayout.Slot {
  /// The notes of the model about the property.
  fileprivate var notes: [String: String] {
    switch role {
    case .attribute(let attribute): attribute.userInfo
    case .toOne(let relationship), .owner(_, let relationship): relationship.userInfo
    case .position: [:]
    }
  }
}
