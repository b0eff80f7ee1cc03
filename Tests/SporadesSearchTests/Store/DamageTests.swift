// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch
import SporadesStore
import Testing

/// Indexes that others have damaged, and names of entities that could meet in a file.
@Suite struct DamageTests {
  private func library(_ count: Int = 3) throws -> Library {
    let library = try Library()
    try library.service.writeSync { context in
      for number in 0..<count {
        let article = Article.create(in: context)
        article.title = "\(number)"
        article.text = "ham and eggs"
      }
    }.get()
    library.service.flush()
    #expect(try library.titles("ham").count == count)
    return library
  }

  @Test func aSearchMakesDamagedListsOfWordsAnew() throws {
    let library = try library()
    let damage =
      "UPDATE \"SPORADES_ZARTICLE:SEARCH_data\" SET block = x'00ff00ff' WHERE id > 1000"
    for question in 0..<5 {
      try Stranger(library.path).run(damage)
      let service = library.reopened()
      let search = Article.search("ham")
      let found: Int =
        switch question {
        case 0: try service.readValue { try search.fetch(in: $0).count }
        case 1: try service.readValue { try search.count(in: $0) }
        case 2: try service.readValue { try search.ranked(in: $0).count }
        case 3: try service.readValue { try search.ids(in: $0).count }
        default: try service.readValue { try Article.suggest("ha", in: $0) } == ["ham"] ? 3 : 0
        }
      #expect(found == 3, "question \(question)")
      #expect(try service.searchIndexProblems() == [])
      try service.close()
    }
  }

  @Test func triggersWithoutTheirTableGoWhenAStoreIsOpened() throws {
    let library = try library()
    try library.service.close()
    let stranger = try Stranger(library.path)
    try stranger.run("DROP TABLE \"SPORADES_ZARTICLE:CHANGED\"")
    #expect(stranger.fails("UPDATE ZARTICLE SET ZTEXT = 'spam'"))
    let service = library.reopened()
    try service.writeSync { context in
      for article in Article.all(in: context) { article.text = "spam" }
    }.get()
    let triggers = try stranger.texts(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    #expect(
      triggers == ["DELETE", "INSERT", "UPDATE"].map { "SPORADES_ZARTICLE:CHANGED_1_\($0)" })
    #expect(try service.readValue { try Article.search("spam").count(in: $0) } == 3)
    try service.close()
  }

  @Test func aCommitIndexesSomeOfWhatOthersHaveChanged() throws {
    let library = try library(12_000)
    try library.service.prepareSearch()
    let stranger = try Stranger(library.path)
    try stranger.run("UPDATE ZARTICLE SET ZTEXT = 'spam'")
    try library.add("new", "spam")
    library.service.flush()
    let left = try stranger.texts("SELECT count(*) FROM \"SPORADES_ZARTICLE:CHANGED\"")
    #expect(try (1...8_100).contains(#require(Int(left[0]))), "\(left)")
    #expect(try library.titles("spam").count == 12_001)
    #expect(try stranger.texts("SELECT count(*) FROM \"SPORADES_ZARTICLE:CHANGED\"") == ["0"])
  }

  @Test func aWrongKeyPathIsRefusedWithTheModel() throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel([Report.self, Author.self])
    }
    let problem = try #require(error?.problems.first)
    #expect(problem.code == .unknownProperty)
    #expect(problem.entity == "Report" && problem.property == "text")
    #expect(problem.detail.contains("key path"), "\(problem.detail)")
  }

  @Test func namesOfEntitiesDoNotMeet() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let service = DALService {
      try DataStack(
        sqlite: folder.appendingPathComponent("store.sqlite"),
        entities: [Paper.self, Paper_1.self, Paper_data.self, Author.self, Article.self])
    }
    try service.writeSync { context in
      let paper = Paper.create(in: context)
      paper.text = "ham"
      let writer = Author.create(in: context)
      writer.name = "ann"
      paper.author = writer
      Paper_1.create(in: context).text = "ham"
      Paper_data.create(in: context).text = "ham"
    }.get()
    for _ in 0..<2 {
      #expect(try service.readValue { try Paper.search("ham ann").count(in: $0) } == 1)
      #expect(try service.readValue { try Paper_1.search("ham").count(in: $0) } == 1)
      #expect(try service.readValue { try Paper_data.search("ham").count(in: $0) } == 1)
      #expect(try service.searchIndexProblems() == [])
      try service.rebuildSearchIndex()
    }
    try service.removeSearchIndex()
    let left = try Stranger(folder.appendingPathComponent("store.sqlite").path)
      .texts("SELECT name FROM sqlite_master WHERE name LIKE 'SPORADES%'")
    #expect(left == [])
    try service.close()
    try FileManager.default.removeItem(at: folder)
  }
}

@Entity final class Report: ManagedObject {
  @Attribute(.searchable(including: \Report.author?.initials)) var text: String = ""
  var author: Author?
}

@Entity final class Paper: ManagedObject {
  @Attribute(.searchable(including: \Paper.author?.name)) var text: String = ""
  var author: Author?
}

extension Author {
  /// A text that no store has.
  fileprivate var initials: String { String(name.prefix(1)) }
}

// Names that differ from the one above by what SQLite and earlier versions put behind names.
@Entity final class Paper_1: ManagedObject {
  @Attribute(.searchable) var text: String = ""
}

@Entity final class Paper_data: ManagedObject {
  @Attribute(.searchable) var text: String = ""
}
