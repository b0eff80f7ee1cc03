// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What a save does that meets rows others changed or deleted.
@Suite struct ConflictTests {
  /// Which levels the two sides of a conflict stand on.
  enum Level: CaseIterable, Sendable { case root, child, grandchild }

  /// Two contexts over one source: what the first saves, the second did not read.
  private struct Sides {
    let stack: DataStack
    let source: ContextQueue?
    let other: ContextQueue
    let mine: ContextQueue
    let ann: ManagedObjectID

    init(_ kind: StoreKind, _ level: Level) throws {
      stack = try kind.people()
      ann = try stack.newContext().performAndWait { context in
        let ann = Person.make("Ann", age: 1, in: context)
        ann.dogs = [Dog.create(in: context)]
        ann.spouse = Person.make("Sam", in: context)
        Person.make("Eve", in: context)
        try context.save()
        return ann.objectID
      }
      var source: ContextQueue?
      if level != .root { source = stack.newContext() }
      if level == .grandchild, let top = source { source = stack.newChild(of: top) }
      self.source = source
      let stack = stack
      func make() -> ContextQueue { source.map { stack.newChild(of: $0) } ?? stack.newContext() }
      (other, mine) = (make(), make())
      mine.performAndWait { $0.automaticallyMergesChangesFromParent = false }
    }

    /// Reads and changes on one side, lets the other save, and saves.
    func meet(
      _ policy: MergePolicy, _ change: (Person, ManagedObjectContext) throws -> Void,
      _ others: (Person, ManagedObjectContext) throws -> Void,
      then check: (Person, ManagedObjectContext) throws -> Void
    ) throws {
      try mine.performAndWait { context in
        context.mergePolicy = policy
        let person = try #require(try context.existingObject(with: ann) as? Person)
        try change(person, context)
        try other.performAndWait { other in
          try others(try #require(try other.existingObject(with: ann) as? Person), other)
          try other.save()
        }
        try check(person, context)
      }
    }

    /// What a fresh look at the source of both finds.
    func result<Output>(_ body: (Person?, ManagedObjectContext) throws -> Output) throws -> Output {
      let queue = source.map { stack.newChild(of: $0) } ?? stack.newContext()
      return try queue.performAndWait { context in
        try body(try? context.existingObject(with: ann) as? Person, context)
      }
    }
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func theErrorListsTheConflictsAndNothingIsLost(in kind: StoreKind, at level: Level) throws {
    let sides = try Sides(kind, level)
    try sides.meet(.error) { person, _ in
      person.age = 10
    } _: { person, _ in
      person.age = 20
    } then: { person, context in
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      #expect(error.code == .conflict([sides.ann]))
      let conflict = try #require(error.mergeConflicts.first)
      #expect(error.mergeConflicts.count == 1)
      #expect(conflict.objectID == sides.ann)
      #expect(conflict.objectSnapshot?["age"] == 10)
      #expect(conflict.cachedSnapshot?["age"] == 1)
      #expect(conflict.persistedSnapshot?["age"] == 20)
      #expect(person.age == 10)
      #expect(person.hasChanges)
    }
    #expect(try sides.result { person, _ in person?.age } == 20)
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func propertiesMergeOneByOne(in kind: StoreKind, at level: Level) throws {
    let expectations: [(MergePolicy, String)] = [
      (.storeTrump, "Theirs 20 Eve"), (.objectTrump, "Mine 20 Eve"), (.overwrite, "Mine 1 Sam"),
      (.rollback, "Theirs 20 Eve"),
    ]
    for (policy, expected) in expectations {
      let sides = try Sides(kind, level)
      try sides.meet(policy) { person, _ in
        person.name = "Mine"
      } _: { person, context in
        person.name = "Theirs"
        person.age = 20
        person.spouse = try Person.first(where: \.name == "Eve", in: context)
      } then: { person, context in
        try context.save()
        #expect("\(person.name) \(person.age) \(person.spouse?.name ?? "")" == expected)
        #expect(!context.hasChanges)
      }
      let seen = try sides.result { person, context in
        for one in try Person.all(in: context) {
          #expect(one.spouse == nil || one.spouse?.spouse === one)
        }
        return "\(person?.name ?? "") \(person?.age ?? 0) \(person?.spouse?.name ?? "")"
      }
      #expect(seen == expected)
    }
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func whatOnlyOneSideChangedStays(in kind: StoreKind, at level: Level) throws {
    for policy in [MergePolicy.storeTrump, .objectTrump] {
      let sides = try Sides(kind, level)
      try sides.meet(policy) { person, context in
        person.name = "Mine"
        person.friends = [Person.make("Friend", in: context)]
      } _: { person, _ in
        person.age = 20
      } then: { _, context in
        try context.save()
      }
      let seen = try sides.result { person, _ in
        "\(person?.name ?? "") \(person?.age ?? 0) \(person?.friends.count ?? 0)"
      }
      #expect(seen == "Mine 20 1")
    }
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func aReferenceThatYieldsIsRightOnBothSides(in kind: StoreKind, at level: Level) throws {
    let sides = try Sides(kind, level)
    try sides.meet(.storeTrump) { person, context in
      person.parent = Person.make("My parent", in: context)
      #expect(person.parent?.children == [person])
    } _: { person, context in
      person.parent = try Person.first(where: \.name == "Eve", in: context)
    } then: { person, context in
      let mine = try #require(person.parent)
      try context.save()
      #expect(person.parent?.name == "Eve")
      #expect(mine.children.isEmpty)
      #expect(person.parent?.children == [person])
    }
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func aDeletionMeetsAChange(in kind: StoreKind, at level: Level) throws {
    for (policy, survives) in [
      (MergePolicy.objectTrump, false), (.overwrite, false), (.storeTrump, true),
      (.rollback, true),
    ] {
      let sides = try Sides(kind, level)
      try sides.meet(policy) { person, context in
        context.delete(person)
      } _: { person, _ in
        person.age = 20
      } then: { person, context in
        try context.save()
        #expect(person.isDeleted == false)
        #expect(!context.hasChanges)
        #expect(try Person.count(where: \.name == "Ann", in: context) == (survives ? 1 : 0))
      }
      try sides.result { person, context in
        #expect(person?.age == (survives ? 20 : nil))
        let sam = try Person.named("Sam", in: context)
        #expect(sam.spouse === person)
      }
    }
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func aChangeMeetsADeletion(in kind: StoreKind, at level: Level) throws {
    for (policy, survives) in [
      (MergePolicy.objectTrump, true), (.overwrite, true), (.storeTrump, false),
      (.rollback, false),
    ] {
      let sides = try Sides(kind, level)
      try sides.meet(policy) { person, _ in
        person.age = 10
      } _: { person, context in
        context.delete(person)
      } then: { person, context in
        try context.save()
        #expect(!context.hasChanges)
        #expect(survives ? person.age == 10 : context.registeredObject(for: sides.ann) == nil)
      }
      #expect(try sides.result { person, _ in person?.age } == (survives ? 10 : nil))
      try sides.source?.performAndWait { try $0.save() }
      let stored = sides.stack.newContext().performAndWait { context in
        (try? context.existingObject(with: sides.ann) as? Person)?.age
      }
      if level != .grandchild { #expect(stored == (survives ? 10 : nil)) }
    }
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func twoDeletionsAgree(in kind: StoreKind, at level: Level) throws {
    let sides = try Sides(kind, level)
    try sides.meet(.objectTrump) { person, context in
      context.delete(person)
    } _: { person, context in
      context.delete(person)
    } then: { _, context in
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try sides.result { person, _ in person == nil })
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func aPolicyOfOnesOwnDecidesForEach(in kind: StoreKind, at level: Level) throws {
    struct Refusal: Error {}
    let sides = try Sides(kind, level)
    let policy = MergePolicy.custom { conflict in
      guard case .merge(let merge) = conflict else { throw Refusal() }
      return merge.persistedSnapshot?["age"] == 20 ? .storeTrump : .refuse
    }
    try sides.meet(policy) { person, _ in
      person.age = 10
    } _: { person, _ in
      person.age = 20
    } then: { person, context in
      try context.save()
      #expect(person.age == 20)
      person.age = 11
      try sides.other.performAndWait { other in
        (try other.existingObject(with: sides.ann) as? Person)?.age = 30
        try other.save()
      }
      let refused = #expect(throws: StoreError.self) { try context.save() }
      #expect(refused?.mergeConflicts.count == 1)
      context.mergePolicy = .custom { _ in throw Refusal() }
      let thrown = #expect(throws: StoreError.self) { try context.save() }
      #expect((thrown?.underlying as? SaveConflicts)?.policyError is Refusal)
    }
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func aPolicyOfOnesOwnDecidesOnValues(in kind: StoreKind, at level: Level) throws {
    let sides = try Sides(kind, level)
    let policy = MergePolicy.custom { conflict in
      guard case .merge(let merge) = conflict,
        case .integer(let mine)? = merge.objectSnapshot?["age"],
        case .integer(let theirs)? = merge.persistedSnapshot?["age"],
        case .integer(let base)? = merge.cachedSnapshot?["age"]
      else { return .refuse }
      return .values(["age": .integer(mine + theirs - base), "spouse": .null])
    }
    try sides.meet(policy) { person, _ in
      person.age += 10
      person.name = "Mine"
    } _: { person, _ in
      person.age += 100
    } then: { person, context in
      try context.save()
      #expect(person.age == 111)
      #expect(person.name == "Mine")
      #expect(person.spouse == nil)
    }
    let seen = try sides.result { person, _ in "\(person?.name ?? "") \(person?.age ?? 0)" }
    #expect(seen == "Mine 111")
  }

  @Test(arguments: StoreKind.allCases)
  func valuesBringBackWhatIsDeletedOnOneSide(in kind: StoreKind) throws {
    for isMine in [true, false] {
      let sides = try Sides(kind, .root)
      let policy = MergePolicy.custom { conflict in
        guard case .merge(let merge) = conflict, merge.cachedSnapshot?["age"] != nil else {
          return .objectTrump
        }
        return .values(["age": 7])
      }
      try sides.meet(policy) { person, context in
        if isMine { context.delete(person) } else { person.name = "Mine" }
      } _: { person, context in
        if isMine { person.name = "Theirs" } else { context.delete(person) }
      } then: { person, context in
        try context.save()
        #expect(person.age == 7)
        #expect(!person.isDeleted)
      }
      let seen = try sides.result { person, _ in "\(person?.name ?? "") \(person?.age ?? 0)" }
      #expect(seen == (isMine ? "Theirs 7" : "Mine 7"))
    }
  }
}
