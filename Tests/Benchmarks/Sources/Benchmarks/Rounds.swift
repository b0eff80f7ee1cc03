// SPDX-License-Identifier: MIT

/// Runs a workload on both sides in turn, so that what else the machine does meets both alike.
struct Rounds {
  let templates: Templates
  let count: Int

  /// One round is run beforehand and not counted. Who goes first changes from round to round.
  func measure(_ workload: some Workload) throws -> Measure {
    var watches: [Side: [Stopwatch]] = [:]
    var sums: Set<UInt64> = []
    for round in 0...count {
      for side in round.isMultiple(of: 2) ? Side.allCases : Side.allCases.reversed() {
        let run = try run(workload, side)
        sums.insert(run.sum)
        if round > 0 { watches[side, default: []].append(run.watch) }
      }
    }
    guard sums.count == 1 else { throw Disagreement(key: type(of: workload).key) }
    return Measure(raw: Times(watches[.raw] ?? []), ours: Times(watches[.ours] ?? []))
  }

  private func run<W: Workload>(
    _ workload: W, _ side: Side
  ) throws -> (watch: Stopwatch, sum: UInt64) {
    let path = try templates.copy(of: side == .raw ? W.start : W.ourStart)
    defer { templates.remove(path) }
    var watch = Stopwatch()
    let sum =
      switch side {
      case .raw: try workload.raw(on: path, &watch)
      case .ours: try workload.ours(on: path, &watch)
      }
    return (watch, sum)
  }
}

/// The sides did not read or write the same.
struct Disagreement: Error, CustomStringConvertible {
  let key: String

  var description: String { "\(key): the runs end with different checksums." }
}

/// What both sides needed for one workload, in milliseconds or megabytes.
struct Measure {
  let raw: Times
  let ours: Times

  var ratio: Double { ours.total / raw.total }
}

/// The medians of one side.
struct Times {
  let total: Double
  /// The parts of the work, where it has several.
  let parts: [(name: String, milliseconds: Double)]

  init(_ watches: [Stopwatch]) {
    total = median(watches.map(\.total))
    let names = (watches.first?.parts ?? []).map(\.name)
    parts =
      names.count < 2
      ? []
      : names.enumerated().map { index, name in
        (name, median(watches.map { $0.parts[index].milliseconds }))
      }
  }

  init(_ numbers: [Double]) {
    total = median(numbers)
    parts = []
  }
}

func median(_ numbers: [Double]) -> Double {
  precondition(!numbers.isEmpty, "The median of no numbers was asked for.")
  let sorted = numbers.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2)
    ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
