// SPDX-License-Identifier: MIT
import Foundation

/// The time that the debug build of a program takes for its work, beside that of the release build.
///
/// The same program is built in both ways and run in turns. In the debug build the library is built as
/// a program gets it that depends on Sporades by URL.
struct DebugBuild {
  /// The debug build may take this many times as long.
  static let limit = 3.0
  private static let work = ["bulk_insert", "fetch"]

  /// The folder of the programs of the debug build.
  let programs: String
  let isShort: Bool
  let folder: URL

  /// Prints the times and returns a sentence for each that is too long.
  func run() throws -> [String] {
    guard !programs.isEmpty else {
      throw UsageError("--debug needs --debug-programs, which Scripts/bench adds.")
    }
    let place = folder.appendingPathComponent(
      "debug-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    Columns.line("milliseconds for \(count) objects", ["release", "debug", "ratio"])
    var complaints: [String] = []
    for key in Self.work {
      let (release, debug) = try measure(key, in: place)
      let ratio = debug / release
      Columns.line(key, [decimal(release, 1), decimal(debug, 1), decimal(ratio, 2)])
      // Few objects take a time that says nothing.
      if !isShort && ratio > Self.limit {
        complaints.append("The debug build takes \(decimal(ratio, 1)) times as long for \(key).")
      }
    }
    return complaints
  }

  private var count: Int { isShort ? 1_000 : 100_000 }

  private func measure(_ key: String, in place: URL) throws -> (release: Double, debug: Double) {
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let release = own.appendingPathComponent("CountProbe").path
    let debug = URL(fileURLWithPath: programs).appendingPathComponent("CountProbe").path
    var times: [String: [Double]] = [:]
    // The first run of each reads the programs from the disk, and is not counted.
    for round in 0...(isShort ? 1 : 5) {
      for program in [release, debug] {
        let file = place.appendingPathComponent("\(key)-\(round)-\(program == debug).sqlite").path
        if key == "fetch" { _ = try ChildRun(release, file, "bulk_insert", "\(count)") }
        let run = try ChildRun(program, file, key, "\(count)")
        guard let time = Double(run.answer) else { throw ProbeFailure(program, "printed no time") }
        if round > 0 { times[program, default: []].append(time) }
      }
    }
    return (median(times[release] ?? []), median(times[debug] ?? []))
  }
}
