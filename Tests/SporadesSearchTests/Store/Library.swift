// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch

// snippet: searchable
@Entity final class Article: ManagedObject {
  @Attribute(.searchable(weight: 4)) var title: String = ""
  @Attribute(.searchable(including: \Article.author?.name)) var text: String?
  var views: Int = 0
  var author: Author?
}
// snippet end

@Entity final class Author: ManagedObject {
  @Attribute(.searchable) var name: String = ""
  @Relationship(deleteRule: .nullify, inverse: \Article.author) var articles: Set<Article>
}

/// A service on a file that ends with the test.
final class Library: Sendable {
  let folder: URL
  let service: DALService
  var path: String { folder.appendingPathComponent("store.sqlite").path }

  init(history: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    service = Self.service(folder, history)
  }

  deinit {
    // The folder is one of the system's temporary ones; what is left there harms nobody.
    try? service.close()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func service(_ folder: URL, _ history: Bool) -> DALService {
    DALService {
      var options = SQLiteStoreOptions()
      options.persistentHistory = history ? .on : .asInFile
      return try DataStack(
        sqlite: folder.appendingPathComponent("store.sqlite"),
        entities: [Article.self, Author.self], options: options)
    }
  }

  func reopened() -> DALService { Self.service(folder, false) }

  /// The titles that a search finds, sorted.
  func titles(_ search: Search) throws -> [String] {
    try service.readValue { try Article.search(search).fetch(in: $0).map(\.title).sorted() }
  }

  @discardableResult
  func add(_ title: String, _ text: String? = nil, by author: String? = nil) throws -> Library {
    try service.writeSync { context in
      let article = Article.create(in: context)
      article.title = title
      article.text = text
      guard let author else { return }
      let known = Author.first(where: \.name == author, in: context)
      let writer = known ?? Author.create(in: context)
      writer.name = author
      article.author = writer
    }.get()
    return self
  }
}
