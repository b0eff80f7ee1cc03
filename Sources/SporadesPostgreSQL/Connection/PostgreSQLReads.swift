// SPDX-License-Identifier: MIT

/// The servers from which a store reads.
public enum PostgreSQLReads: Hashable, Sendable {
  /// All reads go to the primary.
  case primary
  /// Reads go to the standbys among the servers of the store's address, and to the primary where no standby has what it needs.
  ///
  /// A read sees all that the store has written and shown before. What others wrote, it sees no later than `maxLag` after their
  /// commits. With a `maxLag` of zero it sees all that was committed before it began.
  case replicas(maxLag: Duration)
}
