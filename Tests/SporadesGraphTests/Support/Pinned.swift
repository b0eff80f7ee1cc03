// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesSQLite
import SporadesStore
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

  /// Changes and deletes everything there is of Ann.
  func ruinAnn() throws {
    try save { context in
      let ann = try #require(try Person.first(where: \.name == "Ann", in: context))
      let bob = try #require(try Person.first(where: \.name == "Bob", in: context))
      ann.name = "Zoe"
      ann.age = 1
      ann.reads = ann.reads.reversed()
      context.delete(try #require(ann.dogs.first { $0.name == "Rex" }))
      context.delete(bob)
      Person.make("Eve", in: context).friends = [ann]
    }
  }
}
