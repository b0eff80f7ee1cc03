// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The library accepts a damaged store, property list, model or predicate, or refuses it with an error of its own. The
/// damage neither ends the process, nor keeps it busy for ever, nor fills its memory.
///
/// `SPORADES_MUTANTS` is the number of mutants per kind and store, and `SPORADES_MUTANT_SEED` the first seed. The test
/// names the seed of a mutant that ends the probe. `MutantProbe KIND SEED 1` repeats it.
@Suite(.serialized) struct MutantFileTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["SPORADES_MUTANTS"].flatMap { Int($0) } ?? 12
  private static let first = environment["SPORADES_MUTANT_SEED"].flatMap { Int($0) } ?? 1
  /// The limit of memory. It is far above the need of these files, and far below endless growth.
  private static let megabytes = 2_000

  @Test(arguments: ["bytes", "cells", "schema", "plists"])
  func damagedStoresAreTakenOrRefused(_ kind: String) async throws {
    try await check([kind, "\(Self.first)", "\(Self.count)"], Self.count)
  }

  @Test(arguments: ["models", "predicates", "words"])
  func damagedTextsAreTakenOrRefused(_ kind: String) async throws {
    // These mutants are small, so many of them take as long as a few stores.
    let count = Self.count * 10
    try await check([kind, "\(Self.first)", "\(count)"], count)
  }

  @Test(.enabled(if: !FixturePair.all.isEmpty), arguments: FixturePair.all)
  func damagedStoresThatAppsMadeAreTakenOrRefused(_ pair: FixturePair) async throws {
    let count = max(1, Self.count / 10)
    for kind in ["bytes", "cells", "schema"] {
      let run = try await ProbeRun.of([kind, "\(Self.first)", "\(count)", pair.store, pair.model])
      expectWhole(run, count)
    }
  }

  /// Expects accepted and refused mutants, because so many of one sort would mean that the damage is wrong.
  private func check(_ arguments: [String], _ count: Int) async throws {
    let run = try await ProbeRun.of(arguments)
    expectWhole(run, count)
    #expect(run.taken > 0 && run.refused > 0, "\(run.summary)")
  }

  private func expectWhole(_ run: ProbeRun, _ count: Int) {
    #expect(run.status == 0 && !run.wasSignalled, "\(run.summary)")
    #expect(run.untyped == [], "\(run.summary)")
    #expect(run.taken + run.refused == count, "\(run.summary)")
    #expect(run.peakMegabytes > 0 && run.peakMegabytes < Self.megabytes, "\(run.summary)")
  }
}
