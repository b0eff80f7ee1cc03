// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Suite struct ContextTests {
  @Test func savedObjectsAreFoundByOtherContexts() throws {
    let stack = try makeStack()
    let writer = stack.newContext()
    let id = try writer.performAndWait { context in
      let john = User.create(in: context)
      john.firstname = "John"
      john.age = 42
      #expect(john.isInserted)
      #expect(john.objectID.isTemporaryID)
      try context.save()
      #expect(!john.hasChanges)
      #expect(!john.objectID.isTemporaryID)
      #expect(john.firstname == "John")
      return john.objectID
    }
    try stack.main.performAndWait { context in
      let john = try #require(try context.existingObject(with: id) as? User)
      #expect(john.firstname == "John")
      #expect(john.lastname == nil)
      #expect(john.age == 42)
      #expect(try User.all(in: context) == [john])
    }
  }

  @Test func aChangeReachesAnObjectInHandInAnotherContext() throws {
    let stack = try makeStack()
    let writer = stack.newContext()
    let id = try writer.performAndWait { context in
      let user = User(context: context)
      user.lastname = "Doe"
      try context.save()
      return user.objectID
    }
    let held = try stack.main.performAndWait { context in
      try #require(try context.existingObject(with: id) as? User)
    }
    try writer.performAndWait { context in
      try #require(try context.existingObject(with: id) as? User).lastname = "Roe"
      try context.save()
    }
    stack.main.performAndWait { _ in #expect(held.lastname == "Roe") }
  }

  @Test func settingOneSideOfARelationshipSetsTheOther() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      let john = User.create(in: context)
      let rex = Pet.create(in: context)
      rex.owner = john
      #expect(john.pets == [rex])
      let bella = Pet.create(in: context)
      john.pets.insert(bella)
      #expect(bella.owner === john)
      john.pets.remove(rex)
      #expect(rex.owner == nil)
      try context.save()
      let jane = User.create(in: context)
      jane.pets = [rex, bella]
      #expect(john.pets.isEmpty)
      #expect(bella.owner === jane)
      try context.save()
      let janeID = jane.objectID
      try stack.main.performAndWait { main in
        let same = try #require(try main.existingObject(with: janeID) as? User)
        #expect(Set(same.pets.map(\.name)) == ["Rex"])
        #expect(same.pets.count == 2)
      }
    }
  }

  @Test func manyToManyLinksAreSavedOnce() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      let users = (0..<4).map { index in
        let user = User.create(in: context)
        user.age = index
        return user
      }
      users[0].friends = [users[1], users[2]]
      try context.save()
      #expect(users[1].friends == [users[0]])
      users[3].friends.insert(users[0])
      users[0].friends.remove(users[2])
      try context.save()
      context.reset()
      let again = try User.all(sortedBy: \.age, in: context)
      #expect(again[0].friends == [again[1], again[3]])
      #expect(again[2].friends.isEmpty)
    }
  }

  @Test func deletingCascadesAndNullifies() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      let john = User.create(in: context)
      let rex = Pet.create(in: context)
      let bella = Pet.create(in: context)
      john.pets = [rex, bella]
      try context.save()
      context.delete(rex)
      #expect(john.pets == [bella])
      try context.save()
      #expect(try Pet.count(in: context) == 1)
      context.delete(john)
      #expect(bella.isDeleted)
      try context.save()
      #expect(try Pet.count(in: context) == 0)
      #expect(try User.count(in: context) == 0)
      #expect(bella.name == "")
    }
  }

  @Test func fetchesSeeUnsavedChanges() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      for (index, name) in ["Ann", "Bob", "Cid"].enumerated() {
        let user = User.create(in: context)
        user.firstname = name
        user.age = index
      }
      try context.save()
      let bob = try #require(try User.first(where: \.firstname == "Bob", in: context))
      bob.firstname = "Zoe"
      #expect(try User.first(where: \.firstname == "Bob", in: context) == nil)
      #expect(try User.all(sortedBy: "firstname:NO", in: context).first === bob)
      let rex = Pet.create(in: context)
      rex.owner = bob
      #expect(try Pet.all(where: \.owner!.firstname == "Zoe", in: context) == [rex])
      #expect(
        try User.all(where: FetchPredicate(format: "ANY pets.name == 'Rex'"), in: context) == [bob])
      context.delete(bob)
      #expect(try User.count(in: context) == 2)
      #expect(try User.max(\.age, in: context) == 2)
      context.rollback()
      #expect(try User.first(where: \.firstname == "Bob", in: context) === bob)
    }
  }

  @Test func aChildSavesIntoItsParent() throws {
    let stack = try makeStack()
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    try child.performAndWait { context in
      let john = User.create(in: context)
      john.firstname = "John"
      let rex = Pet.create(in: context)
      rex.owner = john
      try context.save()
    }
    try parent.performAndWait { context in
      let john = try #require(try User.first(where: \.firstname == "John", in: context))
      #expect(john.isInserted)
      #expect(john.pets.count == 1)
      let visible = try stack.main.performAndWait { try User.count(in: $0) }
      #expect(visible == 0)
      try context.save()
    }
    let saved = try stack.main.performAndWait { try User.count(in: $0) }
    #expect(saved == 1)
  }

  @Test func aRefusedSaveKeepsItsChanges() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      let user = try context.insert(entityNamed: "User")
      user["age"] = nil
      #expect(throws: ValidationError.self) { try context.save() }
      user["age"] = 3
      try context.save()
      #expect(try User.count(where: \.age == 3, in: context) == 1)
    }
  }

  @Test func transientsHaveDefaultsAndStay() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context in
      let user = User.create(in: context)
      #expect(user.scratch == 7)
      user.scratch = 9
      try context.save()
      #expect(user.scratch == 9)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectThatIsGoneIsNotRegistered(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let (new, stored) = (Person.make("New", in: context), Person.make("Ann", in: context))
      let temporary = new.objectID
      #expect(context.registeredObject(for: temporary) === new)
      context.delete(new)
      try context.save()
      #expect(context.registeredObject(for: temporary) == nil)
      context.delete(stored)
      #expect(context.registeredObject(for: stored.objectID) === stored)
      try context.save()
      #expect(context.registeredObject(for: stored.objectID) == nil)
    }
  }
}
