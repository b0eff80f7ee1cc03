// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Damaged stores, property lists, models and predicates are taken or refused by an error of ours: they
/// neither end the process, nor keep it busy for ever, nor eat its memory.
///
/// `SPORADES_MUTANTS` is the number per kind and store, `SPORADES_MUTANT_SEED` the first seed. What ends
/// the probe is named by its seed: `MutantProbe KIND SEED 1` does it again.
@Suite(.serialized) struct MutantFileTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["SPORADES_MUTANTS"].flatMap { Int($0) } ?? 40
  private static let first = environment["SPORADES_MUTANT_SEED"].flatMap { Int($0) } ?? 1
  /// Far more than any of these files needs, and far less than one that makes memory grow takes.
  private static let megabytes = 2_000

  @Test(arguments: ["bytes", "cells", "schema", "plists"])
  func damagedStoresAreTakenOrRefused(_ kind: String) async throws {
    try await check([kind, "\(Self.first)", "\(Self.count)"], Self.count)
  }

  @Test(arguments: ["models", "predicates", "words"])
  func damagedTextsAreTakenOrRefused(_ kind: String) async throws {
    // They are small, so that many take as long as a few stores.
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

  /// With so many mutants some are taken and some are refused, or the damage is not what it should be.
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
