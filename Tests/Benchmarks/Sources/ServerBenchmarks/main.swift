// SPDX-License-Identifier: MIT
import Foundation
import Sporades

let works: [Work] = [
  Work(key: "bulk_insert") {
    try $0.insert()
  } raw: {
    $0.rawInsert()
  },
  Work(key: "fetch_objects") { bench in
    let count = try bench.service.readValue { context in
      try Player.all(in: context).reduce(0) { $0 + $1.name.utf8.count }
    }
    precondition(count > Bench.count)
  } raw: { bench in
    precondition(bench.rawRead("all", []) > Bench.count)
  },
  Work(key: "by_key") { bench in
    let context = try bench.service.stack().newContext()
    try context.performAndWait { context in
      for id in bench.ids.prefix(10_000) {
        let player = try context.existingObject(with: id) as? Player
        precondition(player?.name.isEmpty == false)
      }
    }
  } raw: { bench in
    for key in 1...10_000 {
      precondition(bench.rawRead("key", [Int64(key).wire]) > 0)
    }
  },
  Work(key: "by_key_batch") { bench in
    let ids = bench.ids.prefix(10_000)
    let request = FetchRequest(
      "Player", where: try FetchPredicate(format: "SELF IN %@", Value.list(ids.map(\.value))))
    let context = try bench.service.stack().newContext()
    let sum = try context.performAndWait { context in
      try context.fetch(Player.self, request).reduce(0) { $0 + $1.name.utf8.count }
    }
    precondition(sum > ids.count)
  } raw: { bench in
    precondition(bench.rawRead("keys", [wireList((1...10_000).map { Int64($0) })]) > 10_000)
  },
  Work(key: "prefetch") {
    try $0.teams.prefetch()
  } raw: {
    $0.teams.rawPrefetch()
  },
  Work(key: "update_objects") { bench in
    try bench.service.writeSync(durability: .immediate) { context in
      for player in Player.all(where: \.score < 10_000, in: context) { player.score += 1 }
    }.get()
  } raw: { bench in
    bench.raw.run("BEGIN")
    let keys = (1...10_000).map { Int64($0) }
    precondition(bench.rawRead("keys", [wireList(keys)]) > 0)
    unsafe bench.raw.ask("update", [wireList(keys), wireList(keys.map { $0 + 1 })]) { _ in }
    bench.raw.run("COMMIT")
  },
  Work(key: "delete_objects") { bench in
    try bench.service.writeSync(durability: .immediate) { context in
      for player in Player.all(where: \.score >= Bench.count / 2, in: context) {
        player.delete(in: context)
      }
    }.get()
  } raw: { bench in
    let keys = (Bench.count / 2 + 1...Bench.count).map { Int64($0) }
    bench.raw.run("BEGIN")
    precondition(bench.rawRead("keys", [wireList(keys)]) > 0)
    unsafe bench.raw.ask("delete", [wireList(keys)]) { _ in }
    bench.raw.run("COMMIT")
  },
  Work(key: "single_immediate") { bench in
    for number in 0..<Bench.few {
      try bench.service.writeSync(durability: .immediate) { context in
        let player = Player.create(in: context)
        (player.name, player.score) = ("One", number)
      }.get()
    }
  } raw: {
    $0.rawSingles()
  },
  Work(key: "queued_immediate") { bench in
    let written = DispatchGroup()
    for number in 0..<Bench.few {
      written.enter()
      bench.service.writeAsync(durability: .immediate) { context in
        let player = Player.create(in: context)
        (player.name, player.score) = ("One", number)
      } completion: { error in
        precondition(error == nil, "A write failed.")
        written.leave()
      }
    }
    written.wait()
  } raw: {
    $0.rawQueued()
  },
  Work(key: "single_eventual") { bench in
    for number in 0..<Bench.few {
      try bench.service.writeSync { context in
        let player = Player.create(in: context)
        (player.name, player.score) = ("One", number)
      }.get()
    }
    _ = bench.service.flush()
  } raw: {
    $0.rawSingles()
  },
  Work(key: "writers_8") {
    try $0.writers?.ours.run()
  } raw: {
    try $0.writers?.raw.run()
  },
]

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let arguments = CommandLine.arguments
if arguments.count > 1, arguments[1] == "child" {
  try Child.run(arguments)
  exit(0)
}
guard arguments.count > 3, let rounds = Int(arguments[3]) else {
  print("usage: ServerBenchmarks ADDRESS STANDBY-ADDRESS ROUNDS [JSON or -] [KEY]")
  exit(2)
}
/// The only work that is measured; nil for all.
let only = arguments.count > 5 ? arguments[5] : nil
/// The work with the key is measured.
func isMeasured(_ key: String) -> Bool { only.map { $0 == key } ?? true }
let bench = try Bench(arguments[1])
try bench.startWriters()
var ours: [String: [Double]] = [:]
var raw: [String: [Double]] = [:]
for round in 0..<rounds + 1 {
  try bench.empty()
  // The others read what the first work inserts.
  for work in works where work.key == "bulk_insert" || isMeasured(work.key) {
    let isOursFirst = round.isMultiple(of: 2)
    var times = (ours: 0.0, raw: 0.0)
    if isOursFirst { times.ours = try milliseconds { try work.ours(bench) } }
    times.raw = try milliseconds { try work.raw(bench) }
    if !isOursFirst { times.ours = try milliseconds { try work.ours(bench) } }
    if work.key == "bulk_insert" { try bench.readIDs() }
    if ["single", "queued", "writers"].contains(where: work.key.hasPrefix) {
      bench.raw.run("DELETE FROM player WHERE row_id >= 1000000")
    }
    // The first round prepares statements and plans.
    if round > 0 {
      ours[work.key, default: []].append(times.ours)
      raw[work.key, default: []].append(times.raw)
    }
  }
}
var results: [String: Double] = [:]
for work in works where isMeasured(work.key) {
  guard let own = ours[work.key], let other = raw[work.key] else { continue }
  let ratio = median(zip(own, other).map { $0 / $1 })
  results[work.key] = (ratio * 100).rounded() / 100
  print(
    "\(work.key)\t\(Int(median(own).rounded())) ms\t\(Int(median(other).rounded())) ms\t\(results[work.key] ?? 0)"
  )
}
if isMeasured("observe_hundred") {
  let watched = try Watched(arguments[1])
  var heard: [Double] = []
  for _ in 0..<rounds + 1 { heard.append(try milliseconds { try watched.run() }) }
  results["observe_hundred"] = median(Array(heard.dropFirst())).rounded()
  print("observe_hundred\t\(results["observe_hundred"] ?? 0) ms until all have what concerns them")
  try watched.end()
}
if isMeasured("replica_reads") {
  results["replica_reads"] = (try bench.teams.replicaReads(arguments[2]) * 100).rounded() / 100
  print("replica_reads\t\(results["replica_reads"] ?? 0) times the reads of the primary alone")
}
try bench.teams.end()
try bench.writers?.ours.end()
try bench.writers?.raw.end()
if arguments.count > 4, arguments[4] != "-" {
  let data = try JSONSerialization.data(
    withJSONObject: results, options: [.sortedKeys, .prettyPrinted])
  try data.write(to: URL(fileURLWithPath: arguments[4]))
}
