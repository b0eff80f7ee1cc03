// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// Saves that all processes want to make to the same object. Each adds one to a balance, and inserts a note.
struct Counting {
  private let stack: DataStack
  private let queue: ContextQueue
  private let number: Int

  init(_ store: URL, number: Int) throws {
    stack = try open(store)
    queue = stack.newContext(name: "process \(number)")
    self.number = number
  }

  /// Prints the ids of the new notes, the numbers of conflicts and refusals, and how many notes there were at the end.
  func play(share: Int) throws {
    waitForWord()
    var (conflicts, refusals) = (0, 0)
    var ids: [String] = []
    while ids.count < share {
      do {
        ids.append(try add(ids.count))
      } catch let error as StoreError where error.code == .busy {
        refusals += 1
      } catch let error as StoreError {
        guard case .conflict = error.code else { throw error }
        conflicts += 1
      }
      queue.performAndWait { $0.rollback() }
    }
    let total = try queue.performAndWait { try Bank.Note.count(in: $0) }
    say("ids \(ids.joined(separator: " "))")
    say("conflicts \(conflicts)")
    say("refusals \(refusals)")
    say("notes \(total)")
    try stack.store.close()
    say("done")
  }

  private func add(_ count: Int) throws -> String {
    try queue.performAndWait { context in
      context.transactionAuthor = context.name
      context.durability = .immediate
      guard let shared = try Bank.Account.first(where: \.number == 1, in: context) else {
        throw NoAccount()
      }
      shared.balance += 1
      let note = Bank.Note.create(in: context)
      note.title = "\(number).\(count)"
      try context.save()
      return note.objectID.uriRepresentation().absoluteString
    }
  }

  struct NoAccount: Error {}
}
