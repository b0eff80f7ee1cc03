// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Two contexts change one one-to-one relationship. Whatever is merged, both sides agree, in every
/// context and in the store.
@Suite struct OneToOneMergeTests {
  enum Way: CaseIterable, Sendable {
    /// A context over the store merges by itself.
    case merging
    /// A context over one that merges.
    case child
    /// A context that does not merge refreshes its objects.
    case refreshing
    /// A context that does not merge meets the other one in its save.
    case objectTrump, storeTrump
  }

  private func link(_ person: Int, _ badge: Int?, _ context: ManagedObjectContext) throws {
    let person = try #require(try Person.first(where: \.age == person, in: context))
    person.badge = try badge.flatMap { code in try Badge.first(where: \.code == code, in: context) }
  }

  /// Each person with a badge, as either side says it.
  private func badges(_ queue: ContextQueue) throws -> [Int: Int] {
    try queue.performAndWait { context in
      let byPerson = try Person.all(in: context).compactMap { person in
        person.badge.map { (person.age, $0.code) }
      }
      let byBadge = try Badge.all(in: context).compactMap { badge in
        badge.holder.map { ($0.age, badge.code) }
      }
      let (one, other) = (Dictionary(byPerson) { $1 }, Dictionary(byBadge) { $1 })
      #expect(byPerson.count == byBadge.count)
      #expect(one == other)
      return one
    }
  }

  /// Makes one change here and lets others save another one, then saves. Returns what is stored.
  private func meet(
    _ store: any PersistentStore, _ way: Way, before: [(Int, Int?)] = [],
    mine: [(Int, Int?)], theirs: [(Int, Int?)]
  ) throws -> [Int: Int] {
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      for number in 1...3 {
        Person.make("", age: number, in: context)
        Badge.create(in: context).code = number
      }
      for (person, badge) in before { try link(person, badge, context) }
      try context.save()
    }
    let base = stack.newContext()
    let queue = way == .child ? stack.newChild(of: base) : base
    try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = way == .merging || way == .child
      for (person, badge) in mine { try link(person, badge, context) }
    }
    try stack.newContext().performAndWait { context in
      for (person, badge) in theirs { try link(person, badge, context) }
      try context.save()
    }
    queue.performAndWait { context in
      let policies: [Way: MergePolicy] = [.storeTrump: .storeTrump, .objectTrump: .objectTrump]
      context.mergePolicy = policies[way] ?? .error
      if way == .refreshing { context.refreshAllObjects() }
    }
    if way != .objectTrump, way != .storeTrump { _ = try badges(queue) }
    try queue.performAndWait { try $0.save() }
    if way == .child { try base.performAndWait { try $0.save() } }
    let stored = try badges(stack.newContext())
    if way != .storeTrump { #expect(try badges(queue) == stored) }
    return stored
  }

  @Test(arguments: StoreKind.allCases, Way.allCases)
  func onePersonWithTwoBadges(in kind: StoreKind, way: Way) throws {
    let stored = try meet(
      kind.store(People.model), way, mine: [(1, 1)], theirs: [(1, 2)])
    #expect(stored == [1: way == .storeTrump ? 2 : 1])
  }

  @Test(arguments: StoreKind.allCases, Way.allCases)
  func oneBadgeWithTwoPeople(in kind: StoreKind, way: Way) throws {
    let stored = try meet(
      kind.store(People.model), way, mine: [(1, 1)], theirs: [(2, 1)])
    #expect(stored == (way == .storeTrump ? [2: 1] : [1: 1]))
  }

  @Test(arguments: StoreKind.allCases, Way.allCases)
  func bothAtOnce(in kind: StoreKind, way: Way) throws {
    let stored = try meet(
      kind.store(People.model), way, before: [(1, 3), (3, 2)], mine: [(1, 1)],
      theirs: [(1, 2), (2, 1)])
    if way != .storeTrump { #expect(stored == [1: 1]) }
  }

  @Test(arguments: StoreKind.allCases, Way.allCases)
  func aBadgeThatWasTakenHereAndGivenAwayThere(in kind: StoreKind, way: Way) throws {
    let stored = try meet(
      kind.store(People.model), way, before: [(1, 1)], mine: [(1, nil)], theirs: [(1, 2), (2, 1)])
    if way == .merging || way == .child { #expect(stored == [:]) }
  }

  /// How a context takes a badge from a person.
  enum Taking: CaseIterable, Sendable {
    case person, badge, nobody, deletion
  }

  /// A context that does not merge has an older row of the person who has the badge now, and a new row of the badge. The
  /// person loses the badge all the same.
  @Test(arguments: StoreKind.atEveryDepth, Taking.allCases)
  func anOlderRowOfAFormerPartnerLosesTheLink(in kind: StoreKind, taking: Taking) throws {
    try take(taking, from: { _ in }, in: kind, .error)
  }

  /// The same where the context has changed the person, or changed and set back.
  @Test(
    arguments: StoreKind.atEveryDepth,
    [MergePolicy.objectTrump, .storeTrump, .overwrite, .rollback])
  func anOlderRowWithChangesLosesTheLink(in kind: StoreKind, policy: MergePolicy) throws {
    for taking in Taking.allCases {
      try take(taking, from: { $0.name = "changed" }, in: kind, policy)
      try take(
        taking,
        from: {
          $0.name = "changed"
          $0.name = ""
        }, in: kind, policy)
    }
  }

  /// With the policy that refuses, the save says that others changed the person.
  @Test(arguments: StoreKind.allCases)
  func anOlderRowThatWasSetBackIsAConflict(in kind: StoreKind) throws {
    #expect(throws: StoreError.self) {
      try take(
        .badge,
        from: {
          $0.name = "changed"
          $0.name = ""
        }, in: kind, .error)
    }
  }

  private func take(
    _ taking: Taking, from change: (Person) -> Void, in kind: StoreKind, _ policy: MergePolicy
  ) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      for number in 1...2 { Person.make("", age: number, in: context) }
      Badge.create(in: context).code = 1
      try context.save()
    }
    let chain = stack.chain(depth: kind == .nested ? 3 : 1)
    let queue = chain[chain.count - 1]
    for each in chain {
      each.performAndWait { context in
        context.automaticallyMergesChangesFromParent = false
        context.mergePolicy = policy
      }
    }
    let people = try queue.performAndWait { try Person.all(sortedBy: \.age, in: $0) }
    queue.performAndWait { _ in
      #expect(people.allSatisfy { $0.badge == nil })
      change(people[0])
    }
    try stack.newContext().performAndWait { context in
      try link(1, 1, context)
      try context.save()
    }
    try queue.performAndWait { context in
      let badge = try #require(try Badge.first(in: context))
      switch taking {
      case .person: people[1].badge = badge
      case .badge: badge.holder = people[1]
      case .nobody: badge.holder = nil
      case .deletion: context.delete(badge)
      }
      try context.save()
    }
    for each in chain.dropLast().reversed() { try each.performAndWait { try $0.save() } }
    #expect(
      try badges(stack.newContext()) == (taking == .person || taking == .badge ? [2: 1] : [:]))
    #expect(try badges(queue) == badges(stack.newContext()))
    try stack.newContext().performAndWait { context in
      let holder = try #require(try Person.first(where: \.age == 1, in: context))
      #expect(holder.badge == nil)
    }
  }

  @Test func theFileAgreesAfterReopening() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("badges.sqlite")
    let store = try SQLiteStore(url: url, model: People.model)
    #expect(try meet(store, .merging, mine: [(1, 1)], theirs: [(1, 2), (2, 1)]) == [1: 1])
    try store.close()
    let again = try SQLiteStore(url: url, model: People.model)
    #expect(try badges(DataStack(store: again, classes: People.classes).newContext()) == [1: 1])
    #expect(try again.integrityProblems().isEmpty)
    try again.close()
  }

  /// Links that others made, too, are no changes here any more. What is done afterwards starts from
  /// the stored ones.
  @Test(arguments: StoreKind.allCases)
  func aLinkThatBothMadeCanBeTakenBack(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      Person.make("Ann", in: context)
      _ = Book.make("ab", in: context)
      try context.save()
    }
    let queue = stack.newContext()
    func ann(_ context: ManagedObjectContext) throws -> Person {
      try Person.named("Ann", in: context)
    }
    let held = try queue.performAndWait { context in
      try ann(context).reads = try Book.all(sortedBy: \.title, in: context)
      return try ann(context)
    }
    try stack.newContext().performAndWait { context in
      try ann(context).reads = try Book.all(sortedBy: \.title, in: context)
      try context.save()
    }
    try queue.performAndWait { context in
      held.reads = []
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let ann = try ann(context)
      #expect(ann.reads.isEmpty)
    }
    try queue.performAndWait { context in
      let book = try #require(try Book.first(where: \.title == "a", in: context))
      held.add(book, to: "reads")
      try context.save()
      held.remove(book, from: "reads")
    }
    try stack.newContext().performAndWait { context in
      try ann(context).reads = []
      try context.save()
    }
    try queue.performAndWait { context in
      let book = try #require(try Book.first(where: \.title == "a", in: context))
      held.add(book, to: "reads")
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let ann = try ann(context)
      #expect(ann.reads.titles == "a")
    }
  }
}
