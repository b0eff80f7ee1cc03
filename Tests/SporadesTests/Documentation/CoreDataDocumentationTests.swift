// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// The code in "Coming from Core Data", "Conflicts", "Containers" and "Contexts and concurrency".
@Suite struct CoreDataDocumentationTests {
  typealias Author = Bookshop.Author
  typealias Book = Bookshop.Book

  private func makeStack() throws -> DataStack {
    let stack = try DataStack(inMemory: Bookshop.entities)
    try stack.newContext().performAndWait { context in
      let jane = Author.create(in: context)
      (jane.lastname, jane.email) = ("Austen", "jane@chawton.example")
      for (title, pages) in [("Emma", 474), ("Persuasion", 249), ("Sanditon", 80)] {
        let book = Book.create(in: context)
        (book.title, book.pages, book.author) = (title, pages, jane)
      }
      try context.save()
    }
    return stack
  }

  @Test func requests() throws {
    let stack = try makeStack()
    try stack.main.performAndWait { context in
      // snippet: coredata-request
      var request = FetchRequest("Book")
      request.predicate = try FetchPredicate(
        format: "pages > %d AND author.lastname == %@", 100, "Austen")
      request.sortTerms = [SortTerm("pages", ascending: false)]
      request.fetchLimit = 20
      request.relationshipKeyPathsForPrefetching = ["author"]
      let books = try context.fetch(Book.self, request)

      let same = try Book.all(
        where: \.pages > 100 && \.author!.lastname == "Austen", sortedBy: "pages:NO", limit: 20,
        in: context)
      // snippet end
      #expect(books == same)
      #expect(books.map(\.title) == ["Emma", "Persuasion"])
    }
  }

  @Test func objects() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      // snippet: coredata-objects
      let fanny = Author(context: context)
      fanny.lastname = "Burney"
      let evelina = try context.insert(entityNamed: "Book")
      evelina.setValue("Evelina", forKey: "title")
      evelina.setObject(fanny, forKey: "author")
      try context.save()

      fanny.lastname = "d'Arblay"
      print(fanny.changedValues(), fanny.committedValues(forKeys: ["lastname"]))
      context.rollback()
      context.delete(fanny)  // and her books, as the delete rule says
      try context.save()
      // snippet end
      #expect(try Author.count(in: context) == 1 && Book.count(in: context) == 3)
    }
  }

  @Test func background() async throws {
    let stack = try makeStack()
    let id = try await stack.main.perform { context in
      try #require(try Book.first(where: \.title == "Emma", in: context)).objectID
    }
    // snippet: coredata-background
    let editor = stack.newContext(name: "editor")
    try await editor.perform { context in
      guard let book = try context.existingObject(with: id) as? Book else { return }
      book.pages += 1
      try context.save()
    }
    // Main has taken the save over: nothing is merged by hand.
    let pages = try await stack.main.perform { context in
      (try context.existingObject(with: id) as? Book)?.pages
    }
    // snippet end
    #expect(pages == 475)
  }

  @Test func scratchpads() throws {
    let stack = try makeStack()
    // snippet: coredata-scratchpad
    let sheet = stack.newChild(of: stack.main, name: "sheet")
    sheet.performAndWait { context in
      Book.create(in: context).title = "Draft"
    }
    let isCancelled = true
    if isCancelled {
      sheet.performAndWait { $0.rollback() }
    } else {
      try sheet.performAndWait { try $0.save() }  // into main
      try stack.main.performAndWait { try $0.save() }  // into the store
    }
    // snippet end
    let count = try stack.main.performAndWait { try Book.count(in: $0) }
    #expect(count == 3)
  }

  @Test func errors() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      Book.create(in: context).title = ""
      let author = Author.create(in: context)
      author.email = "jane@chawton.example"
      // snippet: coredata-errors
      do {
        try context.save()
      } catch let error as ValidationError {
        for failure in error.failures where failure.code == .stringTooShort {
          print("\(failure.objectID).\(failure.property ?? "") is too short")
        }
      } catch let error as StoreError {
        for conflict in error.mergeConflicts {
          print("\(conflict.objectID) was changed elsewhere")
        }
        for conflict in error.constraintConflicts { print("\(conflict.constraint) is taken") }
      }
      // snippet end
      #expect(context.hasChanges)
    }
  }

  // MARK: - Conflicts

  /// Hands out a book that somebody else changed after it was read.
  private func withStaleBook<V>(
    _ property: ReferenceWritableKeyPath<Book, V>, _ value: V,
    _ body: (Book, ManagedObjectContext) throws -> Void
  ) throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      let emma = try #require(try Book.first(where: \.title == "Emma", in: context))
      try stack.newContext().performAndWait { other in
        try #require(try Book.first(where: \.title == "Emma", in: other))[keyPath: property] = value
        try other.save()
      }
      emma.pages = 480
      try body(emma, context)
    }
  }

  @Test func policies() throws {
    try withStaleBook(\.pages, 500) { emma, context in
      // snippet: conflicts-custom
      context.mergePolicy = .custom { conflict in
        guard case .merge(let merge) = conflict,
          case .integer(let mine)? = merge.objectSnapshot?["pages"],
          case .integer(let stored)? = merge.persistedSnapshot?["pages"]
        else { return .refuse }
        return mine > stored ? .objectTrump : .storeTrump
      }
      try context.save()
      // snippet end
      #expect(emma.pages == 500)
    }
  }

  @Test func retries() throws {
    try withStaleBook(\.title, "Emma, a novel") { emma, context in
      // snippet: conflicts-by-hand
      do {
        try context.save()
      } catch let error as StoreError where !error.mergeConflicts.isEmpty {
        for conflict in error.mergeConflicts {
          guard let object = context.registeredObject(for: conflict.objectID) else { continue }
          context.refresh(object, mergeChanges: true)  // what is stored, and your changes on top
        }
        try context.save()
      }
      // snippet end
      #expect(emma.title == "Emma, a novel")
      #expect(emma.pages == 480)
    }
  }

  // MARK: - Containers

  @Test func previews() async throws {
    // snippet: container-preview
    func preview() throws -> PersistentContainer {
      let container = try PersistentContainer(name: "Shop", entities: Bookshop.entities)
      container.persistentStoreDescriptions = [PersistentStoreDescription(type: .inMemory)]
      try container.loadPersistentStores()
      try container.newBackgroundContext().performAndWait { context in
        for title in ["Emma", "Persuasion"] { Book.create(in: context).title = title }
        try context.save()
      }
      return container
    }
    // snippet end
    let container = try preview()
    #expect(try await container.viewContext.perform { try Book.count(in: $0) } == 2)
  }

  @Test func descriptions() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-description-\(UUID().uuidString).sqlite")
    // snippet: container-description
    var description = PersistentStoreDescription(url: file)
    description.timeout = 2
    description.createsFile = false
    description.setValue("-8192", forPragmaNamed: "cache_size")
    let container = try PersistentContainer(name: "Shop", entities: Bookshop.entities)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { description, error in
      if let error { print("\(description.url?.path ?? "") was left as it is: \(error)") }
    }
    // snippet end
    #expect(container.loadedStack == nil)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  // MARK: - Concurrency

  @Test func parallel() async throws {
    let service = DALService(inMemory: Bookshop.entities)
    // snippet: concurrency-group
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...10 {
        group.addTask {
          try await service.write { context in
            Book.create(in: context).title = "Volume \(number)"
          }
        }
      }
      try await group.waitForAll()
    }
    let titles = try await service.read { try Book.all(sortedBy: \.title, in: $0).map(\.title) }
    // snippet end
    #expect(titles.count == 10)
  }

  @Test func ids() async throws {
    let service = DALService(inMemory: Bookshop.entities)
    // snippet: concurrency-ids
    let id = try await service.write { context in
      let book = Book.create(in: context)
      try context.obtainPermanentIDs(for: [book])
      return book.objectID
    }
    try await service.write { context in
      (try context.existingObject(with: id) as? Book)?.title = "Found again"
    }
    // snippet end
    #expect(try await service.read { try Book.first(in: $0)?.title } == "Found again")
  }

  @Test func queues() throws {
    // snippet: concurrency-main
    let stack = try DataStack(inMemory: Bookshop.entities, mainQueue: .main)
    let service = DALService(stack: stack)
    // snippet end
    #expect(try service.stack() === stack)
  }
}
