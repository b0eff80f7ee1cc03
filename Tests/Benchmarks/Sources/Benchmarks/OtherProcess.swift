// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import Sporades

/// The time from a commit in one process to the merged object in another, which is this one.
struct OtherProcess {
  static let key = "other_process"
  /// The longest times in milliseconds that half of the commits may need, and all but one in a hundred.
  private static let (longestMedian, longestTail) = (5.0, 100.0)

  private let path: String
  private let commits: Int

  init(_ path: String, short: Bool) {
    self.path = path
    commits = short ? 20 : 400
  }

  /// Measures, prints, and returns a sentence for each time that is too long.
  func run(_ results: inout Results) throws -> [String] {
    // The file keeps a history, as files of several processes should.
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    let stack = try DataStack(
      sqlite: URL(fileURLWithPath: path), entities: [Player.self, Team.self], options: options)
    defer { try? stack.store.close() }
    let times = try measure(stack).sorted()
    let median = times[times.count / 2]
    let tail = times[min(times.count - 1, times.count * 99 / 100)]
    report(
      "\(Self.key): from a commit in one process to the merged object in another, \(times.count) times: "
        + "p50 \(decimal(median, 2)) ms, p99 \(decimal(tail, 2)) ms, "
        + "longest \(decimal(times[times.count - 1], 2)) ms")
    results.add(median, for: "\(Self.key)_p50_ms")
    results.add(tail, for: "\(Self.key)_p99_ms")
    return [
      ("half of the commits", median, Self.longestMedian),
      ("99 of 100 commits", tail, Self.longestTail),
    ].filter { $0.1 > $0.2 }.map { what, time, most in
      "\(Self.key): \(what) need up to \(decimal(time, 1)) ms; they may need \(decimal(most, 0))."
    }
  }

  /// The milliseconds of each commit.
  private func measure(_ stack: DataStack) throws -> [Double] {
    let other = try Partner(path)
    defer { other.end() }
    let merged = DispatchSemaphore(value: 0)
    let observation = try stack.main.performAndWait { context in
      _ = try Player.first(in: context)
      return context.observe { if $0.notification.name == .didMergeChanges { merged.signal() } }
    }
    defer { observation.end() }
    var random = SeededGenerator(seed: 1)
    var times: [Double] = []
    for number in 1...commits {
      // A commit may come at any time after the last one.
      usleep(UInt32.random(in: 0..<40_000, using: &random))
      let committed = try other.commit(1_000 + number)
      guard merged.wait(timeout: .now() + 10) == .success else {
        throw ProbeFailure("OtherProbe", "was not heard")
      }
      let age = try stack.main.performAndWait { try Player.first(in: $0)?.age }
      let seen = nanoseconds()
      guard age == 1_000 + number else { throw ProbeFailure("OtherProbe", "was not merged") }
      times.append(max(0, Double(seen - committed) / 1_000_000))
    }
    return times
  }
}

/// The process that commits.
private final class Partner {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ path: String) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("OtherProbe")
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = try answer()
  }

  /// Has the process commit an age, and returns the moment at which that was done.
  func commit(_ age: Int) throws -> Int {
    try input.fileHandleForWriting.write(contentsOf: Data("\(age)\n".utf8))
    guard let moment = Int(try answer()) else { throw ProbeFailure("OtherProbe", "failed") }
    return moment
  }

  private func answer() throws -> String {
    let line = output.fileHandleForReading.availableData
    guard line.last == UInt8(ascii: "\n") else { throw ProbeFailure("OtherProbe", "failed") }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
