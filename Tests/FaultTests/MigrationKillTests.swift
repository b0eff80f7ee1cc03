// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// A process is killed or cancelled while it migrates a store. The store is then as it was before, or as it is after the
/// migration. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct MigrationKillTests {
  @Test(arguments: MigrationConstruct.all)
  func aKillLeavesTheStoreAsBeforeOrAsAfter(_ construct: MigrationConstruct) async throws {
    let sample = try await MigrationSample(construct)
    for kind in ["kill-before", "kill-after", "tear"] {
      let runs = try await sample.walk(kind) { store, run, harm in
        try sample.expectOneOfBoth(store, run, harm)
        try sample.expectNoFileMore(store, harm)
      }
      #expect(runs > 0, "\(kind)")
    }
  }

  @Test(arguments: MigrationConstruct.all)
  func aCancelledMigrationChangesNothing(_ construct: MigrationConstruct) async throws {
    let sample = try await MigrationSample(construct)
    let copy = try sample.copy()
    defer { copy.removeModel() }
    let run = try await FaultRun.play("cancelling", copy.store)
    #expect(run.acknowledged == [] && run.failures.count == 1, "\(run)")
    #expect(try RawStore.image(copy.store) == sample.before)
    try sample.expectNoFileMore(copy.store, .none)
  }
}
