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
}
