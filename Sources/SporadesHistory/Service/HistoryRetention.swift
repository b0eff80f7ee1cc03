// SPDX-License-Identifier: MIT

/// Where a reader of the history begins that no store knows yet.
public enum HistoryStart: Hashable, Sendable {
  /// At the first transaction that is there.
  case beginning
  /// Behind the last transaction.
  case now
}

/// How much of a history a cleaning keeps.
///
/// A cleaning deletes what every named reader has confirmed. The bounds delete more: a reader that stays away longer gets
/// an error with the code `historyExpired` when it comes back.
public struct HistoryRetention: Hashable, Sendable {
  /// The age above which a transaction goes, though a reader has not confirmed it; nil for no bound.
  public var longestAge: Duration?
  /// The number of transactions above which the oldest go, though a reader has not confirmed them; nil for no bound.
  public var largestCount: Int?

  /// Keeps what a reader has not confirmed, within bounds.
  public init(longestAge: Duration? = nil, largestCount: Int? = nil) {
    self.longestAge = longestAge
    self.largestCount = largestCount
  }
}
