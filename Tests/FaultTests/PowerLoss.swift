// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Plays a scenario once, and then simulates a power loss after each of its changes.
enum PowerLoss {
  /// Passes each disk to `check`, with the changes that were acknowledged before the loss. Returns the number of
  /// disks.
  static func everywhere(
    in scenario: String, step: Int = FaultWalk.step(),
    _ check: (URL, FaultRun, Harm) throws -> Void
  ) async throws -> Int {
    let folder = try FaultFolder()
    let notes = try FaultFolder()
    let journal = notes.url.appendingPathComponent("journal")
    let whole = try await FaultRun.play(scenario, folder.store, journal: journal)
    #expect(whole.isUnharmed && whole.failures == [], "\(whole)")
    let changes = try DiskChange.all(in: journal)
    let begin = try #require(changes.firstIndex { $0.kind == .begin })
    var disks = 0
    for end in stride(from: begin + 1, through: changes.count, by: step) {
      let disk = Disk(folder.url.path, after: changes[..<end])
      let acknowledged = disk.notes.compactMap { Int($0.dropFirst(3)) }
      for keeping in Disk.Keeping.allCases {
        let left = try FaultFolder()
        try disk.leave(keeping, in: left.url, seed: UInt64(end))
        var run = whole
        run.acknowledged = acknowledged
        try check(left.store, run, Harm(name: "power lost, kept \(keeping)", at: end))
        disks += 1
      }
    }
    return disks
  }
}
