// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import Testing

@Suite struct HistoryDeletionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func saves(_ count: Int, _ kind: HistoryStoreKind) throws -> DataStack {
    let stack = try kind.stack(folder)
    for number in 1...count {
      try stack.save(by: "author \(number)") { LoggedNote.create(in: $0).key = number }
    }
    return stack
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func whatIsBeforeATransactionGoes(kind: HistoryStoreKind) throws {
    let stack = try saves(5, kind)
    let all = try stack.history()
    #expect(try stack.answer(.deleteHistory(before: all[2])).count == 2)
    #expect(try stack.history().map(\.transactionNumber) == [3, 4, 5])
    #expect(try stack.answer(.deleteHistory(before: all[2].token)).count == 0)
    #expect(try stack.history(after: all[1].token).count == 3)
    #expect(try stack.newContext().performAndWait { try LoggedNote.all(in: $0).count } == 5)
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func whatIsBeforeADateGoes(kind: HistoryStoreKind) throws {
    let stack = try saves(4, kind)
    let all = try stack.history()
    #expect(try stack.answer(.deleteHistory(before: Date.distantPast)).count == 0)
    let answer = try stack.answer(.deleteHistory(before: all[2].timestamp))
    #expect(answer.count == 2)
    #expect(answer.status)
    #expect(try stack.answer(.deleteHistory(before: Date.distantFuture)).count == 2)
    #expect(try stack.history().isEmpty)
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func aTokenOfDeletedHistoryIsExpired(kind: HistoryStoreKind) throws {
    let stack = try saves(5, kind)
    let all = try stack.history()
    try stack.answer(.deleteHistory(before: all[3]))
    let error = #expect(throws: StoreError.self) { try stack.history(after: all[1].token) }
    #expect(error?.code == .historyExpired)
    #expect(try stack.history(after: all[2].token).map(\.transactionNumber) == [4, 5])
    #expect(try stack.history().map(\.transactionNumber) == [4, 5])
  }

  /// A history that was deleted to its end goes on with the next number.
  @Test(arguments: HistoryStoreKind.allCases)
  func anEmptyHistoryKnowsItsLastNumber(kind: HistoryStoreKind) throws {
    let stack = try saves(3, kind)
    let all = try stack.history()
    try stack.answer(.deleteHistory(before: Date.distantFuture))
    let token = try #require(try stack.currentPersistentHistoryToken())
    #expect(token[all[0].storeID] == 3)
    #expect(try stack.history(after: token).isEmpty)
    let error = #expect(throws: StoreError.self) { try stack.history(after: all[0].token) }
    #expect(error?.code == .historyExpired)
    try stack.save { _ = LoggedNote.create(in: $0) }
    #expect(try stack.history(after: token).map(\.transactionNumber) == [4])
  }

  @Test(arguments: HistoryStoreKind.allCases)
  func aTokenOfALaterFileIsExpired(kind: HistoryStoreKind) throws {
    let stack = try saves(2, kind)
    var token = try #require(try stack.history().last).token
    for store in token.numbers.keys { token[store] = 99 }
    let error = #expect(throws: StoreError.self) { try stack.history(after: token) }
    #expect(error?.code == .historyExpired)
    #expect(error?.detail.contains("older copy") == true)
  }

  /// Names of contexts and authors go with the last transaction that has them.
  @Test func unusedTextsGo() throws {
    let stack = try saves(4, .file)
    let all = try stack.history()
    try stack.answer(.deleteHistory(before: all[3]))
    try stack.save(by: "author 1") { _ = LoggedNote.create(in: $0) }
    try stack.store.close()
    let rows = try PlainSQL.rows(
      folder.file("log.sqlite"), "SELECT ZNAME FROM ATRANSACTIONSTRING WHERE ZNAME LIKE 'author%'")
    #expect(rows.sorted() == ["author 1", "author 4"])
    #expect(
      try PlainSQL.rows(folder.file("log.sqlite"), "SELECT COUNT(*) || '' FROM ACHANGE") == ["2"])
  }
}
