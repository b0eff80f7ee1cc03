// SPDX-License-Identifier: MIT
import Foundation

/// What a run shows.
enum Mode {
  /// What Sporades costs beside SQLite's C functions.
  case ratios
  case growth
  /// What a migration that adds an attribute costs for more and more rows.
  case migrations
  case memory
  case latency
  case count
  /// What it costs to ask the questions of observers again.
  case asking
  /// What a search for a rare word costs in more and more rows.
  case searching
  /// What a debug build of a program costs beside its release build.
  case debug
}

/// What a run was asked for on the command line.
struct Options {
  /// Where the results go, besides the table.
  var json: String?
  var isShort = false
  /// The one workload or probe to run.
  var only: String?
  /// The results to compare with.
  var compare: String?
  var rounds: Int?
  /// The folder of the programs of the debug build.
  var debugPrograms = ""
  var mode = Mode.ratios
  /// The largest size too, or new numbers to compare with.
  var isFull = false
  var writes = false
  /// Where the database files lie meanwhile: beside the program, because that is on a disk, where
  /// a temporary folder may be in memory.
  var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

  static let usage = """
    Usage: bench [--json FILE] [--short] [--only KEY] [--compare [FILE]] [--rounds N]
           bench --growth [--full] | --migrations [--full] | --memory | --latency [--short] | --count [--write]
           bench --asking [--short]
           bench --searching [--full]
           bench --debug [--short]
           bench --door [--short] [--rounds N]

      --json FILE       write the results to FILE
      --short           little data and few rounds: shows that both sides run and agree
      --only KEY        run one workload (\(keys.joined(separator: ", ")))
      --compare [FILE]  fail if a ratio is worse by more than \(Comparison.tolerance) % than in FILE;
                        without FILE, than in the results last committed
      --rounds N        rounds that count; one more is run before them
      --folder FOLDER   where the database files lie meanwhile
      --growth          cost per row, and of one change among many objects, at 10,000 and 100,000
                        rows; fails if it is more than twice as high at the largest size
      --migrations      the time of adding an attribute, at 1,000 and 100,000 rows
      --searching       searches for a rare word, at 10,000 and 100,000 rows; fails if one takes more than
                        twice as long at the largest size
      --full            with --growth and --searching: at 1,000,000 rows too; with --migrations: at
                        10,000,000, too
      --memory          bytes per struct, fault, object and nested object; fails if three contexts
                        more add 10 % or more per row
      --latency         reads per second and how long a read takes while another thread writes
      --count           instructions per row, by valgrind, which is installed where it is missing;
                        fails if one rose by more than \(Counts.tolerance) % over the committed number
      --asking          what a program pays that asks every observer's question again after each write,
                        beside observe_unrelated, observe_one, observe_hundred and observe_sorted
      --debug           the time of a program's debug build beside that of its release build; fails
                        if it is more than \(decimal(DebugBuild.limit, 0)) times as long
      --door            the same work through the modules Sporades and CoreData, in a program of its own
      --write           with --count: the numbers become those to commit

    """

  static var keys: [String] {
    Workloads.all.map { $0.key } + Probe.all.map(\.key) + [OtherProcess.key]
  }

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": json = try Self.value(of: word, &rest)
      case "--short": isShort = true
      case "--only": only = try Self.key(of: word, &rest)
      case "--compare":
        let isNamed = rest.first.map { !$0.hasPrefix("--") } ?? false
        compare = isNamed ? rest.removeFirst() : Self.committed("results.json")
      case "--rounds": rounds = try Self.number(of: word, &rest)
      case "--growth": mode = .growth
      case "--migrations": mode = .migrations
      case "--memory": mode = .memory
      case "--latency": mode = .latency
      case "--count": mode = .count
      case "--asking": mode = .asking
      case "--searching": mode = .searching
      case "--debug": mode = .debug
      case "--debug-programs": debugPrograms = try Self.value(of: word, &rest)
      case "--full": isFull = true
      case "--write": writes = true
      case "--folder": folder = URL(fileURLWithPath: try Self.value(of: word, &rest))
      default: throw UsageError("\(word) is not an option.")
      }
    }
    if isFull && ![.growth, .migrations, .searching].contains(mode) {
      throw UsageError("--full goes with --growth, --migrations and --searching.")
    }
    if writes && mode != .count { throw UsageError("--write goes with --count.") }
    if isShort && compare != nil {
      throw UsageError("A short run is too short to compare; leave out --short or --compare.")
    }
  }

  func wants(_ key: String) -> Bool { only == nil || only == key }

  /// A file that is committed beside the package's manifest.
  static func committed(_ name: String) -> String {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(name).path
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value.") }
    return value
  }

  private static func key(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    let key = try value(of: option, &rest)
    guard keys.contains(key) else { throw UsageError("There is no workload \(key).") }
    return key
  }

  private static func number(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    guard let number = Int(try value(of: option, &rest)), number > 0 else {
      throw UsageError("\(option) needs a number above zero.")
    }
    return number
  }
}

/// The command line asks for what there is not.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
