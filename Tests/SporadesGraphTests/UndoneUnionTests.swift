// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import SporadesTesting
import Testing

/// Changes are undone after a save united objects of the context with others that have the same unique values.
@Suite struct UndoneUnionTests {
  /// How a person leaves a club.
  enum Way: CaseIterable {
    case otherClub, noClub, members
  }

  private func writer(_ stack: DataStack) -> ContextQueue {
    let mine = stack.newContext()
    mine.performAndWait { $0.mergePolicy = .objectTrump }
    return mine
  }

  private func saveClub(_ stack: DataStack, _ name: String) throws {
    try stack.newContext().performAndWait { context in
      Club.create(in: context).name = name
      try context.save()
    }
  }

  private func clubs(_ stack: DataStack) throws -> [String: [String]] {
    try stack.newContext().performAndWait { context in
      let pairs = try Club.all(in: context).map { ($0.name, $0.members.map(\.name)) }
      return Dictionary(pairs) { _, _ in ["twice"] }
    }
  }

  /// A person returns to the club that the save took for the person's own, whether the context knew it or not. The club
  /// is another's, so it stays when its own insertion is undone.
  @Test(arguments: StoreKind.allCases, Way.allCases)
  func aReferenceReturnsToTheObjectThatStays(in kind: StoreKind, way: Way) throws {
    for isKnown in [false, true] {
      let stack = try kind.people()
      let mine = writer(stack)
      let ann = try mine.performAndWait { context in
        let ann = Person.make("Ann", in: context)
        try context.save()
        context.undoManager = ContextUndoManager()
        return ann
      }
      let own = mine.performAndWait { context in
        let own = Club.create(in: context)
        (own.name, ann.club) = ("red", own)
        return own
      }
      try saveClub(stack, "red")
      let known = try mine.performAndWait { context in
        isKnown ? try Club.all(in: context).first { $0 !== own } : nil
      }
      mine.performAndWait { context in
        switch way {
        case .otherClub:
          ann.club = Club.create(in: context)
          ann.club?.name = "blue"
        case .noClub: ann.club = nil
        case .members: own.members = []
        }
      }
      try mine.performAndWait { context in
        try context.save()
        context.undo()
        let club = try #require(ann.club)
        #expect(club === (isKnown ? known : own))
        #expect(club.name == "red" && club.members == [ann])
        try context.save()
      }
      #expect(try clubs(stack) == ["red": ["Ann"]])
      try mine.performAndWait { context in
        context.redo()
        #expect(ann.club?.name == (way == .otherClub ? "blue" : nil))
        context.undo()
        context.undo()
        #expect(ann.club == nil)
        try context.save()
      }
      #expect(try clubs(stack) == ["red": []])
    }
  }

  private func saveTag(_ stack: DataStack) throws {
    try stack.newContext().performAndWait { context in
      Tag.create(in: context).name = "red"
      try context.save()
    }
  }

  /// Members of a many-to-many relationship return to the object that stays, from either side. Values that its own steps
  /// changed return to it too.
  @Test(arguments: StoreKind.allCases, [false, true])
  func membersReturnToTheObjectThatStays(in kind: StoreKind, isOtherSide: Bool) throws {
    for isKnown in [false, true] {
      let stack = try kind.bank()
      let mine = writer(stack)
      let account = try mine.performAndWait { context in
        let account = Account.create(in: context)
        try context.save()
        context.undoManager = ContextUndoManager()
        return account
      }
      let own = mine.performAndWait { context in
        let own = Tag.create(in: context)
        (own.name, own.uses, own.accounts) = ("red", 1, [account])
        return own
      }
      try saveTag(stack)
      let known = isKnown ? try mine.performAndWait { try Tag.all(in: $0) } : []
      #expect(known.count == (isKnown ? 2 : 0))
      mine.performAndWait { _ in
        own.uses = 2
        if isOtherSide { account.tags = [] } else { own.accounts = [] }
      }
      try mine.performAndWait { context in
        try context.save()
        #expect(try Tag.all(in: context).map(\.uses) == [2])
        context.undo()
        let tag = try #require(account.tags.first)
        #expect(tag.uses == 1 && tag.accounts == [account] && !tag.isInserted)
        try context.save()
        context.redo()
        #expect(account.tags.isEmpty && tag.accounts.isEmpty && tag.uses == 2)
        context.undo()
        try context.save()
      }
      #expect(try stack.brokenLinks() == [])
      try stack.newContext().performAndWait { context in
        let tags = try Tag.all(in: context)
        #expect(tags.map(\.uses) == [1] && tags.map(\.accounts.count) == [1])
      }
    }
  }

  /// Of two new objects with the same unique value one stays, and is gone when its own insertion is undone.
  @Test(arguments: StoreKind.allCases)
  func oneOfTwoNewObjectsIsUndoneOnce(in kind: StoreKind) throws {
    let stack = try kind.people()
    let mine = writer(stack)
    let (ann, bob) = try mine.performAndWait { context in
      let people = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      try context.save()
      context.undoManager = ContextUndoManager()
      return people
    }
    for person in [ann, bob] {
      mine.performAndWait { context in
        let club = Club.create(in: context)
        (club.name, person.club) = ("red", club)
      }
    }
    try mine.performAndWait { context in
      try context.save()
      #expect(ann.club === bob.club && ann.club != nil)
      context.undo()
      #expect(ann.club?.members == [ann] && bob.club == nil)
      try context.save()
    }
    #expect(try clubs(stack) == ["red": ["Ann"]])
    try mine.performAndWait { context in
      context.undo()
      #expect(ann.club == nil)
      try context.save()
    }
    #expect(try clubs(stack) == [:])
  }

  /// A context over the one that saves hears which object is gone, and shows the one that stays.
  @Test(arguments: StoreKind.allCases, [false, true])
  func aContextOverTheSavingOneShowsTheObjectThatStays(in kind: StoreKind, isKnown: Bool) throws {
    let stack = try kind.people()
    let mine = writer(stack)
    let child = stack.newChild(of: mine)
    child.performAndWait { $0.automaticallyMergesChangesFromParent = true }
    let (ann, own) = try child.performAndWait { context in
      let (ann, own) = (Person.make("Ann", in: context), Club.create(in: context))
      (own.name, ann.club) = ("red", own)
      try context.save()
      return (ann, own)
    }
    try saveClub(stack, "red")
    try mine.performAndWait { context in
      let known = isKnown ? try Club.all(in: context) : []
      #expect(known.count == (isKnown ? 2 : 0))
      try context.save()
    }
    try child.performAndWait { context in
      let club = try #require(ann.club)
      #expect(own.managedObjectContext == nil && own.isDeleted == false)
      #expect(club !== own && club.name == "red" && club.members == [ann])
      #expect(try Club.all(in: context) == [club])
      ann.club = nil
      try context.save()
    }
    try mine.performAndWait { try $0.save() }
    #expect(try clubs(stack) == ["red": []])
  }

  /// Two objects that the save united are then united with a stored one, by another unique value. Undo returns to that one,
  /// whether the context knew it or not.
  @Test(arguments: StoreKind.allCases, [false, true])
  func aReferenceReturnsToTheLastOfThree(in kind: StoreKind, isKnown: Bool) throws {
    let classes: [ManagedObject.Type] = [Machine.self, Job.self]
    let stack = DataStack(store: try kind.store(try ManagedObjectModel(classes)), classes: classes)
    let mine = writer(stack)
    try stack.newContext().performAndWait { context in
      Machine.create(in: context).serial = "1"
      try context.save()
    }
    let (job, known) = try mine.performAndWait { context in
      let job = Job.create(in: context)
      try context.save()
      context.undoManager = ContextUndoManager()
      return (job, isKnown ? try Machine.first(in: context) : nil)
    }
    let first = mine.performAndWait { context in
      let (first, second) = (Machine.create(in: context), Machine.create(in: context))
      (first.serial, first.code, second.code, job.machine) = ("1", "x", "x", second)
      return first
    }
    mine.performAndWait { _ in job.machine = nil }
    try mine.performAndWait { context in
      try context.save()
      context.undo()
      let machine = try #require(job.machine)
      #expect(machine === known ?? first)
      #expect(machine.code == "x" && machine.serial == "1" && machine.jobs == [job])
      try context.save()
      #expect(try Machine.count(in: context) == 1)
    }
  }
}

@Entity private final class Machine: ManagedObject {
  @Attribute(.unique) var code: String?
  @Attribute(.unique) var serial: String?
  @Relationship(inverse: "machine") var jobs: Set<Job>
}

@Entity private final class Job: ManagedObject {
  @Relationship(inverse: "jobs") var machine: Machine?
}
