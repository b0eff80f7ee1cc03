// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// What objects are from their making to their end: identity, faults, changes, saves.
@Suite struct LifeTests {
  @Test(arguments: StoreKind.allCases)
  func thereIsOneInstancePerRowAndContext(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      Dog.create(in: context).owner = ann
      try context.save()
      #expect(try Person.first(in: context) === ann)
      #expect(try Dog.first(in: context)?.owner === ann)
      #expect(try context.existingObject(with: ann.objectID) === ann)
      #expect(try context.object(with: ann.objectID) === ann)
      #expect(context.registeredObject(for: ann.objectID) === ann)
      try stack.main.performAndWait { main in
        let same = try ann.inContext(main)
        #expect(same !== ann)
        #expect(same.objectID == ann.objectID)
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func changesAreTracked(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      #expect(!context.hasChanges)
      let ann = Person.make("Ann", in: context)
      #expect(ann.isInserted)
      #expect(ann.hasChanges)
      #expect(!ann.isUpdated)
      #expect(!ann.isDeleted)
      #expect(!ann.isFault)
      #expect(context.hasChanges)
      #expect(context.insertedObjects == [ann])
      try context.save()
      #expect(!ann.hasChanges)
      #expect(!context.hasChanges)
      #expect(context.insertedObjects.isEmpty)
      ann.name = "Ann"
      ann.age = 0
      #expect(!ann.hasChanges)
      #expect(!context.hasChanges)
      ann.age = 5
      #expect(ann.isUpdated)
      #expect(!ann.isInserted)
      #expect(context.updatedObjects == [ann])
      context.delete(ann)
      #expect(ann.isDeleted)
      #expect(!ann.isUpdated)
      #expect(context.deletedObjects == [ann])
      context.rollback()
      #expect(!ann.hasChanges)
      #expect(ann.age == 0)
      let bob = Person.make("Bob", in: context)
      context.delete(bob)
      #expect(context.insertedObjects.isEmpty)
      try context.save()
      #expect(try Person.count(in: context) == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func faultsFireAndGoneRowsAnswerWithNothing(in kind: StoreKind) throws {
    let stack = try kind.people()
    let id = try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      return ann.objectID
    }
    let other = stack.newContext()
    let held = try other.performAndWait { try #require(try $0.object(with: id) as? Person) }
    other.performAndWait { _ in #expect(held.isFault) }
    try stack.newContext().performAndWait { context in
      context.delete(try context.object(with: id))
      try context.save()
    }
    other.performAndWait { context in
      #expect(held.name == "")
      #expect(held.age == 0)
      #expect(held.dogs.isEmpty)
      #expect(held.spouse == nil)
      #expect(context.registeredObject(for: id) == nil || held.isFault)
      #expect(throws: (any Error).self) { try context.existingObject(with: id) }
      held.name = "changed"
      #expect(held.name == "")
      #expect(!context.hasChanges)
      let failures = context.takeFailures()
      #expect(failures.contains { ($0 as? ContextError)?.description.contains("changed") == true })
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func idsArePermanentBeforeTheyCross(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let rex = Dog.create(in: context)
      rex.owner = ann
      #expect(ann.objectID.isTemporaryID)
      try context.obtainPermanentIDs(for: [ann, rex])
      let id = ann.objectID
      #expect(!id.isTemporaryID)
      #expect(ann.isInserted)
      #expect(rex.owner === ann)
      #expect(ann.dogs == [rex])
      #expect(context.registeredObject(for: id) === ann)
      try context.save()
      #expect(ann.objectID == id)
      context.reset()
      #expect(try Dog.first(in: context)?.owner?.objectID == id)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func refreshingForgetsOrKeepsChanges(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      let bob = Person.make("Bob", in: context)
      try context.save()
      ann.age = 2
      ann.parent = bob
      ann.friends = [bob]
      context.refresh(ann, mergeChanges: true)
      #expect(ann.age == 2)
      #expect(ann.parent === bob)
      #expect(bob.children == [ann])
      #expect(bob.friends == [ann])
      context.refresh(ann, mergeChanges: false)
      #expect(ann.isFault)
      #expect(ann.age == 1)
      #expect(ann.parent == nil)
      #expect(ann.friends.isEmpty)
      #expect(bob.children.isEmpty)
      #expect(bob.friends.isEmpty)
      ann.age = 3
      context.refreshAllObjects()
      #expect(ann.age == 3)
      #expect(ann.isUpdated)
      try context.save()
      context.reset()
      #expect(ann.managedObjectContext == nil)
      #expect(!context.hasChanges)
      #expect(try Person.first(where: \.name == "Ann", in: context)?.age == 3)
    }
  }

  // MARK: - Saves that fail

  @Test(arguments: StoreKind.atEveryDepth)
  func allFailuresAreToldAtOnceAndNothingLeaves(in kind: StoreKind) throws {
    var name = AttributeDescription("name", .string)
    name.validation.minimumLength = 2
    name.validation.maximumLength = 4
    name.validation.pattern = "[a-z]+"
    var number = AttributeDescription("number", .integer64, isOptional: true)
    number.validation.minimum = 1
    number.validation.maximum = 10
    var day = AttributeDescription("day", .date, isOptional: true)
    day.validation.minimum = .date(Date(timeIntervalSinceReferenceDate: 0))
    day.validation.maximum = .date(Date(timeIntervalSinceReferenceDate: 100))
    var team = RelationshipDescription.toMany("team", "B", inverse: "captain")
    (team.minCount, team.maxCount, team.isOptional) = (1, 2, false)
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [name, number, day], relationships: [team]),
      EntityDescription(
        "B", relationships: [.toOne("captain", "A", inverse: "team", isOptional: false)]),
    ])
    try kind.stack(model).context(kind).performAndWait { context in
      let a = try context.insert(entityNamed: "A")
      let b = try context.insert(entityNamed: "B")
      #expect(try codes(context) == [1570, 1570, 1580])
      b.setObject(a, forKey: "captain")
      for (text, expected) in [
        ("a", [1670]), ("abcde", [1660]), ("AB", [1680]), ("A", [1670, 1680]),
      ] {
        a["name"] = .string(text)
        #expect(try codes(context) == expected)
      }
      a["name"] = "abc"
      (a["number"], a["day"]) = (0, .date(Date(timeIntervalSinceReferenceDate: -1)))
      #expect(try codes(context) == [1620, 1640])
      (a["number"], a["day"]) = (11, .date(Date(timeIntervalSinceReferenceDate: 101)))
      #expect(try codes(context) == [1610, 1630])
      (a["number"], a["day"]) = (10, nil)
      #expect(try context.fetch(FetchRequest("A")).count == 1)
      try context.save()
      for _ in 0..<2 { try context.insert(entityNamed: "B").setObject(a, forKey: "captain") }
      #expect(a.hasChanges)
      #expect(try codes(context) == [1590])
      context.rollback()
      context.delete(b)
      #expect(try codes(context) == [1580])
    }
  }

  private func codes(_ context: ManagedObjectContext) throws -> [Int] {
    do {
      try context.save()
      return []
    } catch let error as ValidationError {
      return error.failures.map(\.code.rawValue).sorted()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aSaveTheStoreRefusesCanBeTriedAgain(in kind: StoreKind) throws {
    let base = try kind.store(People.model)
    let store = RefusingStore(base)
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      ann.name = "Anna, a longer name than before"
      let bob = Person.make("Bob", in: context)
      ann.friends = [bob]
      ann.shelf = Book.make("ab", in: context)
      for attempt in 0..<3 {
        store.refuses = true
        #expect(throws: StoreError.self) { try context.save() }
        #expect(ann.isUpdated)
        #expect(bob.isInserted)
        #expect(context.hasChanges)
        ann.name = String(repeating: "n", count: 50 * attempt)
        bob.name = String(repeating: "b", count: 50 * attempt)
        ann.shelf.reverse()
      }
      store.refuses = false
      try context.save()
      context.reset()
      let again = try Person.all(sortedBy: "name:NO", in: context)
      #expect(again.map(\.name.count) == [100, 100])
      #expect(again[0].friends == [again[1]])
      #expect(again[0].shelf.titles == "ba")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theSecondOfTwoSavesConflictsAndCanBeMerged(in kind: StoreKind) throws {
    let stack = try kind.people()
    let (one, two) = (stack.newContext(), stack.newContext())
    let id = try one.performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      return ann.objectID
    }
    try two.performAndWait { second in
      let ann = try #require(try second.existingObject(with: id) as? Person)
      ann.age = 2
      try one.performAndWait { first in
        (try first.existingObject(with: id) as? Person)?.name = "Anna"
        try first.save()
      }
      let conflict = #expect(throws: StoreError.self) { try second.save() }
      #expect(conflict?.code == .conflict([id]))
      second.refresh(ann, mergeChanges: true)
      #expect(ann.name == "Anna")
      #expect(ann.age == 2)
      try second.save()
    }
    try one.performAndWait { first in
      let ann = try #require(try first.existingObject(with: id) as? Person)
      #expect(ann.age == 2)
      #expect(ann.name == "Anna")
    }
  }

  /// Objects that lead to each other would keep each other alive for ever.
  @Test(arguments: StoreKind.allCases)
  func aWriteKeepsNoObjectAliveAfterItsEnd(in kind: StoreKind) throws {
    let stack = try kind.people()
    weak var ann: Person?
    weak var book: Book?
    for _ in 0..<2 {
      var observation: ContextObservation?
      var saves = 0
      _ = try stack.write(name: nil, durability: .eventual) { context in
        let (new, bob) = (Person.make("Ann", in: context), try Person.first(in: context))
        let friend = Person.make("Bob", in: context)
        new.friends = [friend]
        observation = context.observe { change in
          guard change.notification.didSave != nil else { return }
          saves += 1
          #expect(new.friends.contains(friend))
        }
        new.reads = Book.make("ab", in: context)
        if let bob { new.friends.insert(bob) }
        (ann, book) = (new, new.reads[0])
        #expect(book?.readers == [new])
      }
      observation?.end()
      #expect(saves == 1)
      #expect(ann == nil && book == nil)
    }
  }

  /// The room of a page is limited, and a context that is gone gives no other.
  @Test func anObjectOfADroppedContextTakesManyLongTexts() throws {
    let stack = try StoreKind.memory.people()
    let ann = stack.newContext().performAndWait { Person.make("Ann", in: $0) }
    for length in 1_000_000..<1_000_100 {
      ann.name = String(repeating: "a", count: length)
      #expect(ann.name.utf8.count == length)
    }
  }
}
