// SPDX-License-Identifier: MIT
package import SporadesModel

/// Collects links before a migration changes their tables, and writes them into the columns of the newer version.
package struct LinkFill: Sendable {
  private let collected: String
  private let pairs: LinkPairs
  private let target: Target
  private let key: String
  private let words: any MigrationWords

  private enum Target: Sendable {
    /// The columns of one reference: its key, its number and its place, each if it is written.
    case reference(
      table: String, key: String?, number: String?, place: String?, isOfMember: Bool)
    case join(StoreLayout.JoinTable, isFirst: Bool)
  }

  /// The links of a reference; nil if they need no writing.
  package init?(_ source: ReferenceSource, number: Int, _ succession: RowSuccession) {
    let table = succession.new.table(source.table)
    let column = table.columns[source.slot]
    let place = source.positionSlot.map { table.columns[$0].name }
    switch source.form {
    case .none, .columns: return nil
    case .links(let pairs):
      self.pairs = pairs
      target = .reference(
        table: table.name, key: column.name, number: column.entityColumn, place: place,
        isOfMember: source.isOfMember)
    case .ordered(let pairs):
      self.pairs = pairs
      target = .reference(
        table: table.name, key: nil, number: nil, place: place, isOfMember: source.isOfMember)
    }
    collected = CoreDataLayout.collectionName(number)
    key = succession.old.layout.names.row.key
    words = succession.old.words
  }

  /// The links of a join. The relationship is that of its first side, or of its second.
  init(
    _ join: StoreLayout.JoinTable, _ pairs: LinkPairs, isFirst: Bool, number: Int,
    _ old: MigrationSide
  ) {
    self.pairs = pairs
    target = .join(join, isFirst: isFirst)
    collected = CoreDataLayout.collectionName(number)
    key = old.layout.names.row.key
    words = old.words
  }

  package var relationship: RelationshipShape { pairs.relationship }

  /// The table that is written.
  package var tableName: String {
    switch target {
    case .reference(let table, _, _, _, _): table
    case .join(let join, _): join.name
    }
  }

  /// The first place in an order, and the step to the next one.
  private static let (first, step) = ("2048", "1024")

  private static func place(_ owner: String, _ place: String, _ member: String) -> SQLFragment {
    """
    (ROW_NUMBER() OVER (PARTITION BY \(sql: owner) ORDER BY \(sql: place), \(sql: member)) - 1) \
    * \(sql: step) + \(sql: first)
    """
  }

  // MARK: - Statements

  /// Counts the objects with more links than the column can keep, with the smallest keys of some. Nil if any number
  /// of links can be kept.
  package var surplus: SQLFragment? {
    guard case .reference(_, _?, _, _, let isOfMember) = target else { return nil }
    let holder = isOfMember ? "b" : "a"
    return """
      SELECT \(sql: holder) AS k FROM (\(pairs.select)) l GROUP BY \(sql: holder) HAVING COUNT(*) > 1
      """
  }

  /// Collects the links in a temporary table.
  package var collecting: [SQLFragment] {
    let key = words.keyType
    switch target {
    case .reference(_, _, _, _, let isOfMember):
      let (holder, other) = isOfMember ? ("b", "a") : ("a", "b")
      return [
        """
        CREATE TEMP TABLE \(name: collected) (holder \(sql: key) PRIMARY KEY, target \(sql: key), \
        number \(sql: words.entityType), place \(sql: key))
        """,
        """
        INSERT INTO \(sql: words.temporary)\(name: collected) SELECT \(sql: holder), \(sql: other), \
        \(sql: other)n, \(Self.place(other, isOfMember ? "p" : "q", holder)) FROM (\(pairs.select)) l
        """,
      ]
    case .join(_, let isFirst):
      let (first, second) = isFirst ? ("a", "b") : ("b", "a")
      let (firstPlace, secondPlace) = isFirst ? ("q", "p") : ("p", "q")
      return [
        """
        CREATE TEMP TABLE \(name: collected) (first \(sql: key), second \(sql: key), \
        firstPlace \(sql: key), secondPlace \(sql: key))
        """,
        """
        INSERT INTO \(sql: words.temporary)\(name: collected) SELECT \(sql: first), \(sql: second), \
        \(Self.place(second, firstPlace, first)), \(Self.place(first, secondPlace, second)) \
        FROM (\(pairs.select)) l
        """,
      ]
    }
  }

  /// Writes the collected links, and drops the temporary table.
  package var filling: [SQLFragment] {
    let drop: SQLFragment = "DROP TABLE \(sql: words.temporary)\(name: collected)"
    switch target {
    case .reference(let table, let key, let number, let place, _):
      let columns = [(key, "target"), (number, "number"), (place, "place")]
      let assignments = columns.compactMap { column, value -> SQLFragment? in
        column.map {
          """
          \(name: $0) = (SELECT c.\(sql: value) FROM \(sql: words.temporary)\(name: collected) c \
          WHERE c.holder = o.\(name: self.key))
          """
        }
      }
      return [
        """
        UPDATE \(sql: words.schema)\(name: table) AS o SET \(assignments.joined(by: ", ")) \
        WHERE o.\(name: self.key) IN (SELECT holder FROM \(sql: words.temporary)\(name: collected))
        """, drop,
      ]
    case .join(let join, _):
      var columns = [(join.first, "first"), (join.second, "second")]
      if let position = join.firstPosition { columns.append((position, "firstPlace")) }
      if let position = join.secondPosition { columns.append((position, "secondPlace")) }
      return [
        """
        INSERT INTO \(sql: words.schema)\(name: join.name) (\(names: columns.map(\.0))) \
        SELECT \(sql: columns.map(\.1).joined(separator: ", ")) FROM \(sql: words.temporary)\(name: collected) \
        WHERE true ORDER BY first, second ON CONFLICT DO NOTHING
        """, drop,
      ]
    }
  }
}
