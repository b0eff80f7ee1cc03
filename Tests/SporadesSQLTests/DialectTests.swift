// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore
import Testing

/// Statements in the words of another database than SQLite.
@Suite struct DialectTests {
  private let model: ManagedObjectModel
  private let layout: StoreLayout

  init() throws {
    model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("age", .integer32, isOptional: true),
        ], relationships: [.toMany("pets", "Pet", inverse: "owner")]),
      EntityDescription(
        "Pet", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [.toOne("owner", "Person", inverse: "pets")]),
    ])
    layout = CoreDataLayout(model).layout
  }

  private func shape(_ name: String) throws -> EntityShape {
    try #require(model.shape(named: name))
  }

  private func compiler(_ predicate: FetchPredicate, limit: Int? = nil) throws -> FetchCompiler {
    let shape = try shape("Pet")
    return try FetchCompiler(
      StoreFetch(shape, where: predicate, limit: limit),
      EntityStatements(shape, layout, model, NumberedDialect()), model, layout,
      StoreScope(identifier: "S", entityNames: []))
  }

  @Test func aFetchNumbersItsParametersAndQuotesItsNames() throws {
    let predicate = FetchPredicate.equals("name", "Rex") && .compare("owner.age", .less, 9)
    let statement = try compiler(predicate, limit: 2).keys()
    #expect(
      statement.sql == """
        SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPET" t0 JOIN "ZPERSON" t1 ON t1."Z_PK" = t0."ZOWNER" \
        WHERE (t0."ZNAME" = $1 AND t1."ZAGE" < $2) ORDER BY t0."Z_PK" LIMIT $3
        """)
    #expect(statement.bindings == [.text("Rex"), .integer(9), .integer(2)])
  }

  @Test func columnsThatMayBothBeNullAreComparedInItsWords() throws {
    let same = FetchPredicate.comparison(.init(.keyPath("name"), .equal, .keyPath("owner.name")))
    #expect(
      try compiler(same).keys().sql.contains(
        "t0.\"ZNAME\" IS NOT DISTINCT FROM t1.\"ZNAME\""))
    #expect(
      try compiler(!same).keys().sql.contains(
        "t0.\"ZNAME\" IS DISTINCT FROM t1.\"ZNAME\""))
  }

  @Test func theWriterNumbersEachParameterOnce() throws {
    let table = layout.tables[layout.tablesByEntity[try shape("Pet").number - 1]]
    let pets = TableStatements(table, layout.names, NumberedDialect())
    #expect(pets.delete.sql == "DELETE FROM \"ZPET\" WHERE \"Z_PK\" = $1 AND \"Z_OPT\" = $2")
    #expect(pets.isPresent.sql == "SELECT 1 FROM \"ZPET\" WHERE \"Z_PK\" = $1")
    let counters = CounterStatements(layout.names, NumberedDialect())
    #expect(
      counters.raise.sql == """
        UPDATE "Z_PRIMARYKEY" SET "Z_MAX" = $1 WHERE "Z_ENT" = $2 \
        AND ("Z_MAX" IS NULL OR "Z_MAX" < $3)
        """)
  }

  @Test func anUpdateTellsWhereItsParametersAre() throws {
    let shape = try shape("Pet")
    let table = layout.tables[layout.tablesByEntity[shape.number - 1]]
    let slots = Array(shape.layout.slots.indices.prefix(1))
    let update = TableStatements(table, layout.names, NumberedDialect()).update(slots, shape.layout)
    let column = table.columns[0]
    #expect(
      update.statement.sql.hasPrefix("UPDATE \"ZPET\" SET \"\(column.name)\" = $1, "))
    #expect(update.statement.sql.hasSuffix("\"Z_OPT\" = $\(update.parameters)"))
    #expect(update.transfers.map(\.place) == [0])
  }

  @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
  func aLinkIsAddedOrGetsNewPlaces(first: Bool, second: Bool) {
    let join = StoreLayout.JoinTable(
      name: "friends", first: "from", second: "to", firstPosition: first ? "a" : nil,
      secondPosition: second ? "b" : nil, isReflexive: false)
    let sql = JoinStatements(join, NumberedDialect()).add.sql
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
