// SPDX-License-Identifier: MIT
import Sporades
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// A one-to-many relationship that changes is a change of its owner, although only the member's row
/// is written.
@Suite struct ChangedOwnerTests {
  /// Saves Ann with one part, and Bob without.
  private func makeAnnAndBob(_ context: ManagedObjectContext) throws -> (Witness, Witness, Witness)
  {
    let (ann, bob) = (Witness.make("ann", in: context), Witness.make("bob", in: context))
    let part = Witness.make("part", in: context)
    part.parent = ann
    try context.save()
    return (ann, bob, part)
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func insertingMovingAndDeletingAMemberChangesItsOwners(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, bob, part) = try makeAnnAndBob(context)
      let new = Witness.make("new", in: context)
      #expect(!ann.isUpdated)
      new.parent = ann
      #expect(ann.isUpdated && ann.hasChanges && ann.hasPersistentChangedValues)
      #expect(context.updatedObjects == [ann])
      #expect(!new.isUpdated)
      try context.save()
      #expect(!ann.hasChanges && !context.hasChanges)
      part.parent = bob
      #expect(context.updatedObjects == [ann, bob, part])
      try context.save()
      context.delete(part)
      #expect(context.updatedObjects == [bob])
      try context.save()
      #expect(context.updatedObjects.isEmpty)
      ann.parts = []
      #expect(context.updatedObjects == [ann, new])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerNamesTheRelationshipAmongItsChangedValues(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, bob, part) = try makeAnnAndBob(context)
      part.parent = bob
      #expect(ann.changedValues() == ["parts": .list([])])
      #expect(bob.changedValues() == ["parts": .list([part.objectID.value])])
      #expect(ann.committedValues(forKeys: ["parts"]) == ["parts": .list([part.objectID.value])])
      #expect(bob.changedValuesForCurrentEvent() == ["parts": .list([])])
      context.processPendingChanges()
      #expect(bob.changedValuesForCurrentEvent().isEmpty)
      part.parent = ann
      #expect(
        bob.changedValuesForCurrentEvent() == ["parts": .list([part.objectID.value])])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerHearsOfTheSaveOnce(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, bob, part) = try makeAnnAndBob(context)
      let log = Log()
      for owner in [ann, bob] {
        owner.hears = { [unowned owner] in log.note("\(owner.name) \($0)") }
      }
      for number in 0..<3 { Witness.make("\(number)", in: context).parent = bob }
      part.parent = bob
      try context.save()
      #expect(
        log.take() == [
          "bob willSave", "ann willSave", "bob validateForUpdate", "ann validateForUpdate",
          "bob didSave", "ann didSave",
        ])
      try context.save()
      #expect(log.take().isEmpty)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerThatRefusesItsMemberFailsTheSave(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, _, _) = try makeAnnAndBob(context)
      ann.hears = { if $0 == "validateForUpdate" { throw Refusal(reason: "no more parts") } }
      Witness.make("new", in: context).parent = ann
      let error = #expect(throws: ValidationError.self) { try context.save() }
      #expect(error?.failures.map(\.objectID) == [ann.objectID])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func whatAnOwnersWillSaveChangesIsSaved(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, _, _) = try makeAnnAndBob(context)
      ann.hears = { [unowned ann] in if $0 == "willSave" { ann.level = 7 } }
      Witness.make("new", in: context).parent = ann
      try context.save()
      context.reset()
      #expect(try Witness.first(where: \.name == "ann", in: context)?.level == 7)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aPrimitiveValueThatAnOwnersWillSaveSetsIsSaved(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, _, _) = try makeAnnAndBob(context)
      ann.hears = { [unowned ann] in
        if $0 == "willSave" { ann.setPrimitiveValue(8, forKey: "level") }
      }
      Witness.make("new", in: context).parent = ann
      try context.save()
      context.reset()
      #expect(try Witness.first(where: \.name == "ann", in: context)?.level == 8)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anOwnersRowIsNotWrittenAndDoesNotConflict(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let id = try stack.newContext().performAndWait { try makeAnnAndBob($0).0.objectID }
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Witness)
      Witness.make("mine", in: context).parent = ann
      try stack.newContext().performAndWait { other in
        let ann = try #require(try other.existingObject(with: id) as? Witness)
        Witness.make("theirs", in: other).parent = ann
        try other.save()
      }
      try context.save()
      #expect(Set(ann.parts.map(\.name)) == ["part", "mine", "theirs"])
    }
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Witness)
      try stack.newContext().performAndWait { other in
        (try other.existingObject(with: id) as? Witness)?.level = 5
        try other.save()
      }
      ann.level = 6
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.mergeConflicts.first?.oldVersionNumber == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anOwnerThatIsReliedOnIsStillCompared(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let id = try stack.newContext().performAndWait { try makeAnnAndBob($0).0.objectID }
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.existingObject(with: id) as? Witness)
      context.detectConflicts(for: ann)
      Witness.make("new", in: context).parent = ann
      try stack.newContext().performAndWait { other in
        (try other.existingObject(with: id) as? Witness)?.level = 5
        try other.save()
      }
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.mergeConflicts.map(\.objectID) == [id])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerThatIsAFaultStaysOne(in kind: StoreKind) throws {
    let stack = try kind.people()
    let ids = try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let book = Book.make("A", in: context)[0]
      book.keeper = ann
      try context.save()
      return (ann.objectID, book.objectID)
    }
    try stack.context(kind).performAndWait { context in
      let ann = try context.object(with: ids.0)
      let book = try #require(try context.existingObject(with: ids.1) as? Book)
      context.delete(book)
      #expect(ann.isFault && ann.isUpdated)
      #expect(context.updatedObjects == [ann])
      try context.save()
      #expect(ann.isFault && !ann.isUpdated)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerNobodyHoldsIsUpdatedToo(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let ids = try stack.newContext().performAndWait { context in
      let made = try makeAnnAndBob(context)
      return (made.0.objectID, made.1.objectID)
    }
    try stack.context(kind).performAndWait { context in
      let part = try #require(try Witness.first(where: \.name == "part", in: context))
      let bob = try #require(try context.existingObject(with: ids.1) as? Witness)
      bob.add(part, to: "parts")
      #expect(Set(context.updatedObjects.map(\.objectID)) == [ids.0, ids.1, part.objectID])
      try context.save()
      context.delete(part)
      #expect(context.updatedObjects == [bob])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aDeletedManyToManyMemberChangesTheOtherSide(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      ann.friends = [bob]
      try context.save()
      context.delete(bob)
      #expect(context.updatedObjects == [ann])
      try context.save()
      #expect(!context.hasChanges && ann.friends.isEmpty)
    }
  }

  // MARK: - Notifications

  @Test(arguments: StoreKind.atEveryDepth)
  func notificationsNameTheOwner(in kind: StoreKind) throws {
    let queue = try kind.witnesses().context(kind)
    var heard: [ContextChange] = []
    let (made, observation) = try queue.performAndWait { context in
      (try makeAnnAndBob(context), context.observe { heard.append($0) })
    }
    let (ann, bob, part) = made
    queue.performAndWait { _ in part.parent = bob }
    #expect(heard.map(\.name) == [.objectsDidChange])
    #expect(heard.first?.updatedObjects == [ann, bob, part])
    // One member for another is a change, although their number is the same.
    heard = []
    queue.performAndWait { context in
      part.parent = ann
      Witness.make("new", in: context).parent = bob
    }
    #expect(heard.first?.updatedObjects.contains(bob) == true)
    heard = []
    try queue.performAndWait { try $0.save() }
    let names = heard.map(\.name)
    #expect(names == [.willSave, .didSave])
    for change in heard {
      #expect(change.updatedObjects.contains(bob))
      if change.name == .didSave {
        #expect(change.ids.updatedObjectIDs.contains(bob.objectID))
        #expect(change.notification.didSave?.updatedObjectIDs.contains(bob.objectID) == true)
      }
    }
    observation.end()
  }

  @Test(arguments: StoreKind.allCases)
  func siblingsRefreshTheOwner(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let ids = try stack.newContext().performAndWait { context in
      let made = try makeAnnAndBob(context)
      return (made.0.objectID, made.1.objectID, made.2.objectID)
    }
    let queue = stack.newContext()
    var heard: [ContextChange] = []
    let (ann, bob, observation) = try queue.performAndWait { context in
      let ann = try #require(try context.existingObject(with: ids.0) as? Witness)
      let bob = try #require(try context.existingObject(with: ids.1) as? Witness)
      // The member is known by its id alone.
      #expect(ann.objectIDs(forRelationshipNamed: "parts") == [ids.2])
      #expect(ann.parts.count == 1 && bob.parts.isEmpty)
      context.refresh(try #require(ann.parts.first), mergeChanges: false)
      return (ann, bob, context.observe { heard.append($0) })
    }
    try stack.newContext().performAndWait { context in
      let part = try context.existingObject(with: ids.2) as? Witness
      part?.parent = try context.existingObject(with: ids.1) as? Witness
      try context.save()
    }
    queue.performAndWait { _ in
      #expect(ann.parts.isEmpty && bob.parts.count == 1)
    }
    let change = try #require(heard.first { $0.name == .objectsDidChange })
    #expect(change.refreshedObjects.isSuperset(of: [ann, bob]))
    let merged = try #require(heard.first { $0.name == .didMergeChanges })
    #expect(merged.ids.updatedObjectIDs == [ids.0, ids.1, ids.2])
    observation.end()
  }

  @Test func childrenThatMergeRefreshTheOwner() throws {
    let stack = try StoreKind.memory.witnesses()
    let parent = stack.newContext()
    let ids = try parent.performAndWait { context in
      let made = try makeAnnAndBob(context)
      return (made.0.objectID, made.2.objectID)
    }
    let (child, sibling) = (stack.newChild(of: parent), stack.newChild(of: parent))
    var refreshed: Set<ManagedObjectID> = []
    let (ann, observation) = try child.performAndWait { context in
      context.automaticallyMergesChangesFromParent = true
      let ann = try #require(try context.existingObject(with: ids.0) as? Witness)
      #expect(ann.parts.count == 1)
      let observation = context.observe { refreshed.formUnion($0.ids.refreshedObjectIDs) }
      return (ann, observation)
    }
    try sibling.performAndWait { context in
      (try context.existingObject(with: ids.1) as? Witness)?.parent = nil
      try context.save()
    }
    child.performAndWait { _ in #expect(ann.parts.isEmpty) }
    #expect(refreshed.contains(ids.0))
    observation.end()
    parent.performAndWait { context in
      #expect(Set(context.updatedObjects.map(\.objectID)) == [ids.0, ids.1])
    }
  }

  // MARK: - Giving changes up

  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerIsUnchangedWhenItsMembersAreAgain(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, bob, part) = try makeAnnAndBob(context)
      part.parent = bob
      context.rollback()
      #expect(!ann.hasChanges && !bob.hasChanges && !context.hasChanges)
      #expect(ann.parts == [part] && bob.parts.isEmpty)
      part.parent = bob
      context.refresh(part, mergeChanges: false)
      #expect(!context.hasChanges && part.parent == ann)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func undoingAMoveLeavesTheOwnersUnchanged(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, bob, part) = try makeAnnAndBob(context)
      context.undoManager = ContextUndoManager()
      part.parent = bob
      context.undo()
      #expect(!ann.isUpdated && !bob.isUpdated && !context.hasChanges)
      context.redo()
      #expect(context.updatedObjects == [ann, bob, part])
      context.undo()
      context.delete(part)
      #expect(context.updatedObjects == [ann])
      context.undo()
      #expect(!context.hasChanges && ann.parts == [part])
      let new = Witness.make("new", in: context)
      new.parent = ann
      context.undo()
      #expect(!context.hasChanges && ann.parts == [part])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerKeepsItsLinksWhenAFetchShowsANewerRow(in kind: StoreKind) throws {
    guard kind != .nested else { return }
    let stack = try kind.witnesses()
    let ids = try stack.newContext().performAndWait { context in
      let made = try makeAnnAndBob(context)
      return (made.0.objectID, made.2.objectID)
    }
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.existingObject(with: ids.0) as? Witness)
      Witness.make("mine", in: context).parent = ann
      try stack.newContext().performAndWait { other in
        (try other.existingObject(with: ids.0) as? Witness)?.level = 5
        try other.save()
      }
      _ = try Witness.all(in: context)
      #expect(ann.level == 5)
      #expect(Set(ann.parts.map(\.name)) == ["part", "mine"])
      #expect(ann.isUpdated)
      try context.save()
    }
  }
}
