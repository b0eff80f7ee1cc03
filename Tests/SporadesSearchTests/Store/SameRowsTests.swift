// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesSearch
import SporadesTesting
import Testing

/// All kinds of stores find the same objects for the same words, with and without unsaved changes.
@Suite struct SameRowsTests {
  enum Kind: CaseIterable, Sendable {
    case memory, sqlite, file, several
  }

  private static let entities: [ManagedObject.Type] = [Article.self, Author.self]

  private func stack(_ kind: Kind, in folder: URL) throws -> DataStack {
    let model = try ManagedObjectModel(Self.entities)
    switch kind {
    case .memory: return DataStack(store: MemoryStore(model: model), classes: Self.entities)
    case .sqlite:
      return DataStack(store: try SQLiteStore(inMemory: model), classes: Self.entities)
    case .file:
      let path = folder.appendingPathComponent("file.sqlite").path
      return DataStack(store: try SQLiteStore(path: path, model: model), classes: Self.entities)
    case .several:
      let coordinator = PersistentStoreCoordinator(model: model)
      try coordinator.addPersistentStore(SQLiteStore(inMemory: model))
      try coordinator.addPersistentStore(MemoryStore(model: model))
      return DataStack(store: coordinator, classes: Self.entities)
    }
  }

  private struct Texts {
    var generator: SeededGenerator
    static let words = [
      "green", "Grün", "ham", "hams", "eggs", "e-mail", "東京都", "3.14", "ÉTÉ", "ete", "a",
    ]

    mutating func text() -> String {
      (0..<Int.random(in: 0...6, using: &generator))
        .map { _ in Self.words.randomElement(using: &generator) ?? "a" }.joined(separator: " ")
    }

    mutating func query() -> Search {
      func word() -> String {
        let word = Self.words.randomElement(using: &generator) ?? "a"
        return Bool.random(using: &generator) ? word : String(word.prefix(2)) + "*"
      }
      let forms = [
        word(), "\(word()) \(word())", "\(word()) OR \(word())", "\(word()) -\(word())",
        "title:\(word())",
        "\"\(word()) \(word())\"", "NEAR(\(word()) \(word()), 1)", "-title:\(word())",
        "author.name:\(word())",
        "^\(word())",
      ]
      return Search(forms.randomElement(using: &generator) ?? "a")
    }
  }

  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test(arguments: Kind.allCases, [1, 2, 3]) func findTheSameObjects(kind: Kind, seed: UInt64)
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What is left in the system's temporary folder harms nobody.
    defer { try? FileManager.default.removeItem(at: folder) }
    let stack = try stack(kind, in: folder)
    let reference = try self.stack(.memory, in: folder)
    var texts = Texts(generator: SeededGenerator(state: seed))
    for round in 0..<4 {
      let changes = (0..<12).map { _ in (texts.text(), texts.text(), texts.text()) }
      let queries = (0..<25).map { _ in texts.query() }
      let isSaved = round != 3
      let found = try [stack, reference].map { stack in
        try stack.main.performAndWait { context in
          try change(changes, round, in: context)
          if isSaved { try context.save() }
          return try queries.map { try ids($0, in: context) }
        }
      }
      for (place, query) in queries.enumerated() {
        #expect(found[0][place] == found[1][place], "\(query) in round \(round)")
      }
      #expect(found[0].contains { !$0.isEmpty })
    }
  }

  private func change(
    _ changes: [(String, String, String)], _ round: Int, in context: ManagedObjectContext
  ) throws {
    for (place, texts) in changes.enumerated() {
      let views = place % 8 + (place < 8 ? 0 : round * 100)
      let known = try Article.first(where: \.views == views, in: context)
      if place == 7, let known {
        context.delete(known)
        continue
      }
      let article = known ?? Article.create(in: context)
      (article.title, article.text, article.views) = (texts.0, texts.1, views)
      let author = try article.author ?? Author.first(in: context) ?? Author.create(in: context)
      author.name = texts.2
      article.author = place % 2 == 0 ? author : nil
    }
  }

  /// The numbers of the found objects, and those of the ranked ones, which must be the same.
  private func ids(_ search: Search, in context: ManagedObjectContext) throws -> [Int] {
    let found = try Article.search(search).fetch(in: context).map(\.views).sorted()
    let ranked = try Article.search(search).ranked(in: context).map(\.object.views).sorted()
    #expect(found == ranked)
    return found
  }
}
