// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// An order that was changed here takes in the members that others saved meanwhile.
@Suite struct OrderedMergeTests {
  enum Kind: CaseIterable, Sendable {
    case members, links

    func set(_ books: [Book], of person: Person) {
      if self == .members { person.shelf = books } else { person.reads = books }
    }
    func titles(_ person: Person) -> String {
      self == .members ? person.shelf.titles : person.reads.titles
    }
    var name: String { self == .members ? "shelf" : "reads" }
  }

  /// What is done with the order between the merge and the save.
  enum Next: CaseIterable, Sendable { case nothing, append, reverse, refresh, child }

  @Test(arguments: Kind.allCases, Next.allCases)
  func anInsertionHereAndAnotherThereAreBothShown(of kind: Kind, next: Next) throws {
    for store in StoreKind.allCases { try meet(store, kind, next) }
  }

  private func meet(_ store: StoreKind, _ kind: Kind, _ next: Next) throws {
    let stack = try store.people()
    func books(_ titles: String, _ context: ManagedObjectContext) throws -> [Book] {
      try titles.map { title in
        try #require(try Book.first(where: \.title == String(title), in: context))
      }
    }
    func ann(_ context: ManagedObjectContext) throws -> Person {
      try Person.named("Ann", in: context)
    }
    try stack.newContext().performAndWait { context in
      let books = Book.make("abcd", in: context)
      kind.set([books[0]], of: Person.make("Ann", in: context))
      try context.save()
    }
    let base = stack.newContext()
    let queue = next == .child ? stack.newChild(of: base) : base
    let held = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = true
      let ann = try ann(context)
      kind.set(try books("ba", context), of: ann)
      return ann
    }
    try stack.newContext().performAndWait { context in
      kind.set(try books("ac", context), of: try ann(context))
      try context.save()
    }
    let shown = try queue.performAndWait { context in
      #expect(kind.titles(held) == "bac")
      #expect(held.count(forRelationshipNamed: kind.name) == 3)
      switch next {
      case .append: kind.set(try books("bacd", context), of: held)
      case .reverse: kind.set(try books("cab", context), of: held)
      case .refresh:
        context.refresh(held, mergeChanges: true)
        #expect(kind.titles(held) == "bac")
      default: break
      }
      let shown = kind.titles(held)
      try context.save()
      #expect(kind.titles(held) == shown)
      return shown
    }
    if next == .child { try base.performAndWait { try $0.save() } }
    for queue in [queue, base, stack.newContext()] {
      let titles = try queue.performAndWait { kind.titles(try ann($0)) }
      #expect(titles == shown)
    }
  }

  /// How a context comes to the link that others saved.
  enum Meeting: CaseIterable, Sendable {
    case merge, refreshOfMember, refreshOfOwner, child, objectTrump, overwrite, storeTrump
  }

  @Test(arguments: Meeting.allCases, [false, true])
  func aMemberThatOthersLinkedTooTakesTheirPlace(_ meeting: Meeting, isRead: Bool) throws {
    for store in StoreKind.allCases { try linkBoth(store, meeting, givingTo: "Ann", isRead) }
  }

  @Test(arguments: Meeting.allCases.filter { $0 != .storeTrump })
  func aPlaceThatAMemberGotHereStays(_ meeting: Meeting) throws {
    for store in StoreKind.allCases {
      try linkBoth(store, meeting, givingTo: "Ann", true, isFirst: true)
    }
  }

  @Test func aMemberThatThePolicyMovesTakesTheStoredPlace() throws {
    for store in StoreKind.allCases { try linkBoth(store, .storeTrump, givingTo: "Bob", false) }
  }

  /// Cid keeps "b" in the place that it gets with Ann. One context gives it to somebody, and another one to Ann.
  private func linkBoth(
    _ store: StoreKind, _ meeting: Meeting, givingTo name: String, _ isRead: Bool,
    isFirst: Bool = false
  ) throws {
    let stack = try store.people()
    func give(to name: String, _ context: ManagedObjectContext, isFirst: Bool) throws {
      let book = try #require(try Book.first(where: \.title == "b", in: context))
      let person = try Person.named(name, in: context)
      if isFirst { person.shelf = [book] + person.shelf } else { book.keeper = person }
    }
    func shelves(_ context: ManagedObjectContext) throws -> [String] {
      try ["Ann", "Bob", "Cid"].map { try Person.named($0, in: context).shelf.titles }
    }
    try stack.newContext().performAndWait { context in
      let books = Book.make("acb", in: context)
      Person.make("Ann", in: context).shelf = books.filter { $0.title == "a" }
      _ = Person.make("Bob", in: context)
      Person.make("Cid", in: context).shelf = books.filter { $0.title != "a" }
      try context.save()
    }
    let base = stack.newContext()
    let queue = meeting == .child ? stack.newChild(of: base) : base
    try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = [.merge, .child].contains(meeting)
      if isRead { _ = try shelves(context) }
      try give(to: name, context, isFirst: isFirst)
    }
    try stack.newContext().performAndWait { context in
      try give(to: "Ann", context, isFirst: false)
      try context.save()
    }
    let shown = try queue.performAndWait { context in
      switch meeting {
      case .merge, .child: break
      case .refreshOfMember, .refreshOfOwner:
        let objects = [try #require(try Book.first(where: \.title == "b", in: context))]
        let owners = try Person.all(in: context)
        for object in meeting == .refreshOfMember ? objects + owners : owners + objects {
          context.refresh(object, mergeChanges: true)
        }
      case .objectTrump: context.mergePolicy = .objectTrump
      case .overwrite: context.mergePolicy = .overwrite
      case .storeTrump: context.mergePolicy = .storeTrump
      }
      try context.save()
      return try shelves(context)
    }
    if meeting == .child { try base.performAndWait { try $0.save() } }
    #expect(shown == [isFirst ? "ba" : "ab", "", "c"])
    for queue in [base, stack.newContext()] {
      let stored = try queue.performAndWait { try shelves($0) }
      #expect(stored == shown)
    }
  }
}
