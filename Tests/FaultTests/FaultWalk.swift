// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// Walks that harm one call after the other. Each kind of harm begins with another call.
enum FaultWalk {
  /// The step from one harmed call to the next. `SPORADES_FAULT_STEP` sets it for all walks, and 1 harms every call. Else
  /// each walk has its own, so that all walks together take minutes.
  static func step(_ usual: Int = 7) -> Int { given ?? usual }

  private static let given =
    ProcessInfo.processInfo.environment["SPORADES_FAULT_STEP"].flatMap { Int($0) }

  /// Plays the scenario with harm to the n-th call, for n = 1, 2, 3 … until a run ends unharmed. Passes each run to
  /// `check`. Returns the number of runs.
  static func walk(
    _ scenario: String, _ kind: String, times: Int = 1, only: String? = nil, step: Int = step(),
    _ check: (URL, FaultRun, Harm) async throws -> Void
  ) async throws -> Int {
    var runs = 0
    var call = 1 + kind.utf8.reduce(times) { $0 + Int($1) } % step
    while true {
      let folder = try FaultFolder()
      let harm = Harm(name: kind, at: call, times: times)
      let run = try await FaultRun.play(scenario, folder.store, harm, only: only)
      #expect(
        run.calls != nil || run.wasKilled, "\(harm): the probe ended by itself: \(run.errors)")
      try await check(folder.store, run, harm)
      if run.isUnharmed || (run.calls == nil && !run.wasKilled) { return runs }
      runs += 1
      call += step
    }
  }

  /// Walks with calls that fail once, and with calls that fail from then on. Expects that some fail.
  static func walkFailures(
    _ scenario: String, _ kind: String, step: Int,
    _ check: (URL, FaultRun, Harm) async throws -> Void
  ) async throws {
    for times in [1, 0] {
      let runs = try await walk(scenario, kind, times: times, step: step, check)
      #expect(runs > 0)
    }
  }
}

/// A temporary folder with the place of a store. The folder is removed with its owner.
final class FaultFolder {
  let url: URL
  var store: URL { url.appendingPathComponent("Notes.sqlite") }

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("faults-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // A temporary folder that stays does not affect later tests.
    try? FileManager.default.removeItem(at: url)
  }
}
