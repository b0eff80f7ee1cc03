// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// The code that the documentation shows of notifications and merge policies.
@Suite struct NotificationDocumentationTests {
  typealias Author = Bookshop.Author
  typealias Book = Bookshop.Book

  @Test func notifications() async throws {
    let stack = try DataStack(inMemory: Bookshop.entities)
    // snippet: notifications
    let saves = stack.changes
    let news = stack.main.notifications
    let editor = stack.newContext(name: "editor")
    try await editor.perform { context in
      Book.create(in: context).title = "Emma"
      try context.save()
    }
    for await save in saves {
      print("\(save.contextName ?? "") saved \(save.insertedObjectIDs)")
      break
    }
    for await notification in news where notification.name == .didMergeChanges {
      // Objects in hand show what was merged.
      break
    }
    // snippet end
    #expect(try await stack.main.perform { try Book.count(in: $0) } == 1)
  }

  @Test func observing() async throws {
    let stack = try DataStack(inMemory: Bookshop.entities)
    let count = try await stack.newContext().perform { context in
      // snippet: observing
      var titles: [String] = []
      let observation = context.observe { change in
        guard change.name == .didSave else { return }
        titles += change.insertedObjects.compactMap { ($0 as? Book)?.title }
      }
      Book.create(in: context).title = "Emma"
      try context.save()
      observation.end()
      // snippet end
      return titles.count
    }
    #expect(count == 1)
  }

  @Test func upserting() throws {
    let stack = try DataStack(inMemory: Bookshop.entities)
    let queue = stack.newContext()
    // snippet: upserting
    for name in ["Austen", "Austen-Leigh"] {
      try queue.performAndWait { context in
        context.mergePolicy = .objectTrump
        let author = Author.create(in: context)
        author.email = "jane@chawton.example"
        author.lastname = name
        try context.save()
      }
    }
    let names = try queue.performAndWait { try Author.all(in: $0).map(\.lastname) }
    // snippet end
    #expect(names == ["Austen-Leigh"])
  }

  @Test func aServiceHasAPolicyForItsWrites() throws {
    var options = DALService.Options()
    options.mergePolicy = .objectTrump
    let service = DALService(inMemory: Bookshop.entities, options: options)
    for name in ["Austen", "Austen-Leigh"] {
      try service.writeSync { context in
        let author = Author.create(in: context)
        (author.email, author.lastname) = ("jane@chawton.example", name)
      }.get()
    }
    #expect(try service.readValue { try Author.all(in: $0).map(\.lastname) } == ["Austen-Leigh"])
  }
}
