// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Notifications while contexts save side by side.
@Suite struct NotificationConcurrencyTests {
  @Test(arguments: StoreKind.allCases)
  func everyConsumerHearsAllSavesInOneOrder(in kind: StoreKind) async throws {
    let stack = try kind.people()
    let (writers, saves) = (4, 25)
    let heard = try await withThrowingTaskGroup(of: [Set<ManagedObjectID>].self) { group in
      for _ in 0..<3 {
        let changes = stack.changes
        group.addTask {
          var all: [Set<ManagedObjectID>] = []
          for await save in changes {
            all.append(save.insertedObjectIDs)
            if all.count == writers * saves { break }
          }
          return all
        }
      }
      for writer in 0..<writers {
        let queue = stack.newContext()
        group.addTask {
          for number in 0..<saves {
            try await queue.perform { context in
              Note.create(in: context).text = "\(writer) \(number)"
              try context.save()
            }
          }
          return []
        }
      }
      var heard: [[Set<ManagedObjectID>]] = []
      for try await all in group where !all.isEmpty { heard.append(all) }
      return heard
    }
    try #require(heard.count == 3)
    #expect(heard.allSatisfy { $0 == heard[0] })
    #expect(Set(heard[0]).count == writers * saves)
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsMergedIsShownWhileOthersSave(in kind: StoreKind) async throws {
    let stack = try kind.people()
    let id = try await stack.newContext().perform { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      return ann.objectID
    }
    try await stack.main.perform { context in _ = try context.existingObject(with: id) }
    let news = stack.main.notifications
    let writer = stack.newContext()
    let writing = Task {
      for age in 1...50 {
        try await writer.perform { context in
          (try context.existingObject(with: id) as? Person)?.age = age
          try context.save()
        }
      }
    }
    var last = 0
    for await notification in news where notification.name == .didMergeChanges {
      let age = try await stack.main.perform { context in
        (try context.existingObject(with: id) as? Person)?.age ?? 0
      }
      #expect(age >= last)
      last = age
      if age == 50 { break }
    }
    try await writing.value
  }

  @Test(arguments: StoreKind.allCases)
  func conflictingWritersAllGetThrough(in kind: StoreKind) async throws {
    let stack = try kind.people()
    let id = try await stack.newContext().perform { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      return ann.objectID
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        let queue = stack.newContext()
        group.addTask {
          for number in 0..<20 {
            try await queue.perform { context in
              context.mergePolicy = .objectTrump
              let ann = try #require(try context.existingObject(with: id) as? Person)
              ann.age = writer * 100 + number
              Dog.create(in: context).owner = ann
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let dogs = try await stack.newContext().perform { context in
      (try context.existingObject(with: id) as? Person)?.dogs.count
    }
    #expect(dogs == 80)
  }

  @Test func aConsumerThatIsCancelledEnds() async throws {
    let stack = try StoreKind.memory.people()
    let changes = stack.changes
    let consumer = Task {
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    try await stack.newContext().perform { context in
      Note.create(in: context).text = "x"
      try context.save()
    }
    consumer.cancel()
    #expect(await consumer.value <= 1)
  }
}
