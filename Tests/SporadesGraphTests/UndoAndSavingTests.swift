// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Undo beside saves, rollbacks, merges, other contexts, and hooks.
@Suite struct UndoAndSavingTests {
  @Test(arguments: StoreKind.atEveryDepth)
  func undoAfterASaveMakesNewChanges(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      ann.age = 2
      try context.save()
      #expect(!context.hasChanges)
      context.undo()
      #expect(ann.age == 1)
      #expect(ann.isUpdated)
      try context.save()
      context.redo()
      #expect(ann.age == 2)
      #expect(ann.isUpdated)
      try context.save()
      context.reset()
      let age = try Person.first(in: context)?.age
      #expect(age == 2)
      #expect(context.undoManager?.canUndo == false)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func rollbackAndResetEmptyTheStack(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let manager = ContextUndoManager()
      context.undoManager = manager
      let ann = Person.make("Ann", in: context)
      try context.save()
      ann.age = 1
      #expect(manager.canUndo)
      context.rollback()
      #expect(!manager.canUndo)
      #expect(ann.age == 0)
      ann.age = 2
      #expect(manager.canUndo)
      context.reset()
      #expect(!manager.canUndo)
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatOthersSavedIsNotUndone(in kind: StoreKind) throws {
    let stack = try kind.people()
    let (mine, other) = (stack.newContext(), stack.newContext())
    let ann = try mine.performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      return ann
    }
    mine.performAndWait { _ in ann.age = 2 }
    try other.performAndWait { context in
      let same = try #require(try context.existingObject(with: ann.objectID) as? Person)
      same.name = "Anna"
      try context.save()
    }
    try mine.performAndWait { context in
      #expect(ann.name == "Anna")
      #expect(ann.age == 2)
      context.undo()
      #expect(ann.name == "Anna")
      #expect(ann.age == 1)
      context.redo()
      #expect(ann.age == 2)
      try context.save()
    }
    try other.performAndWait { context in
      context.delete(try context.existingObject(with: ann.objectID))
      try context.save()
    }
    try mine.performAndWait { context in
      context.undo()
      #expect(ann.age == 0)
      #expect(!context.hasChanges)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatAChildSavesIsUndoneInItsParent(in kind: StoreKind) throws {
    let stack = try kind.people()
    let parent = stack.newContext()
    let ann = try parent.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      return ann
    }
    try stack.newChild(of: parent).performAndWait { child in
      let same = try #require(try child.existingObject(with: ann.objectID) as? Person)
      same.age = 5
      Person.make("Kid", in: child).parent = same
      try child.save()
    }
    parent.performAndWait { context in
      #expect(ann.age == 5)
      #expect(ann.children.count == 1)
      context.undo()
      #expect(ann.age == 0)
      #expect(ann.children.isEmpty)
      #expect(context.insertedObjects.isEmpty)
      context.redo()
      #expect(ann.age == 5)
      #expect(ann.children.first?.name == "Kid")
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func objectsHearOfUndoAndItsChangesAreSaved(in kind: StoreKind) throws {
    let queue = try kind.witnesses().context(kind)
    let log = Log()
    let ann = try queue.performAndWait { context in
      let ann = Witness.make("ann", in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      ann.hears = { log.note($0) }
      return ann
    }
    queue.performAndWait { _ in ann.level = 2 }
    queue.performAndWait { context in context.delete(ann) }
    #expect(log.take() == ["prepareForDeletion"])
    queue.performAndWait { context in
      context.undo()
      context.undo()
      #expect(log.take() == ["snapshot 4", "snapshot 8"])
      #expect(ann.level == 1)
      context.redo()
      context.redo()
      #expect(log.take() == ["snapshot 8", "snapshot 2"])
      #expect(ann.isDeleted)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func anEventIsWhatChangedSinceItsBeginning(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", age: 1, in: context), Person.make("Bob", in: context))
      try context.save()
      ann.age = 2
      #expect(ann.changedValuesForCurrentEvent() == ["age": 1])
      context.processPendingChanges()
      #expect(ann.changedValuesForCurrentEvent().isEmpty)
      ann.age = 3
      ann.home = Home(city: "Bern")
      (ann.spouse, ann.friends) = (bob, [bob])
      #expect(Set(ann.changedValuesForCurrentEvent().keys) == ["age", "home", "spouse", "friends"])
      #expect(ann.changedValuesForCurrentEvent()["age"] == 2)
      #expect(ann.changedValuesForCurrentEvent()["friends"] == [])
      #expect(bob.changedValuesForCurrentEvent() == ["spouse": nil, "friends": []])
      #expect(ann.changedValues()["age"] == 3)
      try context.save()
      #expect(ann.changedValuesForCurrentEvent().isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatOthersDeletedFromAnOrderIsNothingToUndo(in kind: StoreKind) throws {
    let stack = try kind.people()
    let (mine, other) = (stack.newContext(), stack.newContext())
    let (ann, kept) = try mine.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      ann.reads = Book.make("kd", in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, ann.reads[0])
    }
    try other.performAndWait { context in
      for book in try Book.all("title", equalTo: "d", in: context) { context.delete(book) }
      try context.save()
    }
    mine.performAndWait { _ in ann.age = 2 }
    mine.performAndWait { _ in ann.reads = [kept] }
    mine.performAndWait { context in
      context.undo()
      #expect(ann.age == 0)
      #expect(ann.reads == [kept])
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectThatWasLeftComesBackAsOneThatWasLeft(in kind: StoreKind) throws {
    let stack = try kind.people()
    let mine = stack.newContext()
    let (ann, books) = try mine.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let books = (0..<3).map { _ in Book.create(in: context) }
      ann.reads = [books[0], books[1]]
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, books)
    }
    mine.performAndWait { _ in ann.reads = [books[2], books[1]] }
    mine.performAndWait { context in context.delete(books[0]) }
    try mine.performAndWait { context in
      context.undo()
      #expect(ann.reads == [books[2], books[1]])
      #expect(books[0].readers.isEmpty)
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let ids = try #require(try Person.first(in: context)).reads.map(\.objectID)
      #expect(ids == [books[2].objectID, books[1].objectID])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anOrderThatIsTheStoresAgainIsNoChange(in kind: StoreKind) throws {
    let mine = try kind.people().newContext()
    let (ann, books) = try mine.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let books = (0..<3).map { _ in Book.create(in: context) }
      (ann.reads, ann.shelf) = (books, books)
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, books)
    }
    mine.performAndWait { _ in ann.reads.swapAt(0, 2) }
    mine.performAndWait { _ in ann.shelf.swapAt(0, 1) }
    mine.performAndWait { context in
      context.undo()
      #expect(ann.shelf == books)
      #expect(ann.reads == [books[2], books[1], books[0]])
      #expect(ann.isUpdated)
      context.undo()
      #expect(ann.reads == books)
      #expect(!context.hasChanges)
      context.redo()
      #expect(ann.reads.first === books[2])
      #expect(ann.isUpdated)
    }
    try mine.performAndWait { context in
      try context.save()
      context.undo()
      #expect(ann.reads == books)
      #expect(ann.isUpdated)
    }
  }

  /// A child that reads has its parent give members their places, before anything is saved.
  @Test(arguments: StoreKind.allCases)
  func placesThatWereGivenForAChildAreUndoneWithTheOrder(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      ann.shelf = Book.make("abc", in: context)
      try context.save()
    }
    let mine = stack.newContext()
    let ann = try mine.performAndWait { context in
      context.undoManager = ContextUndoManager()
      return try #require(try Person.first(in: context))
    }
    mine.performAndWait { _ in ann.move(from: 2, to: 0, in: "shelf") }
    try stack.newChild(of: mine).performAndWait { child in
      let shelf = try Person.named("Ann", in: child).shelf
      #expect(shelf.titles == "cab")
    }
    try mine.performAndWait { context in
      context.undo()
      #expect(ann.shelf.titles == "abc")
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let shelf = try Person.named("Ann", in: context).shelf
      #expect(shelf.titles == "abc")
    }
  }

  /// Whatever was done, undoing all of it leads back, and redoing all of it leads there again.
  @Test(arguments: StoreKind.atEveryDepth, 0..<20)
  func undoingEverythingLeadsBack(in kind: StoreKind, seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let queue = try kind.people().context(kind)
    var people: [Person] = []
    try queue.performAndWait { context in
      for number in 0..<6 {
        let person = Person.make("\(number)", in: context)
        person.shelf = Book.make("ab", in: context)
        people.append(person)
      }
      people[0].children = [people[1], people[2]]
      people[3].friends = [people[0], people[4]]
      try context.save()
      context.undoManager = ContextUndoManager()
    }
    let saves = seed % 2 == 1
    var states = [try state(queue)]
    for step in 0..<12 {
      try queue.performAndWait { context in
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          change(&people, in: context, step, &random)
        }
        if saves && step % 4 == 3 { try context.save() }
      }
      states.append(try state(queue))
    }
    for expected in states.dropLast().reversed() {
      queue.performAndWait { context in if context.undoManager?.canUndo == true { context.undo() } }
      // a block without effect is no group
      if try state(queue) != expected { try #require(states.contains(try state(queue))) }
    }
    queue.performAndWait { context in while context.undoManager?.canUndo == true { context.undo() }
    }
    #expect(try state(queue) == states[0])
    queue.performAndWait { context in while context.undoManager?.canRedo == true { context.redo() }
    }
    #expect(try state(queue) == states.last)
    queue.performAndWait { context in while context.undoManager?.canUndo == true { context.undo() }
    }
    try queue.performAndWait { context in
      try context.save()
      context.reset()
    }
    let stored = try state(queue)
    #expect(stored == states[0], "\(Set(stored).symmetricDifference(states[0]).sorted())")
  }

  private func change(
    _ people: inout [Person], in context: ManagedObjectContext, _ step: Int,
    _ random: inout SeededGenerator
  ) {
    let alive = people.filter {
      !$0.isDeleted && !$0.name.isEmpty && ($0.isInserted || !$0.objectID.isTemporaryID)
    }
    guard let one = alive.randomElement(using: &random),
      let two = alive.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: people.append(Person.make("new \(step) \(people.count)", in: context))
    case 1: one.age += 1
    case 2: one.home = Home(city: "city \(step)")
    case 3: one.spouse = one === two ? nil : two
    case 4: if one !== two && two.parent !== one { one.parent = two }
    case 5: one.friends.formSymmetricDifference([two])
    case 6: one.shelf.reverse()
    case 7: one.shelf.append(contentsOf: two === one ? [] : two.shelf.prefix(1))
    case 8: context.delete(one)
    default: one.favourite = Note.create(in: context)
    }
  }

  private func state(_ queue: ContextQueue) throws -> [String] {
    try queue.performAndWait { context in
      try Person.all(in: context).map { person in
        let names = [person.children, person.friends].map { $0.map(\.name).sorted().joined() }
        return """
          \(person.name) \(person.age) \(person.home?.city ?? "-") \(person.spouse?.name ?? "-") \
          \(person.parent?.name ?? "-") \(names) \(person.shelf.titles) \(person.favourite != nil)
          """
      }.sorted()
    }
  }
}
