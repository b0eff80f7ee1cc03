// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

// Computes derived attributes anew, where the migration changes them or what they are derived from. The server computes
// what it computes as Swift does: numbers of objects, copies, and totals of whole numbers. Swift computes the rest.
extension ServerMigration {
  func runDerivedFills() throws(StoreError) {
    let now = Value.date(Date())
    for fill in derivedFills.fills {
      let term = DerivedTerm(fill.derived, new.layout)
      switch fill.derived.derivation {
      case .now: try set(fill, ServerMigrationWords().constant(now, .date))
      case .count:
        guard let tables = term.members?.tables else { continue }
        try set(fill, "(SELECT COUNT(*) FROM \(tables))")
      case .keyPath: if let value = term.single { try set(fill, value) }
      case .sum: try setTotal(fill, term)
      case .canonical:
        try setTexts(fill, term) {
          TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive])
        }
      case .uppercase: try setTexts(fill, term) { $0.uppercased() }
      case .lowercase: try setTexts(fill, term) { $0.lowercased() }
      }
    }
  }

  /// Sets the values that the server computes, if the attribute's type holds them all.
  private func set(_ fill: DerivedFills.Fill, _ value: SQLFragment) throws(StoreError) {
    let attribute = fill.derived.attribute
    let key = ServerLayout.names.row.key
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      let range = attribute.type.integerRange
      let (least, greatest) = (String(range.lowerBound), String(range.upperBound))
      let check = MigrationCheck(
        kind: .inconvertibleValue, entity: fill.shape.name, property: attribute.name,
        rows: """
          SELECT o.\(name: key) AS k FROM \(name: fill.table) o WHERE o.\(fill.isOfEntity) \
          AND \(value) NOT BETWEEN \(sql: least) AND \(sql: greatest)
          """,
        sentence: CountedSentence(
          "object of \(fill.shape.name) has", "objects of \(fill.shape.name) have",
          " a value of the derived \(attribute.name) that its type does not hold. Give the attribute a wider type."
        ))
      if let problem = try check.problem(connection) { throw StoreError(cannotMigrate: [problem]) }
    default: break
    }
    try run(
      "UPDATE \(name: fill.table) AS o SET \(name: fill.column) = \(value) WHERE o.\(fill.isOfEntity)"
    )
  }

  private func setTotal(_ fill: DerivedFills.Fill, _ term: DerivedTerm) throws(StoreError) {
    guard let (tables, found) = term.members, let value = found,
      let type = fill.derived.source?.type
    else { return }
    guard type == .double || type == .float else {
      return try set(fill, "(SELECT COALESCE(SUM(\(value)), 0) FROM \(tables))")
    }
    // A sum of doubles by the server depends on the order of the rows.
    let key: SQLFragment = "o.\(name: ServerLayout.names.row.key)"
    let select: SQLFragment = """
      SELECT \(key), \(value) FROM \(name: fill.table) o, \(tables) AND \(value) IS NOT NULL \
      AND o.\(fill.isOfEntity)
      """
    let answer = try connection.run(select.rendered(in: dialect))
    var totals: [Int64: ExactTotal] = [:]
    for row in 0..<answer.count {
      guard let owner = answer.integer(row, 0),
        case .double(let number) = answer.value(row, 1, type)
      else { continue }
      totals[owner, default: ExactTotal()].add(number)
    }
    try run(
      "UPDATE \(name: fill.table) AS o SET \(name: fill.column) = 0 WHERE o.\(fill.isOfEntity)")
    let owners = totals.keys.sorted()
    try connection.run(
      "UPDATE \(dialect.quoted(fill.table)) o SET \(dialect.quoted(fill.column)) = u.total "
        + "FROM unnest($1::bigint[], $2::double precision[]) AS u(k, total) "
        + "WHERE o.\(ServerLayout.names.row.key) = u.k",
      [.int8List(owners), .list(.float8, owners.map { .float8(totals[$0]?.real ?? 0) })])
  }

  /// Sets texts that Swift makes of others, each text once.
  private func setTexts(
    _ fill: DerivedFills.Fill, _ term: DerivedTerm, _ change: (String) -> String
  ) throws(StoreError) {
    guard let value = term.single else { return }
    let select: SQLFragment =
      "SELECT DISTINCT \(value) FROM \(name: fill.table) o WHERE o.\(fill.isOfEntity)"
    let answer = try connection.run(select.rendered(in: dialect))
    let texts = (0..<answer.count).compactMap { answer.text($0, 0) }
    let table = "pg_temp.sporades_texts"
    try connection.run("CREATE TEMP TABLE sporades_texts (before text COLLATE \"C\", after text)")
    try connection.run(
      "INSERT INTO \(table) SELECT * FROM unnest($1::text[], $2::text[])",
      [.list(.text, texts.map { .text($0) }), .list(.text, texts.map { .text(change($0)) })])
    try connection.run("CREATE INDEX ON \(table) USING hash (before)")
    try set(fill, "(SELECT m.after FROM \(sql: table) m WHERE m.before = \(value))")
    try connection.run("DROP TABLE \(table)")
  }
}

extension ExactTotal {
  /// The total of doubles.
  fileprivate var real: Double {
    switch value {
    case .double(let number): number
    case .integer(let number): Double(number)
    default: 0
    }
  }
}
