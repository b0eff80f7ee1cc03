// SPDX-License-Identifier: MIT
import Foundation

let workloads: [any Workload.Type] = [
  BulkInsert.self, SingleImmediate.self, SingleEventual.self, FetchObjects.self, LookUpCold.self,
  LookUpRegistered.self, FilterAndSort.self, Prefetch.self, UpdateObjects.self, DeleteObjects.self,
]
let short = CommandLine.arguments.contains("--short")
let sample = Sample(short ? .short : .full)
let here = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
let templates = try Templates(sample, in: here)
let rounds = Rounds(templates: templates, count: sample.scale.rounds)
for type in workloads {
  let measure = try rounds.measure(type.init(sample))
  print(type.key, measure.raw.milliseconds, measure.raw.parts)
}
