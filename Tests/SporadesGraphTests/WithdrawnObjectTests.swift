// SPDX-License-Identifier: MIT
import Sporades
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// An object that is deleted before its first save leaves its context.
@Suite struct WithdrawnObjectTests {
  @Test(arguments: StoreKind.atEveryDepth)
  func itIsInNoListAndNoSave(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let log = Log()
      let new = Witness.make("new", in: context)
      new.hears = { log.note($0) }
      context.delete(new)
      #expect(log.take() == ["prepareForDeletion"])
      #expect(!new.isDeleted && !new.isInserted && !new.hasChanges)
      #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
      #expect(!context.hasChanges && context.registeredObjects.isEmpty)
      #expect(context.registeredObject(for: new.objectID) == nil)
      _ = Witness.make("other", in: context)
      try context.save()
      #expect(!log.take().contains { $0.hasSuffix("Save") || $0.hasPrefix("validate") })
      #expect(try Witness.all(in: context).map(\.name) == ["other"])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func itsLinksEndOnBothSides(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      try context.save()
      let (dog, child) = (Dog.create(in: context), Person.make("Child", in: context))
      child.parent = ann
      child.friends = [bob]
      child.spouse = bob
      dog.owner = child
      context.delete(child)
      #expect(ann.children.isEmpty && bob.friends.isEmpty && bob.spouse == nil)
      #expect(!dog.hasChanges)
      #expect(!ann.isUpdated)
      #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
      try context.save()
      #expect(try Person.names(in: context) == ["Ann", "Bob"])
      #expect(try Dog.count(in: context) == 0)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func itTakesPartInNoLinkAnyMore(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, new) = (Witness.make("ann", in: context), Witness.make("new", in: context))
      try context.save()
      let part = Witness.make("part", in: context)
      context.delete(part)
      part.parent = ann
      ann.add(part, to: "parts")
      part.add(new, to: "parts")
      #expect(ann.parts.isEmpty && part.parts.isEmpty && new.parent == nil)
      #expect(throws: (any Error).self) { try context.save() }
      try context.save()
      #expect(try Witness.count(in: context) == 2)
    }
  }

  @Test func theParentHearsNothingOfIt() throws {
    let stack = try StoreKind.memory.witnesses()
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    let id = try child.performAndWait { context in
      let (new, other) = (Witness.make("new", in: context), Witness.make("other", in: context))
      try context.obtainPermanentIDs(for: [new])
      context.delete(new)
      try context.save()
      context.delete(other)
      try context.save()
      return new.objectID
    }
    parent.performAndWait { context in
      #expect(context.registeredObject(for: id) == nil)
      #expect(!context.hasChanges)
      #expect(context.deletedObjects.isEmpty && context.insertedObjects.isEmpty)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func undoBringsItBackAsItWas(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let ann = Witness.make("ann", in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      let new = Witness.make("new", in: context)
      new.parent = ann
      let id = new.objectID
      context.processPendingChanges()
      context.undoManager?.beginUndoGrouping()
      context.delete(new)
      context.undoManager?.endUndoGrouping()
      #expect(!context.hasChanges)
      context.undo()
      #expect(new.isInserted && new.objectID == id && new.name == "new")
      #expect(ann.parts == [new] && ann.isUpdated)
      context.redo()
      #expect(!new.isInserted && ann.parts.isEmpty && !context.hasChanges)
      context.undo()
      try context.save()
      #expect(try Witness.count(in: context) == 2)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func notificationsNameItOnlyIfItWasSeen(in kind: StoreKind) throws {
    let queue = try kind.witnesses().context(kind)
    var heard: [ContextChange] = []
    let (seen, observation) = queue.performAndWait { context in
      let observation = context.observe { heard.append($0) }
      context.delete(Witness.make("unseen", in: context))
      return (Witness.make("seen", in: context), observation)
    }
    #expect(heard.map(\.insertedObjects) == [[seen]])
    #expect(heard.map(\.deletedObjects) == [[]])
    heard = []
    queue.performAndWait { $0.delete(seen) }
    #expect(heard.map(\.deletedObjects) == [[seen]])
    heard = []
    try queue.performAndWait { try $0.save() }
    #expect(heard.isEmpty)
    observation.end()
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aChildCannotChangeWhatItsParentWithdrew(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let parent = stack.context(kind)
    let id = try parent.performAndWait { context in
      let new = Witness.make("new", in: context)
      try context.obtainPermanentIDs(for: [new])
      return new.objectID
    }
    try stack.newChild(of: parent).performAndWait { context in
      let new = try #require(try context.existingObject(with: id) as? Witness)
      try parent.performAndWait { $0.delete(try $0.existingObject(with: id)) }
      #expect(try Witness.all(in: context).isEmpty)
      new.level = 4
      #expect(throws: StoreError.self) { try context.save() }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aLinkToOneIsRefused(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, note) = (Person.make("Ann", in: context), Note.create(in: context))
      ann.favourite = note
      context.delete(note)
      let error = #expect(throws: ValidationError.self) { try context.save() }
      #expect(error?.failures.map(\.property) == ["favourite"])
    }
  }
}
