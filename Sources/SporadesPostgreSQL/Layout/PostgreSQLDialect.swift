// SPDX-License-Identifier: MIT
package import SporadesSQL

/// PostgreSQL's dialect of SQL.
package struct PostgreSQLDialect: SQLDialect {
  /// What stands for a table in statements in the place of its name: a query of a table that existed before the store.
  private let relations: [String: String]
  /// All texts have the order of their bytes.
  private let hasByteOrder: Bool

  package init(relations: [String: String] = [:], hasByteOrder: Bool = true) {
    (self.relations, self.hasByteOrder) = (relations, hasByteOrder)
  }

  package func placeholder(_ number: Int) -> String { "$\(number)" }

  package func word(for comparison: SQLSameness) -> String {
    switch comparison {
    case .same: "IS NOT DISTINCT FROM"
    case .different: "IS DISTINCT FROM"
    }
  }

  /// Decimals are read as their digits.
  package func read(_ column: String, isDecimal: Bool) -> String {
    isDecimal ? "\(column)::text" : column
  }

  package var limits: (any SQLLimits)? {
    PostgreSQLLimits(hasByteOrder: hasByteOrder)
  }

  /// The lists of keys, entities and places are the parameters of each statement that names the rows.
  package func doomed(_ place: Int) -> String {
    "(SELECT ID, ENTITY FROM unnest($1::bigint[], $2::text[], $3::bigint[]) u(ID, ENTITY, PLACE) WHERE PLACE = \(place)) d"
  }

  package func unindexed(_ condition: String) -> String { condition }

  /// Writes a name without quotes if the server reads it so, else in quotes.
  package func quoted(_ name: String) -> String {
    if let relation = relations[name] { return relation }
    let isPlain = name.utf8.allSatisfy {
      $0 == 95 || (97...122).contains($0) || (48...57).contains($0)
    }
    let begins = name.utf8.first.map { !(48...57).contains($0) } ?? false
    guard !isPlain || !begins || Self.keywords.contains(name) else { return name }
    return "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Writes a text as a literal.
  package func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// The words that PostgreSQL reads as no name of a column or table.
  private static let keywords = Set(
    """
    all analyse analyze and any array as asc asymmetric authorization between binary bigint bit boolean both case cast char \
    character check coalesce collate collation column concurrently constraint create cross current_catalog current_date \
    current_role current_schema current_time current_timestamp current_user dec decimal default deferrable desc distinct \
    do else end except exists extract false fetch float for foreign freeze from full grant greatest group grouping having \
    ilike in initially inner inout int integer intersect interval into is isnull join lateral leading least left like \
    limit localtime localtimestamp national natural nchar none normalize not notnull null nullif numeric offset on only or \
    order out outer overlaps overlay placing position precision primary real references returning right row select \
    session_user setof similar smallint some substring symmetric table tablesample then time timestamp to trailing treat \
    trim true union unique user using values varchar variadic verbose when where window with xmlattributes xmlconcat \
    xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
    """.split(separator: " ").map(String.init))
}
