// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// The author of a save is the author of the context that saves to the store.
@Suite struct AuthorTests {
  @Test func aWriteNamesItsAuthorInItsBlock() throws {
    let store = try StoreDouble()
    let service = RecordingService.over(store)
    service.writeSync { context in
      context.transactionAuthor = "importer"
      context.name = "night"
      Member.create(in: context).firstname = "a"
    }
    #expect(store.lastSave?.author == "importer")
    #expect(store.lastSave?.contextName == "night")
    service.writeSync { Member.create(in: $0).firstname = "b" }
    #expect(store.lastSave?.author == nil)
    #expect(store.lastSave?.contextName == nil)
    try service.close()
  }

  @Test func aNestedWriteIsPartOfTheOuterOne() throws {
    let store = try StoreDouble()
    let service = RecordingService.over(store)
    service.writeSync { context in
      context.transactionAuthor = "outer"
      service.writeSync { inner in
        inner.transactionAuthor = "inner"
        Member.create(in: inner).firstname = "a"
      }
    }
    #expect(store.lastSave?.author == "outer")
    try service.close()
  }

  @Test func anAsynchronousWriteNamesItsAuthor() async throws {
    let store = try StoreDouble()
    let service = RecordingService.over(store)
    try await service.write { context in
      context.transactionAuthor = "task"
      Member.create(in: context).firstname = "a"
    }
    #expect(store.lastSave?.author == "task")
    try service.close()
  }

  @Test func aChildsAuthorIsNotItsParents() throws {
    let store = try StoreDouble()
    let stack = DataStack(store: store, classes: [Member.self])
    let parent = stack.newContext()
    try stack.newChild(of: parent).performAndWait { context in
      context.transactionAuthor = "child"
      Member.create(in: context).firstname = "a"
      try context.save()
    }
    #expect(store.lastSave == nil)
    try parent.performAndWait { context in
      #expect(context.transactionAuthor == nil)
      try context.save()
    }
    #expect(store.lastSave != nil)
    #expect(store.lastSave?.author == nil)
    try parent.performAndWait { context in
      context.transactionAuthor = "parent"
      try Member.first(in: context)?.firstname = "b"
      try context.save()
    }
    #expect(store.lastSave?.author == "parent")
  }
}
