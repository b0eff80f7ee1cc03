// SPDX-License-Identifier: MIT

/// SQL literals of values that no app writes.
enum OddValues {
  static let all: [String] =
    [
      "NULL", "''", "'abc'", "'12abc'", "'NaN'", "'inf'", "'1e999'", "' 5'", "x''", "x'00'",
      "x'01'",
      "x'02'", "randomblob(16)", "randomblob(38)", "x'02' || randomblob(37)", "zeroblob(200000)",
      "hex(zeroblob(60000))", "char(0)", "char(55296)", "CAST(x'FFFEFF' AS TEXT)",
      "'00000000-0000-0000-0000-000000000000'", "'\u{301}\u{1F468}\u{200D}\u{1F469}'",
      "9e999", "-9e999", "1e300", "-1e300", "0.5", "-0.0", "1e18", "9.2233720368547758e18",
      "'1e400000000'", "'" + String(repeating: "9", count: 400) + "'",
    ] + numbers.map(String.init)

  private static let numbers: [Int64] = [
    0, 1, -1, 2, 255, 256, 65_535, 65_536, 1 << 31 - 1, 1 << 31, 1 << 32, 1 << 39 - 1, 1 << 39,
    1 << 40, -(1 << 39), 1 << 47, 1 << 48 - 1, 1 << 48, 1 << 52, 1 << 53 + 1, 1 << 62, .max,
    .max - 1, .max - 63, .max - 1024, .max - 2048, .min, .min + 1, 16_001, 4_095, 4_096,
    200_000_000,
  ]
}

/// Statements that change tables in ways that no app does.
enum OddSchemas {
  static func change(
    _ table: String, _ column: String, _ columns: [String], _ random: inout Randomness
  ) -> String {
    let all = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let endless =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT MAX(x) FROM c"
    switch random.below(12) {
    case 0:
      return "ALTER TABLE \"\(table)\" RENAME TO old; CREATE VIEW \"\(table)\" AS SELECT * FROM old"
    case 1: return "DROP TABLE \"\(table)\""
    case 2: return "ALTER TABLE \"\(table)\" RENAME COLUMN \"\(column)\" TO Z_OTHER"
    case 3: return "ALTER TABLE \"\(table)\" DROP COLUMN \"\(column)\""
    case 4:
      let event = random.one(of: ["INSERT", "UPDATE", "DELETE"])
      return "CREATE TRIGGER odd AFTER \(event) ON \"\(table)\" BEGIN \(endless); END"
    case 5:
      return "CREATE TRIGGER odd BEFORE INSERT ON \"\(table)\" BEGIN SELECT RAISE(IGNORE); END"
    case 6:
      return "CREATE TRIGGER odd AFTER INSERT ON \"\(table)\" BEGIN DELETE FROM \"\(table)\"; END"
    case 7:
      // Columns without a type, invalid keys and double rows.
      return "ALTER TABLE \"\(table)\" RENAME TO old; CREATE TABLE \"\(table)\" (\(all)); "
        + "INSERT INTO \"\(table)\" SELECT * FROM old; INSERT INTO \"\(table)\" SELECT * FROM old"
    case 8:
      return "ALTER TABLE \"\(table)\" RENAME TO old; CREATE TABLE \"\(table)\" (\(all), "
        + "PRIMARY KEY (\"\(columns[0])\")) WITHOUT ROWID; INSERT OR IGNORE INTO \"\(table)\" "
        + "SELECT * FROM old"
    case 9: return "DROP TABLE \"\(table)\"; CREATE VIRTUAL TABLE \"\(table)\" USING fts5(\(all))"
    case 10: return "DELETE FROM \"\(table)\""
    default:
      return "INSERT OR IGNORE INTO \"\(table)\" (\"\(column)\") VALUES "
        + "(\(random.one(of: OddValues.all))), (\(random.one(of: OddValues.all)))"
    }
  }
}
