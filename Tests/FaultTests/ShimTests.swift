// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The shim counts and harms the probe's calls as requested. Do not run under Thread Sanitizer; see
/// `ProcessLifecycleTests`.
@Suite(.serialized) struct ShimTests {
  @Test func meetsNoHarmWhereNoneIsAsked() async throws {
    let folder = try FaultFolder()
    let run = try await FaultRun.play("creation", folder.store)
    #expect(run.isUnharmed && run.acknowledged == [1] && run.failures == [], "\(run)")
    #expect(run.calls ?? 0 > 20, "the probe's calls are not counted: \(run)")
    try NoteStore.expectWhole(folder.store, run, .none)
  }

  @Test(arguments: ["kill-before", "kill-after", "tear"])
  func endsAtTheCallThatWasNamed(_ name: String) async throws {
    let folder = try FaultFolder()
    let run = try await FaultRun.play("creation", folder.store, Harm(name: name, at: 3))
    #expect(run.wasKilled && run.calls == nil && run.acknowledged == [], "\(run)")
  }

  @Test(arguments: ["ENOSPC", "short"])
  func fillsTheDisk(_ name: String) async throws {
    let folder = try FaultFolder()
    let run = try await FaultRun.play("creation", folder.store, Harm(name: name, at: 3, times: 0))
    #expect(run.wasHarmed && run.acknowledged == [] && !run.failures.isEmpty, "\(run)")
  }

  @Test func keepsAJournalOfEveryChange() async throws {
    let folder = try FaultFolder()
    let notes = try FaultFolder()
    let journal = notes.url.appendingPathComponent("journal")
    let run = try await FaultRun.play("creation", folder.store, journal: journal)
    let changes = try DiskChange.all(in: journal)
    #expect(changes.contains { $0.kind == .note && $0.path == "ok 1" })
    // A disk that keeps all bytes and all names equals the folder.
    let left = try FaultFolder()
    let disk = Disk(folder.url.path, after: changes[...])
    try disk.leave(.everything, in: left.url, seed: 1)
    #expect(try Data(contentsOf: left.store) == Data(contentsOf: folder.store))
    try NoteStore.expectWhole(left.store, run, .none)
  }
}
