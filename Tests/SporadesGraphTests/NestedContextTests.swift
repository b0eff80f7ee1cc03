// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Contexts in contexts see what those above them see, and save one level up.
@Suite struct NestedContextTests {
  /// Contexts each a child of the one before; the first has `Ann` unsaved, the store has `Bob`.
  private func chain(_ kind: StoreKind, depth: Int) throws -> (DataStack, [ContextQueue]) {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      Person.make("Bob", age: 2, in: context).shelf = Book.make("xyz", in: context)
      try context.save()
    }
    let chain = stack.chain(depth: depth)
    chain[0].performAndWait { context in
      let ann = Person.make("Ann", age: 1, in: context)
      Dog.create(in: context).owner = ann
      ann.reads = Book.make("ab", in: context)
    }
    return (stack, chain)
  }

  @Test(arguments: StoreKind.allCases, [2, 3, 4])
  func whatIsUnsavedAboveIsSeenBelow(in kind: StoreKind, depth: Int) throws {
    let (_, chain) = try chain(kind, depth: depth)
    try chain[depth - 1].performAndWait { context in
      let people = try Person.all(sortedBy: "name", in: context)
      #expect(people.map(\.name) == ["Ann", "Bob"])
      #expect(people.allSatisfy { !$0.hasChanges })
      #expect(people[0].dogs.count == 1)
      #expect(people[0].reads.titles == "ab")
      #expect(people[1].shelf.titles == "xyz")
      #expect(people[1].dogs.isEmpty)
      #expect(try Person.count(where: FetchPredicate(format: "dogs.@count = 1"), in: context) == 1)
      #expect(try Person.max(\.age, in: context) == 2)
      #expect(!people[0].objectID.isTemporaryID)
      context.refresh(people[0], mergeChanges: false)
      #expect(people[0].name == "Ann")
    }
  }

  @Test(arguments: StoreKind.allCases, [2, 3, 4])
  func savesGoUpOneByOne(in kind: StoreKind, depth: Int) throws {
    let (stack, chain) = try chain(kind, depth: depth)
    try chain[depth - 1].performAndWait { context in
      let people = try Person.all(sortedBy: "name", in: context)
      people[0].name = "Anna"
      people[1].shelf = people[1].shelf.reversed() + Book.make("w", in: context)
      people[0].reads.insert(people[1].shelf[0], at: 1)
      people[0].friends = [people[1]]
      context.delete(try #require(people[0].dogs.first))
      try context.save()
      #expect(!context.hasChanges)
    }
    for queue in chain.reversed().dropFirst() {
      try queue.performAndWait { context in
        let people = try Person.all(sortedBy: "name", in: context)
        #expect(people.map(\.name) == ["Anna", "Bob"])
        #expect(people[1].shelf.titles == "zyxw")
        #expect(people[0].reads.titles == "azb")
        #expect(people[0].dogs.isEmpty)
        #expect(people[1].friends == [people[0]])
        #expect(context.hasChanges)
        try context.save()
      }
    }
    try stack.newContext().performAndWait { context in
      let people = try Person.all(sortedBy: "name", in: context)
      #expect(people.map(\.name) == ["Anna", "Bob"])
      #expect(people[1].shelf.titles == "zyxw")
      #expect(people[0].reads.titles == "azb")
      #expect(people[0].friends == [people[1]])
      #expect(try Dog.count(in: context) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aRowDeletedAboveConflictsAndNothingIsTaken(in kind: StoreKind) throws {
    let (stack, chain) = try chain(kind, depth: 2)
    try chain[1].performAndWait { child in
      let people = try Person.all(sortedBy: "name", in: child)
      people[0].age = 50
      people[1].age = 60
      Person.make("New", in: child)
      try chain[0].performAndWait { parent in
        parent.delete(try Person.named("Bob", in: parent))
      }
      let error = #expect(throws: StoreError.self) { try child.save() }
      #expect(error?.code == .conflict([people[1].objectID]))
      #expect(child.hasChanges)
    }
    try chain[0].performAndWait { parent in
      #expect(try Person.all(in: parent).map(\.name) == ["Ann"])
      #expect(try Person.first(in: parent)?.age == 1)
      try parent.save()
    }
    let left = try stack.newContext().performAndWait { try Person.count(in: $0) }
    #expect(left == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func relationshipsWithoutInversePassThroughParents(in kind: StoreKind) throws {
    let (stack, chain) = try chain(kind, depth: 2)
    try chain[1].performAndWait { child in
      let people = try Person.all(sortedBy: "name", in: child)
      let notes = (0..<2).map { _ in Note.create(in: child) }
      people[0].notes = Set(notes)
      people[1].favourite = notes[0]
      try child.save()
      people[1].notes = [notes[0]]
      try child.save()
    }
    try chain[0].performAndWait { parent in
      let people = try Person.all(sortedBy: "name", in: parent)
      #expect(people[0].notes.count == 1)
      #expect(people[1].notes.first === people[1].favourite)
      try parent.save()
    }
    try stack.newContext().performAndWait { context in
      let people = try Person.all(sortedBy: "name", in: context)
      #expect(people[0].notes.count == 1)
      #expect(people[1].notes.first === people[1].favourite)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func validationStopsAChildsSaveAtTheChild(in kind: StoreKind) throws {
    let (_, chain) = try chain(kind, depth: 2)
    try chain[1].performAndWait { child in
      let person = try Person.named("Bob", in: child)
      person["name"] = nil
      #expect(throws: ValidationError.self) { try child.save() }
    }
    let names = try chain[0].performAndWait { try Person.all(sortedBy: "name", in: $0).map(\.name) }
    #expect(names == ["Ann", "Bob"])
  }

  @Test(arguments: StoreKind.allCases)
  func whatOthersSavedOfAnObjectOnlyTheChildReadConflicts(in kind: StoreKind) throws {
    let (stack, _) = try chain(kind, depth: 2)
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    try child.performAndWait { context in
      let bob = try Person.named("Bob", in: context)
      bob.age += 1
      try stack.newContext().performAndWait { other in
        try Person.first(where: \.name == "Bob", in: other)?.age = 40
        try other.save()
      }
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .conflict([bob.objectID]))
    }
    #expect(parent.performAndWait { !$0.hasChanges })
  }
}
