// SPDX-License-Identifier: MIT

/// What became slower between two runs.
///
/// Times depend on the machine and ratios hardly do, so ratios are compared; and memory, which is
/// the same everywhere.
struct Comparison {
  /// Per cent by which a result may be worse before it counts.
  static let tolerance = 15.0

  let old: Results
  let new: Results

  /// A sentence for each result that is worse; results only one of the runs has are left out.
  func regressions() -> [String] {
    new.byKey.sorted { $0.key < $1.key }.compactMap { key, result in
      guard let before = comparable(old.byKey[key], key), let now = comparable(result, key),
        now > before * (1 + Self.tolerance / 100)
      else { return nil }
      let share = (now / before - 1) * 100
      return "\(key) is worse by \(decimal(share, 0)) %: \(decimal(before, 2)) → \(decimal(now, 2))"
    }
  }

  private func comparable(_ result: Results.Result?, _ key: String) -> Double? {
    switch result {
    case .pair(let pair): pair.ratio
    case .number(let number) where key == Probe.peak.key: number
    default: nil
    }
  }
}
