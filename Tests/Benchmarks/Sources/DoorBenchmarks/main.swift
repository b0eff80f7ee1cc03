// SPDX-License-Identifier: MIT
import DoorSide
import DoorTools
import Foundation
import ProbeTools

/// Who does the work.
enum Side: CaseIterable {
  /// SQLite's C functions.
  case raw
  /// The module Sporades.
  case ours
  /// The module CoreData.
  case door
}

/// The times of all rounds by key.
struct Door {
  let scale: DoorScale
  let rounds: Int
  let folder: URL
  /// How many times as long the work with many objects may take through the door. A save posts notifications there.
  private static let limits = ["door_insert": 1.6, "door_fetch": 1.3, "door_lookup": 1.5]

  private func run(_ side: Side, _ path: String) throws -> DoorWatch {
    let watch = DoorWatch()
    switch side {
    case .raw: try RawSide(path, scale, watch).run()
    case .ours: try OurSide(path, scale, watch).run()
    case .door: try DoorSide(path, scale, watch).run()
    }
    return watch
  }

  /// Prints the medians, and returns a sentence for each that is too long.
  ///
  /// One round is run beforehand and not counted. Who goes first changes from round to round.
  func run() throws -> [String] {
    var times: [String: [Side: [Double]]] = [:]
    var sums: [String: Set<Int>] = [:]
    for round in 0...rounds {
      for side in round.isMultiple(of: 2) ? Side.allCases : Side.allCases.reversed() {
        let path = folder.appendingPathComponent("door-\(round)-\(side).sqlite").path
        let watch = try run(side, path)
        for suffix in ["", "-wal", "-shm"] { removeIfThere(path + suffix) }
        for (key, sum) in watch.sums { sums[key, default: []].insert(sum) }
        guard round > 0 else { continue }
        for (key, time) in watch.times { times[key, default: [:]][side, default: []].append(time) }
      }
    }
    let disagreements = sums.filter { $0.value.count > 1 }.keys.sorted().map {
      "\($0): the sides end with different sums."
    }
    return disagreements + tell(times)
  }

  private func removeIfThere(_ path: String) {
    // try? because a file of the log may have gone with its last connection.
    try? FileManager.default.removeItem(atPath: path)
  }

  private func tell(_ times: [String: [Side: [Double]]]) -> [String] {
    line("", "raw", "Sporades", "CoreData", "ratio")
    let large = Self.limits.keys.sorted()
    let keys = large + times.keys.filter { !large.contains($0) }.sorted()
    return keys.compactMap { key in
      let medians = (times[key] ?? [:]).mapValues { $0.sorted()[$0.count / 2] }
      let limit = Self.limits[key]
      func shown(_ side: Side) -> String {
        medians[side].map { limit == nil ? text($0, "ns") : text($0 / 1e6, "ms") } ?? ""
      }
      guard let ours = medians[.ours], let door = medians[.door] else {
        return "\(key) was not measured on both sides."
      }
      line(key, shown(.raw), shown(.ours), shown(.door), text(door / ours, "", 2))
      guard let limit, rounds > 2, door / ours > limit else { return nil }
      return
        "\(key) takes \(text(door / ours, "times", 2)) as long through CoreData; it may take \(limit) times."
    }
  }

  private func text(_ number: Double, _ unit: String, _ places: Int = 1) -> String {
    String(format: "%.\(places)f \(unit)", number)
  }

  private func line(_ key: String, _ numbers: String...) {
    let columns = numbers.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
    report(
      key + String(repeating: " ", count: max(0, 24 - key.count)) + columns.joined())
  }
}

let arguments = CommandLine.arguments
func value(of option: String) -> String? {
  arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }
}
guard let folder = value(of: "--folder") else {
  report("Usage: DoorBenchmarks --folder FOLDER [--short] [--rounds N]")
  exit(2)
}
do {
  let scale = arguments.contains("--short") ? DoorScale.short : .full
  let door = Door(
    scale: scale, rounds: value(of: "--rounds").flatMap { Int($0) } ?? scale.rounds,
    folder: URL(fileURLWithPath: folder))
  let complaints = try door.run()
  for sentence in complaints { report(sentence) }
  exit(complaints.isEmpty ? 0 : 1)
} catch {
  report("\(error)")
  exit(1)
}
