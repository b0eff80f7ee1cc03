// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// After another process has committed something, contexts over contexts go on merging.
@Suite struct OthersCommitTests {
  enum Pending: CaseIterable, Sendable { case nothing, value, link }

  @Test(arguments: StoreKind.allCases, Pending.allCases)
  func aContextWithChangesGoesOnMerging(in kind: StoreKind, pending: Pending) throws {
    for depth in 2...3 { try merge(kind, pending, depth) }
  }

  private func merge(_ kind: StoreKind, _ pending: Pending, _ depth: Int) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    let ids = try stack.newContext().performAndWait { context in
      let people = [Person.make("Ann", age: 1, in: context), Person.make("Bob", in: context)]
      try context.save()
      return people.map(\.objectID)
    }
    let chain = stack.chain(depth: depth)
    for queue in chain {
      queue.performAndWait { $0.automaticallyMergesChangesFromParent = true }
    }
    let last = chain[depth - 1]
    let ann = try last.performAndWait { context in
      let people = try ids.map { try #require(try context.existingObject(with: $0) as? Person) }
      switch pending {
      case .nothing: break
      case .value: people[0].age = 7
      case .link: people[0].parent = people[1]
      }
      return people[0]
    }
    store.tellOfOthers()
    for round in 1...3 {
      try stack.saveBeside(ids[0]) { $0.name = "theirs \(round)" }
      last.performAndWait { _ in
        #expect(ann.name == "theirs \(round)")
        #expect(ann.hasChanges == (pending != .nothing))
      }
      if round == 2 { store.tellOfOthers() }
    }
    for queue in chain.reversed() { try queue.performAndWait { try $0.save() } }
    try stack.newContext().performAndWait { context in
      let ann = try #require(try context.existingObject(with: ids[0]) as? Person)
      #expect(ann.name == "theirs 3")
      #expect(ann.age == (pending == .value ? 7 : 1))
      #expect(ann.parent?.name == (pending == .link ? "Bob" : nil))
    }
  }
}
