// SPDX-License-Identifier: MIT
import Sporades
import SporadesStatements
import Testing

/// Window functions over the letters of SQLite's documentation (https://sqlite.org/windowfunctions.html), with the answers
/// that it tells.
@Suite struct WindowQueryTests {
  private func rows<each Column>(
    _ query: SQLQuery, as type: (repeat each Column).Type
  ) throws -> [(repeat each Column)] {
    let stack = try makeStack()
    try stack.fill { context in
      let groups = ["one", "two", "three", "one", "two", "three", "one"]
      for (place, group) in groups.enumerated() {
        let letter = Letter.create(in: context)
        letter.a = place + 1
        letter.b = String(Array("ABCDEFG")[place])
        letter.c = group
      }
    }
    return try stack.main.performAndWait { try $0.rows(query, as: type) }
  }

  private let letters: SQLQuery = "\(Letter.self)"
  private let a: SQLQuery = "\(\Letter.a)"
  private let b: SQLQuery = "group_concat(\(\Letter.b), '.')"
  private let c: SQLQuery = "\(\Letter.c)"

  @Test func rowsAreNumberedBackwards() throws {
    let rows = try rows(
      "SELECT \(a), row_number() OVER (ORDER BY \(a) DESC) FROM \(letters) ORDER BY 1",
      as: (Int, Int).self)
    #expect(rows.map(\.1) == [7, 6, 5, 4, 3, 2, 1])
  }

  @Test func aFrameSlidesOverItsNeighbours() throws {
    let rows = try rows(
      "SELECT \(a), \(b) OVER (ORDER BY \(a) ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM \(letters)",
      as: (Int, String).self)
    #expect(rows.map(\.1) == ["A.B", "A.B.C", "B.C.D", "C.D.E", "D.E.F", "E.F.G", "F.G"])
  }

  @Test func aPartitionIsAFrameOfItsOwn() throws {
    let rows = try rows(
      """
      SELECT \(c), \(b) OVER (PARTITION BY \(c) ORDER BY \(a)
        RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
      FROM \(letters) ORDER BY \(c), \(a)
      """, as: (String, String).self)
    #expect(rows.map(\.1) == ["A.D.G", "D.G", "G", "C.F", "F", "B.E", "E"])
  }

  @Test func aFrameReachesToTheEnd() throws {
    let rows = try rows(
      """
      SELECT \(a), \(b) OVER (ORDER BY \(c), \(a) ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
      FROM \(letters) ORDER BY \(c), \(a)
      """, as: (Int, String).self)
    #expect(rows.map(\.0) == [1, 4, 7, 3, 6, 2, 5])
    #expect(rows.first?.1 == "A.D.G.C.F.B.E")
    #expect(rows.last?.1 == "E")
  }

  @Test func aFilterLeavesRowsOut() throws {
    let rows = try rows(
      """
      SELECT \(a), \(b) FILTER (WHERE \(c) <> \("two")) OVER (ORDER BY \(a)) FROM \(letters)
      ORDER BY 1
      """, as: (Int, String).self)
    #expect(rows.map(\.1) == ["A", "A", "A.C", "A.C.D", "A.C.D", "A.C.D.F", "A.C.D.F.G"])
  }

  @Test func groupsOfEqualsAreOneStep() throws {
    let rows = try rows(
      """
      SELECT \(a), \(b) OVER (ORDER BY \(c) GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)
      FROM \(letters) ORDER BY \(c), \(a)
      """, as: (Int, String).self)
    #expect(
      rows.map(\.1) == ["A.D.G", "A.D.G", "A.D.G", "A.D.G.C.F", "A.D.G.C.F", "C.F.B.E", "C.F.B.E"])
  }

  @Test func aFrameExcludesTheRowItsGroupOrItsEquals() throws {
    let frame: SQLQuery = "ORDER BY \(c) GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    let rows = try rows(
      """
      SELECT \(a), \(b) OVER (\(frame) EXCLUDE NO OTHERS), \(b) OVER (\(frame) EXCLUDE CURRENT ROW),
        \(b) OVER (\(frame) EXCLUDE GROUP), \(b) OVER (\(frame) EXCLUDE TIES)
      FROM \(letters) ORDER BY \(c), \(a)
      """, as: (Int, String, String, String?, String).self)
    let three = try #require(rows.first { $0.0 == 3 })
    #expect((three.1, three.2) == ("A.D.G.C.F", "A.D.G.F"))
    #expect((three.3, three.4) == ("A.D.G", "A.D.G.C"))
    #expect(rows.first?.3 == nil)
  }

  @Test func aRowLooksAtOthers() throws {
    let letter: SQLQuery = "\(\Letter.b)"
    let rows = try rows(
      """
      SELECT lead(\(letter), 2, 'n/a') OVER win, lag(\(letter)) OVER win,
        first_value(\(letter)) OVER win, last_value(\(letter)) OVER win,
        nth_value(\(letter), 3) OVER win
      FROM \(letters)
      WINDOW win AS (ORDER BY \(letter) ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      """, as: (String, String?, String, String, String?).self)
    #expect(rows.map(\.0) == ["C", "D", "E", "F", "G", "n/a", "n/a"])
    #expect(rows.map(\.1) == [nil, "A", "B", "C", "D", "E", "F"])
    #expect(Set(rows.map(\.2)) == ["A"])
    #expect(rows.map(\.3) == ["A", "B", "C", "D", "E", "F", "G"])
    #expect(rows.map(\.4) == [nil, nil, "C", "C", "C", "C", "C"])
  }

  @Test func equalsShareARank() throws {
    let rows = try rows(
      """
      SELECT row_number() OVER win, rank() OVER win, dense_rank() OVER win, percent_rank() OVER win,
        cume_dist() OVER win, ntile(2) OVER win
      FROM \(letters) WHERE \(a) < 7 WINDOW win AS (ORDER BY \(c))
      """, as: (Int, Int, Int, Double, Double, Int).self)
    #expect(rows.map(\.0) == [1, 2, 3, 4, 5, 6])
    #expect(rows.map(\.1) == [1, 1, 3, 3, 5, 5])
    #expect(rows.map(\.2) == [1, 1, 2, 2, 3, 3])
    #expect(rows.map(\.3) == [0, 0, 0.4, 0.4, 0.8, 0.8])
    #expect(rows.map { Int(($0.4 * 6).rounded()) } == [2, 2, 4, 4, 6, 6])
    #expect(rows.map(\.5) == [1, 1, 1, 2, 2, 2])
  }

  @Test func aRangeCountsByValues() throws {
    let rows = try rows(
      """
      SELECT \(a), sum(\(a)) OVER (ORDER BY \(a) RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING)
      FROM \(letters)
      """, as: (Int, Int).self)
    #expect(rows.map(\.1) == [3, 6, 10, 14, 18, 22, 18])
  }

  @Test func theLastOfEachGroupIsFound() throws {
    let rows = try rows(
      """
      SELECT c, a FROM (
        SELECT \(c) AS c, \(a) AS a, row_number() OVER (PARTITION BY \(c) ORDER BY \(a) DESC) AS place
        FROM \(letters)) WHERE place = 1 ORDER BY c
      """, as: (String, Int).self)
    #expect(rows.map(\.0) == ["one", "three", "two"])
    #expect(rows.map(\.1) == [7, 6, 5])
  }
}
