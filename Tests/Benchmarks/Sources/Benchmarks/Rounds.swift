// SPDX-License-Identifier: MIT

/// Runs a workload on both sides in turn, so that what else the machine does meets both alike.
struct Rounds {
  let templates: Templates
  let count: Int

  /// One round is run beforehand and not counted. Who goes first changes from round to round.
  func measure(_ workload: some Workload) throws -> Measure {
    var raw: [Stopwatch] = []
    var sums: Set<UInt64> = []
    for round in 0...count {
      let run = try run(workload)
      sums.insert(run.sum)
      if round > 0 { raw.append(run.watch) }
    }
    guard sums.count == 1 else { throw Disagreement(key: type(of: workload).key) }
    return Measure(raw: Measure.Side(raw))
  }

  private func run<W: Workload>(_ workload: W) throws -> (watch: Stopwatch, sum: UInt64) {
    let path = try templates.copy(of: W.start)
    defer { templates.remove(path) }
    var watch = Stopwatch()
    let sum = try workload.raw(on: path, &watch)
    return (watch, sum)
  }
}

/// The sides did not read or write the same.
struct Disagreement: Error, CustomStringConvertible {
  let key: String

  var description: String { "\(key): the runs end with different checksums." }
}

/// What the rounds of one workload took.
struct Measure {
  let raw: Side

  struct Side {
    let milliseconds: Double
    /// The parts of the work, where it has several.
    let parts: [(name: String, milliseconds: Double)]

    init(_ watches: [Stopwatch]) {
      milliseconds = median(watches.map(\.total))
      parts = (watches.first?.parts ?? []).enumerated().map { index, part in
        (part.name, median(watches.map { $0.parts[index].milliseconds }))
      }
    }
  }
}

func median(_ numbers: [Double]) -> Double {
  let sorted = numbers.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2)
    ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
