// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesHistory
import SporadesModel
import Testing

/// A batch is a transaction of the history, as a save is.
@Suite struct BatchHistoryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Carries out a batch by an author, and commits it.
  private func run(
    _ stack: DataStack, _ body: @Sendable (ManagedObjectContext) throws -> Void
  ) throws {
    try stack.newContext().performAndWait { context in
      context.transactionAuthor = "batch"
      try body(context)
    }
    #expect(stack.root.commit(.eventual) == nil)
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func eachBatchIsATransaction(kind: HistoryStoreKind) throws {
    let stack = try kind.stack(folder)
    try run(stack) { context throws in
      let batch = BatchInsertRequest(LoggedNote.self, from: 1...3) { $0.key = $1 }
      #expect(try context.execute(batch).count == 3)
    }
    try run(stack) { context throws in
      let batch = LoggedNote.where(\.key > 1).update(\.body, to: "long")
      #expect(try context.execute(batch).count == 2)
    }
    try run(stack) { context throws in
      #expect(try context.execute(LoggedNote.where(\.key == 3).delete()).count == 1)
    }
    let transactions = try stack.history()
    #expect(transactions.map(\.author) == ["batch", "batch", "batch"])
    let insert = "insert LoggedNote"
    let update = "update body LoggedNote"
    #expect(
      try stack.lines() == [insert, insert, insert, update, update, "delete LoggedNote"])
    let gone = transactions.last?.changes?.first
    #expect(gone?.tombstone?["key"] == .integer(3))
  }

  @Test func aRefusedBatchIsNoTransaction() throws {
    let stack = try HistoryStoreKind.file.stack(folder)
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try run(stack) { context throws in
        _ = try context.execute(
          BatchInsertRequest(LoggedNote.self, from: 1...3) { note, number in
            note.key = number
            if number == 3 { throw Enough() }
          })
      }
    }
    #expect(try stack.history().isEmpty)
    #expect(
      try PlainSQL.rows(folder.file("log.sqlite"), "SELECT COUNT(*) FROM ATRANSACTION") == ["0"])
  }
}
