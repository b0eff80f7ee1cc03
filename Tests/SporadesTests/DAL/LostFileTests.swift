// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesStore
import Testing

/// A service whose file is removed, replaced or moved while the service is open.
struct LostFileTests {
  private let folder: TemporaryFolder
  private let url: URL
  private let service: RecordingService
  private let calls = Calls()

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("Members.sqlite")
    service = RecordingService.over(try Self.store(url))
    try service.writeSync(durability: .immediate, { Member.create(in: $0) }).get()
  }

  /// A store that looks at its file when it commits, and not when the system tells of a change. Which one comes first is a
  /// matter of time.
  private static func store(_ url: URL) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    options.noticesOtherProcesses = false
    return try SQLiteStore(url: url, model: .members, options: options)
  }

  private func code(_ error: DALError?) -> StoreError.Code? {
    switch error?.code {
    case .notDurable(let error), .store(let error): error.code
    default: nil
    }
  }

  private func remove() throws { try FileManager.default.removeItem(at: url) }

  @Test func anImmediateWriteIsNotAcknowledged() throws {
    try remove()
    let chain = service.writeSync(durability: .immediate) { Member.create(in: $0) }
    #expect(code(chain.failure) == .moved)
    #expect(chain.failure?.description.contains(url.path) == true)
    // The service refuses later writes before it runs them.
    let next = service.writeSync(durability: .eventual) { Member.create(in: $0) }
    #expect(code(next.failure) == .moved)
  }

  @Test func anEventualWriteIsReportedAsNotDurable() throws {
    try remove()
    try service.writeSync({ Member.create(in: $0) }, completion: calls.completion).get()
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["notDurable"])
    #expect(code(calls.all.first ?? nil) == .moved)
    #expect(service.errorsSoFar.first?.kind == "notDurable")
    #expect(!service.flush(within: .milliseconds(10)).isComplete)
    // Reads still work, so that the application can save its visible data elsewhere.
    #expect(service.memberCount == 2)
  }

  @Test func aServiceGoesOnWhenItsFileIsBack() throws {
    let away = folder.file("Away.sqlite")
    try FileManager.default.moveItem(at: url, to: away)
    #expect(
      code(service.writeSync(durability: .immediate) { Member.create(in: $0) }.failure) == .moved)
    try FileManager.default.moveItem(at: away, to: url)
    #expect(eventually { service.metrics.commits.rowsWaiting == 0 })
    try service.writeSync(durability: .immediate, { Member.create(in: $0) }).get()
    try service.close()
    #expect(RecordingService.at(url).memberCount == 3)
  }

  @Test func writesInAFileThatIsGoneAreLostWhenSomebodyClosesTheStore() throws {
    try service.close()
    let store = try Self.store(url)
    let service = RecordingService.over(store)
    // To reserve keys is a commit too.
    try service.writeSync(durability: .immediate, { Member.create(in: $0) }).get()
    try remove()
    let receipt = try #require(
      service.writeSync({ Member.create(in: $0) }, completion: calls.completion).receipt)
    #expect(calls.wait())
    #expect(code(calls.all.first ?? nil) == .moved)
    try store.close()
    guard case .lost(let write) = receipt.wait(within: .seconds(3_600)) else {
      Issue.record("Nobody finds the write again: \(receipt.state)")
      return
    }
    #expect(write.reason.code == .moved)
    #expect(write.objects.count == 1)
  }

  /// The service hears of the loss, refuses to write, and reads what it has.
  @Test(.timeLimit(.minutes(60))) func aServiceThatHearsOfTheLossRefusesToWrite() async throws {
    let other = folder.file("Other.sqlite")
    try RecordingService.at(other).close()
    let service = RecordingService.at(url)
    var changes = try service.remoteChanges.makeAsyncIterator()
    #expect(unsafe rename(other.path, url.path) == 0)
    #expect(await changes.next()?.failure?.code == .moved)
    let chain = service.writeSync(durability: .eventual) { Member.create(in: $0) }
    #expect(code(chain.failure) == .moved)
    #expect(service.memberCount == 1)
    // `try?`, because a service whose last commit is no longer synced says so.
    try? service.close()
    #expect(RecordingService.at(url).memberCount == 0)
  }

  /// As in a test that removes its folder before it closes the service.
  @Test func aServiceWhoseFolderIsGoneSaysSoWhenItCloses() throws {
    let inner = folder.file("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let service = RecordingService.over(
      try Self.store(inner.appendingPathComponent("Members.sqlite")))
    try service.writeSync(durability: .eventual) { Member.create(in: $0) }.get()
    #expect(eventually { service.metrics.commits.rowsWaiting == 0 })
    try FileManager.default.removeItem(at: inner)
    let error = #expect(throws: DALError.self) { try service.close() }
    #expect(
      error?.description.contains(
        "was removed, moved, replaced or emptied while the store was open")
        == true, "\(error?.description ?? "")")
  }

  @Test func anIdleServiceClosesThoughItsFileIsGone() throws {
    try remove()
    try service.close()
  }

  // MARK: - Another file at the path

  /// Somebody removes the database and leaves the log, and opens a new store there in the same process.
  @Test func aNewStoreAtThePathIsNotDamaged() async throws {
    let former = service
    try remove()
    let writer = Task.detached {
      for _ in 0..<200 { former.writeSync(durability: .immediate) { Member.create(in: $0) } }
    }
    let new = RecordingService.over(try Self.store(url))
    for _ in 0..<50 {
      try new.writeSync(durability: .immediate, { Member.create(in: $0) }).get()
    }
    #expect(new.memberCount == 50)
    await writer.value
    try new.close()
    #expect(former.writeSync(durability: .immediate) { Member.create(in: $0) }.failure != nil)
    let again = try Self.store(url)
    #expect(try again.integrityProblems() == [])
    let reopened = RecordingService.over(again)
    #expect(reopened.memberCount == 50)
    try reopened.close()
  }

  @Test func aNewStoreWaitsForWhoReadsFromTheFormerLog() throws {
    let stack = try DataStack(store: Self.store(url), classes: [Member.self])
    let reading = stack.newContext()
    try reading.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      #expect(try Member.count(in: context) == 1)
    }
    try remove()
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 1
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: url, model: .members, options: options)
    }
    #expect(
      "\(error as Any)".contains("Close that service before its file is removed"), "\(error as Any)"
    )
    try reading.performAndWait { try $0.setQueryGeneration(from: nil) }
    try SQLiteStore(url: url, model: .members, options: options).close()
  }
}
