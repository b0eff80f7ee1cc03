// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Links are merged as members of sets: what either side added is there, what either side removed is
/// not, and nobody is in conflict.
@Suite struct LinkMergeTests {
  enum Level: CaseIterable, Sendable { case siblings, child, grandchild }

  /// One context that changes links, and another that does meanwhile: beside it, or above it.
  private struct Sides {
    let level: Level
    let stack: DataStack
    let mine: ContextQueue
    let theirs: ContextQueue
    let above: [ContextQueue]

    init(_ stack: DataStack, _ level: Level) {
      (self.stack, self.level) = (stack, level)
      let top = stack.newContext()
      switch level {
      case .siblings: (theirs, mine, above) = (top, stack.newContext(), [])
      case .child: (theirs, mine, above) = (top, stack.newChild(of: top), [top])
      case .grandchild:
        theirs = stack.newChild(of: top)
        mine = stack.newChild(of: theirs)
        above = [theirs, top]
      }
    }

    /// Siblings save theirs first; a parent keeps its own unsaved.
    func meet(
      mine change: (ManagedObjectContext) throws -> Void,
      theirs other: (ManagedObjectContext) throws -> Void
    ) throws {
      try mine.performAndWait { context in
        try change(context)
        try theirs.performAndWait { context in
          try other(context)
          if level == .siblings { try context.save() }
        }
        try context.save()
      }
      for queue in above { try queue.performAndWait { try $0.save() } }
    }

    /// What is stored, and what every context shows.
    func result<Output: Equatable>(
      _ read: (ManagedObjectContext) throws -> Output
    ) throws -> Output {
      let stored = try stack.newContext().performAndWait(read)
      for queue in [mine, theirs] + above {
        try queue.performAndWait { context in
          if queue === mine && level != .siblings { context.refreshAllObjects() }
          let shown = try read(context)
          #expect(shown == stored)
        }
      }
      return stored
    }
  }

  // MARK: - Orders

  private func order(
    _ kind: StoreKind, _ level: Level, mine: (Person, ManagedObjectContext) throws -> Void,
    theirs: (Person, ManagedObjectContext) throws -> Void
  ) throws -> String {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      let books = Book.make("abcxy", in: context)
      Person.make("Ann", in: context).reads = Array(books[..<3])
      try context.save()
    }
    func ann(_ context: ManagedObjectContext) throws -> Person {
      try #require(try Person.first(in: context))
    }
    let sides = Sides(stack, level)
    try sides.meet(
      mine: { context in
        let ann = try ann(context)
        #expect(ann.reads.titles == "abc")
        try mine(ann, context)
      }, theirs: { try theirs(try ann($0), $0) })
    return try sides.result { try ann($0).reads.titles }
  }

  private func book(_ title: String, _ context: ManagedObjectContext) throws -> Book {
    try #require(try Book.first(where: \.title == title, in: context))
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func bothAppend(in kind: StoreKind, at level: Level) throws {
    let titles = try order(
      kind, level, mine: { $0.reads.append(try book("x", $1)) },
      theirs: { $0.reads.append(try book("y", $1)) })
    #expect(titles.hasPrefix("abc"))
    #expect(Set(titles) == Set("abcxy"))
    #expect(titles.count == 5)
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func bothAppendWithoutLooking(in kind: StoreKind, at level: Level) throws {
    let titles = try order(
      kind, level, mine: { $0.add(try book("x", $1), to: "reads") },
      theirs: { $0.add(try book("y", $1), to: "reads") })
    #expect(titles.hasPrefix("abc"))
    #expect(Set(titles) == Set("abcxy"))
    #expect(titles.count == 5)
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func oneRemovesWhatTheOtherMoves(in kind: StoreKind, at level: Level) throws {
    let moved = try order(
      kind, level, mine: { ann, _ in ann.reads = ann.reads.reversed() },
      theirs: { ann, _ in ann.reads.removeAll { $0.title == "b" } })
    #expect(moved == "ca")
    let removed = try order(
      kind, level, mine: { ann, _ in ann.reads.removeAll { $0.title == "b" } },
      theirs: { ann, _ in ann.reads = ann.reads.reversed() })
    #expect(removed == "ca")
  }

  @Test(arguments: StoreKind.allCases, Level.allCases)
  func oneMovesAndTheOtherAdds(in kind: StoreKind, at level: Level) throws {
    let moved = try order(
      kind, level, mine: { ann, _ in ann.reads = ann.reads.reversed() },
      theirs: { $0.reads.append(try book("y", $1)) })
    #expect(moved.filter { $0 != "y" } == "cba")
    #expect(moved.count == 4)
    let added = try order(
      kind, level, mine: { $0.reads.append(try book("x", $1)) },
      theirs: { ann, _ in ann.reads = ann.reads.reversed() })
    #expect(added.filter { $0 != "x" } == "cba")
    #expect(added.count == 4)
  }

  // MARK: - Sets

  /// Random changes on both sides, of one and of the other end, with and without looking.
  @Test(arguments: StoreKind.allCases, Level.allCases)
  func theMembersAreTheUnionOfWhatBothDid(in kind: StoreKind, at level: Level) throws {
    var random = SeededGenerator(seed: 7)
    for round in 0..<12 {
      let stack = try kind.bank()
      let base = Set((0..<8).filter { _ in Bool.random(using: &random) })
      try stack.newContext().performAndWait { context in
        let account = Account.create(in: context)
        for number in 0..<8 {
          let tag = Tag.create(in: context)
          tag.name = "\(number)"
          tag.number = number
          if base.contains(number) { account.tags.insert(tag) }
        }
        try context.save()
      }
      let flips = (0..<2).map { _ in
        (0..<8).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
      }
      let ways = (0..<16).map { _ in Int.random(in: 0..<3, using: &random) }
      func flip(_ numbers: [Int], _ side: Int, _ context: ManagedObjectContext) throws {
        let account = try #require(try Account.first(in: context))
        for number in numbers {
          let tag = try #require(try Tag.first(where: \.number == number, in: context))
          switch (ways[side * 8 + number], base.contains(number)) {
          case (0, true): account.tags.remove(tag)
          case (0, false): account.tags.insert(tag)
          case (1, true): tag.accounts = []
          case (1, false): tag.accounts = [account]
          case (_, true): account.remove(tag, from: "tags")
          case (_, false): account.add(tag, to: "tags")
          }
        }
      }
      let sides = Sides(stack, level)
      try sides.meet(mine: { try flip(flips[0], 0, $0) }, theirs: { try flip(flips[1], 1, $0) })
      let expected = base.symmetricDifference(Set(flips.joined()))
      let found = try sides.result {
        Set(try #require(try Account.first(in: $0)).tags.map(\.number))
      }
      #expect(found == expected, "round \(round)")
      #expect(try stack.brokenLinks() == [])
    }
  }

  /// Values conflict as ever, and a save that brings links too loses none of them.
  @Test(arguments: StoreKind.allCases, Level.allCases)
  func aConflictOfValuesKeepsTheLinksOfBoth(in kind: StoreKind, at level: Level) throws {
    let stack = try kind.bank()
    try stack.newContext().performAndWait { context in
      Account.create(in: context).number = 1
      for number in 0..<2 {
        let tag = Tag.create(in: context)
        tag.name = "\(number)"
        tag.number = number
      }
      try context.save()
    }
    func tag(_ number: Int, _ context: ManagedObjectContext) throws -> Account {
      let account = try #require(try Account.first(in: context))
      account.tags.insert(try #require(try Tag.first(where: \.number == number, in: context)))
      return account
    }
    let sides = Sides(stack, level)
    try sides.meet(
      mine: { context in
        let account = try tag(0, context)
        account.note = "mine"
        context.mergePolicy = .custom { conflict in
          guard case .merge(let merge) = conflict else { return .refuse }
          return merge.objectID.entityName == "Account" ? .objectTrump : .refuse
        }
      }, theirs: { try tag(1, $0).note = "theirs" })
    let found = try sides.result { context in
      let account = try #require(try Account.first(in: context))
      return [account.note] + account.tags.map(\.name).sorted()
    }
    #expect(found == ["mine", "0", "1"])
  }

  /// A row that one side changed and the other only linked is no conflict.
  @Test(arguments: StoreKind.allCases, Level.allCases)
  func linksMeetNoValues(in kind: StoreKind, at level: Level) throws {
    for linksMine in [true, false] {
      let stack = try kind.bank()
      try stack.newContext().performAndWait { context in
        Account.create(in: context).number = 1
        Tag.create(in: context).name = "red"
        try context.save()
      }
      func link(_ context: ManagedObjectContext) throws {
        try #require(try Account.first(in: context)).tags = Set(try Tag.all(in: context))
      }
      func write(_ context: ManagedObjectContext) throws {
        try #require(try Account.first(in: context)).note = "written"
        try #require(try Tag.first(in: context)).uses = 3
      }
      let sides = Sides(stack, level)
      try sides.meet(mine: linksMine ? link : write, theirs: linksMine ? write : link)
      let found = try sides.result { context in
        let account = try #require(try Account.first(in: context))
        return [account.note] + account.tags.map { "\($0.name) \($0.uses)" }
      }
      #expect(found == ["written", "red 3"])
    }
  }

  /// A link to what the other deleted can not hold: that is a conflict, from either end.
  @Test(arguments: StoreKind.allCases, [true, false])
  func aLinkToWhatIsDeletedConflicts(in kind: StoreKind, deletingTheTag: Bool) throws {
    let stack = try kind.bank()
    try stack.newContext().performAndWait { context in
      Account.create(in: context).number = 1
      Tag.create(in: context).name = "red"
      try context.save()
    }
    let sides = Sides(stack, .siblings)
    #expect(throws: StoreError.self) {
      try sides.meet(
        mine: { try Account.first(in: $0)?.tags = Set(try Tag.all(in: $0)) },
        theirs: { context in
          let all: [ManagedObject] =
            deletingTheTag ? try Tag.all(in: context) : try Account.all(in: context)
          for object in all { context.delete(object) }
        })
    }
    #expect(try stack.brokenLinks() == [])
  }
}
