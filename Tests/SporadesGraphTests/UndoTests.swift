// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Undo and redo, group by group.
@Suite struct UndoTests {
  @Test(arguments: StoreKind.atEveryDepth)
  func thereIsNoUndoUntilAManagerIsSet(in kind: StoreKind) throws {
    kind.withPeople { context in
      #expect(context.undoManager == nil)
      Person.make("Ann", in: context)
      context.undo()
      context.redo()
      #expect(context.insertedObjects.count == 1)
      let manager = ContextUndoManager()
      context.undoManager = manager
      #expect(!manager.canUndo)
      #expect(!manager.canRedo)
      context.undoManager = nil
      Person.make("Bob", in: context)
      context.undoManager = manager
      context.undo()
      #expect(context.insertedObjects.count == 2)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func eachBlockIsOneGroup(in kind: StoreKind) throws {
    let queue = try kind.people().context(kind)
    let ann = try queue.performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      return ann
    }
    queue.performAndWait { _ in (ann.name, ann.age) = ("Anna", 2) }
    queue.performAndWait { context in
      queue.performAndWait { _ in ann.age = 3 }
      ann.home = Home(city: "Bern")
      context.undoManager?.setActionName("Move")
    }
    try queue.performAndWait { context in
      let manager = try #require(context.undoManager)
      #expect(manager.undoActionName == "Move")
      context.undo()
      #expect(ann.name == "Anna")
      #expect(ann.age == 2)
      #expect(ann.home?.city == nil)
      #expect(ann.isUpdated)
      #expect(manager.redoActionName == "Move")
      #expect(manager.canUndo)
      #expect(manager.canRedo)
      context.undo()
      #expect(ann.name == "Ann")
      #expect(ann.age == 1)
      #expect(!ann.hasChanges)
      #expect(!context.hasChanges)
      #expect(!manager.canUndo)
      context.redo()
      context.redo()
      #expect(ann.age == 3)
      #expect(ann.home == Home(city: "Bern"))
      #expect(!manager.canRedo)
      context.undo()
      ann.age = 9
      #expect(!manager.canRedo)
      #expect(ann.name == "Anna")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func insertionsAndTheirLinksAreUndone(in kind: StoreKind) throws {
    let queue = try kind.people().context(kind)
    let ann = try queue.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      return ann
    }
    queue.performAndWait { context in
      let bob = Person.make("Bob", in: context)
      (bob.parent, bob.spouse, bob.friends) = (ann, ann, [ann])
      ann.reads = Book.make("ab", in: context)
    }
    try queue.performAndWait { context in
      context.undo()
      #expect(ann.children.isEmpty)
      #expect(ann.spouse == nil)
      #expect(ann.friends.isEmpty)
      #expect(ann.reads.isEmpty)
      #expect(context.insertedObjects.isEmpty)
      context.redo()
      let bob = try #require(ann.spouse)
      #expect(bob.name == "Bob")
      #expect(ann.children == [bob])
      #expect(ann.friends == [bob])
      #expect(bob.friends == [ann])
      #expect(ann.reads.titles == "ab")
      try context.save()
      context.undo()
      #expect(ann.spouse == nil)
      #expect(bob.isDeleted)
      try context.save()
      let counts = (try Person.count(in: context), try Book.count(in: context))
      #expect(counts == (1, 0))
    }
  }

  @Test(arguments: StoreKind.atEveryDepth, [false, true])
  func deletionsAreUndoneWithTheirCascades(in kind: StoreKind, saving: Bool) throws {
    let queue = try kind.people().context(kind)
    let (ann, bob) = try queue.performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      let (kid, rex) = (Person.make("Kid", in: context), Dog.create(in: context))
      (kid.parent, rex.owner, ann.spouse, ann.friends) = (ann, kid, bob, [bob, kid])
      ann.shelf = Book.make("abc", in: context)
      ann.reads = ann.shelf.reversed()
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, bob)
    }
    try queue.performAndWait { context in
      context.delete(ann)
      #expect(context.deletedObjects.count == 3)
      #expect(bob.spouse == nil)
      if saving { try context.save() }
    }
    try queue.performAndWait { context in
      context.undo()
      #expect(ann.name == "Ann")
      #expect(!ann.isDeleted)
      #expect(ann.isInserted == saving)
      try check(ann, bob)
      try context.save()
      context.reset()
      let (ann, bob) = (
        try Person.named("Ann", in: context),
        try Person.named("Bob", in: context)
      )
      try check(ann, bob)
      let counts = (try Person.count(in: context), try Dog.count(in: context))
      #expect(counts == (3, 1))
    }
  }

  private func check(_ ann: Person, _ bob: Person) throws {
    let kid = try #require(ann.children.first)
    #expect(bob.spouse === ann)
    #expect(ann.spouse === bob)
    #expect(kid.name == "Kid")
    #expect(kid.parent === ann)
    #expect(kid.dogs.map(\.name) == ["Rex"])
    #expect(ann.friends == [bob, kid])
    #expect(bob.friends == [ann])
    #expect(ann.shelf.titles == "abc")
    #expect(ann.reads.titles == "cba")
    #expect(ann.shelf.allSatisfy { $0.keeper === ann && $0.readers == [ann] })
  }

  @Test(arguments: StoreKind.atEveryDepth, [false, true])
  func whoIsHerOwnFriendComesBackAsSuch(in kind: StoreKind, saving: Bool) throws {
    let queue = try kind.people().context(kind)
    let ann = try queue.performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      ann.friends = [ann, bob]
      try context.save()
      context.undoManager = ContextUndoManager()
      return ann
    }
    try queue.performAndWait { context in
      context.delete(ann)
      if saving { try context.save() }
    }
    try queue.performAndWait { context in
      context.undo()
      #expect(Set(ann.friends.map(\.name)) == ["Ann", "Bob"])
      try context.save()
      context.reset()
      let again = try Person.named("Ann", in: context)
      #expect(Set(again.friends.map(\.name)) == ["Ann", "Bob"])
    }
  }

  /// What left an order with a saved deletion is no difference of the next event.
  @Test(arguments: StoreKind.atEveryDepth)
  func settingWhatIsThereAfterASavedDeletionIsNothingToUndo(in kind: StoreKind) throws {
    let queue = try kind.people().context(kind)
    let (ann, book) = try queue.performAndWait { context in
      let (ann, book) = (Person.make("Ann", in: context), Book.make("a", in: context)[0])
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, book)
    }
    queue.performAndWait { _ in book.readers = [ann] }
    queue.performAndWait { context in
      #expect(ann.reads == [book])
      context.delete(book)
    }
    try queue.performAndWait { try $0.save() }
    queue.performAndWait { _ in ann.shelf = [] }
    queue.performAndWait { context in
      context.undo()
      #expect(ann.reads == [book])
      #expect(book.readers == [ann])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func ordersAreUndone(in kind: StoreKind) throws {
    let queue = try kind.people().context(kind)
    let ann = try queue.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let books = Book.make("abcd", in: context)
      (ann.shelf, ann.reads) = (books, books)
      try context.save()
      context.undoManager = ContextUndoManager()
      return ann
    }
    queue.performAndWait { _ in
      ann.shelf.reverse()
      ann.reads = [ann.reads[2], ann.reads[0]]
    }
    queue.performAndWait { _ in _ = ann.shelf.remove(at: 1) }
    try queue.performAndWait { context in
      #expect(ann.shelf.titles == "dba")
      #expect(ann.reads.titles == "ca")
      context.undo()
      #expect(ann.shelf.titles == "dcba")
      context.undo()
      #expect(ann.shelf.titles == "abcd")
      #expect(ann.reads.titles == "abcd")
      context.redo()
      #expect(ann.shelf.titles == "dcba")
      #expect(ann.reads.titles == "ca")
      context.undo()
      try context.save()
      context.reset()
      let again = try #require(try Person.first(in: context))
      #expect(again.shelf.titles == "abcd")
      #expect(again.reads.titles == "abcd")
    }
  }

  // MARK: - Groups

  @Test(arguments: StoreKind.atEveryDepth)
  func groupsNestAndAreUndoneAsOne(in kind: StoreKind) throws {
    kind.withPeople { context in
      let manager = ContextUndoManager()
      context.undoManager = manager
      manager.groupsByBlock = false
      let ann = Person.make("Ann", in: context)
      #expect(!manager.canUndo)
      manager.beginUndoGrouping()
      ann.age = 1
      manager.beginUndoGrouping()
      ann.age = 2
      #expect(manager.groupingLevel == 2)
      manager.endUndoGrouping()
      ann.name = "Anna"
      manager.endUndoGrouping()
      ann.age = 3
      manager.beginUndoGrouping()
      ann.age = 4
      manager.endUndoGrouping()
      context.undo()
      #expect(ann.age == 3)
      context.undo()
      #expect(ann.age == 0)
      #expect(ann.name == "Ann")
      #expect(!manager.canUndo)
      context.redo()
      // what was changed outside all groups is what redoing leads back to
      #expect(ann.age == 3)
      #expect(ann.name == "Anna")
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func onlySoManyLevelsAreKept(in kind: StoreKind) throws {
    let queue = try kind.people().context(kind)
    let ann = queue.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      context.undoManager = ContextUndoManager()
      context.undoManager?.levelsOfUndo = 2
      return ann
    }
    for age in 1...5 { queue.performAndWait { _ in ann.age = age } }
    queue.performAndWait { context in
      for _ in 0..<5 { context.undo() }
      #expect(ann.age == 3)
      for _ in 0..<5 { context.redo() }
      #expect(ann.age == 5)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func registrationCanBeDisabled(in kind: StoreKind) throws {
    kind.withPeople { context in
      let manager = ContextUndoManager()
      context.undoManager = manager
      let ann = Person.make("Ann", in: context)
      manager.disableUndoRegistration()
      #expect(!manager.isUndoRegistrationEnabled)
      ann.age = 1
      manager.enableUndoRegistration()
      ann.name = "Anna"
      context.undo()
      #expect(context.insertedObjects.isEmpty)
      context.redo()
      #expect(ann.name == "Anna")
      #expect(ann.age == 1)
      manager.removeAllActions()
      #expect(!manager.canUndo)
      #expect(!manager.canRedo)
    }
  }
}
