// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesPostgreSQL
import SporadesSearch
import SporadesServerSearch
import SporadesStore
import SporadesTesting
import TestServer

@Entity final class Article: ManagedObject {
  @Attribute(.searchable(weight: 4)) var title: String = ""
  @Attribute(.searchable(including: \Article.author?.name)) var text: String?
  var views: Int = 0
  var author: Author?
}

@Entity final class Author: ManagedObject {
  @Attribute(.searchable) var name: String = ""
  @Relationship(deleteRule: .nullify, inverse: \Article.author) var articles: Set<Article>
}

/// A store with articles in a schema of its own on the test server.
final class ServerLibrary {
  static let classes: [ManagedObject.Type] = [Article.self, Author.self]
  let place: TestStore
  let service: DALService

  init(_ change: (inout PostgreSQLStoreOptions) -> Void = { $0.search = .index }) throws {
    place = try TestStore()
    var options = place.options
    change(&options)
    service = DALService(
      postgres: place.server.address, entities: Self.classes, storeOptions: options)
  }

  deinit {
    // The server ends with the tests; what is left there harms nobody.
    try? service.close()
  }

  /// Another program on the same store.
  func another(_ search: ServerSearch = .index) -> DALService {
    var options = place.options
    options.search = search
    return DALService(
      postgres: place.server.address, entities: Self.classes, storeOptions: options)
  }

  static func titles(_ search: Search, in service: DALService) throws -> [String] {
    try service.readValue { try Article.search(search).fetch(in: $0).map(\.title).sorted() }
  }

  func titles(_ search: Search) throws -> [String] { try Self.titles(search, in: service) }

  /// What plain statements of another program do.
  @discardableResult
  func run(_ sql: String) throws -> [String] { try place.lines(sql) }

  /// The number of keys that are noted and not indexed yet.
  func noted() throws -> Int {
    let numbers = try run(
      "SELECT (SELECT count(*) FROM sporades_changed_article) + (SELECT count(*) FROM sporades_changed_1_article)"
    )
    return numbers.first.flatMap(Int.init) ?? -1
  }

  @discardableResult
  func add(_ title: String, _ text: String? = nil, by author: String? = nil) throws
    -> ServerLibrary
  {
    try service.writeSync(durability: .immediate) { context in
      let article = Article.create(in: context)
      article.title = title
      article.text = text
      guard let author else { return }
      let writer = Author.first(where: \.name == author, in: context) ?? Author.create(in: context)
      writer.name = author
      article.author = writer
    }.get()
    return self
  }
}
