// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools

/// Runs the workloads. `complaints` gets a sentence for each that needs more time than it may.
func run(_ options: Options, _ complaints: inout [String]) throws -> Results {
  let sample = Sample(options.isShort ? .short : .full)
  let templates = try Templates(sample, in: options.folder)
  let rounds = Rounds(templates: templates, count: options.rounds ?? sample.scale.rounds)
  var results = Results()
  Table.header()
  for type in Workloads.all where options.wants(type.key) {
    let measure = try rounds.measure(type.init(sample))
    Table.row(type.key, type.title, measure, unit: "ms")
    results.add(measure, for: type.key)
    if !options.isShort, let most = type.mostMilliseconds, measure.ours.total > most {
      complaints.append(
        "\(type.key) takes \(decimal(measure.ours.total, 1)) ms; it may take \(decimal(most, 0)).")
    }
  }
  for probe in Probe.all where options.wants(probe.key) {
    let measure = try probe.measure(templates, short: options.isShort)
    Table.row(probe.key, probe.title, measure, unit: probe.unit)
    if probe.unit == "ms" {
      results.add(measure, for: probe.key)
    } else {
      results.add(measure.ours.total, for: probe.key)
    }
  }
  if options.wants(OtherProcess.key) {
    let path = try templates.copy(of: .players)
    defer { templates.remove(path) }
    let slow = try OtherProcess(path, short: options.isShort).run(&results)
    if !options.isShort { complaints += slow }
  }
  return results
}

/// Runs the workloads, and returns a sentence for each that became slower or is too slow.
func compare(_ options: Options) throws -> [String] {
  let old = try options.compare.map { path in
    do {
      return try Results(contentsOf: path)
    } catch CocoaError.fileReadNoSuchFile {
      throw UsageError("\(path) does not exist; make it with --json.")
    }
  }
  var complaints: [String] = []
  let results = try run(options, &complaints)
  if let path = options.json { try results.write(to: path) }
  return complaints + (old.map { Comparison(old: $0, new: results).regressions() } ?? [])
}

if CommandLine.arguments.contains("--help") {
  report(Options.usage)
  exit(0)
}
do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let complaints =
    switch options.mode {
    case .ratios: try compare(options)
    case .growth: try Growth(isFull: options.isFull, folder: options.folder).run()
    case .migrations:
      try MigrationGrowth(isFull: options.isFull, folder: options.folder).run()
    case .memory: try Memory(folder: options.folder).run()
    case .latency: try Latency(short: options.isShort, folder: options.folder).run()
    case .debug:
      try DebugBuild(
        programs: options.debugPrograms, isShort: options.isShort, folder: options.folder
      ).run()
    case .searching: try RareWord(isFull: options.isFull, folder: options.folder).run()
    case .asking: try Asking(short: options.isShort, folder: options.folder).run()
    case .count: try Counts(folder: options.folder).run(writes: options.writes)
    }
  for sentence in complaints { report(sentence) }
  exit(complaints.isEmpty ? 0 : 1)
} catch let error as UsageError {
  report("\(error)\n\n\(Options.usage)")
  exit(2)
} catch {
  report("\(error)")
  exit(1)
}
