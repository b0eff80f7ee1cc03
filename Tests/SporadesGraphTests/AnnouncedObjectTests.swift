// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What an object says of itself while hooks and observers hear of a save or of a merge.
@Suite struct AnnouncedObjectTests {
  private func flags(_ object: ManagedObject) -> [String] {
    [("inserted", object.isInserted), ("updated", object.isUpdated), ("deleted", object.isDeleted)]
      .filter(\.1).map(\.0)
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func inDidSaveAnObjectSaysWhatWasSaved(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (drop, keep) = (Witness.make("drop", in: context), Witness.make("keep", in: context))
      let owner = Witness.make("owner", in: context)
      keep.parent = owner
      try context.save()
      let new = Witness.make("new", in: context)
      keep.level = 7
      keep.parent = nil
      context.delete(drop)
      var heard: [String: [String]] = [:]
      for object in [drop, keep, new, owner] {
        object.hears = { hook in
          guard hook == "didSave" else { return }
          heard[object.name] = flags(object)
          #expect(object.managedObjectContext === context)
          #expect(!object.hasChanges && object.changedValues().isEmpty)
          // Every object of the save says it, whichever hears first.
          #expect(flags(drop) == ["deleted"] && flags(new) == ["inserted"])
        }
      }
      try context.save()
      #expect(
        heard == [
          "drop": ["deleted"], "keep": ["updated"], "new": ["inserted"], "owner": ["updated"],
        ])
      for object in [drop, keep, new, owner] {
        #expect(flags(object).isEmpty)
        object.hears = nil
      }
      #expect(drop.isFault && drop.managedObjectContext == nil)
      #expect(context.insertedObjects.isEmpty && !context.hasChanges)
    }
  }

  @Test func theLastSaveOfAContextTellsItsObjectsTheSame() throws {
    let stack = try StoreKind.memory.witnesses()
    let id = try stack.newContext().performAndWait { context in
      let drop = Witness.make("drop", in: context)
      try context.save()
      return drop.objectID
    }
    var heard: [String] = []
    _ = try stack.write(name: nil, durability: .eventual, mergePolicy: .error) { context in
      let drop = try #require(try context.existingObject(with: id) as? Witness)
      let new = Witness.make("new", in: context)
      for object in [drop, new] {
        object.hears = { if $0 == "didSave" { heard += [object.name] + flags(object) } }
      }
      context.delete(drop)
    }
    #expect(
      [["new", "inserted"], ["drop", "deleted"]].allSatisfy { pair in
        heard.firstIndex(of: pair[0]).map { heard[$0 + 1] == pair[1] } == true
      } && heard.count == 4)
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aChangeInDidSaveCountsForTheNextSave(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (new, drop) = (Witness.make("new", in: context), Witness.make("drop", in: context))
      new.hears = { if $0 == "didSave" && new.level == 1 { new.level = 2 } }
      try context.save()
      #expect(new.isUpdated && !new.isInserted && context.updatedObjects == [new])
      #expect(new.changedValues() == ["level": 2])
      try context.save()
      #expect(try Witness.count(where: \.level == 2, in: context) == 1)
      // A deleted object keeps its values, and takes no others.
      drop.hears = { if $0 == "didSave" { drop.level = 9 } }
      context.delete(drop)
      try context.save()
      drop.hears = nil
      #expect(!context.hasChanges)
      guard case .objectGone(drop.objectID)? = context.takeFailures().first as? ContextError else {
        Issue.record("The change of a deleted object was not reported.")
        return
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func observersOfASaveSeeTheDeletedObjects(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", age: 5, in: context), Person.make("Bob", in: context))
      bob.parent = ann
      try context.save()
      var seen: [ContextNotification.Name] = []
      let observation = context.observe { change in
        guard change.name != .willSave else { return }
        seen.append(change.name)
        #expect(change.deletedObjects == [bob])
        #expect(bob.isDeleted && bob.name == "Bob" && bob.parent === ann)
        #expect(bob.managedObjectContext === context)
      }
      context.delete(bob)
      try context.save()
      observation.end()
      #expect(seen == [.objectsDidChange, .didSave])
      #expect(!bob.isDeleted && bob.isFault && bob.name == "" && bob.managedObjectContext == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func observersOfAMergeSeeTheDeletedObjects(in kind: StoreKind) throws {
    let stack = try kind.people()
    let (ann, bob) = try stack.main.performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      (bob.parent, bob.friends) = (ann, [ann])
      try context.save()
      bob.age = 3
      ann.children.remove(bob)
      return (ann, bob)
    }
    var seen: [ContextNotification.Name] = []
    let observation = stack.main.performAndWait { context in
      context.observe { change in
        #expect(!change.refreshedObjects.contains(bob))
        guard !change.deletedObjects.isEmpty else { return }
        seen.append(change.name)
        #expect(change.deletedObjects == [bob])
        #expect(bob.isDeleted && bob.name == "Bob" && bob.age == 3)
        #expect(bob.managedObjectContext === context)
        #expect(!bob.hasChanges && !context.deletedObjects.contains(bob))
      }
    }
    try stack.newContext().performAndWait { context in
      context.delete(try #require(try Person.first(where: \.name == "Bob", in: context)))
      try context.save()
    }
    stack.main.performAndWait { context in
      #expect(seen == [.objectsDidChange, .didMergeChanges])
      #expect(!bob.isDeleted && bob.isFault && bob.managedObjectContext == nil)
      #expect(!context.updatedObjects.contains(bob) && ann.children.isEmpty)
      _ = context.takeFailures()
    }
    stack.main.performAndWait { _ in }
    #expect(seen == [.objectsDidChange, .didMergeChanges])
    observation.end()
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anObjectThatHasLeftItsContextHasNone(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (saved, deleted) = (Person.make("a", in: context), Person.make("b", in: context))
      try context.save()
      let new = Person.make("New", in: context)
      context.delete(deleted)
      #expect([saved, deleted, new].allSatisfy { $0.managedObjectContext === context })
      context.rollback()
      #expect(new.managedObjectContext == nil)
      #expect(saved.managedObjectContext === context && deleted.managedObjectContext === context)
      context.delete(deleted)
      try context.save()
      #expect(deleted.managedObjectContext == nil && saved.managedObjectContext === context)
      // A fault whose row is missing stays an object of its context, which asks for it by its id.
      let missing = try context.object(with: deleted.objectID)
      #expect(missing.value(forKey: "name") == .null)
      #expect(missing.managedObjectContext === context)
    }
  }

  /// An observer may save and delete again, in the midst of what it hears.
  @Test(arguments: StoreKind.atEveryDepth)
  func anObserverThatSavesHearsOfEachDeletionWithItsValues(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let people = ["a", "b", "c"].map { Person.make($0, in: context) }
      try context.save()
      var heard: [String] = []
      let observation = context.observe { change in
        guard change.name == .didSave else { return }
        for case let person as Person in change.deletedObjects {
          heard.append("\(person.name) \(person.isDeleted)")
        }
        guard let next = people.first(where: { $0.isPresent }) else { return }
        context.delete(next)
        try context.save()
      }
      context.delete(people[0])
      try context.save()
      observation.end()
      #expect(heard == ["a true", "b true", "c true"])
      #expect(people.allSatisfy { $0.isFault && !$0.isDeleted && $0.managedObjectContext == nil })
    }
  }
}
