// SPDX-License-Identifier: MIT
import Dispatch
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Many who change the members of one owner at once are in no conflict, and its sums are right.
@Suite struct DerivedConcurrencyTests {
  private static let threads = 6
  private static let rounds = 8

  @Test(arguments: StoreKind.allCases)
  func countsAndCopiesAreRightInTheEnd(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      Person.make("Ann", in: context)
      try context.save()
    }
    let problems = Guarded<[String]>([])
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      let queue = stack.newContext()
      for round in 1...Self.rounds {
        do {
          try queue.performAndWait { context in
            let ann = try #require(try Person.first(in: context))
            if thread == 0 { ann.name = "Ann \(round)" } else { dog(round, of: ann, context) }
            try context.save()
          }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(problems.withLock(\.self) == [])
    let dogs = (Self.threads - 1) * Self.rounds
    try stack.newContext().performAndWait { context in
      let ann = try #require(try Person.first(in: context))
      #expect(ann.dogs.count == dogs)
      #expect(ann.dogCount == dogs)
      #expect(ann.dogWeight == (Self.threads - 1) * (1...Self.rounds).reduce(0, +))
      #expect(ann.name == "Ann \(Self.rounds)")
      #expect(ann.dogs.allSatisfy { $0.ownerName == ann.name })
    }
  }

  private func dog(_ weight: Int, of owner: Person, _ context: ManagedObjectContext) {
    let dog = Dog.create(in: context)
    dog.weight = weight
    dog.owner = owner
  }
}
