// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// The SQL of predicates: negation carried down, indexes usable, values bound.
@Suite struct PredicateSQLTests {
  private func sql(
    _ entity: String, _ predicate: FetchPredicate, sortedBy terms: [SortTerm] = [],
    limit: Int? = nil
  ) throws -> String {
    let layout = CoreDataLayout(Sample.model).layout
    let shape = Sample.shape(entity)
    let fetch = StoreFetch(shape, where: predicate, sortedBy: terms, limit: limit)
    let compiler = try FetchCompiler(
      fetch, EntityStatements(shape, layout, Sample.model, SQLiteDialect()), Sample.model, layout,
      StoreScope(identifier: "S", entityNames: []))
    return compiler.keys().sql
  }

  private let start = "SELECT t0.Z_PK, t0.Z_ENT FROM ZPET t0 WHERE "

  @Test func opposesComparisonsInsteadOfNegatingThem() throws {
    let name = FetchPredicate.equals("name", "Rex")
    #expect(try sql("Pet", name) == start + "t0.ZNAME = ? ORDER BY t0.Z_PK")
    #expect(
      try sql("Pet", !name) == start + "(t0.ZNAME <> ? OR t0.ZNAME IS NULL) ORDER BY t0.Z_PK")
    #expect(
      try sql("Pet", !(name && .equals("name", Value.null)))
        == start + "((t0.ZNAME <> ? OR t0.ZNAME IS NULL) OR t0.ZNAME IS NOT NULL) ORDER BY t0.Z_PK")
  }

  @Test func looksForPrefixesInARangeAnIndexHas() throws {
    #expect(
      try sql("Pet", .compare("name", .beginsWith, "Re"))
        == start + "(t0.ZNAME >= ? AND t0.ZNAME < ?) ORDER BY t0.Z_PK")
  }

  @Test func joinsAToOneStepOnce() throws {
    let predicate = FetchPredicate.equals("owner.name", "Ada") && .compare("owner.age", .less, 9)
    #expect(
      try sql("Pet", predicate, sortedBy: [SortTerm("owner.name", ascending: false)], limit: 2)
        == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPET t0 JOIN ZPERSON t1 ON t1.Z_PK = t0.ZOWNER "
        + "WHERE (t1.ZNAME = ? AND t1.ZAGE < ?) ORDER BY t1.ZNAME DESC, t0.Z_PK LIMIT ?")
  }

  @Test func asksForObjectsOfAToManyStepWithExists() throws {
    let all = FetchPredicate.comparison(
      .init(.keyPath("pets.name"), .equal, .constant("Rex"), quantifier: .all))
    #expect(
      try sql("Person", all)
        == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE NOT EXISTS (SELECT 1 FROM ZPET t1 WHERE "
        + "t1.ZOWNER = t0.Z_PK AND (t1.ZNAME <> ? OR t1.ZNAME IS NULL)) ORDER BY t0.Z_ENT, t0.Z_PK")
  }

  @Test func refusesAPredicateThatDoesNotFit() {
    let error = #expect(throws: StoreError.self) { try sql("Pet", .equals("colour", "red")) }
    #expect(error?.code == .unsupported)
  }

  @Test func bindsLongListsAsOneValue() throws {
    let names = (0..<5000).map { Value.string("n\($0)") }
    let predicate = FetchPredicate.comparison(
      .init(.keyPath("name"), .isIn, .constant(.list(names))))
    #expect(
      try sql("Pet", predicate)
        == start + "t0.ZNAME IN (SELECT value FROM json_each(?)) ORDER BY t0.Z_PK")
  }
}
