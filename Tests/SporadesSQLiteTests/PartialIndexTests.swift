// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// Indexes over some of the rows.
@Suite struct PartialIndexTests {
  @Test(arguments: [
    ("state == 1 AND name == nil", " WHERE (ZSTATE = 1 AND ZNAME IS NULL)"),
    ("name != nil", " WHERE ZNAME IS NOT NULL"),
    ("state > -1 OR name == \"it's\"", " WHERE (ZSTATE > -1 OR ZNAME = 'it''s')"),
    // The index lacks rows without a state, which satisfy the predicate. SQLite does not use it for them.
    ("state != 3", " WHERE ZSTATE <> 3"),
    ("name BEGINSWITH 'a'", ""),
  ])
  func conditionsAreWrittenAsCoreDataWritesThem(format: String, condition: String) throws {
    let model = try model(FetchPredicate(format: format))
    #expect(
      CreateStatements(CoreDataLayout(model), SQLiteDialect()).indexes.map(\.sql) == [
        "CREATE INDEX Z_Job_open ON ZJOB (ZNAME COLLATE BINARY ASC)\(condition)"
      ])
  }

  @Test func aStoreWithOneOpensAndAnswers() throws {
    let model = try model(FetchPredicate(format: "state == 1"))
    let store = try SQLiteStore(inMemory: model)
    let shape = model.shapes[0]
    var builder = RowPageBuilder(layout: shape.layout)
    for state in 1...4 {
      builder.appendRow(RowKey(entity: 1, primaryKey: Int64(state)), version: 1)
      builder.set(shape.attributes[0].slot ?? 0, to: Int64(state % 2))
      builder.set(shape.attributes[1].slot ?? 0, to: "job")
    }
    try store.execute(ChangeSet(inserted: [builder.finish()]))
    let open = StoreFetch(shape, where: try FetchPredicate(format: "state == 1 AND name == 'job'"))
    #expect(try store.keys(open, in: .accepted).map(\.primaryKey) == [1, 3])
  }

  private func model(_ predicate: FetchPredicate) throws -> ManagedObjectModel {
    let job = EntityDescription(
      "Job",
      attributes: [
        AttributeDescription("state", .integer16, isOptional: true),
        AttributeDescription("name", .string, isOptional: true),
      ], indexes: [FetchIndexDescription("open", [.init("name")], where: predicate)])
    return try ManagedObjectModel(entities: [job])
  }
}
