// SPDX-License-Identifier: MIT

/// Counts of a root's saves and commits since it was made.
public struct CommitMetrics: Hashable, Sendable {
  /// The number of saves that are executed and not committed.
  public var changeSetsWaiting = 0
  /// The number of rows in the saves that are executed and not committed.
  public var rowsWaiting = 0
  /// The time that the last successful commit took.
  public var lastCommitDuration: Duration = .zero
  /// The number of successful commits.
  public var commits = 0
  /// The number of rows in committed saves.
  public var rowsCommitted = 0
  /// The number of lost saves: executed saves that the store cannot keep, because another writer changed the
  /// same rows.
  public var changeSetsLost = 0
  /// The number of rows in lost saves.
  public var rowsLost = 0

  /// Makes metrics in which every count is zero.
  public init() {}
}
