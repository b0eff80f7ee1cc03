// SPDX-License-Identifier: MIT
import CSQLite
package import SporadesSQL

/// SQLite's dialect of SQL.
package struct SQLiteDialect: SQLDialect {
  package init() {}

  package func placeholder(_ number: Int) -> String { "?" }

  package func word(for comparison: SQLSameness) -> String {
    switch comparison {
    case .same: "IS"
    case .different: "IS NOT"
    }
  }

  package func read(_ column: String, isDecimal: Bool) -> String { column }
  package func unindexed(_ condition: String) -> String { "+\(condition)" }

  /// Writes a name without quotes if SQLite accepts it so, else in quotes.
  package func quoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 == 95 || $0 >= 128 || (65...90).contains($0) || (97...122).contains($0)
        || (48...57).contains($0)
    }
    // SQLite reads a name that begins with a digit as a number, and an empty name as nothing.
    let begins = name.utf8.first.map { !(48...57).contains($0) } ?? false
    guard !isPlain || !begins || Self.isKeyword(name) else { return name }
    return "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  private static func isKeyword(_ name: String) -> Bool {
    // No keyword of SQL begins with a Z, and most names in a file do.
    guard name.utf8.first != UInt8(ascii: "Z") else { return false }
    return unsafe sqlite3_keyword_check(name, Int32(clamping: name.utf8.count)) != 0
  }
}
