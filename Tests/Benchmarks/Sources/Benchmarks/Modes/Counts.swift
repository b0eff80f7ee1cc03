// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools

/// Instructions per row, which are the same on a busy machine and on an idle one.
///
/// Each kind of work is done in a process of its own under callgrind, with few rows and with many;
/// the difference is what rows cost, without what starting and opening does. What SQLite's library
/// does is left out, so that other versions of it change nothing.
struct Counts {
  /// Per cent by which a count may rise.
  static let tolerance = 10
  let folder: URL
  private static let work: [(key: String, few: Int, many: Int)] = [
    ("bulk_insert", 500, 2500), ("single_write", 20, 120), ("fetch", 500, 2500),
    ("look_up", 500, 2500), ("update", 500, 2500), ("delete", 500, 2500),
  ]
  private static let committed = Options.committed("counts.json")

  /// Prints the counts and returns a sentence for each that rose.
  func run(writes: Bool) throws -> [String] {
    let place = folder.appendingPathComponent(
      "counts-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let old = writes ? [:] : try Self.readCommitted()
    var counts: [String: Int] = [:]
    Columns.line("instructions per row, without SQLite's", ["committed", "now"])
    for (key, few, many) in Self.work {
      let difference = try count(key, many, in: place) - count(key, few, in: place)
      let perRow = difference / (many - few)
      counts[key] = perRow
      Columns.line(key, [old[key].map { "\($0)" } ?? "–", "\(perRow)"])
    }
    if writes { try Self.write(counts) }
    return Self.complaints(old, counts)
  }

  private static func complaints(_ old: [String: Int], _ new: [String: Int]) -> [String] {
    new.sorted { $0.key < $1.key }.compactMap { key, count in
      guard let before = old[key], count * 100 > before * (100 + tolerance) else { return nil }
      return "\(key) needs \(count) instructions per row, \(before) before."
    }
  }

  // MARK: - Files

  private static func readCommitted() throws -> [String: Int] {
    guard let data = FileManager.default.contents(atPath: committed) else {
      throw UsageError("\(committed) does not exist; make it with --write.")
    }
    return try JSONDecoder().decode([String: Int].self, from: data)
  }

  private static func write(_ counts: [String: Int]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(counts) + Data("\n".utf8)).write(to: URL(fileURLWithPath: committed))
  }

  // MARK: - Runs

  private func count(_ key: String, _ rows: Int, in place: URL) throws -> Int {
    let file = place.appendingPathComponent("\(key)-\(rows).sqlite").path
    let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let probe = [programs.appendingPathComponent("CountProbe").path, file]
    let startsEmpty = key == "bulk_insert" || key == "single_write"
    try run(probe + (startsEmpty ? ["none", "0"] : ["bulk_insert", "\(rows)"]))
    let output = file + ".callgrind"
    try run(
      ["/usr/bin/env", "valgrind", "--tool=callgrind", "--callgrind-out-file=\(output)"] + probe
        + [key, "\(rows)"])
    return try CallgrindFile(output).instructions { !$0.contains("libsqlite3") }
  }

  private func run(_ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ProbeFailure(words[0], "failed: \(words.joined(separator: " "))")
    }
  }
}
