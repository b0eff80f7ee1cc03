// SPDX-License-Identifier: MIT
import SporadesModel

// The indexes of a new store.
extension CreateStatements {
  package var indexes: [SQLStatement] { namedIndexes.map { $0.creation.rendered(in: dialect) } }

  /// An index with its names.
  package struct NamedIndex: Hashable, Sendable {
    package let name: String
    package let table: String
    package let creation: SQLFragment
    package var isUnique = false
  }

  /// The indexes of one table after the other: its references, its joins, then the indexes and constraints of its
  /// entities.
  package var namedIndexes: [NamedIndex] {
    let joins = joins
    var names = IndexNames()
    return tables(held: true).flatMap { table in
      referenceIndexes(of: table, &names)
        + (joins[table.rootEntity] ?? []).map { index(of: $0, &names) }
        + model.shape(numbered: table.rootEntity).family.flatMap {
          entityIndexes(of: model.shape(numbered: $0), &names)
        }
    }
  }

  /// The names of indexes, which a database keeps apart without regard to case. The underscores in them also stand
  /// in names of entities and properties, so that two indexes can ask for one name: `b_c` of `A` and `c` of `A_b`.
  private struct IndexNames {
    private var taken: Set<String> = []

    /// The name, with a number behind it if another index has it.
    mutating func take(_ name: String) -> String {
      var (candidate, suffix) = (name, 0)
      while !taken.insert(candidate.lowercased()).inserted {
        suffix += 1
        candidate = "\(name)\(suffix)"
      }
      return candidate
    }
  }

  private func index(of join: StoreLayout.JoinTable, _ names: inout IndexNames) -> NamedIndex {
    let name = names.take(scheme.indexName(ofReference: join.second, in: join.name))
    return NamedIndex(
      name: name, table: join.name,
      creation: """
        CREATE INDEX \(name: name) ON \(name: join.name) (\(names: [join.second, join.first]))
        """)
  }

  private func referenceIndexes(
    of table: StoreLayout.Table, _ names: inout IndexNames
  ) -> [NamedIndex] {
    let references = columnOrder(of: table).map { table.columns[$0] }
      .filter { $0.destination > 0 }
    let entity = table.hasSubentities ? [layout.names.row.entity] : []
    return (references.map(\.name) + entity).map {
      let name = names.take(scheme.indexName(ofReference: $0, in: table.name))
      return NamedIndex(
        name: name, table: table.name,
        creation: "CREATE INDEX \(name: name) ON \(name: table.name) (\(name: $0))")
    }
  }

  private func entityIndexes(
    of shape: EntityShape, _ indexNames: inout IndexNames
  ) -> [NamedIndex] {
    let table = layout.table(ofEntity: shape.number)
    let indexes = shape.description.indexes.filter { !isOfReference($0, shape) }.compactMap {
      index -> NamedIndex? in
      guard let terms = terms(on: table, shape, index.elements) else { return nil }
      let name = indexNames.take(scheme.indexName(index.name, of: shape.name))
      let condition = condition(of: index, shape, table)
      return NamedIndex(
        name: name, table: table.name,
        creation: "\(creation(of: name, on: table, terms))\(condition)")
    }
    let constraints = shape.description.uniquenessConstraints.compactMap { names -> NamedIndex? in
      guard let terms = terms(on: table, shape, names.map { .init($0) }) else { return nil }
      let name = indexNames.take(scheme.constraintName(names, of: shape.name))
      return NamedIndex(
        name: name, table: table.name,
        creation: creation(of: name, isUnique: true, on: table, terms), isUnique: true)
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

  /// The columns of an index with their orders. Nil if an element is no column. Such an index only speeds up fetches,
  /// so the store can go without it.
  private func terms(
    on table: StoreLayout.Table, _ shape: EntityShape,
    _ elements: [FetchIndexDescription.Element]
  ) -> [SQLFragment]? {
    var terms: [SQLFragment] = []
    for element in elements {
      guard element.collation == .binary,
        let column = columnName(of: element.property, shape, table)
      else { return nil }
      terms.append("\(name: column) COLLATE BINARY \(sql: element.isAscending ? "ASC" : "DESC")")
    }
    return terms.isEmpty ? nil : terms
  }

  private func creation(
    of name: String, isUnique: Bool = false, on table: StoreLayout.Table, _ terms: [SQLFragment]
  ) -> SQLFragment {
    let kind = isUnique ? "UNIQUE " : ""
    return """
      CREATE \(sql: kind)INDEX \(name: name) ON \(name: table.name) (\(terms.joined(by: ", ")))
      """
  }

  private func columnName(
    of property: String, _ shape: EntityShape, _ table: StoreLayout.Table
  ) -> String? {
    switch shape[property] {
    case .attribute, .relationship:
      return shape.slot(named: property).map { table.columns[$0].name }
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
