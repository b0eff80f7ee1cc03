// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// Random changes of all kinds of objects and links, from several contexts of one process.
struct RandomWork {
  private let stack: DataStack
  private let queues: [ContextQueue]
  private let author: String
  private var random: SplitMix

  init(_ store: URL, number: Int, seed: Int) throws {
    stack = try open(store)
    author = "process \(number)"
    queues = [author, author, author].map { [stack] in stack.newContext(name: $0) }
    random = SplitMix(state: UInt64(seed * 1_000 + number))
  }

  /// Prints the number of saves. Those that conflict, or whose object is gone, are given up.
  mutating func play(_ count: Int) throws {
    waitForWord()
    var saves = 0
    for _ in 0..<count {
      let queue = queues[Int.random(in: 0..<queues.count, using: &random)]
      let (seed, author) = (random.next(), author)
      saves += try queue.performAndWait { context in
        var dice = SplitMix(state: seed)
        context.transactionAuthor = author
        context.durability = dice.next() % 8 == 0 ? .immediate : .eventual
        do {
          for _ in 0..<Int.random(in: 1...4, using: &dice) { try Self.change(context, &dice) }
          // Each save inserts something that it does not delete again, so that each is a transaction.
          Bank.Account.create(in: context).number = Int(seed % 1_000)
          try context.save()
          return 1
        } catch {
          guard Self.isExpected(error) else { throw error }
          context.rollback()
          return 0
        }
      }
    }
    // What was accepted and not committed yet may still be lost to others; the store tells how much was.
    let lost = stack.root.commitReturningLosses(.immediate).lost.count
    try stack.store.close()
    say("saves \(saves)")
    say("lost \(lost)")
    say("done")
  }

  private static func isExpected(_ error: any Error) -> Bool {
    guard let error = error as? StoreError else { return error is ContextError }
    if case .conflict = error.code { return true }
    return false
  }

  private static func change(_ context: ManagedObjectContext, _ dice: inout SplitMix) throws {
    let notes = try Bank.Note.all(sortedBy: \.title, in: context)
    let folders = try Bank.Folder.all(sortedBy: \.name, in: context)
    let labels = try Bank.Label.all(sortedBy: \.name, in: context)
    let number = Int.random(in: 0...9_999, using: &dice)
    let note = notes.randomElement(using: &dice)
    switch Int.random(in: 0..<12, using: &dice) {
    case 0...2:
      let new = Bank.Note.create(in: context)
      (new.title, new.folder) = ("note \(number)", folders.randomElement(using: &dice))
    case 3: note?.title = "title \(number)"
    case 4: note?.body = number.isMultiple(of: 2) ? nil : "body \(number)"
    case 5: note?.folder = folders.randomElement(using: &dice)
    case 6: note?.folder = nil
    case 7:
      Bank.Folder.create(in: context).name = "folder \(number)"
      Bank.Label.create(in: context).name = "label \(number)"
    case 8: if let label = labels.randomElement(using: &dice) { note?.labels.insert(label) }
    case 9: if let label = note?.labels.first { note?.labels.remove(label) }
    case 10: if let note { context.delete(note) }
    default: try delete(folders, labels, number, context, &dice)
    }
  }

  private static func delete(
    _ folders: [Bank.Folder], _ labels: [Bank.Label], _ number: Int,
    _ context: ManagedObjectContext, _ dice: inout SplitMix
  ) throws {
    if number.isMultiple(of: 3), let folder = folders.randomElement(using: &dice) {
      context.delete(folder)
    } else if number.isMultiple(of: 4), let label = labels.randomElement(using: &dice) {
      context.delete(label)
    } else if let account = try Bank.Account.first(in: context) {
      context.delete(account)
    }
  }
}
