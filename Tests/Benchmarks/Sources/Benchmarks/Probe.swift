// SPDX-License-Identifier: MIT
import Foundation

/// A measurement that needs a process of its own: one program per side, both in this package.
struct Probe {
  let key: String
  let title: String
  let unit: String
  let runs: Int
  private let name: String
  /// What counts of a run: how long the program took to answer, or its answer.
  private let number: @Sendable (ChildRun) -> Double

  /// From the start of the process until it has a value of the first object.
  static let startup = Probe(
    key: "startup_ms", title: "process start to first object", unit: "ms", runs: 21,
    name: "StartupProbe", number: \.milliseconds)
  /// The most memory resident while all players are fetched and held.
  static let peak = Probe(
    key: "peak_mb", title: "peak memory with all players fetched", unit: "MB", runs: 3,
    name: "FetchProbe",
    number: { run in
      // No answer means that the system does not tell; a NaN would spoil the file of results.
      (Double(run.answer) ?? 0) / 1_024
    })
  static let all = [startup, peak]

  /// Runs both programs in turn, each on a file of its own.
  func measure(_ templates: Templates, short: Bool) throws -> Measure {
    let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let files = try Side.allCases.map { _ in try templates.copy(of: .players) }
    defer { files.forEach(templates.remove) }
    var numbers: [Side: [Double]] = [:]
    // The first run of each reads the programs from the disk, and is not counted.
    for round in 0...(short ? 1 : runs) {
      for (side, file) in zip(Side.allCases, files) {
        let program = programs.appendingPathComponent(side == .raw ? "Raw\(name)" : name).path
        let run = try ChildRun(program, file)
        if round > 0 { numbers[side, default: []].append(number(run)) }
      }
    }
    return Measure(raw: Times(numbers[.raw] ?? []), ours: Times(numbers[.ours] ?? []))
  }
}
