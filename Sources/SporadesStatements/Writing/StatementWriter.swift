// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesSQL
import SporadesStore

/// Writes a query in the names of one store.
struct StatementWriter {
  let context: ManagedObjectContext
  let layout: StoreLayout
  let dialect: any SQLDialect
  /// The number of the store in the keys of a coordinator.
  let store: Int
  private var sql = SQLFragment()
  /// The names of properties by the text of their columns, as the database names the columns of its answer.
  private(set) var properties: [String: String] = [:]

  init(
    _ query: SQLQuery, in context: ManagedObjectContext, _ layout: StoreLayout,
    _ dialect: any SQLDialect, store: Int
  ) throws {
    self.context = context
    self.layout = layout
    self.dialect = dialect
    self.store = store
    var isQualified = false
    for part in query.parts {
      try write(part, behindPoint: isQualified)
      guard case .text(let text) = part else {
        isQualified = false
        continue
      }
      isQualified = text.last == "."
    }
  }

  var statement: SQLStatement { sql.rendered(in: dialect) }

  private mutating func write(_ part: SQLQuery.Part, behindPoint isQualified: Bool) throws {
    switch part {
    case .text(let text): sql += SQLFragment(text: text)
    case .table(let type, let alias):
      sql += table(try shape(of: type))
      write(alias: alias)
    case .column(let type, let names, let alias):
      try write(column: names, of: shape(of: type), alias, behindPoint: isQualified)
    case .links(let type, let names, let alias):
      sql += try links(names, of: shape(of: type))
      write(alias: alias)
    case .value(.list(let values)):
      sql += "(\(try values.map { "\(try parameter($0))" as SQLFragment }.joined(by: ", ")))"
    case .value(let value): sql += "\(try parameter(value))"
    case .refused(let error): throw SQLQueryError(.interpolation, error.description)
    }
  }

  private mutating func write(alias: String?) {
    if let alias { sql += " AS \(name: alias)" }
  }

  // MARK: - Tables

  private func shape(of type: ManagedObject.Type) throws -> EntityShape {
    let shape = try context.shape(for: type)
    guard layout.storeNumber(shape.number) > 0 else {
      throw SQLQueryError(.interpolation, "The store does not hold \(shape.name).")
    }
    return shape
  }

  /// `ZPET`, or the rows of some entities of a shared table in parentheses.
  private func table(_ shape: EntityShape) -> SQLFragment {
    let name = layout.table(ofEntity: shape.number).name
    let root = context.model.shape(numbered: shape.rootNumber)
    guard shape.family != root.family else { return "\(name: name)" }
    let numbers = shape.family.map { String(layout.storeNumber($0)) }.joined(separator: ", ")
    let entity = layout.names.row.entity
    return "(SELECT * FROM \(name: name) WHERE \(name: entity) IN (\(sql: numbers)))"
  }

  private func links(_ names: [String], of shape: EntityShape) throws -> SQLFragment {
    guard names.count == 1, case .relationship(let relationship)? = shape[names[0]],
      case .join(let number, let isFirst) = relationship.storage
    else {
      throw SQLQueryError(
        .interpolation,
        "\(Self.path(names, of: shape)) is no many-to-many relationship, so no table holds its links. Compare the column of "
          + "its to-one side.")
    }
    let join = layout.joins[number]
    let (owner, member) = isFirst ? (join.first, join.second) : (join.second, join.first)
    // The place of a member among the owner's members.
    let position = isFirst ? join.secondPosition : join.firstPosition
    let places: SQLFragment = position.map { ", \(name: $0) AS position" } ?? ""
    return
      "(SELECT \(name: owner) AS owner, \(name: member) AS member\(places) FROM \(name: join.name))"
  }

  // MARK: - Columns

  private mutating func write(
    column names: [String], of shape: EntityShape, _ alias: String?, behindPoint: Bool
  ) throws {
    let table = layout.table(ofEntity: shape.number)
    let qualifier: SQLFragment = alias.map { "\(name: $0)." } ?? ""
    guard let last = names.last else {
      sql += "\(qualifier)\(name: layout.names.row.key)"
      properties[layout.names.row.key] = "objectID"
      return
    }
    let column = table.columns[try slot(names, of: shape)]
    guard column.isExternal else {
      sql += "\(qualifier)\(name: column.name)"
      properties[column.name] = last
      return
    }
    // The value may lie in a file beside the store.
    guard !behindPoint else {
      throw SQLQueryError(
        .interpolation,
        "\(Self.path(names, of: shape)) may lie in a file, and is read by a function. Name its table in the "
          + "interpolation: \\(\\\(shape.name).\(last), of: \"…\").")
    }
    let value: SQLFragment = "\(sql: SQLFunction.bytes)(\(qualifier)\(name: column.name))"
    sql += value
    properties[value.text(in: dialect)] = last
  }

  private func slot(_ names: [String], of shape: EntityShape) throws -> Int {
    switch shape[names[0]] {
    case .attribute(var attribute)?:
      for name in names.dropFirst() {
        guard let element = attribute.elements.first(where: { $0.name == name }) else { break }
        attribute = element
      }
      if let slot = attribute.slot { return slot }
      throw SQLQueryError(
        .interpolation,
        "\(Self.path(names, of: shape)) has no column of its own: it is transient, or a composite, whose attributes have "
          + "columns.")
    case .relationship(let relationship)?:
      guard names.count == 1 else {
        throw SQLQueryError(
          .interpolation,
          "\(Self.path(names, of: shape)) leads to another table. Join it: its key is \\(\\Class.objectID)."
        )
      }
      if case .reference(let slot, _) = relationship.storage { return slot }
      throw SQLQueryError(
        .interpolation,
        "\(Self.path(names, of: shape)) leads to many objects, so no column holds it. Join their table by the column of "
          + "the inverse, or write \\(links: …) for a many-to-many relationship.")
    default:
      throw SQLQueryError(.interpolation, "\(Self.path(names, of: shape)) is kept by no store.")
    }
  }

  private static func path(_ names: [String], of shape: EntityShape) -> String {
    "\(shape.name).\(names.joined(separator: "."))"
  }

  // MARK: - Values

  private func parameter(_ value: Value) throws -> SQLValue {
    guard case .objectID(let id) = value else { return SQLValue(value) }
    guard !id.isTemporaryID else {
      throw SQLQueryError(
        .interpolation,
        "An object of \(id.entityName) is new, so no row has its key. Save it first.")
    }
    guard id.scope == context.objectScope, id.key.store == store else {
      throw SQLQueryError(
        .interpolation,
        "An object of \(id.entityName) belongs to another store than the one that is asked.")
    }
    return .integer(id.key.primaryKey)
  }
}
