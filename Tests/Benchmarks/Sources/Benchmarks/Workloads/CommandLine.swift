// SPDX-License-Identifier: MIT
import Foundation

/// All players printed as JSON by the program `sporades`, beside SQLite's own program.
struct CommandLineDump: Workload {
  static let key = "cli_dump"
  static let title = "print all players as JSON: sporades dump beside sqlite3 -json"
  static let start = Template.players

  /// The program that Scripts/bench has built; nil in a short run, which builds none.
  static let program = ProcessInfo.processInfo.environment["SPORADES_PROGRAM"]

  init(_ sample: Sample) {}

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let columns =
      "Z_PK AS key, ZFIRSTNAME AS firstName, ZLASTNAME AS lastName, ZEMAIL AS email, ZAGE AS age, ZSCORE AS score, "
      + "ZACTIVE AS active, ZCREATEDAT AS createdAt, ZTEAM AS team"
    return try output(
      of: ["sqlite3", "-readonly", "-json", path, "SELECT \(columns) FROM ZPLAYER"], path, &watch)
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try output(of: [Self.program ?? "sporades", "dump", path, "Player"], path, &watch)
  }

  /// Runs a program, and makes a checksum of the names and addresses that it prints, line by line.
  private func output(
    of words: [String], _ path: String, _ watch: inout Stopwatch
  ) throws -> UInt64 {
    let file = URL(fileURLWithPath: path + ".json")
    defer { try? FileManager.default.removeItem(at: file) }  // The folder goes with the run anyway.
    try watch.time { try ChildRun.finish(words, into: file.path) }
    let text = try Data(contentsOf: file)
    var sum = Checksum()
    for line in text.split(separator: UInt8(ascii: "\n")) {
      for name in ["firstName", "lastName", "email"] {
        let mark = Data("\"\(name)\":\"".utf8)
        guard let place = line.range(of: mark) else {
          throw ProbeFailure(words[0], "printed a line without \(name)")
        }
        for byte in line[place.upperBound...].prefix(while: { $0 != UInt8(ascii: "\"") }) {
          sum.add(Int(byte))
        }
      }
    }
    return sum.value
  }
}
