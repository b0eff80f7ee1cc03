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

  @Test(arguments: ["ENOSPC", "EIO", "short"], [MigrationWay.migrating, .reworking])
  func leavesNoFileOfALargeValue(_ kind: String, _ way: MigrationWay) async throws {
    let sample = try await sample(way)
    var failed = 0
    _ = try await sample.walk(kind, step: FaultWalk.step(1), only: Self.log) { store, run, harm in
      let image = try MigrationSample.image(store)
      #expect(image == sample.before || image == sample.after, "\(harm)")
      if image == sample.before { failed += 1 }
      let files = RawStore.valueFiles(store).count
      #expect(files == (image == sample.after ? 3 : 0), "\(harm): \(run.failures)")
    }
    #expect(failed > 0)
  }

  /// A program that is started again and again while the log fails, and once more when it is whole.
  @Test(arguments: ["ENOSPC", "EIO"], [MigrationWay.migrating, .reworking])
  func retriesAddNoFiles(_ kind: String, _ way: MigrationWay) async throws {
    let sample = try await sample(way)
    var (call, failed) = (1, 0)
    while true {
      let copy = try sample.copy()
      defer { copy.removeModel() }
      let harm = Harm(name: kind, at: call, times: 0)
      var run = try await FaultRun.play(way.rawValue, copy.store, harm, only: Self.log)
      for _ in 1...2 where !run.isUnharmed {
        #expect(RawStore.valueFiles(copy.store).count <= 3, "\(harm): \(run.failures)")
        run = try await FaultRun.play(way.rawValue, copy.store, harm, only: Self.log)
      }
      if try MigrationSample.image(copy.store) == sample.before { failed += 1 }
      try sample.expectOneOfBoth(copy.store, run, harm)
      try sample.expectNoFileMore(copy.store, harm)
      if run.isUnharmed { break }
      call += FaultWalk.step(2)
    }
    #expect(failed > 0)
  }
}
