// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesContainers
import Testing

/// Several processes commit to the same two stores, and some of them are killed. Do not run under Thread Sanitizer; see
/// `ProcessLifecycleTests`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SharedStoresTests {
  private static let kills =
    ProcessInfo.processInfo.environment["SPORADES_PROCESS_KILLS"].flatMap { Int($0) } ?? 12

  /// Every save is in both stores or in none, and every one that was promised is in both.
  @Test func aKilledProcessLeavesNoHalfOfASave() async throws {
    let file = try BankFile()
    let survivor = try ProbeProcess("share", file.store, "1")
    await survivor.go()
    var promised = 0
    for round in 0..<Self.kills {
      let victim = try ProbeProcess("share", file.store, "\(round + 2)")
      await victim.go()
      for _ in 0...round % 5 {
        #expect(await victim.line() == "ok")
        promised += 1
      }
      victim.kill()
      promised += await victim.rest().count { $0 == "ok" }
    }
    survivor.word()
    let lines = await survivor.rest()
    #expect(lines.last == "done", "\(lines.suffix(3))")
    promised += lines.count { $0 == "ok" }
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Bank.classes))
    let second = file.folder.appendingPathComponent("Second.sqlite")
    for url in [file.store, second] {
      try coordinator.addPersistentStore(SQLiteStore(url: url, model: coordinator.model))
    }
    #expect(coordinator.unfinishedCommits.isEmpty, "\(coordinator.unfinishedCommits)")
    let titles = try coordinator.persistentStores.map { store in
      let stack = DataStack(store: store, classes: Bank.classes)
      return try stack.newContext().performAndWait { context in
        try Bank.Note.all(sortedBy: \.title, in: context).map(\.title)
      }
    }
    #expect(titles[0] == titles[1])
    #expect(Set(titles[0]).count == titles[0].count)
    #expect(titles[0].count >= promised)
    #expect(promised > Self.kills)
    #expect(try coordinator.integrityProblems() == [])
    try coordinator.close()
  }
}
