// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// A disk fails while a process migrates a store, or several processes migrate it at once. Do not run under
/// Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct MigrationDiskTests {
  @Test(
    arguments: MigrationConstruct.all.filter { $0.testDescription.contains("storage") },
    ["EIO", "ENOSPC", "short"])
  func aDiskThatFailsLeavesTheStoreAsBeforeOrAsAfter(
    _ construct: MigrationConstruct, _ kind: String
  ) async throws {
    let sample = try await MigrationSample(construct)
    for times in [1, 0] {
      let runs = try await sample.walk(kind, times: times) {
        try sample.expectOneOfBoth($0, $1, $2)
      }
      #expect(runs > 1)
    }
  }

  @Test func aFullDiskSaysSo() async throws {
    let sample = try await MigrationSample(MigrationConstruct.all[1])
    let copy = try sample.copy()
    defer { copy.removeModel() }
    let run = try await FaultRun.play(
      "migrating", copy.store, Harm(name: "ENOSPC", at: 3, times: 0))
    #expect(run.acknowledged == [] && !run.failures.isEmpty, "\(run)")
    #expect(run.failures.first?.contains("No space left on device") == true, "\(run)")
    #expect(try RawStore.image(copy.store) == sample.before)
  }

  /// Both begin at once. One migrates, and the other finds the store migrated.
  @Test(arguments: MigrationConstruct.all)
  func processesThatBeginTogetherMigrateOnce(_ construct: MigrationConstruct) async throws {
    let sample = try await MigrationSample(construct)
    for _ in 1...3 { try await sample.migrateTogether() }
  }
}
