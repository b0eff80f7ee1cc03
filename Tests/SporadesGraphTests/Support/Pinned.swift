// SPDX-License-Identifier: MIT
import Foundation
import SporadesChain
import SporadesContainers
import SporadesGraph
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// The stores that can go on showing a state that was written over.
enum KeepingKind: CaseIterable, Sendable {
  case memory, file, sqliteInMemory
  /// A coordinator with a file and a store in memory, of which new objects go to the first.
  case several

  /// The store lies in the folder, which must live as long.
  func people(in folder: TemporaryFolder) throws -> DataStack {
    DataStack(store: try store(in: folder), classes: People.classes)
  }

  func withAnn(in folder: TemporaryFolder) throws -> DataStack {
    let stack = try people(in: folder)
    try stack.addAnn()
    return stack
  }

  private func store(in folder: TemporaryFolder) throws -> any PersistentStore {
    switch self {
    case .memory: return MemoryStore(model: People.model)
    case .sqliteInMemory: return try SQLiteStore(inMemory: People.model)
    case .file:
      return try SQLiteStore(
        url: folder.url.appendingPathComponent("people.sqlite"), model: People.model)
    case .several:
      let coordinator = PersistentStoreCoordinator(model: People.model)
      try coordinator.addPersistentStore(Self.file.store(in: folder))
      try coordinator.addPersistentStore(Self.memory.store(in: folder))
      return coordinator
    }
  }
}

extension DataStack {
  /// Saves in a context of its own.
  func save(_ body: (ManagedObjectContext) throws -> Void) throws {
    try newContext().performAndWait { context in
      try body(context)
      try context.save()
    }
  }

  /// Ann with two dogs and two friends, who reads two books.
  func addAnn() throws {
    try save { context in
      let ann = Person.make("Ann", age: 30, in: context)
      ann.friends = [
        Person.make("Bob", age: 20, in: context), Person.make("Cid", age: 10, in: context),
      ]
      ann.reads = Book.make("ab", in: context)
      for name in ["Rex", "Tim"] {
        let dog = Dog.create(in: context)
        dog.name = name
        dog.owner = ann
      }
    }
  }

  /// A context that is pinned, and has read: Ann and her friends are in what it shows.
  func pinned(
    _ prepare: (ManagedObjectContext) -> Void = { _ in }
  ) throws -> ContextQueue {
    let queue = newContext()
    try queue.performAndWait { context in
      prepare(context)
      try context.setQueryGeneration(from: .current)
      #expect(try Person.names(in: context) == ["Ann", "Bob", "Cid"])
    }
    return queue
  }

  /// Changes and deletes everything there is of Ann.
  func ruinAnn() throws {
    try save { context in
      let ann = try Person.named("Ann", in: context)
      let bob = try Person.named("Bob", in: context)
      ann.name = "Zoe"
      ann.age = 1
      ann.reads = ann.reads.reversed()
      context.delete(try #require(ann.dogs.first { $0.name == "Rex" }))
      context.delete(bob)
      Person.make("Eve", in: context).friends = [ann]
    }
  }
}

/// Everything that can be read of Ann is as it was, though somebody ruined it all.
func expectAnn(in context: ManagedObjectContext) throws {
  #expect(try Person.names(in: context) == ["Ann", "Bob", "Cid"])
  #expect(try Person.count(in: context) == 3)
  #expect(try Person.sum(\.age, in: context) == 60)
  let ann = try Person.named("Ann", in: context)
  #expect(ann.age == 30)
  #expect(ann.dogCount == 2)
  #expect(Set(ann.dogs.map(\.name)) == ["Rex", "Tim"])
  #expect(Set(ann.friends.map(\.name)) == ["Bob", "Cid"])
  #expect(ann.reads.titles == "ab")
}
