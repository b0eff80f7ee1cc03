// SPDX-License-Identifier: MIT
import SporadesStore

/// The numbers of problems with one detail each.
struct IntegritySummary {
  private var details: [(detail: String, isCounted: Bool)] = []
  private var counts: [String: Int] = [:]
  private var leftOut = 0
  private static let mostTexts = 1_000

  mutating func add(_ problem: IntegrityProblem) {
    if let count = counts[problem.detail] {
      counts[problem.detail] = count + 1
    } else if details.count < Self.mostTexts {
      details.append((problem.detail, problem.kind != .database))
      counts[problem.detail] = 1
    } else {
      leftOut += 1
    }
  }

  var texts: [String] {
    let texts = details.map { entry in
      entry.isCounted ? "\(counts[entry.detail] ?? 1) \(entry.detail)." : entry.detail
    }
    guard leftOut > 0 else { return texts }
    let rest = "\(leftOut) more problems are left out. forEachIntegrityProblem hands over each."
    return texts + [rest]
  }
}
