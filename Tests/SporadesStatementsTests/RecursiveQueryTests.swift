// SPDX-License-Identifier: MIT
import Sporades
import SporadesStatements
import Testing

/// Recursion as SQLite's documentation shows it (https://sqlite.org/lang_with.html), with the answers that it tells.
@Suite struct RecursiveQueryTests {
  private func organization<Output>(
    _ body: (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    let stack = try makeStack()
    try stack.fillOrganization()
    return try stack.main.performAndWait { try body($0) }
  }

  private func graph<Row: Decodable>(_ query: SQLQuery, as type: Row.Type) throws -> [Row] {
    let stack = try makeStack()
    try stack.fill { context in
      for (from, to) in [(1, 2), (2, 3), (3, 1), (3, 4), (5, 6), (6, 5), (7, 7)] {
        let edge = Edge.create(in: context)
        (edge.from, edge.to) = (from, to)
      }
    }
    return try stack.main.performAndWait { try $0.rows(query, as: type) }
  }

  /// The people under Alice with their levels, in the order of the recursion.
  private static func under(_ order: SQLQuery) -> SQLQuery {
    """
    WITH RECURSIVE under(key, name, level) AS (
      SELECT \(\Person.objectID), \(\Person.name), 0 FROM \(Person.self)
      WHERE \(\Person.name) = \("Alice")
      UNION ALL
      SELECT p.\(\Person.objectID), p.\(\Person.name), under.level + 1
      FROM \(Person.self, as: "p") JOIN under ON p.\(\Person.boss) = under.key
      ORDER BY \(order))
    """
  }

  @Test func aTreeIsWalkedLevelByLevel() throws {
    let rows = try organization { context in
      try context.rows(
        "\(Self.under("3, 2")) SELECT name, level FROM under", as: (String, Int).self)
    }
    #expect(rows.map(\.0) == ["Alice", "Bob", "Cindy", "Dave", "Emma", "Fred", "Gail"])
    #expect(rows.map(\.1) == [0, 1, 1, 2, 2, 2, 2])
  }

  @Test func aTreeIsWalkedBranchByBranch() throws {
    let rows = try organization { context in
      try context.rows(
        "\(Self.under("3 DESC, 2")) SELECT substr('......', 1, level * 2) || name FROM under",
        as: String.self)
    }
    #expect(
      rows == ["Alice", "..Bob", "....Dave", "....Emma", "..Cindy", "....Fred", "....Gail"])
  }

  @Test func keysKeepTheirEntityThroughARecursion() throws {
    try organization { context in
      let rows = try context.rows(
        "\(Self.under("3, 2")) SELECT key, key, level FROM under",
        as: (ManagedObjectID, Person, Int).self)
      #expect(rows.map(\.1.name).last == "Gail")
      #expect(rows.map(\.0) == rows.map(\.1.objectID))
    }
  }

  @Test func ancestorsAreFound() throws {
    let names = try organization { context in
      try context.rows(
        """
        WITH RECURSIVE above(key) AS (
          SELECT \(\Person.boss) FROM \(Person.self) WHERE \(\Person.name) = 'Dave'
          UNION ALL
          SELECT p.\(\Person.boss) FROM \(Person.self, as: "p")
          JOIN above ON p.\(\Person.objectID) = above.key)
        SELECT \(\Person.name) FROM above JOIN \(Person.self) ON \(\Person.objectID) = key
        """, as: String.self)
    }
    #expect(names == ["Bob", "Alice"])
  }

  @Test func aMillionIsCounted() throws {
    let sum = try graph(
      """
      WITH RECURSIVE cnt(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM cnt LIMIT 1000000)
      SELECT sum(x) FROM cnt
      """, as: Int.self)
    #expect(sum == [500_000_500_000])
  }

  /// More rows than the file has room for are no damage.
  @Test func rowsThatNoTableHoldsAreCounted() throws {
    let rows = try graph(
      "WITH RECURSIVE cnt(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM cnt LIMIT 300000) SELECT x FROM cnt",
      as: Int.self)
    #expect(rows.count == 300_000)
  }

  @Test func aGraphIsFollowedAlongItsEdges() throws {
    let nodes = try graph(
      """
      WITH RECURSIVE reached(n) AS (
        SELECT 1 UNION SELECT \(\Edge.to) FROM \(Edge.self) JOIN reached ON \(\Edge.from) = n)
      SELECT n FROM reached ORDER BY n
      """, as: Int.self)
    #expect(nodes == [1, 2, 3, 4])
  }

  @Test func aGraphIsFollowedInBothDirections() throws {
    let nodes = try graph(
      """
      WITH RECURSIVE near(x) AS (
        VALUES (\(4))
        UNION SELECT \(\Edge.from) FROM \(Edge.self), near WHERE \(\Edge.to) = x
        UNION SELECT \(\Edge.to) FROM \(Edge.self), near WHERE \(\Edge.from) = x)
      SELECT x FROM near ORDER BY x
      """, as: Int.self)
    #expect(nodes == [1, 2, 3, 4])
  }

  @Test func theFibonacciNumbersFollowEachOther() throws {
    let numbers = try graph(
      """
      WITH RECURSIVE fib(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM fib WHERE b < \(200))
      SELECT a FROM fib
      """, as: Int.self)
    #expect(numbers == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])
  }

  @Test func aSudokuIsSolved() throws {
    let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    // Whether the digit stands in the row, the column or the block of the first free field already.
    let isTaken: SQLQuery = """
      SELECT 1 FROM digits AS other
      WHERE digits.z = substr(s, ((ind - 1) / 9) * 9 + other.lp, 1)
        OR digits.z = substr(s, ((ind - 1) % 9) + (other.lp - 1) * 9 + 1, 1)
        OR digits.z = substr(s, (((ind - 1) / 3) % 3) * 3 + ((ind - 1) / 27) * 27 + other.lp
          + ((other.lp - 1) / 3) * 6, 1)
      """
    let filled: SQLQuery = "substr(s, 1, ind - 1) || z || substr(s, ind + 1)"
    let solved = try graph(
      """
      WITH RECURSIVE
        digits(z, lp) AS (
          SELECT '1', 1 UNION ALL SELECT CAST(lp + 1 AS TEXT), lp + 1 FROM digits WHERE lp < 9),
        field(s, ind) AS (
          SELECT \(puzzle), instr(\(puzzle), '.')
          UNION ALL
          SELECT \(filled), instr(\(filled), '.') FROM field, digits
          WHERE ind > 0 AND NOT EXISTS (\(isTaken)))
      SELECT s FROM field WHERE ind = 0
      """, as: String.self)
    #expect(
      solved == [
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
      ])
  }
}
