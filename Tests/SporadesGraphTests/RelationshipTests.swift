// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Either side of a relationship keeps the other right, on every store.
@Suite struct RelationshipTests {
  private func inContext(
    _ kind: StoreKind, _ body: (ManagedObjectContext, DataStack) throws -> Void
  ) throws {
    let stack = try kind.people()
    try stack.context(kind).performAndWait { try body($0, stack) }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aPartnerIsStolen(from kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let (ann, bob, cid) = (
        Person.make("Ann", in: context), Person.make("Bob", in: context),
        Person.make("Cid", in: context)
      )
      ann.spouse = bob
      #expect(bob.spouse === ann)
      try context.save()
      cid.spouse = bob
      #expect(bob.spouse === cid)
      #expect(ann.spouse == nil)
      try context.save()
      context.reset()
      let again = try Person.all(sortedBy: \.name, in: context)
      #expect(again[0].spouse == nil)
      #expect(again[1].spouse === again[2])
      #expect(again[2].spouse === again[1])
      again[1].spouse = again[1]
      #expect(again[1].spouse === again[1])
      #expect(again[2].spouse == nil)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aBadgeIsHandedOn(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      let (one, two) = (Badge.create(in: context), Badge.create(in: context))
      ann.badge = one
      bob.badge = two
      try context.save()
      ann.badge = two
      #expect(one.holder == nil)
      #expect(bob.badge == nil)
      #expect(two.holder === ann)
      try context.save()
      context.reset()
      let again = try Person.all(sortedBy: \.name, in: context)
      #expect(again[0].badge?.holder === again[0])
      #expect(again[1].badge == nil)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func treesReferToThemselves(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let root = Person.make("Root", in: context)
      for index in 0..<3 {
        let child = Person.make("Child \(index)", age: index, in: context)
        child.parent = root
        Person.make("Leaf \(index)", age: index, in: context).parent = child
      }
      try context.save()
      context.reset()
      let again = try Person.named("Root", in: context)
      #expect(again.children.count == 3)
      #expect(again.children.flatMap(\.children).count == 3)
      let leaves = try Person.all(where: \.parent!.parent == again, in: context)
      #expect(leaves.count == 3)
      context.delete(again)
      try context.save()
      #expect(try Person.count(in: context) == 0)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func friendsAreMutualAndMayBeOnesSelf(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let people = (0..<4).map { Person.make("\($0)", in: context) }
      people[0].friends = [people[0], people[1]]
      people[2].friends.insert(people[0])
      try context.save()
      context.reset()
      let again = try Person.all(sortedBy: \.name, in: context)
      #expect(again[0].friends == [again[0], again[1], again[2]])
      #expect(again[1].friends == [again[0]])
      again[0].friends.remove(again[0])
      again[1].friends = []
      try context.save()
      context.reset()
      let last = try Person.all(sortedBy: \.name, in: context)
      #expect(last[0].friends == [last[2]])
      #expect(last[1].friends.isEmpty)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func relationshipsWithoutInverseAreKept(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      let notes = (0..<3).map { _ in Note.create(in: context) }
      ann.notes = Set(notes)
      ann.favourite = notes[0]
      bob.favourite = notes[0]
      try context.save()
      bob.notes.insert(notes[2])
      #expect(ann.notes == [notes[0], notes[1]])
      try context.save()
      context.delete(notes[1])
      #expect(ann.notes == [notes[0]])
      try context.save()
      context.reset()
      let again = try Person.all(sortedBy: \.name, in: context)
      #expect(again[0].notes.count == 1)
      #expect(again[1].notes.count == 1)
      #expect(again[0].notes.first === again[0].favourite)
      #expect(again[1].favourite === again[0].favourite)
      context.delete(again[0])
      try context.save()
      #expect(try Note.count(in: context) == 2)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func objectsOfSubentitiesTakePart(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let ann = Member.make("Ann", in: context)
      let bob = Person.make("Bob", in: context)
      let rex = Dog.create(in: context)
      ann.friends = [bob]
      rex.owner = ann
      bob.parent = ann
      try context.save()
      context.reset()
      let again = try #require(try Dog.first(in: context))
      #expect(again.owner is Member)
      #expect(again.owner?.children.first?.friends.first === again.owner)
      #expect(try Dog.count(where: \.owner!.name == "Ann", in: context) == 1)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aMemberAddedFromTheOtherSideOutlivesSweepingAndRefreshing(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let ann = Person.make("Ann", in: context)
      Dog.create(in: context).owner = ann
      try context.save()
      let rex = Dog.create(in: context)
      rex.owner = ann
      #expect(ann.hasChanges)
      #expect(ann.dogs.count == 2)
      context.refreshAllObjects()
      #expect(ann.dogs.count == 2)
      context.refresh(ann, mergeChanges: false)
      #expect(ann.dogs.count == 2)
      context.rollback()
      #expect(ann.dogs.count == 1)
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func rollingBackRestoresBothSides(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let people = (0..<3).map { Person.make("\($0)", in: context) }
      let books = Book.make("abc", in: context)
      people[0].friends = [people[1]]
      people[0].reads = books
      people[0].shelf = books
      people[1].parent = people[0]
      try context.save()
      people[0].friends = [people[2]]
      people[0].reads = books.reversed()
      people[1].shelf = [books[1]]
      people[1].parent = people[2]
      context.delete(people[1])
      context.rollback()
      #expect(people[0].friends == [people[1]])
      #expect(people[2].friends.isEmpty)
      #expect(people[0].reads.titles == "abc")
      #expect(people[0].shelf.titles == "abc")
      #expect(people[1].shelf.isEmpty)
      #expect(books[1].keeper === people[0])
      #expect(people[0].children == [people[1]])
      #expect(people[2].children.isEmpty)
      #expect(!people[1].isDeleted)
      #expect(!context.hasChanges)
    }
  }

  // MARK: - Order

  @Test(arguments: StoreKind.atEveryDepth, [true, false])
  func orderIsKept(in kind: StoreKind, manyToMany: Bool) throws {
    try inContext(kind) { context, _ in
      let path: ReferenceWritableKeyPath<Person, [Book]> = manyToMany ? \.reads : \.shelf
      let ann = Person.make("Ann", in: context)
      var expected = Book.make("abcde", in: context)
      ann[keyPath: path] = expected
      func check(_ comment: Comment) throws {
        try context.save()
        let titles = expected.titles
        #expect(ann[keyPath: path].titles == titles, comment)
        context.reset()
        let again = try Person.named("Ann", in: context)
        #expect(again[keyPath: path].titles == titles, comment)
        context.reset()
      }
      try check("as set")
      func edit(_ change: (inout [Book], [Book]) -> Void) throws {
        let ann = try Person.named("Ann", in: context)
        let all = try Book.all(sortedBy: "title", in: context)
        expected = ann[keyPath: path]
        change(&expected, all)
        ann[keyPath: path] = expected
        #expect(ann[keyPath: path] == expected)
        let titles = expected.titles
        try context.save()
        #expect(ann[keyPath: path].titles == titles)
        context.reset()
        let again = try Person.named("Ann", in: context)
        #expect(again[keyPath: path].titles == titles)
        context.reset()
      }
      try edit { list, _ in list.swapAt(0, 4) }
      try edit { list, _ in list.insert(contentsOf: Book.make("xyz", in: context), at: 2) }
      try edit { list, _ in list.remove(at: 3) }
      try edit { list, all in list.append(all[all.count - 2]) }
      try edit { list, _ in list.insert(list.removeLast(), at: 0) }
      try edit { list, _ in list.reverse() }
      try edit { list, _ in list.removeSubrange(1...3) }
      try edit { list, _ in list = [] }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func membersJoinAnOrderFromTheOtherSide(in kind: StoreKind) throws {
    try inContext(kind) { context, _ in
      let ann = Person.make("Ann", in: context)
      ann.shelf = Book.make("ab", in: context)
      try context.save()
      let books = Book.make("cd", in: context)
      books[1].keeper = ann
      books[0].keeper = ann
      books[1].readers = [ann]
      books[0].readers = [ann]
      #expect(ann.shelf.titles == "abdc")
      #expect(ann.reads.titles == "dc")
      try context.save()
      context.reset()
      let again = try #require(try Person.first(in: context))
      #expect(again.shelf.titles == "abdc")
      #expect(again.reads.titles == "dc")
      again.shelf = [again.shelf[3], again.shelf[0]]
      try context.save()
      let bob = Person.make("Bob", in: context)
      bob.shelf = try Book.all(sortedBy: "title", in: context)
      #expect(again.shelf.isEmpty)
      try context.save()
      context.reset()
      #expect(try Person.first(where: \.name == "Bob", in: context)?.shelf.titles == "abcd")
    }
  }

  @Test func settingTheSameMembersIsNoChange() throws {
    try inContext(.memory) { context, _ in
      let ann = Person.make("Ann", in: context)
      ann.shelf = Book.make("abc", in: context)
      ann.friends = [Person.make("Bob", in: context)]
      try context.save()
      ann.shelf = ann.shelf
      ann.friends = ann.friends
      ann.reads = []
      ann.spouse = nil
      #expect(!context.hasChanges)
    }
  }
}
