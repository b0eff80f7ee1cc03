// SPDX-License-Identifier: MIT

/// The counts of a root's saves and commits so far.
public struct CommitMetrics: Hashable, Sendable {
  /// Saves executed and not committed.
  public var changeSetsWaiting = 0
  /// Rows of those saves.
  public var rowsWaiting = 0
  public var lastCommitDuration: Duration = .zero
  public var commits = 0
  public var rowsCommitted = 0
  /// Saves that were executed and could not be kept, because others changed the same rows.
  public var changeSetsLost = 0
  /// Rows of those saves.
  public var rowsLost = 0

  public init() {}
}
