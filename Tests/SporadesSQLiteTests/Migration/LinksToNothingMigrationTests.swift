// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import SporadesXcode
import Testing

/// Relationships without inverse whose links lead to deleted objects, in migrations.
@Suite struct LinksToNothingMigrationTests {
  private static let name = AttributeDescription("name", .string, isOptional: true)

  private enum Inverse { case none, one, many }

  /// Books with a first page, and perhaps pages with their book.
  private static func model(
    _ inverse: Inverse, isOptional: Bool = true,
    _ change: (inout EntityDescription) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    var first = RelationshipDescription.toOne(
      "first", "Page", inverse: inverse == .none ? nil : "book")
    first.isOptional = isOptional
    var book = EntityDescription("Book", attributes: [name], relationships: [first])
    change(&book)
    let back: [RelationshipDescription] =
      switch inverse {
      case .none: []
      case .one: [.toOne("book", "Book", inverse: "first")]
      case .many: [.toMany("book", "Book", inverse: "first")]
      }
    return try ManagedObjectModel(entities: [
      book, EntityDescription("Novel", superentityName: "Book"),
      EntityDescription("Page", attributes: [name], relationships: back),
    ])
  }

  /// Two books whose page was deleted, one with a page, and one without.
  private func store(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel
  ) throws -> MigratedStore {
    let store = try MigratedStore(from: old, to: new) { context throws in
      let pages = try ["a", "b", "c"].map { try context.make("Page", ["name": .string($0)]) }
      for (number, name) in ["one", "two", "three"].enumerated() {
        let book = try context.make(number == 1 ? "Novel" : "Book", ["name": .string(name)])
        book.setObject(pages[number], forKey: "first")
      }
      try context.make("Page", ["name": "d"])
    }
    let stack = DataStack(store: try SQLiteStore(url: store.url, model: old))
    try stack.look { context throws in
      for page in try context.all("Page").prefix(2) { context.delete(page) }
      try context.save()
    }
    try stack.store.close()
    // The foreign keys of a server let no link lead to nothing.
    return store.alone
  }

  private func links(_ store: MigratedStore) throws -> [[PlainStore.Cell]] {
    try store.plain().rows("SELECT ZNAME, ZFIRST FROM ZBOOK ORDER BY Z_PK")
  }

  @Test(arguments: [false, true]) func theyGoWhereTheRelationshipGetsAnInverse(
    _ isToMany: Bool
  ) throws {
    let store = try store(Self.model(.none), Self.model(isToMany ? .many : .one))
    #expect(try links(store).allSatisfy { $0[1] != .null })
    let forecast = try store.forecast()
    #expect(forecast.problems.isEmpty && forecast.losses.isEmpty)
    #expect(
      forecast.notes.filter { $0.contains("gone") } == [
        "1 link of Book.first leads to an object that is gone. The relationship gets an inverse, so such links are cut.",
        "1 link of Novel.first leads to an object that is gone. The relationship gets an inverse, so such links are cut.",
      ])
    // The file has no faults, which `migrate` checks.
    try store.migrate().look { context throws in
      let seen = try context.all("Book").map { book in
        "\(book["name"]) \(book.object(forKey: "first").map { "\($0["name"])" } ?? "-")"
      }
      #expect(seen == ["one -", "three c", "two -"])
      let page = try #require(try context.all("Page").first)
      let books =
        isToMany ? page.objects(forKey: "book") : [page.object(forKey: "book")].compactMap(\.self)
      #expect(books.map { $0["name"] } == ["three"])
    }
    #expect(try links(store).map { $0[1] == .null } == [true, true, false])
  }

  @Test func aCopyThroughObjectsCutsThem() throws {
    let (old, new) = (try Self.model(.none), try Self.model(.many))
    let source = try SQLiteStore(url: try store(old, new).url, model: old)
    let destination = MemoryStore(model: new)
    try MigrationManager(source: old, destination: new).migrate(
      from: source, to: destination, with: .inferred(from: old, to: new))
    try DataStack(store: destination).look { context throws in
      let linked = try context.all("Book").filter { $0.object(forKey: "first") != nil }
      #expect(linked.map { $0["name"] } == ["three"])
    }
    try source.close()
  }

  @Test func anObjectMustHaveARequiredLink() throws {
    let store = try store(
      Self.model(.none, isOptional: false), Self.model(.many, isOptional: false))
    let problems = try store.problems()
    #expect(problems.map(\.kind) == [.missingLink, .missingLink])
    #expect(problems.map(\.entity) == ["Book", "Novel"])
    #expect(problems.map(\.count) == [1, 1])
    #expect(try store.forecast().problems == problems)
  }

  @Test func theyStayWithoutAnInverse() throws {
    let new = try Self.model(.none) {
      $0.attributes.append(AttributeDescription("year", .integer16, isOptional: true))
    }
    let store = try store(Self.model(.none), new)
    let before = try links(store)
    #expect(try store.forecast().notes.isEmpty)
    let migrated = try SQLiteStore(url: store.url, model: new)
    let problems = try migrated.integrityProblems()
    #expect(
      problems.count == 1 && problems[0].contains("2 references in ZBOOK.ZFIRST lead nowhere"))
    try migrated.close()
    #expect(try links(store) == before)
  }

  /// The key of the owner lies in the member.
  @Test func theOwnerOfAMemberMayBeGone() throws {
    func model(_ hasInverse: Bool) throws -> ManagedObjectModel {
      var pages = RelationshipDescription.toMany(
        "pages", "Page", inverse: hasInverse ? "book" : nil)
      pages.deleteRule = .noAction
      return try ManagedObjectModel(entities: [
        EntityDescription("Book", attributes: [Self.name], relationships: [pages]),
        EntityDescription(
          "Page", attributes: [Self.name],
          relationships: hasInverse ? [.toOne("book", "Book", inverse: "pages")] : []),
      ])
    }
    let (old, new) = (try model(false), try model(true))
    let store = try MigratedStore(from: old, to: new) { context throws in
      let pages = try ["a", "b"].map { try context.make("Page", ["name": .string($0)]) }
      for (number, name) in ["one", "two"].enumerated() {
        try context.make("Book", ["name": .string(name)]).setObjects(
          [pages[number]], forKey: "pages")
      }
    }
    let stack = DataStack(store: try SQLiteStore(url: store.url, model: old))
    try stack.look { context throws in
      context.delete(try context.all("Book")[0])
      try context.save()
    }
    #expect(try stack.store.integrityProblems().count == 1)
    try stack.store.close()
    #expect(try store.forecast().notes.count { $0.contains("is gone") } == 1)
    try store.alone.migrate().look { context throws in
      let books = try context.all("Page").map { $0.object(forKey: "book").map { $0["name"] } }
      #expect(books == [nil, "two"])
    }
  }
}
