// SPDX-License-Identifier: MIT

/// The servers from which a store reads.
public enum PostgreSQLReads: Hashable, Sendable {
  /// All reads go to the primary.
  case primary
  /// Reads go to the standbys among the servers of the store's address, and to the primary where no standby has what it needs.
  ///
  /// A read sees all that the store has written, and all that it has read from the primary. What others wrote, it sees no later
  /// than `maxLag` after their commits returned. A standby can show a commit earlier than another server does, also before it has
  /// returned: so a later read of another server may not show it yet. With a `maxLag` of zero, a read sees all commits that had
  /// returned before it began.
  case replicas(maxLag: Duration)
}
