// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL

/// The model's names for the tables and columns of one statement.
package struct PlanNames {
  /// A table of the statement, in the words of the model.
  package struct Source {
    /// The phrase for the rows of the table: `Player`, or `links of Player and Team`.
    package let rows: String
    /// The names of properties by the table's columns.
    package let properties: [String: String]

    package init(rows: String, properties: [String: String]) {
      (self.rows, self.properties) = (rows, properties)
    }
  }

  /// The name of the key among properties.
  package static let key = "the key"

  private let model: ManagedObjectModel
  private let layout: StoreLayout
  /// The names of tables by their aliases in the statement.
  private let tables: [String: String]

  package init(_ statement: String, _ model: ManagedObjectModel, _ layout: StoreLayout) {
    self.model = model
    self.layout = layout
    tables = Self.tables(in: statement)
  }

  /// Finds the aliases: the word after the name of a table. The library's statements write them so.
  private static func tables(in statement: String) -> [String: String] {
    let words = statement.split { " (),".contains($0) }
    var tables: [String: String] = [:]
    for (place, word) in words.enumerated() where word == "FROM" || word == "JOIN" {
      guard place + 2 < words.count else { continue }
      let name = words[place + 1].split(separator: ".").last.map(String.init) ?? ""
      tables[String(words[place + 2])] = name.trimmingQuotes
    }
    return tables
  }

  /// The table that the database calls by this name or alias. An R-tree or an unknown table keeps its name.
  package func source(_ name: String) -> Source {
    let table = tables[name] ?? name
    if let found = layout.tables.first(where: { $0.name == table }) { return source(of: found) }
    if let join = layout.joins.first(where: { $0.name == table }) { return source(of: join) }
    return Source(rows: table, properties: [:])
  }

  private func source(of table: StoreLayout.Table) -> Source {
    let row = layout.names.row
    var properties = ["rowid": Self.key, row.key: Self.key, row.entity: "the entity"]
    for shape in model.shapes where shape.rootNumber == table.rootEntity {
      for attribute in shape.attributes { add(attribute, attribute.name, table, to: &properties) }
      for relationship in shape.relationships {
        guard case .reference(let slot, _) = relationship.storage else { continue }
        properties[table.columns[slot].name] = relationship.name
      }
    }
    return Source(rows: model.shape(numbered: table.rootEntity).name, properties: properties)
  }

  private func add(
    _ attribute: AttributeShape, _ path: String, _ table: StoreLayout.Table,
    to properties: inout [String: String]
  ) {
    if let slot = attribute.slot { properties[table.columns[slot].name] = path }
    for element in attribute.elements {
      add(element, "\(path).\(element.name)", table, to: &properties)
    }
  }

  private func source(of join: StoreLayout.JoinTable) -> Source {
    Source(
      rows: "the links in \(join.name)",
      properties: [join.first: "the first object", join.second: "the second object"])
  }
}

extension String {
  /// The name in double quotes without them.
  fileprivate var trimmingQuotes: String {
    count > 1 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}
