// SPDX-License-Identifier: MIT
import SporadesModel

// The indexes of a new store.
extension CreateStatements {
  /// The indexes of one table after the other: its references, its joins, then the indexes and constraints of its
  /// entities.
  package var indexes: [SQLStatement] {
    let joins = joins
    return tables(held: true).flatMap { table in
      referenceIndexes(of: table) + (joins[table.rootEntity] ?? []).map(index(of:))
        + model.shape(numbered: table.rootEntity).family.flatMap {
          entityIndexes(of: model.shape(numbered: $0))
        }
    }.map { $0.rendered(in: dialect) }
  }

  private func index(of join: StoreLayout.JoinTable) -> SQLFragment {
    let name = scheme.indexName(ofReference: join.second, in: join.name)
    return """
      CREATE INDEX \(name: name) ON \(name: join.name) (\(names: [join.second, join.first]))
      """
  }

  private func referenceIndexes(of table: StoreLayout.Table) -> [SQLFragment] {
    let references = columnOrder(of: table).map { table.columns[$0] }
      .filter { $0.destination > 0 }
    let entity = table.hasSubentities ? [layout.names.row.entity] : []
    return (references.map(\.name) + entity).map {
      let name = scheme.indexName(ofReference: $0, in: table.name)
      return "CREATE INDEX \(name: name) ON \(name: table.name) (\(name: $0))"
    }
  }

  private func entityIndexes(of shape: EntityShape) -> [SQLFragment] {
    let table = layout.table(ofEntity: shape.number)
    let indexes = shape.description.indexes.filter { !isOfReference($0, shape) }.compactMap {
      index in
      statement(
        forIndex: scheme.indexName(index.name, of: shape.name), on: table, shape, index.elements
      ).map { "\($0)\(condition(of: index, shape, table))" as SQLFragment }
    }
    let constraints = shape.description.uniquenessConstraints.compactMap { names in
      statement(
        forIndex: scheme.constraintName(names, of: shape.name), isUnique: true, on: table, shape,
        names.map { .init($0) })
    }
    return indexes + constraints
  }

  /// ` WHERE …` for a partial index.
  private func condition(
    of index: FetchIndexDescription, _ shape: EntityShape, _ table: StoreLayout.Table
  ) -> SQLFragment {
    let condition = PartialIndexCondition { columnName(of: $0, shape, table) }
    return index.partialIndexPredicate.flatMap(condition.sql).map { " WHERE \($0)" } ?? ""
  }

  /// A reference has an index already, so that Core Data makes no second one over it alone.
  private func isOfReference(_ index: FetchIndexDescription, _ shape: EntityShape) -> Bool {
    guard index.elements.count == 1, index.elements[0].isAscending,
      index.partialIndexPredicate == nil,
      case .relationship? = shape[index.elements[0].property]
    else { return false }
    return true
  }

  /// Nil if an element is no column. Such an index only speeds up fetches, so the store can go without it.
  private func statement(
    forIndex name: String, isUnique: Bool = false, on table: StoreLayout.Table,
    _ shape: EntityShape, _ elements: [FetchIndexDescription.Element]
  ) -> SQLFragment? {
    var terms: [SQLFragment] = []
    for element in elements {
      guard element.collation == .binary,
        let column = columnName(of: element.property, shape, table)
      else { return nil }
      terms.append("\(name: column) COLLATE BINARY \(sql: element.isAscending ? "ASC" : "DESC")")
    }
    guard !terms.isEmpty else { return nil }
    let kind = isUnique ? "UNIQUE " : ""
    return """
      CREATE \(sql: kind)INDEX \(name: name) ON \(name: table.name) (\(terms.joined(by: ", ")))
      """
  }

  private func columnName(
    of property: String, _ shape: EntityShape, _ table: StoreLayout.Table
  ) -> String? {
    switch shape[property] {
    case .attribute(let attribute): return attribute.slot.map { table.columns[$0].name }
    case .relationship(let relationship):
      guard case .reference(let slot, _) = relationship.storage else { return nil }
      return table.columns[slot].name
    case .fetched, nil:
      let row = layout.names.row
      return switch property {
      case "self", "objectID": row.key
      case "entity": row.entity
      default: nil
      }
    }
  }
}
