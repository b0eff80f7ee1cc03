// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Errors that name what went wrong: the object, its property, or what others did.
@Suite struct LeadingErrorTests {
  @Entity final class Guest: ManagedObject {
    var name: String = ""
    var nick: String?
    var age: Int = 0
    var born: Date?
    var isActive: Bool = true
    var room: Room?
    var title: String { name + "!" }
    var half: Double { Double(age) / 2 }
  }
  @Entity final class Room: ManagedObject {
    var number: Int = 0
    var guests: Set<Guest>
  }

  private func sentences(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  // MARK: - Conflicts

  /// Two contexts have a guest; the second one changes it or deletes it, and saves.
  private func meet(
    deleting: Bool, _ goOn: (ManagedObjectContext, Guest, StoreError) throws -> Void
  ) throws -> DataStack {
    let stack = try DataStack(inMemory: [Guest.self, Room.self])
    let (first, second) = (stack.newContext(), stack.newContext())
    try first.performAndWait { context in
      Guest.create(in: context).name = "Ann"
      try context.save()
    }
    try first.performAndWait { context in
      let guest = try #require(try Guest.first(in: context))
      guest.age = 40
      try second.performAndWait { other in
        let guest = try #require(try Guest.first(in: other))
        if deleting { other.delete(guest) } else { guest.name = "Bea" }
        try other.save()
      }
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      try goOn(context, guest, error)
    }
    return stack
  }

  private func guests(_ stack: DataStack) throws -> [String] {
    try stack.newContext().performAndWait { try Guest.all(in: $0).map { "\($0.name) \($0.age)" } }
  }

  @Test func aDeletionByOthersIsNamedAndEndsWithARollback() throws {
    let stack = try meet(deleting: true) { context, _, error in
      #expect(error.detail.hasPrefix("Others deleted Guest/p1 since this context read them."))
      #expect(!error.detail.contains("other versions") && !error.detail.contains("Otherwise"))
      context.rollback()
      #expect(try Guest.all(in: context).isEmpty)
      try context.save()
    }
    #expect(try guests(stack) == [])
  }

  @Test func aDeletionByOthersEndsWithAPolicyThatInsertsAgain() throws {
    let stack = try meet(deleting: true) { context, _, _ in
      context.mergePolicy = .objectTrump
      try context.save()
    }
    #expect(try guests(stack) == ["Ann 40"])
  }

  /// To read the row again brings nothing back, and drops no change in silence.
  @Test func aRefreshOfADeletedObjectKeepsTheConflict() throws {
    _ = try meet(deleting: true) { context, guest, _ in
      context.refresh(guest, mergeChanges: true)
      let error = #expect(throws: (any Error).self) { try context.save() }
      #expect("\(error as Any)".contains("Guest/p1"), "\(error as Any)")
    }
  }

  /// As Core Data's contexts that merge by themselves, and the error says so.
  @Test func aConflictThatNobodyEndsPutsTheChangesOnTop() throws {
    let stack = try DataStack(inMemory: [Guest.self, Room.self])
    let (first, second) = (stack.newContext(), stack.newContext())
    for merges in [true, false] {
      try first.performAndWait { context in
        context.rollback()
        for guest in try Guest.all(in: context) { context.delete(guest) }
        Guest.create(in: context).name = "Ann"
        try context.save()
        context.automaticallyMergesChangesFromParent = merges
      }
      try first.performAndWait { context in
        try #require(try Guest.first(in: context)).age = 40
        try second.performAndWait { other in
          try #require(try Guest.first(in: other)).age = 30
          try other.save()
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
          error?.detail.contains("save() writes over theirs") == merges, "\(error?.detail ?? "")")
      }
      let saved = Result { try first.performAndWait { try $0.save() } }
      #expect((try? saved.get()) != nil || !merges)
      #expect(try guests(stack) == [merges ? "Ann 40" : "Ann 30"])
    }
  }

  // MARK: - Questions

  @Test func aComputedPropertyIsToldFromTheStoredOnes() throws {
    let stack = try DataStack(inMemory: [Guest.self, Room.self])
    func refusal(_ predicate: Predicate<Guest>) throws -> String {
      stack.newContext().performAndWait { context in
        let error = #expect(throws: FetchPredicateError.self) {
          try Guest.all(where: predicate, in: context)
        }
        return "\(error as Any)"
      }
    }
    let title = try refusal(#Predicate { $0.name == "a" && $0.title == "b" })
    #expect(title.contains("Of this type Guest keeps name."), "\(title)")
    let half = try refusal(#Predicate { $0.half > 1.5 })
    #expect(half.contains("Guest keeps no property of this type."), "\(half)")
  }

  @Test(arguments: [
    ("guests.name", "Write guests.@min.name for the first of them, or @max for the last."),
    ("guests.born", "Write guests.@min.born for the first of them, or @max for the last."),
    ("guests.isActive", "Write guests.@min.isActive for the first of them, or @max for the last."),
    (
      "guests.age",
      "Write guests.@min.age for the first of them, or @max for the last, or @sum or @avg."
    ),
  ])
  func anOrderByManyValuesOffersWhatFitsThem(key: String, sentence: String) throws {
    let stack = try DataStack(inMemory: [Guest.self, Room.self])
    stack.newContext().performAndWait { context in
      let error = #expect(throws: FetchPredicateError.self) {
        try context.fetch(FetchRequest("Room", sortedBy: [SortTerm(key)]))
      }
      #expect("\(error as Any)".contains(sentence), "\(error as Any)")
    }
  }

  // MARK: - Off the queue

  @Test(arguments: ["read", "set", "key", "link", "members"])
  func anObjectOffItsQueueIsNamed(use: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [use] in
      let stack = try DataStack(inMemory: [Guest.self, Room.self])
      let queue = stack.newContext()
      let (guest, room) = try queue.performAndWait { context in
        let objects = (Guest.create(in: context), Room.create(in: context))
        try context.save()
        return objects
      }
      switch use {
      case "read": print(guest.name)
      case "set": guest.name = "a"
      case "key": guest.setValue("a", forKey: "name")
      case "link": guest.room = nil
      default: room.guests = []
      }
    }
    let text = sentences(result)
    let name = ["link": "Guest/p1.room", "members": "Room/p1.guests"][use] ?? "Guest/p1.name"
    #expect(
      text.contains("\(name) was used outside of the block of its context. In another"), "\(text)")
  }

  @Test func anObjectOffItsThreadIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = threadContext(of: try DataStack(inMemory: [Guest.self, Room.self]))
      nonisolated(unsafe) let guest = Guest.create(in: context)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        print(unsafe guest.name)
        done.signal()
      }
      wait(for: done)
      withExtendedLifetime(context) {}
    }
    #expect(
      sentences(result).contains(".name was used on another thread than the one that holds"),
      "\(sentences(result))")
  }

  // MARK: - The end

  @Test(arguments: ["queue", "thread"])
  func aContextThatLivesToTheEndTellsOfItsChanges(kind: String) async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [kind] in
      let stack = try DataStack(inMemory: [Guest.self, Room.self])
      let queue = stack.newContext(name: "edits")
      let held = kind == "thread" ? threadContext(of: stack) : nil
      if let held {
        Guest.create(in: held)
      } else {
        queue.performAndWait { _ = Guest.create(in: $0) }
      }
      withExtendedLifetime((stack, queue, held)) { exit(0) }
    }
    let lines = sentences(result).split(separator: "\n").filter { $0.hasPrefix("Sporades: ") }
    #expect(lines.count == 1)
    #expect(
      lines.first?.contains(
        "with objects of Guest has unsaved changes while the process exits, which are lost")
        == true,
      "\(lines)")
  }

  @Test func contextsWithoutChangesSayNothingAtTheEnd() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Guest.self, Room.self])
      let queues = (0..<40).map { _ in stack.newContext() }
      for queue in queues {
        try queue.performAndWait { context in
          Guest.create(in: context)
          try context.save()
        }
      }
      withExtendedLifetime((stack, queues)) { exit(0) }
    }
    #expect(!sentences(result).contains("Sporades: "), "\(sentences(result))")
  }
}

private func threadContext(of stack: DataStack) -> ManagedObjectContext { stack.newThreadContext() }

private func wait(for done: DispatchSemaphore) { done.wait() }
