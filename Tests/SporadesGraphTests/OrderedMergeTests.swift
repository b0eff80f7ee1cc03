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
}
