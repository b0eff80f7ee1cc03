// SPDX-License-Identifier: MIT
import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Contexts that are pinned to one state of the store.
@Suite struct QueryGenerationTests {
  @Test(arguments: KeepingKind.allCases)
  func aPinnedContextSeesOneState(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let pinned = stack.newContext()
    try pinned.performAndWait { context in
      #expect(context.queryGenerationToken == nil)
      try context.setQueryGeneration(from: .current)
      #expect(context.queryGenerationToken != nil)
      #expect(try Person.count(in: context) == 3)
    }
    try stack.ruinAnn()
    try pinned.performAndWait { context in
      try expectAnn(in: context)
      context.refreshAllObjects()
      try expectAnn(in: context)
      try context.setQueryGeneration(from: nil)
      #expect(context.queryGenerationToken == nil)
      #expect(try Person.names(in: context) == ["Cid", "Eve", "Zoe"])
    }
  }

  @Test(arguments: KeepingKind.allCases)
  func faultsPrefetchesAndBatchesReadTheirState(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let pinned = stack.newContext()
    let ids = try pinned.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      return try context.fetchIDs(FetchRequest("Person", sortedBy: [SortTerm("name")]))
    }
    try stack.ruinAnn()
    try pinned.performAndWait { context in
      let people = try ids.map { try context.existingObject(with: $0) as? Person }
      #expect(people.compactMap { $0?.name } == ["Ann", "Bob", "Cid"])
      var request = FetchRequest("Person", where: .equals("name", "Ann"))
      request.relationshipKeyPathsForPrefetching = ["dogs", "friends.friends", "reads"]
      let ann = try #require(try context.fetch(Person.self, request).first)
      #expect(!ann.hasFault(forRelationshipNamed: "dogs"))
      #expect(ann.dogs.count == 2)
      #expect(ann.friends.flatMap(\.friends).count == 2)
      let all = try context.fetchInBatches(Person.self, FetchRequest("Person"))
      #expect(Set(all.map(\.name)) == ["Ann", "Bob", "Cid"])
    }
  }

  /// The choice is made by the first read, and has everything accepted by then.
  @Test(arguments: KeepingKind.allCases)
  func theNewestStateIsChosenByTheNextRead(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let (pinned, other) = (stack.newContext(), stack.newContext())
    let token = try pinned.performAndWait { context in
      #expect(try Person.names(in: context).first == "Ann")
      try context.setQueryGeneration(from: .current)
      return context.queryGenerationToken
    }
    try stack.ruinAnn()
    try other.performAndWait { context in
      try context.setQueryGeneration(from: token)
      #expect(try Person.names(in: context) == ["Cid", "Eve", "Zoe"])
      #expect(context.queryGenerationToken == token)
    }
    try stack.save { context in _ = Person.make("Fay", in: context) }
    try pinned.performAndWait { context throws in
      #expect(try Person.names(in: context) == ["Cid", "Eve", "Zoe"])
    }
    try stack.newContext().performAndWait { context throws in
      #expect(try Person.names(in: context) == ["Cid", "Eve", "Fay", "Zoe"])
    }
  }

  @Test(arguments: KeepingKind.allCases)
  func objectsInMemoryShowTheStateTheContextIsPinnedTo(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let (old, new) = (stack.newContext(), stack.newContext())
    let token = try old.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      #expect(try Person.names(in: context).first == "Ann")
      return context.queryGenerationToken
    }
    try stack.ruinAnn()
    try new.performAndWait { context in
      let zoe = try Person.named("Zoe", in: context)
      let cid = try Person.named("Cid", in: context)
      #expect(zoe.dogs.count == 1)
      #expect(zoe.friends.count == 2)
      cid.age = 11
      try context.setQueryGeneration(from: token)
      #expect(zoe.name == "Ann")
      #expect(zoe.dogs.count == 2)
      #expect(zoe.friends.count == 2)
      #expect(cid.age == 11)
      #expect(cid.friends == [zoe])
      try context.setQueryGeneration(from: nil)
      #expect(zoe.name == "Zoe")
      #expect(zoe.dogs.count == 1)
      #expect(cid.age == 11)
    }
  }

  /// Changes stay whatever the state is, those of relationships too, from both their sides.
  @Test(arguments: KeepingKind.allCases)
  func whatIsUnsavedStays(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    try stack.newContext().performAndWait { context in
      func find(_ name: String) throws -> Person {
        try Person.named(name, in: context)
      }
      let (ann, bob, cid) = try (find("Ann"), find("Bob"), find("Cid"))
      #expect(ann.dogs.count == 2)
      #expect(ann.friends.count == 2)
      #expect(ann.reads.count == 2)
      let dog = Dog.create(in: context)
      dog.owner = ann
      bob.friends.remove(ann)
      cid.age = 11
      for token in [QueryGenerationToken.current, nil, .current] {
        try context.setQueryGeneration(from: token)
        #expect(ann.dogs.count == 3)
        #expect(ann.dogs.contains(dog))
        #expect(dog.owner == ann)
        #expect(ann.friends == [cid])
        #expect(bob.friends.isEmpty)
        #expect(cid.age == 11)
        #expect(ann.reads.titles == "ab")
        #expect(context.hasChanges)
      }
      try context.save()
    }
    try stack.newContext().performAndWait { context throws in
      let ann = try Person.named("Ann", in: context)
      #expect(ann.dogs.count == 3)
      #expect(ann.friends.map(\.name) == ["Cid"])
      #expect(ann.dogCount == 3)
      #expect(try Person.sum(\.age, in: context) == 61)
    }
  }

  // MARK: - Moving on

  @Test(arguments: KeepingKind.allCases)
  func savingMovesToTheNewestState(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    try stack.newContext().performAndWait { context in
      try context.setQueryGeneration(from: .current)
      let first = context.queryGenerationToken
      let cid = try Person.named("Cid", in: context)
      let ann = try Person.named("Ann", in: context)
      try stack.ruinAnn()
      cid.age = 12
      var told: ContextNotification?
      let observation = context.observe { if $0.name == .didSave { told = $0.notification } }
      try context.save()
      observation.end()
      #expect(ann.name == "Zoe")
      #expect(cid.age == 12)
      #expect(context.queryGenerationToken != nil)
      #expect(context.queryGenerationToken != first)
      #expect(told?.queryGenerationToken == context.queryGenerationToken)
      try stack.save { context in _ = Person.make("Fay", in: context) }
      #expect(try Person.names(in: context) == ["Cid", "Eve", "Zoe"])
    }
  }

  /// What is changed on top of an old state meets what others made of it.
  @Test(arguments: KeepingKind.allCases)
  func aChangeOfAnOldStateConflicts(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let pinned = try stack.pinned()
    try stack.ruinAnn()
    try pinned.performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      let bob = try Person.named("Bob", in: context)
      ann.age = 31
      do {
        try context.save()
        Issue.record("a save of an old state")
      } catch let error as StoreError {
        #expect(error.code == .conflict([ann.objectID]))
        #expect(error.mergeConflicts.first?.persistedSnapshot?["name"] == "Zoe")
      }
      #expect(ann.age == 31)
      #expect(context.queryGenerationToken != nil)
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(ann.age == 31)
      #expect(ann.name == "Zoe")
      #expect(bob.name.isEmpty)
      #expect(ann.dogCount == 1)
    }
  }

  @Test(arguments: KeepingKind.allCases)
  func mergingAndResettingMoveToTheNewestState(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let pinned = stack.newContext()
    try pinned.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      try context.setQueryGeneration(from: .current)
      let ann = try Person.named("Ann", in: context)
      var saves: [DidSave] = []
      func rename(_ name: String) throws {
        try stack.newContext().performAndWait { other in
          let observation = other.observe {
            if let save = $0.notification.didSave { saves.append(save) }
          }
          try Person.first(where: \.age == 30, in: other)?.name = name
          try other.save()
          observation.end()
        }
      }
      try rename("Amy")
      #expect(ann.name == "Ann")
      try context.mergeChanges(from: try #require(saves.last))
      #expect(ann.name == "Amy")
      try rename("Ada")
      #expect(ann.name == "Amy")
      context.reset()
      #expect(try Person.first(where: \.age == 30, in: context)?.name == "Ada")
      let ada = try #require(try Person.first(where: \.age == 30, in: context))
      try rename("Ava")
      #expect(ada.name == "Ada")
      #expect(context.queryGenerationToken != nil)
      try context.setQueryGeneration(from: .current)
      #expect(ada.name == "Ava")
    }
  }

  // MARK: - Others

  /// A context that merges by itself shows, and tells, nothing of what comes after its state.
  @Test(arguments: KeepingKind.allCases)
  func whatOthersSaveWaits(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let pinned = stack.newContext()
    var told: [ContextNotification.Name] = []
    let observation = pinned.performAndWait { context in
      context.observe { told.append($0.name) }
    }
    defer { observation.end() }
    try pinned.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      #expect(try Person.names(in: context).first == "Ann")
      told = []
    }
    for _ in 0..<3 { try stack.save { context in _ = Person.make("Fay", in: context) } }
    try stack.ruinAnn()
    try pinned.performAndWait { context in
      try expectAnn(in: context)
      #expect(told.isEmpty)
      try context.setQueryGeneration(from: nil)
      #expect(told.filter { $0 == .didMergeChanges }.count == 4)
      #expect(try Person.names(in: context) == ["Cid", "Eve", "Fay", "Fay", "Fay", "Zoe"])
    }
  }

  @Test func aStoreThatIsEmptiedIsStillSeen() throws {
    let folder = try TemporaryFolder()
    let stack = try KeepingKind.file.withAnn(in: folder)
    let pinned = try stack.pinned()
    try stack.root.removeAllRows(keepingCopyAt: nil)
    try pinned.performAndWait { context in
      try expectAnn(in: context)
      try context.setQueryGeneration(from: .current)
      #expect(try Person.names(in: context).isEmpty)
    }
  }

  /// A link to what was deleted after the state the context is pinned to leads nowhere.
  @Test(arguments: KeepingKind.allCases, [true, false])
  func aLinkToWhatIsGoneConflicts(of kind: KeepingKind, merges: Bool) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let pinned = try stack.pinned { $0.automaticallyMergesChangesFromParent = merges }
    try stack.ruinAnn()
    try pinned.performAndWait { context in
      let bob = try Person.named("Bob", in: context)
      Dog.create(in: context).owner = bob
      #expect(throws: StoreError.self) { try context.save() }
    }
  }

  // MARK: - Nested contexts

  @Test(arguments: KeepingKind.allCases)
  func childrenSeeWhatTheirParentDoes(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let parent = stack.newContext()
    let middle = stack.newChild(of: parent)
    let child = stack.newChild(of: middle)
    let token = try parent.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      #expect(try Person.count(in: context) == 3)
      return context.queryGenerationToken
    }
    try stack.ruinAnn()
    try child.performAndWait { context in
      #expect(context.queryGenerationToken == token)
      try expectAnn(in: context)
      #expect(throws: ContextError.self) { try context.setQueryGeneration(from: .current) }
      #expect(throws: ContextError.self) { try context.setQueryGeneration(from: nil) }
      try Person.named("Cid", in: context).age = 5
      try context.save()
    }
    try parent.performAndWait { context throws in
      #expect(context.queryGenerationToken == token)
      #expect(try Person.sum(\.age, in: context) == 60)
    }
    try middle.performAndWait { context in
      try context.save()
    }
    try parent.performAndWait { context in
      #expect(try Person.sum(\.age, in: context) == 55)
      #expect(try Person.names(in: context).first == "Ann")
      try context.save()
      #expect(try Person.names(in: context) == ["Cid", "Eve", "Zoe"])
    }
  }
}
