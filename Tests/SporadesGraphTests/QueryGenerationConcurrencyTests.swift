// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Pinned contexts while others write.
@Suite struct QueryGenerationConcurrencyTests {
  /// Two accounts of which money goes from one to the other: whoever sees one state sees the sum.
  @Test(arguments: KeepingKind.allCases)
  func aStateStandsStillWhileOthersWrite(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.people(in: folder)
    try stack.save { context in
      Person.make("from", age: 1000, in: context)
      Person.make("to", age: 0, in: context)
    }
    let isWriting = Guarded(true)
    inParallel(4) { number in
      do {
        if number == 0 {
          defer { isWriting.withLock { $0 = false } }
          for round in 0..<60 { try move(in: stack, round) }
          return
        }
        let pinned = stack.newContext()
        repeat { try read(pinned) } while isWriting.withLock { $0 }
        try read(pinned)
      } catch {
        Issue.record("\(number): \(error)")
      }
    }
    try stack.newContext().performAndWait { context throws in
      #expect(try Person.first(where: \.name == "to", in: context)?.age == 60)
    }
  }

  private func move(in stack: DataStack, _ round: Int) throws {
    try stack.save { context in
      let from = try Person.named("from", in: context)
      let to = try Person.named("to", in: context)
      from.age -= 1
      to.age += 1
      let note = Note.create(in: context)
      note.text = "\(round)"
      if let former = try Note.first(where: \.text == "\(round - 1)", in: context) {
        context.delete(former)
      }
    }
  }

  /// One block chooses a state, and the next still reads it.
  private func read(_ queue: ContextQueue) throws {
    let note = try queue.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      return try Note.first(where: \.text != "", in: context)?.text
    }
    for _ in 0..<3 {
      try queue.performAndWait { context in
        let people = try Person.all(in: context)
        #expect(people.reduce(0) { $0 + $1.age } == 1000)
        #expect(try Person.sum(\.age, in: context) == 1000)
        #expect(try Note.all(in: context).map(\.text) == [note].compactMap(\.self))
        context.refreshAllObjects()
      }
    }
  }

  /// Contexts pinned to one token before anybody has read agree on what they see.
  @Test(arguments: KeepingKind.allCases)
  func contextsOfOneTokenSeeTheSame(of kind: KeepingKind) throws {
    let folder = try TemporaryFolder()
    let stack = try kind.people(in: folder)
    try stack.save { context in _ = Person.make("from", age: 1000, in: context) }
    let counts = Guarded<[Int: Set<Int>]>([:])
    for round in 0..<10 {
      let token = try stack.newContext().performAndWait { context in
        try context.setQueryGeneration(from: .current)
        return context.queryGenerationToken
      }
      inParallel(4) { number in
        do {
          guard number > 0 else { return try stack.save { Person.make("new", in: $0) } }
          let count = try stack.newContext().performAndWait { context in
            try context.setQueryGeneration(from: token)
            return try Person.count(in: context)
          }
          counts.withLock { _ = $0[round, default: []].insert(count) }
        } catch {
          Issue.record("\(number): \(error)")
        }
      }
    }
    #expect(counts.withLock { $0.values.allSatisfy { $0.count == 1 } })
  }
}
