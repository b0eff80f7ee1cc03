// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// Statements in the words of another database than SQLite.
@Suite struct DialectTests {
  /// The answers of PostgreSQL.
  private struct Numbered: SQLDialect {
    func quoted(_ name: String) -> String { "\"\(name)\"" }
    func placeholder(_ number: Int) -> String { "$\(number)" }
    func word(for comparison: SQLSameness) -> String {
      switch comparison {
      case .same: "IS NOT DISTINCT FROM"
      case .different: "IS DISTINCT FROM"
      }
    }
  }

  private let layout = PlainLayout(Sample.model, holding: nil).layout

  private func compiler(_ predicate: FetchPredicate, limit: Int? = nil) throws -> FetchCompiler {
    let shape = Sample.shape("Pet")
    return try FetchCompiler(
      StoreFetch(shape, where: predicate, limit: limit),
      EntityStatements(shape, layout, Sample.model, Numbered()), Sample.model, layout,
      StoreScope(identifier: "S", entityNames: []))
  }

  @Test func aFetchNumbersItsParametersAndQuotesItsNames() throws {
    let predicate = FetchPredicate.equals("name", "Rex") && .compare("owner.age", .less, 9)
    let statement = try compiler(predicate, limit: 2).keys()
    #expect(
      statement.sql == """
        SELECT t0."id", t0."entity" FROM "pet" t0 JOIN "person" t1 ON t1."id" = t0."owner" \
        WHERE (t0."name" = $1 AND t1."age" < $2) ORDER BY t0."id" LIMIT $3
        """)
    #expect(statement.bindings == [.text("Rex"), .integer(9), .integer(2)])
  }

  @Test func columnsThatMayBothBeNullAreComparedInItsWords() throws {
    let same = FetchPredicate.comparison(.init(.keyPath("name"), .equal, .keyPath("owner.name")))
    #expect(
      try compiler(same).keys().sql.contains(
        "t0.\"name\" IS NOT DISTINCT FROM t1.\"name\""))
    #expect(
      try compiler(!same).keys().sql.contains(
        "t0.\"name\" IS DISTINCT FROM t1.\"name\""))
  }

  @Test func theWriterNumbersEachParameterOnce() {
    let table = layout.tables[layout.tablesByEntity[Sample.shape("Pet").number - 1]]
    let pets = TableStatements(table, layout.names, Numbered())
    #expect(pets.delete.sql == "DELETE FROM \"pet\" WHERE \"id\" = $1 AND \"version\" = $2")
    #expect(pets.isPresent.sql == "SELECT 1 FROM \"pet\" WHERE \"id\" = $1")
    let counters = CounterStatements(layout.names, Numbered())
    #expect(
      counters.raise.sql == """
        UPDATE "counters" SET "maximum" = $1 WHERE "number" = $2 \
        AND ("maximum" IS NULL OR "maximum" < $3)
        """)
  }

  @Test func anUpdateTellsWhereItsParametersAre() {
    let shape = Sample.shape("Pet")
    let table = layout.tables[layout.tablesByEntity[shape.number - 1]]
    let slots = Array(shape.layout.slots.indices.prefix(1))
    let update = TableStatements(table, layout.names, Numbered()).update(slots, shape.layout)
    let column = table.columns[0]
    #expect(
      update.statement.sql.hasPrefix("UPDATE \"pet\" SET \"\(column.name)\" = $1, "))
    #expect(update.statement.sql.hasSuffix("\"version\" = $\(update.parameters)"))
    #expect(update.transfers.map(\.place) == [0])
  }

  @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
  func aLinkIsAddedOrGetsNewPlaces(first: Bool, second: Bool) {
    let join = StoreLayout.JoinTable(
      name: "friends", first: "from", second: "to", firstPosition: first ? "a" : nil,
      secondPosition: second ? "b" : nil, isReflexive: false)
    let sql = JoinStatements(join, Numbered()).add.sql
    let places = (first ? ["a"] : []) + (second ? ["b"] : [])
    let names = (["from", "to"] + places).map { "\"\($0)\"" }.joined(separator: ", ")
    let numbers = (1...2 + places.count).map { "$\($0)" }.joined(separator: ", ")
    let action =
      places.isEmpty
      ? "NOTHING"
      : "UPDATE SET " + places.map { "\"\($0)\" = excluded.\"\($0)\"" }.joined(separator: ", ")
    #expect(
      sql == "INSERT INTO \"friends\" (\(names)) VALUES (\(numbers)) "
        + "ON CONFLICT (\"from\", \"to\") DO \(action)")
  }
}

/// Pieces of SQL.
@Suite struct SQLFragmentTests {
  private func sql(_ fragment: SQLFragment) -> SQLStatement {
    fragment.rendered(in: SQLiteDialect())
  }

  @Test func valuesAreBoundInTheirOrder() {
    let statement = sql("\(name: "a b") = \(.integer(1)) AND \(sql: "c") = \(.text("x"))")
    #expect(statement == SQLStatement("\"a b\" = ? AND c = ?", [.integer(1), .text("x")]))
  }

  @Test func listsHaveCommasBetweenTheirMembers() {
    #expect(sql(.insert(into: "t", ["a", "b"])).sql == "INSERT INTO t (a, b) VALUES (?, ?)")
    #expect(sql("\(names: [])\(.parameters(0))").sql == "")
    #expect(sql(["a", "b", "c"].joined(by: " OR ")).sql == "a OR b OR c")
  }

  @Test func aStatementWithBothValuesAndParametersTraps() async {
    await #expect(processExitsWith: .failure) {
      let mixed: SQLFragment = "a = \(.parameter) AND b = \(.integer(1))"
      _ = mixed.rendered(in: SQLiteDialect())
    }
  }
}
