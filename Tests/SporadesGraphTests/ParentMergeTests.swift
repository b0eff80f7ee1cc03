// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Contexts over contexts take over what reached their parents.
@Suite struct ParentMergeTests {
  private struct Chain {
    let stack: DataStack
    let top: ContextQueue
    let child: ContextQueue
    let grandchild: ContextQueue
    let sibling: ContextQueue

    /// Ann with a dog and Bob are stored; the child and the grandchild merge by themselves.
    init(_ kind: StoreKind, merging: Bool = true) throws {
      stack = try kind.people()
      try stack.newContext().performAndWait { context in
        Person.make("Ann", age: 1, in: context).dogs = [Dog.create(in: context)]
        Person.make("Bob", age: 2, in: context)
        try context.save()
      }
      top = stack.newContext(name: "top")
      child = stack.newChild(of: top)
      grandchild = stack.newChild(of: child)
      sibling = stack.newChild(of: top)
      for queue in [child, grandchild] where merging {
        queue.performAndWait { $0.automaticallyMergesChangesFromParent = true }
      }
    }

    /// What two blocks of a context see of the same objects, before and after something.
    func watch(
      _ queue: ContextQueue, _ change: () throws -> Void,
      _ check: (Person, Person, ManagedObjectContext) throws -> Void
    ) throws {
      let (ann, bob) = try queue.performAndWait { context in
        let people = try Person.all(sortedBy: "age", in: context)
        _ = people.map { ($0.dogs.count, $0.friends.count, $0.shelf.count) }
        return (people[0], people[1])
      }
      try change()
      try queue.performAndWait { try check(ann, bob, $0) }
    }

    func edit(
      _ queue: ContextQueue, _ body: (Person, Person, ManagedObjectContext) throws -> Void
    ) throws {
      try queue.performAndWait { context in
        let people = try Person.all(sortedBy: "age", in: context)
        try body(people[0], people[1], context)
        try context.save()
      }
    }
  }

  private static func change(
    _ ann: Person, _ bob: Person, _ context: ManagedObjectContext
  ) throws {
    ann.name = "Anna"
    ann.friends = [bob]
    Dog.create(in: context).owner = bob
    bob.shelf = Book.make("ab", in: context)
    context.delete(try #require(ann.dogs.first))
  }

  private static func expectChange(_ ann: Person, _ bob: Person, _ context: ManagedObjectContext) {
    #expect(ann.name == "Anna")
    #expect(ann.friends == [bob])
    #expect(bob.friends == [ann])
    #expect(ann.dogs.isEmpty)
    #expect(bob.dogs.count == 1)
    #expect(bob.shelf.titles == "ab")
    #expect(!context.hasChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func whatASiblingSavesShowsInObjectsInHand(in kind: StoreKind) throws {
    let chain = try Chain(kind)
    for queue in [chain.child, chain.grandchild] {
      #expect(queue.performAndWait { $0.automaticallyMergesChangesFromParent })
    }
    try chain.watch(chain.grandchild) {
      try chain.watch(chain.child) {
        try chain.edit(chain.sibling, Self.change)
      } _: {
        Self.expectChange($0, $1, $2)
      }
    } _: {
      Self.expectChange($0, $1, $2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsSavedToTheStoreShowsAtEveryDepth(in kind: StoreKind) throws {
    let chain = try Chain(kind)
    try chain.watch(chain.grandchild) {
      try chain.edit(chain.stack.newContext(), Self.change)
    } _: {
      Self.expectChange($0, $1, $2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatTheParentSavesOrGivesUpShows(in kind: StoreKind) throws {
    let chain = try Chain(kind)
    try chain.watch(chain.child) {
      try chain.edit(chain.top, Self.change)
    } _: {
      Self.expectChange($0, $1, $2)
    }
    try chain.watch(chain.child) {
      try chain.edit(chain.sibling) { ann, bob, context in
        ann.name = "unsaved above"
        context.delete(bob)
      }
      #expect(try chain.child.performAndWait { try Person.count(in: $0) } == 1)
      chain.top.performAndWait { $0.rollback() }
    } _: { ann, _, context in
      let names = try Person.all(sortedBy: "age", in: context).map(\.name)
      #expect(ann.name == "Anna")
      #expect(names == ["Anna", "Bob"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func unsavedChangesStayOnTopPropertyByProperty(in kind: StoreKind) throws {
    let chain = try Chain(kind)
    for queue in [chain.child, chain.grandchild] {
      try chain.watch(queue) {
        try queue.performAndWait { context in
          let ann = try #require(try Person.first(where: \.age == 1, in: context))
          ann.name = "mine"
          ann.dogs.insert(Dog.create(in: context))
        }
        try chain.edit(chain.sibling) { ann, bob, _ in
          ann.name = "theirs"
          ann.home = Home(city: "x", zip: 7)
          ann.spouse = bob
        }
      } _: { ann, bob, context in
        #expect(ann.name == "mine")
        #expect(ann.home?.zip == 7)
        #expect(ann.spouse === bob)
        #expect(ann.dogs.count == 2)
        #expect(context.hasChanges)
        try context.save()
      }
      chain.child.performAndWait { $0.rollback() }
      chain.top.performAndWait { $0.rollback() }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func deletionsReachGrandchildren(in kind: StoreKind) throws {
    let chain = try Chain(kind)
    try chain.watch(chain.grandchild) {
      try chain.grandchild.performAndWait { context in
        let ann = try #require(try Person.first(where: \.age == 1, in: context))
        ann.spouse = try Person.first(where: \.age == 2, in: context)
      }
      try chain.edit(chain.sibling) { _, bob, context in context.delete(bob) }
    } _: { ann, bob, context in
      #expect(ann.spouse == nil)
      #expect(!context.deletedObjects.contains(bob))
      #expect(context.registeredObject(for: bob.objectID) == nil)
      #expect(try Person.all(in: context).map(\.name) == ["Ann"])
      try context.save()
    }
    try chain.child.performAndWait { try $0.save() }
    try chain.top.performAndWait { try $0.save() }
    #expect(try chain.stack.newContext().performAndWait { try Person.count(in: $0) } == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func withoutTheOptionAChildKeepsWhatItReadUntilItIsToldToMerge(in kind: StoreKind) throws {
    let chain = try Chain(kind, merging: false)
    #expect(chain.child.performAndWait { !$0.automaticallyMergesChangesFromParent })
    var saves: [DidSave] = []
    try chain.watch(chain.child) {
      try chain.sibling.performAndWait { context in
        let observation = context.observe { saves += $0.notification.didSave.map { [$0] } ?? [] }
        let people = try Person.all(sortedBy: "age", in: context)
        try Self.change(people[0], people[1], context)
        try context.save()
        observation.end()
      }
    } _: { ann, bob, context in
      #expect(ann.name == "Ann")
      #expect(ann.dogs.count == 1)
      try context.mergeChanges(from: try #require(saves.first))
      Self.expectChange(ann, bob, context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aParentAndOthersMergeAChildsSaveWithoutHarm(in kind: StoreKind) throws {
    let chain = try Chain(kind, merging: false)
    var save: DidSave?
    try chain.child.performAndWait { context in
      let observation = context.observe { save = $0.notification.didSave ?? save }
      let people = try Person.all(sortedBy: "age", in: context)
      for age in [1, 2] {
        people[0].name = "Anna \(age)"
        try context.save()
      }
      try Self.change(people[0], people[1], context)
      try context.save()
      observation.end()
    }
    let news = try #require(save)
    let other = chain.stack.newContext()
    try chain.watch(other) {
      let name = try chain.top.performAndWait { top in
        try top.mergeChanges(from: news)
        return try Person.first(where: \.age == 1, in: top)?.name
      }
      #expect(name == "Anna")
      try other.performAndWait { try $0.mergeChanges(from: news) }
    } _: { ann, _, _ in
      #expect(ann.name == "Ann")
      #expect(ann.dogs.count == 1)
    }
    try chain.top.performAndWait { try $0.save() }
    try chain.stack.newContext().performAndWait { context in
      let people = try Person.all(sortedBy: "age", in: context)
      Self.expectChange(people[0], people[1], context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func idsOfOthersReachAChildThroughItsParents(in kind: StoreKind) async throws {
    let chain = try Chain(kind, merging: false)
    let (ids, bob) = try await chain.grandchild.perform { context in
      let people = try Person.all(sortedBy: "age", in: context)
      _ = people.map { ($0.dogs.count, $0.friends.count, $0.name) }
      return (people.map(\.objectID), people[1].objectID)
    }
    chain.top.performAndWait { $0.automaticallyMergesChangesFromParent = false }
    try await chain.stack.newContext().perform { context in
      let people = try Person.all(sortedBy: "age", in: context)
      people[0].friends = [Person.make("Cid", age: 3, in: context)]
      people[0].name = "Anna"
      context.delete(people[1])
      try context.save()
    }
    try await ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: ObjectIDChanges(updated: [ids[0]], deleted: [bob]),
      into: [chain.grandchild])
    try await chain.grandchild.perform { context in
      let ann = try #require(context.registeredObject(for: ids[0]) as? Person)
      #expect(ann.name == "Anna")
      #expect(ann.friends.map(\.name) == ["Cid"])
      #expect(throws: ContextError.self) { try context.existingObject(with: bob) }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsMergedIsNotUndone(in kind: StoreKind) throws {
    let chain = try Chain(kind)
    chain.child.performAndWait { $0.undoManager = ContextUndoManager() }
    try chain.watch(chain.child) {
      try chain.child.performAndWait { context in
        try Person.first(where: \.age == 2, in: context)?.name = "mine"
      }
      try chain.edit(chain.sibling) { ann, _, _ in ann.name = "theirs" }
    } _: { ann, bob, context in
      context.undo()
      #expect(ann.name == "theirs")
      #expect(bob.name == "Bob")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aBlockOfTheParentMayUseAChildThatMerges(in kind: StoreKind) throws {
    let chain = try Chain(kind)
    let ann = try chain.child.performAndWait { context in
      try #require(try Person.first(where: \.age == 1, in: context))
    }
    try chain.top.performAndWait { _ in
      for number in 0..<100 {
        try chain.edit(chain.sibling) { ann, _, _ in ann.name = "\(number)" }
        #expect(chain.child.performAndWait { _ in ann.name } == "\(number)")
      }
    }
  }

  /// What was saved while a context did not merge arrives when it begins to.
  @Test(arguments: StoreKind.allCases)
  func aContextThatBeginsToMergeReadsItsObjectsAnew(in kind: StoreKind) throws {
    let chain = try Chain(kind, merging: false)
    for queue in [chain.top, chain.child] {
      queue.performAndWait { $0.automaticallyMergesChangesFromParent = false }
      try chain.watch(queue) {
        try chain.edit(chain.sibling) { ann, bob, _ in
          (ann.name, bob.name) = ("\(ann.name)!", "\(bob.name)!")
        }
        try chain.top.performAndWait { try $0.save() }
        try queue.performAndWait { context in
          let bob = try #require(try Person.first(where: \.age == 2, in: context))
          bob.name = "mine"
          context.automaticallyMergesChangesFromParent = true
        }
      } _: { ann, bob, context in
        #expect(ann.name.hasSuffix("!"))
        #expect(bob.name == "mine")
        context.rollback()
      }
      try chain.watch(queue) {
        try chain.edit(chain.sibling) { ann, _, _ in ann.name = "later" }
      } _: { ann, _, _ in
        #expect(ann.name == "later")
      }
    }
  }
}
