// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import Sporades

/// Shows that work costs what it touches, and not what is registered or stored.
struct Growth {
  /// Rows in the file, ascending.
  let sizes: [Int]
  let folder: URL
  /// How much more a row may cost at the largest size than at the smallest.
  private static let limit = 2.0

  init(isFull: Bool, folder: URL) {
    sizes = isFull ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]
    self.folder = folder
  }

  /// Prints a line per kind of work and returns a sentence for each that is not linear.
  func run() throws -> [String] {
    var costs: [(work: GrowthWork, times: [Double])] = GrowthWork.all.map { ($0, []) }
    for size in sizes {
      let sample = Sample(Scale.full.with(players: size))
      let templates = try Templates(sample, in: folder)
      for index in costs.indices {
        let times = try (0..<Self.repeats(size)).map { _ in
          let path = try templates.copy(of: .players)
          defer { templates.remove(path) }
          return try costs[index].work.microseconds(path, size)
        }
        // The least, because what else the machine does only ever adds.
        costs[index].times.append(times.min() ?? 0)
      }
    }
    return report(costs)
  }

  private static func repeats(_ size: Int) -> Int { size <= 10_000 ? 5 : size <= 100_000 ? 3 : 1 }

  private func report(_ costs: [(work: GrowthWork, times: [Double])]) -> [String] {
    Columns.line("µs at", sizes.map { "\($0 / 1000) k" } + ["growth"])
    return costs.compactMap { work, times in
      guard let first = times.first, let last = times.last else { return nil }
      let growth = last / first
      Columns.line(work.title, times.map { decimal($0, 2) } + [decimal(growth, 2)])
      guard last > first * Self.limit + work.allowance else { return nil }
      return "\(work.title) costs \(decimal(growth, 1)) times as much at \(sizes.last ?? 0) rows."
    }
  }
}

extension Scale {
  fileprivate func with(players: Int) -> Scale {
    var scale = self
    scale.players = players
    scale.lookups = 0
    return scale
  }
}

/// Lines of a table with one wide column and several narrow ones.
enum Columns {
  static func line(_ title: String, _ values: [String]) {
    let cells = values.map { pad(count: 12 - $0.count) + $0 }
    ProbeTools.report(title + pad(count: 52 - title.count) + cells.joined())
  }

  private static func pad(count: Int) -> String { String(repeating: " ", count: max(1, count)) }
}
