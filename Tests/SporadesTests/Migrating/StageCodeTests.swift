// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What the code of a stage sees, and how its values cross to the other version.
@Suite final class StageCodeTests: ShopStore {
  init() throws {
    try super.init { context in
      let writer = ShopV1.Writer.create(in: context)
      writer.name = "Jane"
      for (title, price) in [("Emma", "12,50"), ("Persuasion", "8")] {
        let book = ShopV1.Book.create(in: context)
        (book.title, book.price) = (title, price)
        book.author = title == "Emma" ? writer : nil
      }
    }
  }

  private func prices(_ stack: DataStack) throws -> [String: Double?] {
    let prices = try stack.main.performAndWait { context in
      Dictionary(
        uniqueKeysWithValues: try ShopV2b.Book.all(in: context).map { ($0.title, $0.price) })
    }
    if let error = stack.root.close() { throw error }
    return prices
  }

  /// The store is still one of the first version.
  private func checkUnchanged(_ location: SourceLocation = #_sourceLocation) throws {
    let stack = try DataStack(sqlite: file, entities: ShopV1.entities)
    let prices = try stack.main.performAndWait { context in
      try ShopV1.Book.all(sortedBy: \.title, in: context).map(\.price)
    }
    #expect(prices == ["12,50", "8"], sourceLocation: location)
    if let error = stack.root.close() { throw error }
  }

  private static func mend(_ context: ManagedObjectContext) throws {
    for book in try ShopV1.Book.all(in: context) {
      book.price = book.price?.replacingOccurrences(of: ",", with: ".")
    }
  }

  // MARK: - Values that the code mends

  @Test func theChangesMeetTheValuesThatCodeHasMended() throws {
    let unmended = try #require(throws: StoreError.self) {
      _ = try open(
        ShopV2b.entities, .lightweight(fromVersion: ShopV1.self, toVersion: ShopV2b.self))
    }
    #expect(unmended.description.contains("1 value of Book.price has no equal as Double"))
    #expect(unmended.description.contains("The key is 1."))
    try checkUnchanged()
    let stack = try open(
      ShopV2b.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2b.self, willMigrate: { try Self.mend($0) }))
    #expect(try prices(stack) == ["Emma": 12.5, "Persuasion": 8])
  }

  // MARK: - Values that cross

  @Test func valuesCrossByTheIDsOfTheOlderVersion() throws {
    let stack = try open(
      ShopV2b.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2b.self,
        willMigrate: { context in
          let books = try ShopV1.Book.all(in: context).map { book in
            defer { book.price = nil }
            return (book.objectID, book.price ?? "")
          }
          return (books, try ShopV1.Writer.all(in: context).map(\.objectID))
        },
        didMigrate: { context, carried in
          for (id, price) in carried.0 {
            let book = try #require(try context.object(ShopV2b.Book.self, migratedFrom: id))
            #expect(book.price == nil)
            book.price = Double(price.filter(\.isNumber))
          }
          let authors = try carried.1.map {
            try context.object(ShopV2b.Author.self, migratedFrom: $0)
          }
          #expect(authors.map { $0?.name } == ["Jane"])
          #expect(authors.first??.books.map(\.title) == ["Emma"])
        }))
    #expect(try prices(stack) == ["Emma": 1250, "Persuasion": 8])
  }

  @Test func idsOfObjectsThatAreGoneLeadNowhere() throws {
    let stack = try open(
      ShopV2.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2.self,
        willMigrate: { context in
          try Self.mend(context)
          let books = try ShopV1.Book.all(sortedBy: \.title, in: context)
          let ids = books.map(\.objectID) + (try ShopV1.Writer.all(in: context).map(\.objectID))
          books[0].delete(in: context)
          return ids
        },
        didMigrate: { context, ids in
          let found = try ids.map { try context.object(migratedFrom: $0) }
          #expect(found.map { $0?.entity.name } == [nil, "Book", nil])
        }))
    let titles = try stack.main.performAndWait { try ShopV2.Book.all(in: $0).map(\.title) }
    #expect(titles == ["Persuasion"])
    if let error = stack.root.close() { throw error }
  }

  @Test func keysThatGrowAreFollowed() throws {
    func model(_ parent: String?) throws -> ManagedObjectModel {
      func entity(_ name: String, _ parent: String? = nil) -> EntityDescription {
        let attribute = AttributeDescription("name", .string, isOptional: true)
        return EntityDescription(
          name, attributes: parent == nil ? [attribute] : [], superentityName: parent)
      }
      let animals = parent.map { [entity($0)] } ?? []
      return try ManagedObjectModel(
        entities: animals + [entity("Cat", parent), entity("Dog", parent)])
    }
    let (apart, together) = (try model(nil), try model("Animal"))
    let place = folder.file("Animals.sqlite")
    let first = DataStack(store: try SQLiteStore(url: place, model: apart))
    try first.newContext().performAndWait { context in
      for name in ["Cat", "Dog"] { try context.insert(entityNamed: name)["name"] = .string(name) }
      try context.save()
    }
    if let error = first.root.close() { throw error }
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan([
      .custom(
        from: apart, to: together,
        willMigrate: { context in
          try ["Cat", "Dog"].map { try context.fetch(FetchRequest($0))[0].objectID }
        },
        didMigrate: { context, ids in
          let found = try ids.map { try context.object(migratedFrom: $0) }
          #expect(found.map { $0?["name"] } == ["Cat", "Dog"])
          // One of the two keys had to grow.
          #expect(found[0]?.objectID != found[1]?.objectID)
        })
    ])
    let stack = DataStack(store: try SQLiteStore(url: place, model: together, options: options))
    if let error = stack.root.close() { throw error }
  }

  @Test func otherIDsAreRefused() throws {
    let error = try #require(throws: StoreError.self) {
      _ = try open(
        ShopV2b.entities,
        .custom(
          fromVersion: ShopV1.self, toVersion: ShopV2b.self,
          willMigrate: { try Self.mend($0) },
          didMigrate: { context in
            let id = try #require(try ShopV2b.Author.first(in: context)).objectID
            _ = try context.object(migratedFrom: id)
          }))
    }
    #expect(error.description.contains("no permanent id of the older version of this stage"))
    try checkUnchanged()
    let stack = try DataStack(sqlite: file, entities: ShopV1.entities)
    try stack.main.performAndWait { context throws in
      let id = try #require(try ShopV1.Book.first(in: context)).objectID
      #expect(throws: ContextError.self) { try context.object(migratedFrom: id) }
    }
    if let error = stack.root.close() { throw error }
  }

  @Test func anIDOfAnotherEntityLeadsToNoObjectOfTheClass() throws {
    let stack = try open(
      ShopV2b.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2b.self,
        willMigrate: { context in
          try Self.mend(context)
          return try ShopV1.Writer.all(in: context)[0].objectID
        },
        didMigrate: { context, writer throws in
          #expect(try context.object(ShopV2b.Book.self, migratedFrom: writer) == nil)
          #expect(try context.object(ShopV2b.Author.self, migratedFrom: writer) != nil)
          #expect(throws: ContextError.self) {
            try context.object(ShopV3.Book.self, migratedFrom: writer)
          }
        }))
    if let error = stack.root.close() { throw error }
  }

  /// Each run of a plan has values of its own.
  @Test func aPlanRunsTwice() throws {
    let stage = MigrationStage.custom(
      fromVersion: ShopV1.self, toVersion: ShopV2b.self,
      willMigrate: { context in
        try Self.mend(context)
        return try ShopV1.Book.count(in: context)
      },
      didMigrate: { context, count in
        guard count == 2 else { throw CancellationError() }
        for book in try ShopV2b.Book.all(in: context) { book.price = 1 }
      })
    let copy = folder.file("Copy.sqlite")
    try FileManager.default.copyItem(at: file, to: copy)
    #expect(try prices(open(ShopV2b.entities, stage)) == ["Emma": 1, "Persuasion": 1])
    let stack = try open(copy, ShopV2b.entities, [stage])
    #expect(try prices(stack) == ["Emma": 1, "Persuasion": 1])
  }

  // MARK: - Objects that outlive their code

  /// Runs a stage that keeps an object of the older version, and uses it after its code.
  static func useKept(_ use: @escaping @Sendable (ShopV1.Book) -> Void) throws {
    let tests = try StageCodeTests()
    // nonisolated(unsafe): the two pieces of code run one after the other. The compiler refuses this without the word.
    nonisolated(unsafe) var kept: ShopV1.Book?
    _ = try tests.open(
      ShopV2b.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV2b.self,
        willMigrate: { context in
          try Self.mend(context)
          unsafe kept = try ShopV1.Book.all(sortedBy: \.title, in: context).first
        },
        didMigrate: { _ in if let kept = unsafe kept { use(kept) } }))
  }

  @Test func keptObjectsTrap() async throws {
    let changing = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try StageCodeTests.useKept { $0.price = "1" }
    }
    expect(changing, "Book/p1 was changed after the block of the service or stage")
    let reading = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try StageCodeTests.useKept { print($0.author as Any) }
    }
    expect(reading, "Book/p1.author was read after the block of the service or stage")
    let making = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let tests = try StageCodeTests()
      _ = try tests.open(
        ShopV2b.entities,
        .custom(
          fromVersion: ShopV1.self, toVersion: ShopV2b.self,
          willMigrate: { context in
            try StageCodeTests.mend(context)
            ShopV2b.Book.create(in: context)
          }))
    }
    expect(making, "ShopV2b.Book is a class of another version", "ShopV1.Book")
  }

  private func expect(
    _ result: ExitTest.Result?, _ parts: String..., location: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for part in parts {
      #expect(text.contains(part), "\(text)", sourceLocation: location)
    }
  }

  // MARK: - Errors of code

  @Test func aClassOfAnotherVersionIsNamedWithTheStage() throws {
    let error = try #require(throws: StoreError.self) {
      _ = try open(
        ShopV2b.entities,
        .custom(
          fromVersion: ShopV1.self, toVersion: ShopV2b.self,
          willMigrate: { try Self.mend($0) },
          didMigrate: { _ = try ShopV3.Author.all(in: $0) }))
    }
    let text = error.description
    for part in [
      "The stage from ShopV1 to ShopV2b", "in its code on objects of ShopV2b",
      "ShopV3.Author is a class of another version", "ShopV2b.Author; use that one",
    ] { #expect(text.contains(part), "\(text)") }
    try checkUnchanged()
  }

  @Test func aCancelledMigrationStopsTheCodeAtItsNextFetch() throws {
    let progress = MigrationProgress()
    let fetches = Guarded(0)
    let error = try #require(throws: StoreError.self) {
      _ = try open(
        ShopV2b.entities,
        .custom(
          fromVersion: ShopV1.self, toVersion: ShopV2b.self,
          willMigrate: { context in
            _ = try ShopV1.Book.all(in: context)
            fetches.withLock { $0 += 1 }
            progress.cancel()
            _ = try ShopV1.Writer.all(in: context)
            fetches.withLock { $0 += 1 }
          })
      ) { $0.migration.progress = progress }
    }
    #expect(error.code == .cancelled)
    #expect(fetches.withLock { $0 } == 1)
    try checkUnchanged()
  }

  // MARK: - Required links

  @Test func aRequiredLinkThatIsMissingIsRefused() throws {
    let mended = MigrationStage.custom(
      fromVersion: ShopV1.self, toVersion: ShopV3.self, willMigrate: { try Self.mend($0) })
    let error = try #require(throws: StoreError.self) { _ = try open(ShopV3.entities, mended) }
    guard case .cannotMigrate(let problems) = error.code else {
      Issue.record("\(error)")
      return
    }
    #expect(problems.map(\.kind) == [.missingLink])
    #expect(problems.map(\.entity) == ["Book"])
    #expect(problems.map(\.property) == ["author"])
    #expect(problems.map(\.keys) == [[2]])
    #expect(error.description.contains("1 object of Book has no author"), "\(error)")
    try checkUnchanged()
  }

  @Test func aStageFillsRequiredLinks() throws {
    let stack = try open(
      ShopV3.entities,
      .custom(
        fromVersion: ShopV1.self, toVersion: ShopV3.self,
        willMigrate: { context in
          try Self.mend(context)
          return try ShopV1.Book.all(in: context).filter { $0.author == nil }.map(\.objectID)
        },
        didMigrate: { context, lonely in
          let author = ShopV3.Author.create(in: context)
          author.name = "Unknown"
          for id in lonely {
            try context.object(ShopV3.Book.self, migratedFrom: id)?.author = author
          }
        }))
    let authors = try stack.main.performAndWait { context in
      try ShopV3.Book.all(sortedBy: \.title, in: context).map(\.author.name)
    }
    #expect(authors == ["Jane", "Unknown"])
    if let error = stack.root.close() { throw error }
  }
}
