// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// A process is killed while it migrates a store by a plan, which works on a draft of the file. The store is then as it was
/// before, or as it is after the plan. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct PlanKillTests {
  /// Constructs with large values, with keys that grow and with links that move.
  private static let planned = MigrationConstruct.all.filter { construct in
    ["storage", "below another", "to-many relationships to-one"].contains {
      construct.testDescription.contains($0)
    }
  }

  @Test(arguments: planned, [MigrationWay.planning, .reworking])
  func aKillDuringAPlanLeavesTheStoreAsBeforeOrAsAfter(
    _ construct: MigrationConstruct, _ way: MigrationWay
  ) async throws {
    let sample = try await MigrationSample(construct, by: way)
    // Code for rows works in place, with fewer calls than a draft needs.
    let step = FaultWalk.step(way == .reworking ? 19 : 47)
    for kind in ["kill-before", "kill-after", "tear"] {
      let runs = try await sample.walk(kind, step: step) { store, run, harm in
        try sample.expectOneOfBoth(store, run, harm)
        try sample.expectNoFileMore(store, harm)
      }
      #expect(runs > 1, "\(kind)")
    }
  }

  /// One works on its draft, and the others wait for it.
  @Test(arguments: planned)
  func processesThatBeginAPlanTogetherCarryItOutOnce(_ construct: MigrationConstruct) async throws {
    let sample = try await MigrationSample(construct, by: .planning)
    try await sample.migrateTogether()
  }
}
