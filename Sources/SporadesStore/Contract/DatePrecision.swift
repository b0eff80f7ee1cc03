// SPDX-License-Identifier: MIT
import SporadesModel

/// The digits of dates that a store keeps.
///
/// Contexts round the dates of a save before they make its change set, so that they show the dates which the store keeps.
public enum DatePrecision: Sendable {
  /// All digits of a `Double`.
  case exact
  /// Microseconds, as most servers keep them.
  case microseconds

  /// The date that the store keeps for one, both in seconds since 2001.
  public func rounded(_ seconds: Double) -> Double {
    switch self {
    case .exact: seconds
    case .microseconds: Self.microseconds(seconds).map(Self.seconds) ?? seconds
    }
  }

  /// The nearest whole number of microseconds; nil if 64 bits do not hold it.
  package static func microseconds(_ seconds: Double) -> Int64? {
    let whole = seconds.rounded(.down)
    guard let scaled = Int64(exactly: whole)?.multipliedReportingOverflow(by: 1_000_000),
      !scaled.overflow
    else { return nil }
    // The rest is exact, and so no digit of a large number of seconds is lost before it is rounded.
    let rest = Int64(((seconds - whole) * 1_000_000).rounded())
    let (sum, isLarge) = scaled.partialValue.addingReportingOverflow(rest)
    return isLarge ? nil : sum
  }

  /// The nearest number of seconds.
  package static func seconds(_ microseconds: Int64) -> Double {
    // One division rounds once, where a double holds all microseconds.
    if microseconds.magnitude <= 1 << 53 { return Double(microseconds) / 1_000_000 }
    return Double(microseconds / 1_000_000) + Double(microseconds % 1_000_000) / 1_000_000
  }
}

extension ChangeSet {
  /// Rounds the dates of all rows in their pages. Nobody else may see the rows yet.
  package func roundDates(to precision: DatePrecision) {
    guard precision != .exact else { return }
    for page in inserted + updated.map(\.page) { page.replaceDates(precision.rounded) }
  }
}
