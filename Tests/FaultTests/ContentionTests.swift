// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// Several processes write to one store without a pause. No clock decides the result: a process fails by itself if
/// it can not write within the store's deadline. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct ContentionTests {
  private func run(_ scenario: String, _ count: Int, _ store: URL) async throws -> [FaultRun] {
    try await withThrowingTaskGroup(of: FaultRun.self) { group in
      for _ in 1...count { group.addTask { try await FaultRun.play(scenario, store) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: [2, 4]) func everyProcessGetsItsShare(_ count: Int) async throws {
    let folder = try FaultFolder()
    let runs = try await run("contention\(count)", count, folder.store)
    for run in runs { #expect(run.failures == [] && run.acknowledged.count == 1, "\(run)") }
    let stack = try DataStack(sqlite: folder.store, entities: [Note.self])
    let service = DALService(stack: stack)
    let found = try service.readValue { try Note.count(in: $0) }
    #expect(found == runs.flatMap(\.acknowledged).reduce(0, +))
    #expect(try stack.store.integrityProblems() == [])
    try service.close()
  }

  @Test func anIdleServiceWritesOnceAndClosesBesideAWriterThatNeverRests() async throws {
    let folder = try FaultFolder()
    let store = folder.store
    let idle = DALService(stack: try DataStack(sqlite: store, entities: [Note.self]))
    try idle.writeSync(durability: .immediate) { Note.create(in: $0).number = -1 }.get()
    async let other = FaultRun.play("contention2", store)
    for number in 2...9 {
      try idle.writeSync(durability: .immediate) { Note.create(in: $0).number = -number }.get()
    }
    #expect(throws: Never.self) { try idle.close() }
    let mark = folder.url.appendingPathComponent("test.done")
    #expect(FileManager.default.createFile(atPath: mark.path, contents: nil))
    let run = try await other
    #expect(run.failures == [] && run.acknowledged.count == 1, "\(run)")
  }
}
