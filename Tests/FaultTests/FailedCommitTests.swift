// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// The log of a store fails while a migration moves values into files, most often at its commit. Do not run under Thread
/// Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct FailedCommitTests {
  private static let log = "-wal"

  private func sample(_ way: MigrationWay) async throws -> MigrationSample {
    let construct = MigrationConstruct.all.first {
      $0.testDescription == "switches external storage on"
    }
    return try await MigrationSample(try #require(construct), by: way)
  }

  @Test(
    arguments: [("ENOSPC", 1), ("EIO", 1), ("ENOSPC", 0), ("short", 1), ("short", 0)],
    [
      MigrationWay.migrating, .reworking,
    ])
  func leavesNoFileOfALargeValue(
    _ failure: (kind: String, times: Int), _ way: MigrationWay
  ) async throws {
    let sample = try await sample(way)
    var failed = 0
    _ = try await sample.walk(
      failure.kind, times: failure.times, step: FaultWalk.step(failure.times == 1 ? 1 : 6),
      only: Self.log
    ) { store, run, harm in
      let image = try MigrationSample.image(store)
      #expect(image == sample.before || image == sample.after, "\(harm)")
      if image == sample.before { failed += 1 }
      let files = RawStore.valueFiles(store).count
      #expect(files == (image == sample.after ? 3 : 0), "\(harm): \(run.failures)")
    }
    #expect(failed > 0)
  }

  /// A program that is started again and again meets the same disk. What the last start left goes with the first opening that
  /// succeeds.
  @Test(arguments: [MigrationWay.migrating, .reworking])
  func aRestartLoopGathersNoFiles(_ way: MigrationWay) async throws {
    let sample = try await sample(way)
    var failed = 0
    _ = try await sample.walk("EIO", times: 0, step: FaultWalk.step(12), only: Self.log) {
      store, run, harm in
      let image = try MigrationSample.image(store)
      if image == sample.before { failed += 1 }
      #expect(RawStore.valueFiles(store).count <= 3, "\(harm): \(run.failures)")
      for _ in 1...3 {
        _ = try await FaultRun.play(way.rawValue, store, harm, only: Self.log)
        #expect(RawStore.valueFiles(store).count <= 3, "\(harm)")
      }
      try sample.expectOneOfBoth(store, run, harm)
      try sample.expectNoFileMore(store, harm)
    }
    #expect(failed > 0)
  }
}
