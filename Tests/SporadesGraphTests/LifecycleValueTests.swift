// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What objects tell of their values: now, at the last save, below change tracking, and at the end.
@Suite struct LifecycleValueTests {
  @Test(arguments: StoreKind.atEveryDepth)
  func changedAndCommittedValues(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      #expect(ann.changedValues() == ["name": "Ann"])
      #expect(ann.committedValues(forKeys: ["name", "age"]) == ["name": nil, "age": nil])
      bob.parent = ann
      try context.save()
      #expect(ann.changedValues().isEmpty)
      #expect(!ann.hasPersistentChangedValues)
      ann.name = "Anna"
      ann.home = Home(city: "Bern")
      bob.parent = nil
      ann.friends = [bob]
      #expect(Set(ann.changedValues().keys) == ["name", "home", "children", "friends"])
      #expect(ann.changedValues()["name"] == "Anna")
      #expect(bob.changedValues() == ["parent": nil, "friends": .list([.objectID(ann.objectID)])])
      #expect(
        ann.committedValues(forKeys: ["name", "age", "children", "friends"])
          == ["name": "Ann", "age": 0, "children": .list([.objectID(bob.objectID)]), "friends": []])
      #expect(bob.committedValues()["parent"] == .objectID(ann.objectID))
      #expect(ann.committedValues()["style"] == nil)
      context.rollback()
      #expect(!ann.hasPersistentChangedValues)
      #expect(ann.changedValues().isEmpty)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aValueSetBackIsNoPersistentChange(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      ann.name = "Anna"
      #expect(ann.hasPersistentChangedValues)
      ann.name = "Ann"
      #expect(ann.hasChanges)
      #expect(!ann.hasPersistentChangedValues)
      #expect(ann.changedValues().isEmpty)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func committedValuesKeepTheStoredOrder(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let books = Book.make("abc", in: context)
      (ann.shelf, ann.reads) = (books, books)
      try context.save()
      ann.shelf = [books[2], books[0]]
      ann.reads = [books[1], books[2], books[0]]
      let before = Value.list(books.map { .objectID($0.objectID) })
      #expect(
        ann.committedValues(forKeys: ["shelf", "reads"]) == ["shelf": before, "reads": before])
      #expect(ann.shelf.titles == "ca")
      #expect(ann.reads.titles == "bca")
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func primitiveValuesGoUnnoticed(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      try context.save()
      context.reset()
      let again = try #require(try Person.first(in: context))
      again.setPrimitiveValue("primitive, and a longer text", forKey: "name")
      #expect(again.name == "primitive, and a longer text")
      #expect(again.age == 1)
      #expect(!again.hasChanges)
      #expect(!context.hasChanges)
      #expect(again.changedValues().isEmpty)
      context.refresh(again, mergeChanges: false)
      #expect(again.primitiveValue(forKey: "name") == nil)
      #expect(again.isFault)
      #expect(again.name == "Ann")
      #expect(again.primitiveValue(forKey: "name") == "Ann")
      again.willChangeValue(forKey: "name")
      again.setPrimitiveValue("Anna", forKey: "name")
      again.didChangeValue(forKey: "name")
      #expect(again.isUpdated)
      #expect(again.changedValues() == ["name": "Anna"])
      try context.save()
      context.reset()
      #expect(try Person.first(in: context)?.name == "Anna")
      #expect(ann.managedObjectContext == nil)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func relationshipsTellTheirIdsWithoutLoadingObjects(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      (bob.parent, ann.friends) = (ann, [bob])
      try context.save()
      let (annID, bobID) = (ann.objectID, bob.objectID)
      context.reset()
      let child = try #require(try context.existingObject(with: bobID) as? Person)
      #expect(child.hasFault(forRelationshipNamed: "parent"))
      #expect(child.objectIDs(forRelationshipNamed: "parent") == [annID])
      #expect(context.registeredObjects.count == 1)
      #expect(child.parent?.name == "Ann")
      #expect(!child.hasFault(forRelationshipNamed: "parent"))
      let parent = try #require(child.parent)
      #expect(parent.hasFault(forRelationshipNamed: "children"))
      #expect(parent.objectIDs(forRelationshipNamed: "children") == [bobID])
      #expect(parent.objectIDs(forRelationshipNamed: "friends") == [bobID])
      #expect(parent.hasFault(forRelationshipNamed: "children"))
      #expect(parent.children == [child])
      #expect(!parent.hasFault(forRelationshipNamed: "children"))
      #expect(!child.hasFault(forRelationshipNamed: "spouse"))
      parent.children = []
      #expect(parent.objectIDs(forRelationshipNamed: "children").isEmpty)
    }
  }

  // MARK: - The end

  @Test(arguments: StoreKind.atEveryDepth)
  func whatIsOverriddenCorruptsNothing(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let owner = Witness.make("owner", in: context)
      let parts = (0..<40).map { Witness.make("part \($0)", in: context) }
      owner.parts = Set(parts as [ManagedObject] as! [Witness])
      #expect(owner.parts.count == 40)
      #expect(parts[0] == parts[1])
      #expect(owner.description == "witness of owner, 40 parts")
      #expect(context.insertedObjects.count == 41)
      try context.save()
      context.reset()
      let again = try #require(try Witness.first(where: \.name == "owner", in: context))
      #expect("\(again)" == "witness of owner, 40 parts")
      #expect(Set(again.parts.map(\.name)).count == 40)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsOutliveTheirContext(in kind: StoreKind) throws {
    var held: [Person] = []
    var fault: ManagedObject?
    do {
      let stack = try kind.people()
      let queue = stack.newContext()
      try queue.performAndWait { context in
        let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
        ann.children = [bob]
        try context.save()
        ann.age = 7
        context.delete(bob)
        held = [ann, bob, Person.make("New", in: context)]
      }
      try stack.newContext().performAndWait { fault = try $0.object(with: held[0].objectID) }
    }
    let (ann, bob) = (held[0], held[1])
    #expect(held.allSatisfy { $0.managedObjectContext == nil })
    #expect(fault?.isFault == true)
    #expect(ann.name == "Ann")
    #expect(ann.age == 7)
    #expect(bob.name == "Bob")
    #expect(ann.children.isEmpty)
    #expect(bob.parent == nil)
    #expect(!ann.objectID.isTemporaryID)
    ann.age = 8
    #expect(ann.age == 8)
    ann.setPrimitiveValue(1, forKey: "age")
    #expect(ann.age == 1)
    #expect(fault?.value(forKey: "name") == .null)
    #expect(!ann.description.isEmpty)
    #expect(!bob.changedValues().keys.contains("nothing"))
    _ = (ann.committedValues(), ann.hasPersistentChangedValues, fault?.committedValues())
    #expect(ann.hasFault(forRelationshipNamed: "dogs") || ann.dogs.isEmpty)
    try ann.validateForDelete()
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func deletedObjectsHaveAnAnswerForEverything(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      (bob.parent, ann.friends) = (ann, [bob])
      try context.save()
      context.delete(bob)
      #expect(bob.isDeleted)
      #expect(bob.name == "Bob")
      #expect(ann.children.isEmpty)
      #expect(ann.friends.isEmpty)
      try context.save()
      #expect(!bob.isDeleted)
      #expect(!bob.hasChanges)
      #expect(bob.isFault)
      #expect(bob.name == "")
      #expect(bob.parent == nil)
      #expect(bob.friends.isEmpty)
      #expect(bob.changedValues().isEmpty)
      #expect(bob.committedValues(forKeys: ["name"]) == ["name": nil])
      #expect(bob.objectIDs(forRelationshipNamed: "parent").isEmpty)
      #expect(bob.primitiveValue(forKey: "name") == nil)
      bob.setPrimitiveValue("x", forKey: "name")
      bob.willChangeValue(forKey: "name")
      #expect(context.takeFailures().count == 2)
      context.refresh(bob, mergeChanges: true)
      context.refresh(bob, mergeChanges: false)
      context.delete(bob)
      #expect(!context.hasChanges)
      #expect(context.takeFailures().isEmpty)
      #expect(throws: ContextError.self) { try context.existingObject(with: bob.objectID) }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aContextMayReportFaultsThatAreGone(in kind: StoreKind) throws {
    let stack = try kind.people()
    let queue = stack.newContext()
    let id = try queue.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      context.delete(ann)
      try context.save()
      return ann.objectID
    }
    for tolerates in [true, false] {
      try stack.newContext().performAndWait { context in
        context.shouldDeleteInaccessibleFaults = tolerates
        let ann = try context.object(with: id)
        #expect(ann.value(forKey: "name") == nil)
        #expect(context.takeFailures().isEmpty == tolerates)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsAreKeptWhereTheContextIsAskedTo(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      for number in 0..<3000 { Person.make("\(number)", in: context) }
      try context.save()
    }
    for retains in [true, false] {
      let queue = stack.newContext()
      let count = try queue.performAndWait { context in
        context.retainsRegisteredObjects = retains
        return try Person.all(in: context).count
      }
      #expect(count == 3000)
      queue.performAndWait { context in
        #expect(context.registeredObjects.count == (retains ? 3000 : 0))
      }
    }
  }
}
