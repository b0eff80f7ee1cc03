// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesHistory
import Testing

/// A file is removed, moved, replaced or emptied while four processes have it open. Each is told, nothing gets into the file
/// that lies there now, and all go on with that one when they have opened it. Do not run under Thread Sanitizer; see
/// `ProcessLifecycleTests`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LostPlacesTests {
  enum Loss: String, CaseIterable {
    case removed, moved, replaced, emptied

    func happen(to store: URL, _ other: URL) throws {
      switch self {
      case .removed: try FileManager.default.removeItem(at: store)
      case .moved:
        let away = store.deletingLastPathComponent().appendingPathComponent("Away.sqlite")
        try FileManager.default.moveItem(at: store, to: away)
      case .replaced: try #require(unsafe rename(other.path, store.path) == 0)
      case .emptied: try #require(unsafe truncate(store.path, 0) == 0)
      }
    }
  }

  private struct Probes {
    let writer: ProbeProcess
    let reader: ProbeProcess
    let observer: ProbeProcess
    let follower: ProbeProcess
    var all: [ProbeProcess] { [writer, reader, observer, follower] }

    /// A writer waits before a file is emptied: a checkpoint that is under way then makes a damaged file of it, which is a
    /// loss of another name.
    init(_ store: URL, _ loss: Loss) throws {
      writer = try ProbeProcess("survive", store, loss == .emptied ? "step" : "write")
      reader = try ProbeProcess("survive", store, "read")
      observer = try ProbeProcess("survive", store, "hear")
      follower = try ProbeProcess("survive", store, "follow")
    }
  }

  @Test(arguments: Loss.allCases)
  func everyProcessIsToldAndGoesOnWithTheFileThatIsThere(_ loss: Loss) async throws {
    let (file, other) = (try BankFile(), try BankFile())
    let probes = try Probes(file.store, loss)
    for probe in probes.all { #expect(await probe.line() == "ready") }
    for probe in [probes.reader, probes.observer, probes.follower] { probe.word() }
    #expect(await probes.reader.line() == "read 0")
    probes.writer.word()
    await probes.writer.expect("ok", times: 5)
    await probes.observer.expect("commit", times: 1)
    await probes.follower.expect("transaction", times: 3)

    try loss.happen(to: file.store, other.store)
    if loss == .emptied { probes.writer.word() }
    for (probe, line) in [
      (probes.writer, "ok"), (probes.observer, "commit"), (probes.follower, "transaction"),
    ] {
      let told = await probe.line(after: line)
      #expect(told == "lost moved")
    }
    try await expectOldNotes(probes.reader, loss)
    try await expectNothing(in: file, loss)

    for probe in probes.all {
      await probe.word(after: "closed")
    }
    try await expectNothing(in: file, loss)
    if loss == .moved { try expectSaves(in: file) }
    for probe in probes.all { await probe.word(after: "ready") }
    for probe in [probes.writer, probes.observer, probes.follower] { probe.word() }
    for (probe, line) in [
      (probes.writer, "ok"), (probes.observer, "commit"), (probes.follower, "transaction"),
    ] {
      let rest = await probe.rest().filter { !$0.hasPrefix("Sporades: ") }
      #expect(rest == [line, "done"])
    }
    probes.reader.word()
    let rest = await probes.reader.rest()
    #expect(rest == ["read 1", "done"])
    let stack = try file.open()
    #expect(try stack.newContext().performAndWait { try Bank.Note.count(in: $0) } == 1)
    #expect(try stack.store.integrityProblems() == [])
    try stack.store.close()
  }

  /// A process that only reads goes on with the file that it has opened, and is told when it writes. Of an emptied file it
  /// reads what the log still has.
  private func expectOldNotes(_ reader: ProbeProcess, _ loss: Loss) async throws {
    reader.word()
    let line = try #require(await reader.line())
    if loss == .emptied, line == "lost moved" { return }
    #expect(line.hasPrefix("read ") && line != "read 0", "\(line)")
    reader.word("write")
    let told = await reader.line()
    #expect(told == "lost moved")
  }

  /// What lies at the path has nothing of these processes.
  private func expectNothing(in file: BankFile, _ loss: Loss) async throws {
    switch loss {
    case .removed, .moved: #expect(!FileManager.default.fileExists(atPath: file.store.path))
    case .emptied:
      let size = try FileManager.default.attributesOfItem(atPath: file.store.path)[.size]
      #expect(size as? Int == 0)
    case .replaced:
      // The processes take the log of the former file away once none of them reads from it.
      while FileManager.default.fileExists(atPath: file.store.path + "-wal") {
        await Task.yield()
        try Task.checkCancellation()
      }
      let stack = try file.open()
      #expect(try stack.balances() == Array(repeating: BankFile.sum / 10, count: 10))
      #expect(try stack.newContext().performAndWait { try Bank.Note.count(in: $0) } == 0)
      #expect(try stack.history().count == 1)
      #expect(try stack.store.integrityProblems() == [])
      try stack.store.close()
    }
  }

  /// The file that was moved has every save that was promised.
  private func expectSaves(in file: BankFile) throws {
    let away = file.folder.appendingPathComponent("Away.sqlite")
    let stack = try DataStack(sqlite: away, entities: Bank.classes)
    #expect(try stack.newContext().performAndWait { try Bank.Note.count(in: $0) } >= 5)
    #expect(try stack.store.integrityProblems() == [])
    try stack.store.close()
  }
}

extension ProbeProcess {
  /// Sends a word, and expects the line that follows.
  fileprivate func word(after line: String) async {
    word()
    var next = await self.line()
    // A service that lost a write tells of it when it goes.
    while next?.hasPrefix("Sporades: ") == true { next = await self.line() }
    #expect(next == line)
  }
}
