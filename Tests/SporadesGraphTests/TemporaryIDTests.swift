// SPDX-License-Identifier: MIT
import Sporades
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// An id that was given out before the save names the same object after it, in the context that
/// made the object.
@Suite struct TemporaryIDTests {
  @Test(arguments: StoreKind.atEveryDepth)
  func theObjectIsFoundByItsFormerID(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let former = ann.objectID
      #expect(try context.object(with: former) === ann)
      try context.save()
      #expect(former.isTemporaryID && !ann.objectID.isTemporaryID)
      #expect(try context.object(with: former) === ann)
      #expect(try context.existingObject(with: former) === ann)
      #expect(context.registeredObject(for: former) === ann)
      context.reset()
      #expect((try context.existingObject(with: former) as? Person)?.name == "Ann")
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func predicatesMadeBeforeTheSaveHoldAfterIt(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, dog) = (Person.make("Ann", in: context), Dog.create(in: context))
      Person.make("Bob", in: context)
      dog.owner = ann
      let owned = FetchRequest("Dog", where: .equals("owner", ann.objectID))
      let itself = FetchRequest(
        "Person", where: try FetchPredicate(format: "SELF == %@", ann.objectID))
      let listed = FetchRequest(
        "Person", where: try FetchPredicate(format: "SELF IN %@", Value.list([ann.objectID.value])))
      for _ in 0..<2 {
        #expect(try context.fetch(owned) == [dog])
        #expect(try context.fetch(itself) == [ann])
        #expect(try context.fetch(listed) == [ann])
        #expect(try context.count(owned) == 1)
        #expect(try Dog.all(where: \.owner == ann, in: context) == [dog])
        try context.save()
      }
      Person.make("Cid", in: context)
      #expect(try context.fetch(owned) == [dog])
      #expect(try context.fetch(itself) == [ann])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anIDGivenOutThroughAnotherObjectIsKnownToo(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, dog) = (Person.make("Ann", in: context), Dog.create(in: context))
      dog.owner = ann
      let owners = dog.objectIDs(forRelationshipNamed: "owner")
      let dogs = ann.objectIDs(forRelationshipNamed: "dogs")
      try context.obtainPermanentIDs(for: [ann, dog])
      #expect(try owners.map { try context.object(with: $0) } == [ann])
      #expect(try dogs.map { try context.object(with: $0) } == [dog])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectThatBecameAStoredOneIsFoundByItsFormerID(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let club = Club.create(in: context)
      club.name = "Rex"
      try context.save()
      context.mergePolicy = .mergeByPropertyObjectTrump
      let twin = Club.create(in: context)
      twin.name = "Rex"
      let former = twin.objectID
      try context.save()
      #expect(try Club.count(in: context) == 1)
      #expect(try context.existingObject(with: former) === club)
    }
  }

  /// The context notes the temporary ids that it gives out, so nobody asks for one beside it.
  @Test func aTemporaryIDReadOffTheQueueTraps() async {
    await #expect(processExitsWith: .failure) {
      let queue = try StoreKind.memory.people().newContext()
      let ann = queue.performAndWait { Person.make("Ann", in: $0) }
      print(ann.objectID)
    }
  }
}
