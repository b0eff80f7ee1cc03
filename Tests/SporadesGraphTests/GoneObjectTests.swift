// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Changes that nobody could be told of when they were made are told of by the save.
@Suite struct GoneObjectTests {
  private func gone(_ error: (any Error)?) -> [ManagedObjectID] {
    switch error {
    case ContextError.objectGone(let id)?: [id]
    case ContextError.several(let errors)?: errors.flatMap(gone)
    default: []
    }
  }

  private func person(
    _ names: String..., in stack: DataStack
  ) throws -> [ManagedObjectID] {
    try stack.newContext().performAndWait { context in
      let people = names.map { Person.make($0, in: context) }
      try context.save()
      return people.map(\.objectID)
    }
  }

  private func delete(_ ids: [ManagedObjectID], in stack: DataStack) throws {
    try stack.newContext().performAndWait { context in
      for id in ids { context.delete(try context.existingObject(with: id)) }
      try context.save()
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aSaveNamesTheGoneObjectsThatWereChanged(in kind: StoreKind) throws {
    let stack = try kind.people()
    let ids = try person("Ann", "Bob", in: stack)
    try delete(ids, in: stack)
    try stack.context(kind).performAndWait { context in
      let faults = try ids.map { try #require(try context.object(with: $0) as? Person) }
      faults[0].name = "Amy"
      faults[1].age = 5
      Person.make("Cid", in: context)
      let error = #expect(throws: ContextError.self) { try context.save() }
      #expect(gone(error) == ids)
      // It is said once; what else was changed is saved by the next save.
      #expect(context.hasChanges)
      try context.save()
      faults[0].name = "Amy"
      context.rollback()
      try context.save()
      faults[1].setValue(3, forKey: "age")
      #expect(gone(#expect(throws: ContextError.self) { try context.save() }) == [ids[1]])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectThatOthersDeleteWhileItHasChangesIsNamed(in kind: StoreKind) throws {
    let stack = try kind.people()
    let ids = try person("Ann", in: stack)
    let queue = stack.newContext()
    let ann = try queue.performAndWait { context in
      let ann = try #require(try context.existingObject(with: ids[0]) as? Person)
      ann.name = "Amy"
      return ann.objectID
    }
    try delete(ids, in: stack)
    queue.performAndWait { context in
      #expect(gone(#expect(throws: ContextError.self) { try context.save() }) == [ann])
    }
  }

  /// Set by the member or by the owner, a to-one relationship is a value of the member.
  @Test(arguments: StoreKind.allCases, [true, false])
  func anObjectThatOthersDeleteWhileItHasAnotherOwnerIsNamed(
    in kind: StoreKind, byOwner: Bool
  ) throws {
    let stack = try kind.people()
    let ids = try stack.newContext().performAndWait { context in
      let objects: [ManagedObject] = [Dog.create(in: context), Person.make("Ann", in: context)]
      try context.save()
      return objects.map(\.objectID)
    }
    let queue = stack.newContext()
    let held = try queue.performAndWait { context in
      let dog = try #require(try context.existingObject(with: ids[0]) as? Dog)
      let ann = try #require(try context.existingObject(with: ids[1]) as? Person)
      if byOwner { ann.dogs.insert(dog) } else { dog.owner = ann }
      return ann
    }
    try delete([ids[0]], in: stack)
    try queue.performAndWait { context in
      #expect(gone(#expect(throws: ContextError.self) { try context.save() }) == [ids[0]])
      try context.save()
      #expect(held.dogs.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectThatLostItsOwnerHereIsNotNamed(in kind: StoreKind) throws {
    let stack = try kind.people()
    let ids = try stack.newContext().performAndWait { context in
      let dog = Dog.create(in: context)
      Person.make("Ann", in: context).dogs = [dog]
      try context.save()
      return [dog.objectID]
    }
    let queue = stack.newContext()
    try queue.performAndWait { context in try Person.first(in: context)?.dogs = [] }
    try delete(ids, in: stack)
    try queue.performAndWait { try $0.save() }
  }

  @Test func anyRelationshipOfAGoneObjectIsNamed() throws {
    let stack = try StoreKind.memory.people()
    let ids = try person("Ann", "Bob", in: stack)
    try delete([ids[0]], in: stack)
    let changes: [(Person, Person, ManagedObjectContext) -> Void] = [
      { gone, other, _ in gone.spouse = other }, { gone, other, _ in other.spouse = gone },
      { gone, other, _ in gone.friends = [other] }, { gone, other, _ in other.friends = [gone] },
      { gone, _, context in gone.dogs = [Dog.create(in: context)] },
      { gone, _, context in Dog.create(in: context).owner = gone },
      { gone, _, context in gone.reads = Book.make("x", in: context) },
      { gone, _, context in gone.shelf = Book.make("x", in: context) },
      { gone, _, context in gone.notes = [Note.create(in: context)] },
    ]
    for (number, change) in changes.enumerated() {
      stack.newContext().performAndWait { context in
        guard let gone = try? context.object(with: ids[0]) as? Person,
          let other = try? context.existingObject(with: ids[1]) as? Person
        else {
          Issue.record("The objects are there.")
          return
        }
        change(gone, other, context)
        #expect(throws: (any Error).self, "change \(number)") { try context.save() }
      }
    }
  }

  @Test func aRefreshThatCannotReadKeepsTheObjectAndIsTold() throws {
    let store = RefusingStore(MemoryStore(model: People.model))
    let stack = DataStack(store: store, classes: People.classes)
    let ids = try person("Ann", in: stack)
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.existingObject(with: ids[0]) as? Person)
      ann.age = 7
      store.refusesReading = true
      context.refresh(ann, mergeChanges: true)
      store.refusesReading = false
      #expect(ann.age == 7)
      #expect(ann.name == "Ann")
      #expect(ann.hasChanges)
      let error = #expect(throws: ContextError.self) { try context.save() }
      guard case .unfulfilled(let id, let reason)? = error else {
        Issue.record("The refresh could not read: \(error as Any)")
        return
      }
      #expect(id == ids[0])
      #expect(reason.code == .io)
      try context.save()
      #expect(ann.age == 7)
    }
  }

  @Test func aReadThatFailsFailsTheSaveThatReliedOnIt() throws {
    let store = RefusingStore(MemoryStore(model: People.model))
    let stack = DataStack(store: store, classes: People.classes)
    let ids = try person("Ann", in: stack)
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.object(with: ids[0]) as? Person)
      store.refusesReading = true
      let dog = Dog.create(in: context)
      dog.name = ann.name
      store.refusesReading = false
      #expect(throws: ContextError.self) { try context.save() }
      dog.name = ann.name
      try context.save()
      #expect(dog.name == "Ann")
    }
  }

  @Test func whatFailsWhileASaveIsMadeIsToldOnce() throws {
    let stack = try StoreKind.memory.witnesses()
    try stack.newContext().performAndWait { context in
      let former = Witness.make("former", in: context)
      try context.save()
      context.delete(former)
      try context.save()
      let witness = Witness.make("new", in: context)
      witness.hears = { if $0 == "willSave" { former.name = "x" } }
      #expect(gone(#expect(throws: ContextError.self) { try context.save() }) == [former.objectID])
      witness.hears = nil
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  /// A conflict that can not be looked at is no conflict that was decided.
  @Test func aPolicyThatCannotReadSaysSo() throws {
    let store = RefusingStore(MemoryStore(model: People.model))
    let stack = DataStack(store: store, classes: People.classes)
    let ids = try person("Ann", in: stack)
    try stack.newContext().performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      context.mergePolicy = .mergeByPropertyObjectTrump
      let ann = try #require(try context.existingObject(with: ids[0]) as? Person)
      try stack.newContext().performAndWait { other in
        (try other.existingObject(with: ids[0]) as? Person)?.age = 9
        try other.save()
      }
      ann.name = "Amy"
      store.refusesReading = true
      let error = #expect(throws: StoreError.self) { try context.save() }
      store.refusesReading = false
      #expect(error?.code == .io)
      try context.save()
      #expect(ann.name == "Amy")
      #expect(ann.age == 9)
    }
  }

  @Test func anObjectThatWasNeverSavedIsNotCalledDeletedByOthers() throws {
    try StoreKind.memory.people().newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let bob = Person.make("Bob", in: context)
      context.delete(bob)
      ann.friends.insert(bob)
      let error = #expect(throws: ContextError.self) { try context.save() }
      #expect(error?.description.contains("was deleted or undone before its first save") == true)
    }
  }
}
