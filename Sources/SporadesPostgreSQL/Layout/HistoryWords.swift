// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// What the history of a model notes: which relationships a changed reference or link changes on the other side, and which
/// values outlive an object. Computed once at opening.
struct HistoryWords: Sendable {
  /// The identifier of the program's bundle; nil if it has none.
  let bundle: String?
  private let trees: [Int: Tree]
  private let joins: [(first: [String], second: [String])]
  /// The properties by their slots, for each entity.
  private let properties: [[Int: String]]

  /// A tree of entities, whose rows are in one table.
  struct Tree: Sendable {
    /// The references whose destinations have a relationship back, by their slots.
    let references: [Int: Reference]
    /// The links to objects that have a relationship back.
    let links: [Link]
    /// The kept values of a row `t` as an array of names and values; nil if no entity keeps any.
    let kept: String?
    let table: String
  }

  /// A reference with the relationships that lead back.
  struct Reference: Sendable {
    let names: [String]
    let column: String
    /// The name of the entity of the object that a row `t` refers to.
    let entity: String
    /// The same where the column is null.
    let destination: String
  }

  /// One side of a join.
  struct Link: Hashable, Sendable {
    let names: [String]
    let table: String
    let own: String
    let other: String
    let otherTable: String
  }

  init(_ server: ServerLayout, bundle: String?) {
    self.bundle = bundle
    let (model, layout) = (server.model, server.layout)
    let joins = model.joins.map { join in
      func names(_ side: JoinShape.Side, isFirst: Bool) -> [String] {
        Self.names(of: join, at: side, isFirst: isFirst, model)
      }
      return (first: names(join.first, isFirst: true), second: names(join.second, isFirst: false))
    }
    self.joins = joins
    let pairs = layout.tables.map { table in
      (table.rootEntity, Self.tree(of: table, joins, model, layout))
    }
    trees = Dictionary(uniqueKeysWithValues: pairs)
    properties = model.shapes.map(Self.properties)
  }

  func tree(ofRoot root: Int) -> Tree? { trees[root] }

  /// The relationships of the objects on one side of a join.
  func names(ofJoin join: Int, isFirst: Bool) -> [String] {
    isFirst ? joins[join].first : joins[join].second
  }

  func properties(ofEntity entity: Int) -> [Int: String] { properties[entity - 1] }

  // MARK: - Made of a model

  private static func names(
    of join: JoinShape, at side: JoinShape.Side, isFirst: Bool, _ model: ManagedObjectModel
  ) -> [String] {
    model.shape(numbered: side.entity).relationships.filter { relationship in
      guard case .join(join.index, let own) = relationship.storage else { return false }
      return join.isReflexive || own == isFirst
    }.map(\.name)
  }

  private static func tree(
    of table: StoreLayout.Table, _ joins: [(first: [String], second: [String])],
    _ model: ManagedObjectModel, _ layout: StoreLayout
  ) -> Tree {
    let dialect = PostgreSQLDialect()
    let root = model.shape(numbered: table.rootEntity)
    var references: [Int: Reference] = [:]
    for slot in root.layout.referenceSlots {
      let column = table.columns[slot]
      guard column.destination > 0 else { continue }
      let destination = model.shape(numbered: column.destination)
      let names = destination.relationships.filter { relationship in
        guard case .inverseReference(slot, _) = relationship.storage else { return false }
        return model.shape(numbered: relationship.destination).rootNumber == root.number
      }.map(\.name)
      guard !names.isEmpty else { continue }
      references[slot] = Reference(
        names: names, column: dialect.quoted(column.name),
        entity: column.entityColumn.map { "t.\(dialect.quoted($0))" }
          ?? dialect.literal(destination.name), destination: destination.name)
    }
    return Tree(
      references: references, links: links(of: root, joins, model, layout),
      kept: kept(root, table, model), table: dialect.quoted(table.name))
  }

  private static func links(
    of root: EntityShape, _ names: [(first: [String], second: [String])],
    _ model: ManagedObjectModel, _ layout: StoreLayout
  ) -> [Link] {
    let dialect = PostgreSQLDialect()
    return zip(model.joins, layout.joins).flatMap { join, table -> [Link] in
      func link(
        _ own: String, _ other: String, _ side: JoinShape.Side, _ names: [String]
      ) -> Link {
        Link(
          names: names, table: dialect.quoted(table.name), own: dialect.quoted(own),
          other: dialect.quoted(other),
          otherTable: dialect.quoted(layout.table(ofEntity: side.entity).name))
      }
      var links: [Link] = []
      if root.family.contains(join.first.entity) {
        links.append(link(table.first, table.second, join.second, names[join.index].second))
      }
      // A reflexive join has each link twice.
      if !join.isReflexive, root.family.contains(join.second.entity) {
        links.append(link(table.second, table.first, join.first, names[join.index].first))
      }
      return links.filter { !$0.names.isEmpty }
    }
  }

  /// `CASE t.row_entity WHEN 'Note' THEN ARRAY['title', t.title, 'day', …] END`
  private static func kept(
    _ root: EntityShape, _ table: StoreLayout.Table, _ model: ManagedObjectModel
  ) -> String? {
    let dialect = PostgreSQLDialect()
    let terms = root.family.map(model.shape(numbered:)).compactMap { shape -> String? in
      let values = shape.keptInHistory.compactMap { attribute -> String? in
        guard let slot = attribute.slot else { return nil }
        let column = "t.\(dialect.quoted(table.columns[slot].name))"
        return "\(dialect.literal(attribute.name)), \(KeptText.term(column, attribute.type))"
      }
      guard !values.isEmpty else { return nil }
      return "WHEN \(dialect.literal(shape.name)) THEN ARRAY[\(values.joined(separator: ", "))]"
    }
    guard !terms.isEmpty else { return nil }
    return "CASE t.\(ServerLayout.names.row.entity) \(terms.joined(separator: " ")) END"
  }

  private static func properties(_ shape: EntityShape) -> [Int: String] {
    var names: [Int: String] = [:]
    for (slot, place) in shape.layout.slots.enumerated() {
      guard case .attribute = place.role else { continue }
      // An element of a composite attribute stands for the attribute.
      names[slot] = place.name.split(separator: ".").first.map(String.init)
    }
    for relationship in shape.relationships {
      guard case .reference(let slot, let position) = relationship.storage else { continue }
      names[slot] = relationship.name
      if let position { names[position] = relationship.name }
    }
    return names
  }
}
