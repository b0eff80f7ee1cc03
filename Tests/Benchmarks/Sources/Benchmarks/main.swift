// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools

func run(_ options: Options) throws -> Results {
  let sample = Sample(options.isShort ? .short : .full)
  let templates = try Templates(sample, in: options.folder)
  let rounds = Rounds(templates: templates, count: options.rounds ?? sample.scale.rounds)
  var results = Results()
  Table.header()
  for type in Workloads.all where options.wants(type.key) {
    let measure = try rounds.measure(type.init(sample))
    Table.row(type.key, type.title, measure, unit: "ms")
    results.add(measure, for: type.key)
  }
  for probe in Probe.all where options.wants(probe.key) {
    let measure = try probe.measure(templates, short: options.isShort)
    Table.row(probe.key, probe.title, measure, unit: probe.unit)
    results.add(measure.ours.total, for: probe.key)
  }
  return results
}

if CommandLine.arguments.contains("--help") {
  report(Options.usage)
  exit(0)
}
do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let old = try options.compare.map { path in
    do {
      return try Results(contentsOf: path)
    } catch CocoaError.fileReadNoSuchFile {
      throw UsageError("\(path) does not exist; make it with --json.")
    }
  }
  let results = try run(options)
  if let path = options.json { try results.write(to: path) }
  let regressions = old.map { Comparison(old: $0, new: results).regressions() } ?? []
  for sentence in regressions { report(sentence) }
  exit(regressions.isEmpty ? 0 : 1)
} catch let error as UsageError {
  report("\(error)\n\n\(Options.usage)")
  exit(2)
} catch {
  report("\(error)")
  exit(1)
}
