// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Taking over what other contexts saved, when asked to.
@Suite struct MergeChangesTests {
  private func pair(_ kind: StoreKind) throws -> (DataStack, ContextQueue, ManagedObjectID) {
    let stack = try kind.people()
    let id = try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      return ann.objectID
    }
    let queue = stack.newContext()
    queue.performAndWait { $0.automaticallyMergesChangesFromParent = false }
    return (stack, queue, id)
  }

  private func change(_ stack: DataStack, _ id: ManagedObjectID, _ age: Int) throws -> DidSave {
    try stack.newContext().performAndWait { context in
      var save: DidSave?
      let observation = context.observe { save = $0.notification.didSave ?? save }
      let ann = try #require(try context.existingObject(with: id) as? Person)
      ann.age = age
      ann.dogs = [Dog.create(in: context)]
      try context.save()
      observation.end()
      return try #require(save)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aContextThatDoesNotMergeKeepsWhatItRead(in kind: StoreKind) throws {
    let (stack, queue, id) = try pair(kind)
    let ann = try queue.performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Person)
      #expect(ann.dogs.isEmpty)
      return ann
    }
    let save = try change(stack, id, 2)
    try queue.performAndWait { context in
      #expect(ann.age == 1)
      #expect(ann.dogs.isEmpty)
      try context.mergeChanges(from: save)
      #expect(ann.age == 2)
      #expect(ann.dogs.count == 1)
      #expect(!ann.hasChanges)
      try context.mergeChanges(from: save)
      #expect(ann.age == 2)
      #expect(ann.dogs.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func changesStayOnTopOfWhatIsMerged(in kind: StoreKind) throws {
    let (stack, queue, id) = try pair(kind)
    let ann = try queue.performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Person)
      ann.name = "Anna"
      return ann
    }
    let save = try change(stack, id, 2)
    try queue.performAndWait { context in
      try context.mergeChanges(from: save)
      #expect(ann.age == 2)
      #expect(ann.name == "Anna")
      #expect(ann.hasChanges)
      try context.save()
    }
    let merged = try stack.main.performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Person)
      return "\(ann.name) \(ann.age)"
    }
    #expect(merged == "Anna 2")
  }

  @Test(arguments: StoreKind.allCases)
  func idsAreEnoughForWhatSomeoneElseDid(in kind: StoreKind) async throws {
    let (stack, queue, id) = try pair(kind)
    let gone = try await queue.perform { context in
      let (ann, bob) = (try context.existingObject(with: id), Person.make("Bob", in: context))
      try context.save()
      (ann as? Person)?.spouse = bob
      return bob.objectID
    }
    _ = try change(stack, id, 7)
    try await stack.newContext().perform { context in
      context.delete(try context.existingObject(with: gone))
      try context.save()
    }
    try await ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: ObjectIDChanges(updated: [id], deleted: [gone]), into: [queue])
    try await queue.perform { context in
      let ann = try #require(context.registeredObject(for: id) as? Person)
      #expect(ann.age == 7)
      #expect(ann.spouse == nil)
      #expect(throws: ContextError.self) { try context.existingObject(with: gone) }
      try context.save()
    }
    let other = try StoreKind.memory.people()
    let foreign = try other.newContext().performAndWait { context in
      let bob = Person.make("Bob", in: context)
      try context.save()
      return bob.objectID
    }
    await #expect(throws: ContextError.self) {
      try await ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: ObjectIDChanges(updated: [foreign]), into: [queue])
    }
  }
}
