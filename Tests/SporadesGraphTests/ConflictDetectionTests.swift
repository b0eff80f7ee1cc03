// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Optimistic locking of objects that are only read.
@Suite struct ConflictDetectionTests {
  /// Somebody's context, and one that reads Ann and Bob and relies on them.
  private struct Sides {
    let stack: DataStack
    let mine: ContextQueue
    let other: ContextQueue

    init(_ kind: StoreKind, merges: Bool = true) throws {
      stack = try kind.people()
      try stack.save { context in
        Person.make("Ann", age: 1, in: context)
        Person.make("Bob", age: 2, in: context)
      }
      if kind == .nested {
        let parent = stack.newContext()
        (mine, other) = (stack.newChild(of: parent), stack.newChild(of: parent))
      } else {
        (mine, other) = (stack.newContext(), stack.newContext())
      }
      mine.performAndWait { $0.automaticallyMergesChangesFromParent = merges }
    }

    func find(_ name: String, in context: ManagedObjectContext) throws -> Person {
      try Person.named(name, in: context)
    }

    func others(_ body: (Person, ManagedObjectContext) throws -> Void) throws {
      try other.performAndWait { context in
        try body(find("Ann", in: context), context)
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aRowThatWasReliedOnAndChangedIsAConflict(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    let bob = try sides.mine.performAndWait { context in
      let (ann, bob) = (try sides.find("Ann", in: context), try sides.find("Bob", in: context))
      context.detectConflicts(for: ann)
      bob.age = 20
      #expect(!ann.hasChanges)
      return bob.objectID
    }
    try sides.others { ann, _ in ann.age = 10 }
    // though this context shows what was saved by now
    try sides.mine.performAndWait { context in
      let ann = try sides.find("Ann", in: context)
      #expect(ann.age == 10)
      do {
        try context.save()
        Issue.record("saved on top of what was not looked at")
      } catch let error as StoreError {
        #expect(error.code == .conflict([ann.objectID]))
        let conflict = try #require(error.mergeConflicts.first)
        #expect(conflict.cachedSnapshot?["age"] == 1)
        #expect(conflict.persistedSnapshot?["age"] == 10)
      }
      let changed = try #require(try context.existingObject(with: bob) as? Person)
      #expect(changed.age == 20)
      #expect(changed.hasChanges)
      // looking again is enough
      context.detectConflicts(for: ann)
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth, [true, false])
  func aRowThatWasReliedOnAndDeletedIsAConflict(in kind: StoreKind, merges: Bool) throws {
    let sides = try Sides(kind, merges: merges)
    try sides.mine.performAndWait { context in
      context.detectConflicts(for: try sides.find("Ann", in: context))
      try sides.find("Bob", in: context).age = 20
    }
    try sides.others { ann, context in context.delete(ann) }
    try sides.mine.performAndWait { context in
      #expect(throws: StoreError.self) { try context.save() }
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(try sides.find("Bob", in: context).age == 20)
      #expect(try Person.count(in: context) == 1)
    }
  }

  /// No policy writes an object that was only read: it shows what is stored.
  @Test(
    arguments: StoreKind.atEveryDepth,
    [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func policiesLetTheSaveGoOn(in kind: StoreKind, policy: MergePolicy) throws {
    let sides = try Sides(kind, merges: false)
    try sides.mine.performAndWait { context in
      context.mergePolicy = policy
      let (ann, bob) = (try sides.find("Ann", in: context), try sides.find("Bob", in: context))
      context.detectConflicts(for: ann)
      bob.age = 20
      try sides.others { ann, _ in ann.age = 10 }
      #expect(ann.age == 1)
      try context.save()
      #expect(ann.age == 10)
      #expect(!ann.hasChanges)
      #expect(bob.age == 20)
    }
  }

  /// A policy that decides on values makes a change of what was only read.
  @Test(arguments: StoreKind.atEveryDepth, [true, false])
  func aPolicyMayDecideOnValues(in kind: StoreKind, isDeleted: Bool) throws {
    let sides = try Sides(kind, merges: false)
    try sides.mine.performAndWait { context in
      context.mergePolicy = .custom { _ in .values(["age": 7]) }
      let ann = try sides.find("Ann", in: context)
      context.detectConflicts(for: ann)
      try sides.others { ann, context in
        if isDeleted { context.delete(ann) } else { ann.age = 10 }
      }
      try context.save()
      #expect(ann.age == 7)
      #expect(ann.name == "Ann")
      #expect(try Person.sum(\.age, in: context) == 9)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aSaveWithNothingToSaveComparesToo(in kind: StoreKind) throws {
    let sides = try Sides(kind, merges: false)
    try sides.mine.performAndWait { context in
      var told = 0
      let observation = context.observe { if $0.name == .didSave { told += 1 } }
      let ann = try sides.find("Ann", in: context)
      context.detectConflicts(for: ann)
      try context.save()
      context.detectConflicts(for: ann)
      try sides.others { ann, _ in ann.age = 10 }
      #expect(throws: StoreError.self) { try context.save() }
      context.reset()
      try context.save()
      observation.end()
      #expect(told == 0)
    }
  }

  /// Objects that are changed are compared with what their changes are based on; new ones with nothing.
  @Test(arguments: StoreKind.atEveryDepth)
  func whatIsChangedIsComparedAsEver(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.mine.performAndWait { context in
      let ann = try sides.find("Ann", in: context)
      context.detectConflicts(for: ann)
      context.detectConflicts(for: Person.make("New", in: context))
      ann.age = 5
      try context.save()
      ann.age = 6
      try context.save()
      #expect(ann.age == 6)
    }
  }

  /// What a child relied on, the save that reaches the store compares.
  @Test func aParentGoesOnWatching() throws {
    let stack = try StoreKind.sqlite.people()
    try stack.save { context in _ = Person.make("Ann", age: 1, in: context) }
    let parent = stack.newContext()
    try stack.newChild(of: parent).performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      context.detectConflicts(for: ann)
      Person.make("Bob", in: context)
      try context.save()
    }
    try stack.save { context in
      try Person.first(where: \.name == "Ann", in: context)?.age = 2
    }
    try parent.performAndWait { context in
      #expect(throws: StoreError.self) { try context.save() }
      context.mergePolicy = .storeTrump
      try context.save()
      #expect(try Person.sum(\.age, in: context) == 2)
    }
  }

  /// A pinned context relies on what it is pinned to.
  @Test(arguments: KeepingKind.allCases)
  func aPinnedContextComparesItsOwnState(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.withAnn(in: folder)
    let pinned = try stack.pinned()
    try stack.ruinAnn()
    try pinned.performAndWait { context in
      let cid = try Person.named("Cid", in: context)
      let ann = try Person.named("Ann", in: context)
      context.detectConflicts(for: ann)
      cid.age = 11
      #expect(throws: StoreError.self) { try context.save() }
      #expect(ann.name == "Zoe")
    }
  }
}
