// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesPostgreSQL
import SporadesSQLite
import SporadesServerStages
import SporadesStore
import SporadesTesting
import SporadesXcode
import TestServer
import Testing

/// A store on a server goes through the stages of a plan as a file's does: all of them, or none.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct StageTests {
  private let shop: StagedShop

  init() throws { shop = try StagedShop() }

  // MARK: - All stages

  /// Stages without code, with code before and after, with code for rows and by mapping models, one after the other.
  @Test(arguments: [false, true])
  func allStagesDoWhatTheyDoToAFile(keepsHistory: Bool) throws {
    if keepsHistory { shop.keepHistory() }
    try shop.fill()
    let plan = MigrationPlan([
      .lightweight(from: StagedShop.first, to: StagedShop.second),
      .custom(
        from: StagedShop.second, to: StagedShop.third,
        willMigrate: { context in
          for book in try context.fetch(FetchRequest("Book")) {
            guard case .string(let title) = book["title"] else { continue }
            book["title"] = .string(title.uppercased())
          }
        },
        didMigrate: { context in
          for book in try context.fetch(FetchRequest("Book", sortedBy: [SortTerm("title")])) {
            let shelf = try context.insert(entityNamed: "Shelf")
            shelf["name"] = book["title"]
            shelf.setObjects([book], forKey: "books")
          }
        }),
      .rows(
        from: StagedShop.third, to: StagedShop.fourth,
        [
          RowWork("Book") { row in
            guard case .string(let text) = row.old["price"] else { return }
            row["cents"] = Int64(text).map { .integer($0 * 100) } ?? .null
            row["rate"] = .decimal(Decimal(row.key) / 4)
          }
        ]),
      .mapping(
        from: StagedShop.fourth, to: StagedShop.fifth,
        .inferred(from: StagedShop.fourth, to: StagedShop.fifth)),
      .lightweight(from: StagedShop.fifth, to: StagedShop.sixth),
    ])
    let (onServer, inFile) = try shop.open(StagedShop.sixth, plan)
    let (found, expected) = (try StoreImage(onServer), try StoreImage(inFile))
    #expect(expected.rowCount == 6 && expected.linkCount == 0)
    #expect(expected.differences(in: found) == [])
    #expect(found.differences(in: expected) == [])
    try onServer.close()
    try inFile.close()
    try shop.expectTables(of: StagedShop.sixth)
    // The store is of the last version now, and knows the versions behind it.
    try shop.place.open(StagedShop.sixth).close()
    let refusal = #expect(throws: StoreError.self) { try shop.place.open(StagedShop.second) }
    guard case .incompatibleModel? = refusal?.code else {
      Issue.record("\(String(describing: refusal))")
      return
    }
  }

  @Test func idsOfTheOlderVersionLeadToObjects() throws {
    try shop.fill()
    let plan = MigrationPlan([
      .custom(
        from: StagedShop.first, to: StagedShop.second,
        willMigrate: { context in try context.fetch(FetchRequest("Book")).map(\.objectID) },
        didMigrate: { context, ids in
          for id in ids {
            let book = try #require(try context.object(migratedFrom: id))
            book["title"] = .string("moved \(book.objectID.key.primaryKey)")
          }
        })
    ])
    let (onServer, inFile) = try shop.open(StagedShop.second, plan)
    let found = try StoreImage(onServer)
    #expect(try StoreImage(inFile).differences(in: found) == [])
    #expect(try StagedShop.titles(onServer) == ["moved 1", "moved 2", "moved 3"])
    try onServer.close()
  }

  /// The rest of the way to the program's version is inferred, and the store of a tenant shares its connections.
  @Test func theRestIsInferredOnSharedConnections() throws {
    try shop.fill()
    let plan = MigrationPlan([
      .custom(from: StagedShop.first, to: StagedShop.second) { context in
        for book in try context.fetch(FetchRequest("Book")) { book["title"] = "same" }
      }
    ])
    let connections = PostgreSQLConnections(limit: 2)
    var migration = MigrationOptions()
    migration.losses = .allowed
    let store = try shop.place.open(StagedShop.third, migration) { options in
      options.migrationPlan = plan
      options.connections = connections
    }
    #expect(try StagedShop.titles(store) == ["same", "same", "same"])
    try DataStack(store: store).newContext().performAndWait { context in
      try context.insert(entityNamed: "Shelf")["name"] = "new"
      try context.save()
    }
    try store.close()
    #expect(store.metrics.connectionsInUse == 0)
  }

  // MARK: - None

  struct Mishap: Error {}

  @Test func aStageThatFailsLeavesTheStoreAsItWas() throws {
    try shop.fill()
    let former = try shop.place.schema() + shop.place.contents()
    let plan = MigrationPlan([
      .lightweight(from: StagedShop.first, to: StagedShop.second),
      .custom(from: StagedShop.second, to: StagedShop.third, label: "half") { context in
        for book in try context.fetch(FetchRequest("Book")) { context.delete(book) }
        try context.save()
        throw Mishap()
      },
    ])
    let error = #expect(throws: StoreError.self) {
      try shop.place.open(StagedShop.third) { $0.migrationPlan = plan }
    }
    #expect(error?.description.contains("The stage \"half\"") == true)
    #expect(error?.description.contains("The store is as it was") == true)
    #expect(error?.underlying is Mishap)
    #expect(try shop.place.schema() + shop.place.contents() == former)
    #expect(try StagedShop.titles(shop.place.open(StagedShop.first)) == ["a", "b", "c"])
  }

  @Test func requiredValuesAreCheckedBehindTheCode() throws {
    try shop.fill()
    let former = try shop.place.schema() + shop.place.contents()
    let strict = try StagedShop.model("strict") { book in
      book.attributes.append(AttributeDescription("isbn", .string, isOptional: false))
    }
    func plan(_ isbn: Value) -> MigrationPlan {
      MigrationPlan([
        .custom(from: StagedShop.first, to: strict) { context in
          for book in try context.fetch(FetchRequest("Book")) where book["title"] != "b" {
            book["isbn"] = "1"
          }
          guard isbn != .null else { return }
          for book in try context.fetch(FetchRequest("Book")) { book["isbn"] = isbn }
        }
      ])
    }
    let error = #expect(throws: StoreError.self) {
      try shop.place.open(strict) { $0.migrationPlan = plan(.null) }
    }
    guard case .cannotMigrate? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("isbn") == true)
    #expect(try shop.place.schema() + shop.place.contents() == former)
    let store = try shop.place.open(strict) { $0.migrationPlan = plan("2") }
    #expect(try StagedShop.titles(store) == ["a", "b", "c"])
    try store.close()
  }

  @Test func rowsThatCodeComputesAreCheckedByName() throws {
    try shop.fill()
    let former = try shop.place.schema() + shop.place.contents()
    let unique = try StagedShop.model("unique") { book in
      book.attributes.append(AttributeDescription("code", .string, isOptional: true))
      book.uniquenessConstraints = [["code"]]
    }
    func error(_ work: @escaping @Sendable (MigratedRow) throws -> Void) -> StoreError? {
      let plan = MigrationPlan([.rows(from: StagedShop.first, to: unique, [RowWork("Book", work)])])
      return #expect(throws: StoreError.self) {
        try shop.place.open(unique) { $0.migrationPlan = plan }
      }
    }
    #expect(error { $0["code"] = "same" }?.description.contains("3 objects of Book share") == true)
    #expect(
      error { $0["missing"] = "x" }?.description.contains("stores no attribute missing") == true)
    #expect(error { $0["code"] = "a\0b" }?.description.contains("PostgreSQL cannot keep") == true)
    #expect(error { _ in throw Mishap() }?.description.contains("the row 1 of Book") == true)
    #expect(try shop.place.schema() + shop.place.contents() == former)
    let plan = MigrationPlan([
      .rows(
        from: StagedShop.first, to: unique, [RowWork("Book") { $0["code"] = .string("\($0.key)") }])
    ])
    let store = try shop.place.open(unique) { $0.migrationPlan = plan }
    #expect(try StagedShop.titles(store, "code") == ["1", "2", "3"])
    try store.close()
    try shop.expectTables(of: unique)
  }

  @Test func aCancelledPlanLeavesTheStoreAsItWas() throws {
    try shop.fill()
    let former = try shop.place.schema() + shop.place.contents()
    let progress = MigrationProgress()
    let plan = MigrationPlan([
      .custom(from: StagedShop.first, to: StagedShop.second) { context in
        for book in try context.fetch(FetchRequest("Book")) { book["title"] = "x" }
        progress.cancel()
      },
      .lightweight(from: StagedShop.second, to: StagedShop.third),
    ])
    var migration = MigrationOptions()
    migration.progress = progress
    let error = #expect(throws: StoreError.self) {
      try shop.place.open(StagedShop.third, migration) { $0.migrationPlan = plan }
    }
    #expect(error?.code == .cancelled)
    #expect(try shop.place.schema() + shop.place.contents() == former)
  }

  /// PostgreSQL ends a transaction with its first error. What code meets and bears does not end the migration.
  @Test func whatCodeBearsDoesNotEndTheMigration() throws {
    try shop.fill()
    let unique = try StagedShop.model("unique") { $0.uniquenessConstraints = [["title"]] }
    let plan = MigrationPlan([
      .custom(from: StagedShop.first, to: unique) { context in
        let bad = try context.insert(entityNamed: "Book")
        bad["title"] = "a"
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        let pattern = try FetchPredicate(format: "title MATCHES '('")
        #expect(throws: (any Error).self) {
          try context.fetch(FetchRequest("Book", where: pattern))
        }
        try context.insert(entityNamed: "Book")["title"] = "d"
        try context.save()
        #expect(try context.fetch(FetchRequest("Book")).count == 4)
      }
    ])
    let store = try shop.place.open(unique) { $0.migrationPlan = plan }
    #expect(try StagedShop.titles(store) == ["a", "b", "c", "d"])
    try store.close()
  }

  // MARK: - Others

  @Test func whoHasTheOlderVersionOpenCommitsNothingMore() throws {
    try shop.fill()
    let other = try shop.place.open(StagedShop.first)
    let mapping = MappingModel.inferred(from: StagedShop.first, to: StagedShop.second)
    let plan = MigrationPlan([.mapping(from: StagedShop.first, to: StagedShop.second, mapping)])
    let store = try shop.place.open(StagedShop.second) { $0.migrationPlan = plan }
    let book = RowDraft("Book", 77, ["title": "late"], of: StagedShop.first)
    let error = #expect(throws: StoreError.self) {
      try other.execute(ChangeSet(inserting: [book]))
      try other.commit(.immediate)
    }
    #expect(error?.code == .modelChanged)
    #expect(store.identifier == other.identifier)
    #expect(try StagedShop.titles(store) == ["a", "b", "c"])
    try store.close()
  }

  @Test func aForecastNamesTheStages() throws {
    try shop.fill()
    let plan = MigrationPlan([
      .custom(from: StagedShop.first, to: StagedShop.second, label: "first") { _ in },
      .lightweight(from: StagedShop.second, to: StagedShop.third),
    ])
    var options = shop.place.options
    options.migrationPlan = plan
    let former = try shop.place.schema() + shop.place.contents()
    let forecast = try PostgreSQLStore.migrationForecast(
      forStoreAt: shop.place.server.address, to: StagedShop.third, options: options)
    let steps = forecast.steps.map(\.text)
    #expect(steps.contains { $0.contains("run the code of the stage \"first\" on objects") })
    #expect(steps.contains { $0.contains("change one version in place") })
    #expect(!steps.contains { $0.contains("draft") })
    #expect(try shop.place.schema() + shop.place.contents() == former)
  }

  @Test func aStoreThatNoStageFitsIsRefused() throws {
    try shop.fill()
    let plan = MigrationPlan([.lightweight(from: StagedShop.second, to: StagedShop.third)])
    let error = #expect(throws: StoreError.self) {
      try shop.place.open(StagedShop.third) { $0.migrationPlan = plan }
    }
    #expect(error?.description.contains("does not know the store's version") == true)
  }

  /// Each message of a migration by a plan is the last one of its connection once, for either side.
  @Test(arguments: [ServerProxy.Speaker.client, .server], [false, true])
  func theNextOneDoesAPlanThatWasCut(
    _ speaker: ServerProxy.Speaker, isDelivered: Bool
  ) throws {
    let plan = MigrationPlan([
      .custom(from: StagedShop.first, to: StagedShop.second) { context in
        for book in try context.fetch(FetchRequest("Book")) {
          guard case .string(let title) = book["title"] else { continue }
          book["title"] = .string(title + title)
        }
      },
      .mapping(
        from: StagedShop.second, to: StagedShop.third,
        .inferred(from: StagedShop.second, to: StagedShop.third)),
    ])
    let proxy = try ServerProxy(to: shop.place.server)
    var cuts = 0
    for number in stride(from: isDelivered ? 5 : 1, to: .max, by: 13) {
      let shop = try StagedShop()
      try shop.fill()
      proxy.expect([ServerProxy.Cut(speaker, number, isDelivered: isDelivered)])
      var options = shop.place.options
      options.migrationPlan = plan
      // The store may be open already when its connection is cut, which a later request would notice.
      _ = try? PostgreSQLStore(proxy.address, model: StagedShop.third, options: options).close()
      let isOver = proxy.cutsLeft > 0
      proxy.expect()
      let store = try shop.place.open(StagedShop.third) { $0.migrationPlan = plan }
      #expect(try StagedShop.titles(store) == ["aa", "bb", "cc"], "\(number)")
      try store.close()
      if isOver { break }
      cuts += 1
    }
    #expect(cuts > 10)
  }
}
