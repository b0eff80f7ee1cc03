// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesIndexing
import Testing

@Entity final class Publisher: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "publisher") var authors: Set<Author>
}

@Entity final class Author: ManagedObject {
  var name: String = ""
  var shoeSize: Int = 0
  @Relationship(inverse: "authors") var publisher: Publisher?
  @Relationship(inverse: "author") var articles: Set<Article>
}

@Entity final class Label: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "labels") var articles: Set<Article>
}

@Entity class Article: ManagedObject {
  var title: String = ""
  var isPublic: Bool = true
  @Relationship(inverse: "articles") var author: Author?
  @Relationship(inverse: "articles") var labels: Set<Label>
  @Relationship(deleteRule: .cascade, inverse: "article") var remarks: Set<Remark>
}

@Entity final class Guide: Article {
  var city: String = ""
}

@Entity final class Remark: ManagedObject {
  var text: String = ""
  @Relationship(inverse: "remarks") var article: Article?
}

/// A folder with the file of a store, and services on it.
final class Library {
  static let classes: [ManagedObject.Type] = [
    Publisher.self, Author.self, Label.self, Article.self, Guide.self, Remark.self,
  ]
  /// The paths to everything that an article's text is made of.
  static let articles = IndexedEntity(
    Article.self,
    following: ["author.name", "author.publisher.name", "labels.name", "remarks.text"])

  let folder: URL
  private var services: [DALService] = []
  var file: URL { folder.appendingPathComponent("library.sqlite") }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("indexing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // `try?`, because the tests are over, and a folder that stays hurts none.
    for service in services { try? service.close() }
    try? FileManager.default.removeItem(at: folder)
  }

  func open(_ name: String = "library.sqlite", history: Bool = true) throws -> DALService {
    var options = SQLiteStoreOptions()
    if history { options.persistentHistory = .on }
    let service = DALService(
      stack: try DataStack(
        sqlite: folder.appendingPathComponent(name), entities: Self.classes, options: options))
    services.append(service)
    return service
  }
}

extension DALService {
  func change(_ body: (ManagedObjectContext) throws -> Void) throws {
    try writeSync { try body($0.managedObjectContext) }.get()
  }

  /// Inserts articles with the titles, and returns the identifiers of their items.
  @discardableResult
  func add(_ titles: String...) throws -> [String] { try add(titles) }

  @discardableResult
  func add(_ titles: [String]) throws -> [String] {
    try change { context in
      for title in titles { Article.create(in: context).title = title }
    }
    return try readValue { context in
      try titles.map { title in
        try #require(try Article.first(where: \.title == title, in: context))
          .objectID.uriRepresentation().absoluteString
      }
    }
  }

  func last() throws -> Int64 {
    try currentPersistentHistoryToken()?.numbers.values.first ?? 0
  }
}

/// A list that several threads write.
final class Log<Entry: Sendable>: Sendable {
  private let list = Guarded<[Entry]>([])

  var entries: [Entry] { list.withLock(\.self) }

  func add(_ entry: Entry) { list.withLock { $0.append(entry) } }
}

/// Waits for a condition, for an hour at most: beside all other tests a task may wait long for its turn.
func until(_ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(3_600)
  while try await !condition() {
    try #require(ContinuousClock.now < end, "The condition did not come true.")
    await Task.yield()
  }
}
