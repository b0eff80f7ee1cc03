// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL

/// The index of one table of a store: an FTS5 table with a column for each searchable text, in the rows' keys, and the plain
/// table of the keys whose texts it does not know yet.
///
/// The index keeps its own copy of the folded texts, so that the key of a row is enough to take its words out again.
package struct SearchTable: Sendable {
  /// The table of the rows.
  package let table: StoreLayout.Table
  /// The number of the table's root entity.
  var root: Int { table.rootEntity }
  /// The searchable texts, and the entities that declare them.
  package let columns: [Column]
  package let form: SearchForm
  private let prefixes: [Int]
  /// The column of the rows' keys.
  package let key: String
  /// The tables that relationships of the columns lead to.
  package let references: [Reference]
  /// The expected triggers.
  let triggers: [SearchTrigger]
  let statements: SearchStatements

  package struct Column: Sendable {
    package let name: String
    let entity: Int
    let weight: Double
    package let steps: [Step]
    /// The column of the text in the last table.
    package let text: String
  }

  /// A to-one relationship of a column's path.
  package struct Step: Hashable, Sendable {
    /// The column of the reference in the table before.
    package let reference: String
    package let table: String
  }

  /// A table that relationships lead to, whose changed rows are noted by themselves.
  package struct Reference: Sendable {
    package let path: [Step]
    /// The table of the keys of its changed rows.
    let changed: String
    /// The columns that the index reads there.
    package let read: Set<String>
  }

  /// Nil if no entity of the table has a searchable text.
  package init?(
    _ table: StoreLayout.Table, _ layout: StoreLayout, _ model: ManagedObjectModel
  ) throws(SearchError) {
    var found: [SearchColumn] = []
    for shape in model.shapes where shape.rootNumber == table.rootEntity {
      for column in try SearchColumn.all(of: shape, model)
      where !found.contains(where: { $0.name == column.name && $0.entity == column.entity }) {
        found.append(column)
      }
    }
    guard let first = found.first else { return nil }
    if let other = found.first(where: { $0.form != first.form }) {
      throw SearchError(
        .mixedForms,
        "\(first.name) and \(other.name) of entities with one table are searched in different forms. Give them one form."
      )
    }
    self.table = table
    key = layout.names.row.key
    form = first.form
    prefixes = Set(found.flatMap(\.prefixes)).sorted()
    columns = found.map { Self.column($0, table, layout, model) }
    references = Self.references(of: columns, in: table.name)
    triggers = Self.triggers(of: columns, references, in: table.name, key)
    statements = SearchStatements(of: table.name, key, columns, references)
  }

  private static func column(
    _ column: SearchColumn, _ table: StoreLayout.Table, _ layout: StoreLayout,
    _ model: ManagedObjectModel
  ) -> Column {
    var (current, steps) = (table, [Step]())
    for relationship in column.path.relationships {
      guard case .reference(let slot, _) = relationship.storage else { continue }
      let next = layout.table(ofEntity: relationship.destination)
      steps.append(Step(reference: current.columns[slot].name, table: next.name))
      current = next
    }
    let slot = column.path.attribute?.slot
    return Column(
      name: column.name, entity: column.entity, weight: column.weight, steps: steps,
      text: slot.map { current.columns[$0].name } ?? "")
  }

  // MARK: - Names

  /// The beginning of the names of all that belongs to the index. No table of a model has a name with a colon, so that no name
  /// that begins so belongs to another table's index.
  static func prefix(of table: String) -> String { "\(StoreLayout.ownPrefix)\(table):" }
  /// The FTS5 table: `SPORADES_ZARTICLE:SEARCH`.
  var index: String { Self.index(of: table.name) }
  static func index(of table: String) -> String { "\(prefix(of: table))SEARCH" }
  /// The keys of the rows that changed: `SPORADES_ZARTICLE:CHANGED`.
  var changed: String { Self.changed(of: table.name) }
  static func changed(of table: String) -> String { "\(prefix(of: table))CHANGED" }
  /// The tables of the keys of rows that changed.
  var notes: [String] { [changed] + references.map(\.changed) }
  /// The table of the states of all indexes.
  static let states = "\(StoreLayout.ownPrefix)SEARCH"
  /// The place from which the index must be made again.
  static let unmade: Int64 = -1

  /// The name of a column of the index. It is a number, because FTS5 reserves some words, and a property may have one as its name.
  static func column(_ place: Int) -> String { "c\(place)" }

  // MARK: - Rows

  /// Reads the key and the texts of all rows: each relationship of a column's path is a join.
  package static func rows(of table: String, _ key: String, _ columns: [Column]) -> SQLFragment {
    var joins: SQLFragment = ""
    var aliases: [[Step]: String] = [:]
    var texts: [SQLFragment] = []
    for column in columns {
      var (alias, path) = ("t", [Step]())
      for step in column.steps {
        path.append(step)
        if aliases[path] == nil {
          let next = "j\(aliases.count + 1)"
          joins +=
            " LEFT JOIN \(name: step.table) \(sql: next) ON \(sql: next).\(name: key) = \(sql: alias).\(name: step.reference)"
          aliases[path] = next
        }
        alias = aliases[path] ?? alias
      }
      texts.append("\(sql: alias).\(name: column.text)")
    }
    return
      "SELECT t.\(name: key), \(texts.joined(by: ", ")) FROM \(name: table) t\(joins)"
  }
}

// MARK: - Making

extension SearchTable {
  /// All that makes the index, without the texts. The definition in the table of states tells when another one is needed.
  var creation: [SQLFragment] {
    [
      "CREATE TABLE IF NOT EXISTS \(name: Self.states) (NAME VARCHAR PRIMARY KEY, DEFINITION VARCHAR, NEXT INTEGER)",
      "CREATE VIRTUAL TABLE \(name: index) USING fts5(\(sql: options))",
    ]
      + notes.map { "CREATE TABLE \(name: $0) (KEY INTEGER PRIMARY KEY)" }
      + triggers.map(\.creation)
  }

  private var options: String {
    let names = columns.indices.map(Self.column).joined(separator: ", ")
    let lists =
      prefixes.isEmpty
      ? "" : ", prefix='\(prefixes.map(String.init).joined(separator: " "))'"
    return "\(names), tokenize='ascii'\(lists)"
  }

  /// The content of the index as a text: its columns, its options, and the version of the folding.
  var definition: String {
    let texts = columns.map { column in
      (column.steps.map { "\($0.reference)>\($0.table)" } + [column.text]).joined(separator: ".")
    }
    return "\(SearchTokens.version) \(form.rawValue) \(options) \(texts.joined(separator: " "))"
  }

  /// The tables that relationships of the columns lead to.
  fileprivate static func references(of columns: [Column], in table: String) -> [Reference] {
    var references: [Reference] = []
    for column in columns {
      for count in column.steps.indices.map({ $0 + 1 }) {
        let path = Array(column.steps[..<count])
        guard !references.contains(where: { $0.path == path }) else { continue }
        let read = columns.filter { $0.steps.starts(with: path) }
          .map { $0.steps.count == count ? $0.text : $0.steps[count].reference }
        let changed = "\(changed(of: table))_\(references.count + 1)"
        references.append(Reference(path: path, changed: changed, read: Set(read)))
      }
    }
    return references
  }

  /// The triggers that note the keys of changed rows. They name no module and no function, so that each program runs
  /// them.
  fileprivate static func triggers(
    of columns: [Column], _ references: [Reference], in table: String, _ key: String
  ) -> [SearchTrigger] {
    let read = Set(columns.map { $0.steps.first?.reference ?? $0.text })
    let own = SearchTrigger.noting(table, key, in: changed(of: table), reading: read)
    return own
      + references.flatMap { reference in
        reference.path.last.map {
          SearchTrigger.noting($0.table, key, in: reference.changed, reading: reference.read)
        } ?? []
      }
  }
}
