// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesModel
import SporadesPostgreSQL
import SporadesSearch
import SporadesServerSearch
import SporadesStore
import SporadesTesting
import TestServer
import Testing

/// Other programs on the store, with and without an index.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerStrangerTests {
  private func library() throws -> ServerLibrary {
    let library = try ServerLibrary()
    try library.add("one", "green eggs", by: "Ann").add("two", "ham", by: "Berta").add("three")
    #expect(try library.titles("ham") == ["two"])
    return library
  }

  @Test func rowsOfOthersAreFound() throws {
    let library = try library()
    try library.run(
      """
      INSERT INTO article (row_id, row_entity, row_version, title, text, views) VALUES (5000, 'Article', 1, 'four', 'Strange HAM', 0);
      UPDATE article SET text = 'no more' WHERE title = 'two'; DELETE FROM article WHERE title = 'one';
      UPDATE author SET name = 'Caesar' WHERE name = 'Berta'
      """)
    #expect(try library.noted() > 0)
    #expect(try library.titles("ham") == ["four"])
    #expect(try library.titles("caesar") == ["two"])
    #expect(try library.titles("berta OR ann OR green") == [])
    #expect(try library.noted() == 0)
    try library.run("UPDATE article SET row_id = 6000 WHERE row_id = 5000")
    #expect(try library.titles("ham") == ["four"])
    // A change of what is not searched is not noted.
    try library.run("UPDATE article SET views = views + 1")
    #expect(try library.noted() == 0)
    #expect(try library.service.searchIndexProblems() == [])
    try library.run("TRUNCATE article CASCADE")
    #expect(try library.titles("ham OR caesar") == [])
    #expect(try library.run("SELECT count(*) FROM sporades_search_article") == ["0"])
  }

  @Test func aWriterWithoutRightsToTheNotesWrites() throws {
    let library = try library()
    let (schema, role) = (library.place.options.schema, "r\(UInt32.random(in: 0...(.max)))")
    try library.run(
      """
      CREATE ROLE \(role); GRANT USAGE ON SCHEMA \(schema) TO \(role); GRANT ALL ON \(schema).article TO \(role);
      SET ROLE \(role); SET search_path = pg_catalog; UPDATE \(schema).article SET text = 'ham too' WHERE title = 'three'
      """)
    #expect(try library.titles("ham") == ["three", "two"])
    try library.run("DROP OWNED BY \(role); DROP ROLE \(role)")
  }

  @Test func programsWithoutAnIndexAreFollowed() throws {
    let library = try library()
    let other = library.another(.texts)
    try other.writeSync(durability: .immediate) { context in
      Article.first(where: \.title == "three", in: context)?.text = "ham"
      Article.first(where: \.title == "two", in: context)?.delete(in: context)
    }.get()
    #expect(try ServerLibrary.titles("ham", in: other) == ["three"])
    #expect(try library.titles("ham") == ["three"])
    try other.close()
  }

  @Test func lostPartsAreMadeAgain() throws {
    for loss in [
      "DROP TABLE sporades_changed_article CASCADE", "DROP TABLE sporades_search",
      "DROP TABLE sporades_search_article", "DELETE FROM sporades_search",
      "DROP FUNCTION sporades_note_change CASCADE", "UPDATE sporades_search SET definition = '0'",
      "UPDATE sporades_search SET next = 0", "ALTER TABLE article DISABLE TRIGGER USER",
      "UPDATE sporades_search SET relation = 0",
    ] {
      let library = try library()
      try library.run(loss)
      let change = "UPDATE article SET text = 'changed ham' WHERE title = 'one'"
      try library.run(change)
      #expect(try library.titles("changed") == ["one"], "\(loss)")
      #expect(try library.titles("two") == ["two"], "\(loss)")
      #expect(try library.service.searchIndexProblems() == [], "\(loss)")
    }
  }

  @Test func rolledBackWritesLeaveNothing() throws {
    let library = try library()
    try library.run("BEGIN; UPDATE article SET text = 'ham'; ROLLBACK")
    #expect(try library.noted() == 0)
    #expect(try library.titles("ham") == ["two"])
    struct Refusal: Error {}
    #expect(throws: (any Error).self) {
      try library.service.writeSync { context in
        Article.create(in: context).text = "ham"
        throw Refusal()
      }.get()
    }
    #expect(try library.titles("ham") == ["two"])
  }

  /// Keys that are noted are candidates in the state that shows them, also where nobody has indexed them.
  @Test func aKeptStateIsSearchedAsItWas() throws {
    let library = try library()
    var options = library.place.options
    options.search = .index
    let model = try ManagedObjectModel(ServerLibrary.classes)
    let store = try PostgreSQLStore(library.place.server.address, model: model, options: options)
    let entity = try #require(model.shape(named: "Article"))
    func count(_ text: Search, _ view: StoreView) throws -> Int {
      try store.keys(StoreFetch(entity, where: .search(text)), in: view).count
    }
    try library.run("UPDATE article SET text = 'ham' WHERE title = 'one'")
    let generation = try store.generation()
    try library.run("UPDATE article SET text = 'eggs'")
    #expect(try count("ham", .generation(generation)) == 2)
    #expect(try count("eggs", .committed) == 3)
    #expect(try count("ham", .generation(generation)) == 2)
    #expect(try count("eggs", .generation(generation)) == 0)
    #expect(try count("\"ham\" -three", .generation(generation)) == 2)
    try library.service.rebuildSearchIndex()
    #expect(try count("eggs", .committed) == 3)
    try store.close()
  }

  /// Two programs write and search at once. Neither finds too little, and the index is right in the end.
  @Test func twoProgramsIndexAtOnce() throws {
    let library = try ServerLibrary()
    let services = [library.service, library.another()]
    let threads = services.enumerated().map { number, service in
      Result<[Int], any Error>.onThread {
        try (1...15).map { round in
          try service.writeSync(durability: .immediate) { context in
            let article = Article.create(in: context)
            (article.title, article.text) = ("program\(number) \(round)", "ham")
          }.get()
          return try service.readValue {
            try Article.search(Search("ham program\(number)")).count(in: $0)
          }
        }
      }
    }
    for thread in threads { #expect(try thread() == Array(1...15)) }
    #expect(try library.titles("ham").count == 30)
    #expect(try library.service.searchIndexProblems() == [])
    let counted = "SELECT rows FROM sporades_search WHERE name = 'article'"
    #expect(try library.run(counted) == ["30"])
    try services[1].close()
  }

  @Test func acceptedChangesAreFoundBeforeTheirCommit() throws {
    let library = try library()
    var options = library.place.options
    options.search = .index
    let model = try ManagedObjectModel(ServerLibrary.classes)
    let store = try PostgreSQLStore(library.place.server.address, model: model, options: options)
    let entity = try #require(model.shape(named: "Article"))
    let key = try store.reserveKeys(1, for: entity).lowerBound
    try store.execute(
      ChangeSet(inserting: [
        RowDraft(
          "Article", key, ["text": .string("Hams"), "title": .string("new"), "views": .integer(0)],
          of: model)
      ]))
    let fetch = StoreFetch(entity, where: .search("ham*"))
    #expect(try store.keys(fetch, in: .accepted).count == 2)
    #expect(try store.keys(fetch, in: .committed).count == 1)
    try store.commit(.immediate)
    #expect(try store.keys(fetch, in: .committed).count == 2)
    try store.close()
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// Runs `body` on a thread of its own. The closure waits for its result.
  static func onThread(
    _ body: @escaping @Sendable () throws -> Success
  ) -> () throws -> Success {
    let result = Guarded<Result<Success, any Error>?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let output = Result { try body() }
      result.withLock { $0 = output }
      isOver.signal()
    }
    return {
      try #require(isOver.wait(timeout: .now() + 60) == .success)
      return try #require(result.withLock { $0 }).get()
    }
  }
}
