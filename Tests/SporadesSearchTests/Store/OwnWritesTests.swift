// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesSearch
import SporadesStore
import SporadesTesting
import Testing

@Suite struct OwnWritesTests {
  private func noted(_ library: Library) throws -> [String] {
    library.service.flush()
    return try Stranger(library.path).texts("SELECT KEY FROM \"SPORADES_ZARTICLE:CHANGED\"")
  }

  @Test func leaveNoKeyBehind() throws {
    let library = try Library()
    try library.add("one", "ham")
    try library.service.prepareSearch()
    try library.add("two", "ham", by: "Ann")
    #expect(try noted(library) == [])
    try library.service.writeSync { context in
      for author in Author.all(in: context) { author.name = "Berta" }
      Article.first(where: \.title == "one", in: context)?.delete(in: context)
    }.get()
    #expect(try noted(library) == [])
    #expect(try library.titles("berta") == ["two"])
    #expect(try library.service.searchIndexProblems() == [])
  }

  /// A search beside changes that wait for their commit reads the texts. The commit makes the tables, and the next search
  /// fills them, also where changes wait at each search.
  @Test func aSearchCommitsNothingAndTheCommitBeginsTheMaking() throws {
    let library = try Library()
    try library.service.close()
    let model = try ManagedObjectModel([Article.self, Author.self])
    let store = try SQLiteStore(path: library.path, model: model)
    let shape = try #require(model.shape(named: "Author"))
    func tables() throws -> [String] {
      try Stranger(library.path).texts(
        "SELECT NAME || ' ' || ifnull(NEXT, 'made') FROM SPORADES_SEARCH")
    }
    func found(_ view: StoreView) throws -> [Int64] {
      try store.keys(StoreFetch(shape, where: .search("ham")), in: view).map(\.primaryKey)
    }
    func insert(_ key: Int64) throws {
      try store.execute(
        ChangeSet(inserting: [RowDraft("Author", key, ["name": "ham"], of: model)]))
    }
    try insert(1)
    #expect(try found(.accepted) == [1])
    #expect(try found(.committed) == [])
    try store.commit(.eventual)
    #expect(try tables() == ["ZAUTHOR 0"])
    try insert(2)
    #expect(try found(.accepted) == [1, 2])
    #expect(try found(.committed) == [1])
    try store.commit(.eventual)
    #expect(try tables() == ["ZAUTHOR made"])
    #expect(try found(.committed) == [1, 2])
    #expect(try store.searchIndexProblems() == [])
    try store.close()
  }

  @Test func batchesAreFollowed() throws {
    let library = try Library()
    try library.service.writeSync { context in
      for number in 0..<1_000 {
        let article = Article.create(in: context)
        article.title = "\(number)"
        article.text = number % 2 == 0 ? "even" : "odd"
      }
    }.get()
    #expect(try library.titles("even").count == 500)
    try library.service.writeSync { context in
      try context.execute(Article.where(\.text == "even").update(\.text, to: "straight"))
    }.get()
    #expect(try library.titles("even") == [])
    #expect(try library.titles("straight").count == 500)
    try library.service.writeSync { context in
      try context.execute(Article.search("odd").delete())
    }.get()
    #expect(try library.titles("odd") == [])
    #expect(try library.service.readValue { try Article.count(in: $0) } == 500)
    #expect(try noted(library) == [])
    #expect(try library.service.searchIndexProblems() == [])
  }

  @Test func aRefusedWriteLeavesNothing() throws {
    let library = try Library()
    try library.add("one", "ham")
    #expect(try library.titles("ham") == ["one"])
    struct Refusal: Error {}
    #expect(throws: (any Error).self) {
      try library.service.writeSync { context in
        Article.create(in: context).text = "ham"
        throw Refusal()
      }.get()
    }
    #expect(try library.titles("ham") == ["one"])
  }

  @Test func undoIsFollowed() throws {
    let library = try Library()
    try library.add("one", "ham")
    try library.service.close()
    let stack = try DataStack(
      sqlite: URL(fileURLWithPath: library.path), entities: [Article.self, Author.self])
    let found = try stack.main.performAndWait { context throws -> [[String]] in
      func titles() throws -> [String] {
        try Article.search("ham").fetch(in: context).map(\.title)
      }
      context.undoManager = ContextUndoManager()
      let article = try #require(try Article.first(in: context))
      var found = [try titles()]
      article.text = "eggs"
      try context.save()
      found.append(try titles())
      context.undoManager?.undo()
      found.append(try titles())
      try context.save()
      found.append(try titles())
      return found
    }
    #expect(found == [["one"], [], ["one"], ["one"]])
  }

  @Test func theSchemaComesBackExactly() throws {
    let library = try Library()
    try library.add("one", "ham")
    library.service.flush()
    let schema = "SELECT type || name || ifnull(sql, '') FROM sqlite_master ORDER BY 1"
    let before = try Stranger(library.path).texts(schema)
    #expect(try library.titles("ham") == ["one"])
    #expect(try Stranger(library.path).texts(schema) != before)
    try library.service.removeSearchIndex()
    #expect(try Stranger(library.path).texts(schema) == before)
    try library.add("two", "ham")
    #expect(try library.titles("ham") == ["one", "two"])
  }

  @Test func asynchronousReadsSearchFromTheFirstOn() async throws {
    let library = try Library()
    try library.add("one", "ham").add("two", "eggs")
    let first = try await library.service.read {
      try Article.search("ham").fetch(in: $0).map(\.title)
    }
    #expect(first == ["one"])
    try library.add("three", "ham")
    let second = try await library.service.read { try Article.search("ham").count(in: $0) }
    #expect(second == 2)
  }

  @Test func aStoreForReadingOnlySearches() throws {
    let library = try Library()
    try library.add("one", "ham").add("two", "eggs")
    try library.service.close()
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let (path, given) = (library.path, options)
    let service = DALService {
      try DataStack(
        sqlite: URL(fileURLWithPath: path), entities: [Article.self, Author.self], options: given)
    }
    let titles = try service.readValue { context in
      try Article.search("ham").fetch(in: context).map(\.title)
    }
    #expect(titles == ["one"])
    let ranked = try service.readValue {
      try Article.search("ham").ranked(in: $0).map(\.object.title)
    }
    #expect(ranked == ["one"])
    try service.close()
  }
}
