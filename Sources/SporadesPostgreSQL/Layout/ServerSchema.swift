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
  var statements: [String] {
    layout.tables.map(table) + zip(layout.joins, model.joins).map(join) + constraints + references
      + indexes
      + bookkeeping
  }

  private func name(_ text: String) -> String { dialect.quoted(text) }
  private func names(_ texts: [String]) -> String { texts.map(name).joined(separator: ", ") }

  // MARK: - Tables

  private func table(_ table: StoreLayout.Table) -> String {
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

  /// The links of a deleted row go with it.
  private func join(_ join: StoreLayout.JoinTable, _ shape: JoinShape) -> String {
    var lines = [(join.first, shape.first), (join.second, shape.second)].map { column, side in
      "\(name(column)) bigint NOT NULL REFERENCES "
        + "\(name(layout.table(ofEntity: side.entity).name)) ON DELETE CASCADE \(Self.deferred)"
    }
    lines += [join.firstPosition, join.secondPosition].compactMap(\.self).map {
      "\(name($0)) bigint NOT NULL"
    }
    lines.append("PRIMARY KEY (\(names([join.first, join.second])))")
    return "CREATE TABLE \(name(join.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// A save may pass through states that the constraint forbids.
  private static let deferred = "DEFERRABLE INITIALLY DEFERRED"

  // MARK: - Constraints

  private var constraints: [String] {
    server.constraints.sorted { $0.key < $1.key }.map { key, constraint in
      let shape = model.shape(numbered: constraint.entity)
      let table = layout.table(ofEntity: constraint.entity)
      let isOfAll = shape.superNumber == 0
      let rule =
        isOfAll
        ? "UNIQUE (\(names(constraint.columns)))"
        : "EXCLUDE USING btree ("
          + constraint.columns.map { "\(name($0)) WITH =" }.joined(separator: ", ")
          + ") WHERE (\(name(layout.names.row.entity)) IN ("
          + shape.family.map(layout.entityMark).joined(separator: ", ") + "))"
      return "ALTER TABLE \(name(table.name)) ADD CONSTRAINT \(name(key)) \(rule) \(Self.deferred)"
    }
  }

  /// References that lead to a row of their destination. A relationship without an inverse, or with the rule "no action",
  /// may lead nowhere.
  private var references: [String] {
    layout.tables.flatMap { table in
      let slots = model.shape(numbered: table.rootEntity).layout.slots
      return zip(slots, table.columns).compactMap { slot, column -> String? in
        guard case .toOne(let relationship) = slot.role, column.destination > 0,
          leadsSomewhere(relationship, to: column.destination)
        else { return nil }
        let key = ServerNames.shortened("\(table.name)_\(column.name)_fkey")
        let other = layout.table(ofEntity: column.destination).name
        return "ALTER TABLE \(name(table.name)) ADD CONSTRAINT \(name(key)) FOREIGN KEY "
          + "(\(name(column.name))) REFERENCES \(name(other)) \(Self.deferred)"
      }
    }
  }

  private func leadsSomewhere(_ relationship: RelationshipDescription, to entity: Int) -> Bool {
    guard relationship.deleteRule != .noAction, let inverse = relationship.inverseName,
      case .relationship(let other)? = model.shape(numbered: entity)[inverse]
    else { return false }
    return other.description.deleteRule != .noAction && !other.description.isTransient
  }

  // MARK: - Indexes

  private var indexes: [String] {
    layout.tables.flatMap { table in
      table.columns.filter { $0.destination > 0 }.map { index(on: table, [$0.name], "") }
        + (table.hasSubentities ? [index(on: table, [layout.names.row.entity], "")] : [])
        + modelIndexes(of: table)
    }
      + layout.joins.map { join in
        let key = ServerNames.shortened("\(join.name)_\(join.second)_idx")
        return "CREATE INDEX \(name(key)) ON \(name(join.name)) "
          + "(\(names([join.second, join.first])))"
      }
  }

  private func index(
    on table: StoreLayout.Table, _ columns: [String], _ ends: String
  ) -> String {
    let key = ServerNames.shortened("\(table.name)_\(columns.joined(separator: "_"))_idx")
    return "CREATE INDEX \(name(key)) ON \(name(table.name)) (\(names(columns)))\(ends)"
  }

  /// The model's indexes over columns.
  private func modelIndexes(of table: StoreLayout.Table) -> [String] {
    model.shape(numbered: table.rootEntity).family.map(model.shape(numbered:)).flatMap { shape in
      shape.description.indexes.compactMap { index -> String? in
        let terms = index.elements.compactMap { element -> String? in
          guard let slot = shape.slot(named: element.property) else { return nil }
          return name(table.columns[slot].name) + (element.isAscending ? "" : " DESC")
        }
        guard terms.count == index.elements.count else { return nil }
        let key = ServerNames.shortened(
          "\(ServerNames.folded(shape.name))_\(ServerNames.folded(index.name))_model_idx")
        return "CREATE INDEX \(name(key)) ON \(name(table.name)) (\(terms.joined(separator: ", ")))"
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
