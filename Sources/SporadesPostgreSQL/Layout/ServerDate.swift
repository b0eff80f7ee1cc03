// SPDX-License-Identifier: MIT
import SporadesStore

/// Moments as a server keeps them: microseconds since the beginning of 2000.
package enum ServerDate {
  /// The microseconds between the server's beginning and Foundation's, that of 2001.
  private static let distance: Int64 = 31_622_400_000_000
  /// The moments that a server keeps: from 4713 BC to 294276.
  private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

  /// The server's form of a moment in seconds since 2001; nil for a moment that no server keeps.
  package static func microseconds(_ seconds: Double) -> Int64? {
    guard let own = DatePrecision.microseconds(seconds) else { return nil }
    let (moved, isLarge) = own.addingReportingOverflow(distance)
    return !isLarge && range.contains(moved) ? moved : nil
  }

  /// The seconds since 2001 of a moment that a server keeps; nil for its infinities.
  static func seconds(_ microseconds: Int64) -> Double? {
    range.contains(microseconds) ? DatePrecision.seconds(microseconds - distance) : nil
  }
}
