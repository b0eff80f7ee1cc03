// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesCare
import SporadesHistory
import SporadesTesting
import Testing

/// Several processes on one file. No clock decides a result: a process fails by itself if it can not write within the
/// store's deadline. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SeveralProcessesTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let kills = environment["SPORADES_PROCESS_KILLS"].flatMap { Int($0) } ?? 12

  private func value(_ name: String, in lines: [String]) -> [Substring] {
    let line = lines.first { $0.hasPrefix("\(name) ") }
    return line.map { Array($0.split(separator: " ").dropFirst()) } ?? []
  }

  @Test(arguments: [2, 8]) func noUpdateIsLostAndNoKeyIsGivenTwice(_ count: Int) async throws {
    let file = try BankFile()
    let share = 200 / count
    let probes = try (0..<count).map {
      try ProbeProcess("count", file.store, "\($0)", "\(share)")
    }
    for probe in probes { #expect(await probe.line() == "ready") }
    for probe in probes { probe.word() }
    var (ids, totals): ([Substring], [Int]) = ([], [])
    for probe in probes {
      let lines = await probe.rest()
      #expect(lines.last == "done", "\(lines)")
      #expect(value("refusals", in: lines) == ["0"])
      ids += value("ids", in: lines)
      totals += value("notes", in: lines).compactMap { Int($0) }
    }
    #expect(ids.count == share * count)
    #expect(Set(ids).count == ids.count)
    // When the first one was ready, the others had got their turns, too.
    #expect(try #require(totals.min()) > share)
    let stack = try file.open()
    #expect(try stack.balances()[0] == BankFile.sum / 10 + share * count)
    #expect(try stack.history().count { $0.author != nil } == share * count)
    #expect(try stack.store.integrityProblems() == [])
    for id in ids {
      let id = try #require(URL(string: String(id)))
      #expect(stack.managedObjectID(forURIRepresentation: id) != nil)
    }
    try stack.store.close()
  }

  @Test func aDeadlineEndsAWaitWithAnErrorAfterWhichTheSaveCanBeTriedAgain() async throws {
    let file = try BankFile()
    let probe = try ProbeProcess("once", file.store, "100")
    #expect(await probe.line() == "ready")
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(file.store.path, &database) == SQLITE_OK)
    #expect(unsafe sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    probe.word()
    #expect(await probe.line() == "refused busy retryable true")
    #expect(unsafe sqlite3_exec(database, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    #expect(unsafe sqlite3_close(database) == SQLITE_OK)
    await probe.go()
    #expect(await probe.rest() == ["ok", "done"])
    let stack = try file.open()
    #expect(try stack.newContext().performAndWait { try Bank.Note.count(in: $0) } == 1)
    try stack.store.close()
  }

  @Test func aLongReaderStarvesNobody() async throws {
    let file = try BankFile()
    let reader = try ProbeProcess("read", file.store)
    let before = try #require(await reader.line())
    let writers = try (1...2).map { try ProbeProcess("transfer", file.store, "\($0)") }
    for writer in writers { await writer.go() }
    for writer in writers { await writer.expect("ok", times: 100) }
    await reader.go()
    #expect(await reader.line() == before.replacing("before", with: "after"))
    #expect(await reader.rest() == ["done"])
    for writer in writers { await writer.expect("ok", times: 20) }
    for writer in writers { _ = await writer.stop(counting: "ok") }
    let stack = try file.open()
    let after = try stack.balances()
    #expect(after.reduce(0, +) == BankFile.sum)
    #expect(!before.hasSuffix("\(after)"))
    try stack.store.close()
    // Nobody keeps the log any more.
    #expect(!FileManager.default.fileExists(atPath: file.store.path + "-wal"))
  }

  /// Processes die between two saves, in a save, and while they open the file.
  @Test func aProcessThatDiesHoldsUpNoOther() async throws {
    let file = try BankFile()
    var generator = SeededGenerator(seed: 7)
    let steady = try (1...2).map { try ProbeProcess("transfer", file.store, "\($0)") }
    for probe in steady { await probe.go() }
    var promised = 0
    for round in 0..<Self.kills {
      let victim = try ProbeProcess("transfer", file.store, "\(100 + round)")
      if round.isMultiple(of: 3) {
        spin(microseconds: Int.random(in: 0..<40_000, using: &generator))
      } else {
        let count = Int.random(in: 1...20, using: &generator)
        await victim.go()
        await victim.expect("ok", times: count)
        promised += count
        spin(microseconds: Int.random(in: 0..<2_000, using: &generator))
      }
      victim.kill()
      promised += await victim.rest().count { $0 == "ok" }
      for probe in steady { await probe.expect("ok", times: 3) }
      promised += 3 * steady.count
    }
    for probe in steady { promised += await probe.stop(counting: "ok") }
    let stack = try file.open()
    #expect(try stack.balances().reduce(0, +) == BankFile.sum)
    #expect(try stack.store.integrityProblems() == [])
    // The first transaction made the accounts. A process may die before it tells of its last save.
    let saves = try stack.history().count - 1
    #expect(promised...(promised + Self.kills) ~= saves)
    try stack.store.close()
  }

  @Test func copiesShowOneStateWhileOthersWrite() async throws {
    let file = try BankFile()
    let writers = try (1...2).map { try ProbeProcess("transfer", file.store, "\($0)") }
    let copier = try ProbeProcess("copy", file.store, "10", file.folder.path)
    for probe in writers + [copier] { await probe.go() }
    let copies = await copier.rest()
    #expect(copies.dropLast() == Array(repeating: "copy \(BankFile.sum) 0", count: 10)[...])
    #expect(copies.last == "done")
    for writer in writers { #expect(await writer.stop(counting: "ok") > 0) }
  }

  @Test func aMigrationBesideWritersSendsThemToTheNewVersion() async throws {
    let file = try BankFile()
    let writers = try (1...3).map { try ProbeProcess("transfer", file.store, "\($0)") }
    for writer in writers { await writer.go() }
    for writer in writers { await writer.expect("ok", times: 5) }
    let migration = try ProbeProcess("migrate", file.store)
    await migration.go()
    #expect(await migration.rest() == ["migrated", "done"])
    for writer in writers {
      var line = await writer.line()
      while line == "ok" { line = await writer.line() }
      #expect(line == "reopened")
      await writer.expect("ok", times: 5)
    }
    for writer in writers { _ = await writer.stop(counting: "ok") }
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(file.store.path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    var statement: OpaquePointer?
    let sql = "SELECT SUM(ZBALANCE), COUNT(ZBALANCE), COUNT(ZOWNER) FROM ZACCOUNT"
    try #require(unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    defer { unsafe sqlite3_finalize(statement) }
    #expect(unsafe sqlite3_step(statement) == SQLITE_ROW)
    let columns = (0..<3).map { unsafe Int(sqlite3_column_int64(statement, $0)) }
    #expect(columns == [BankFile.sum, 10, 0])
  }

  @Test func whatOthersHaveOpenIsNotRemoved() async throws {
    let file = try BankFile()
    let writer = try ProbeProcess("transfer", file.store, "1")
    await writer.go()
    await writer.expect("ok", times: 3)
    let removal = try ProbeProcess("destroy", file.store)
    await removal.go()
    #expect(await removal.rest() == ["failed busy retryable true"])
    await writer.expect("ok", times: 3)
    _ = await writer.stop(counting: "ok")
    let second = try ProbeProcess("destroy", file.store)
    await second.go()
    #expect(await second.rest() == ["done"])
    #expect(!FileManager.default.fileExists(atPath: file.store.path))
  }
}
