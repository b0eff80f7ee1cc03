// SPDX-License-Identifier: MIT

/// The connections of a store for reads, and how reads waited for them.
///
/// Many waits, or long ones, ask for a larger ``PostgreSQLStoreOptions/readerCount`` or for shorter reads. Stores that share
/// ``PostgreSQLConnections`` count the connections and waits of all of them, also for writing.
public struct PostgreSQLStoreMetrics: Hashable, Sendable {
  /// The number of connections to the primary that read at the moment.
  public let connectionsInUse: Int
  /// The number of open connections that no read uses.
  public let connectionsIdle: Int
  /// The number of reads so far that found all connections in use, and waited.
  public let waits: Int
  /// The longest of these waits.
  public let longestWait: Duration
  /// The number of connections so far, also for writing, that took the place of lost ones.
  public let reconnects: Int
  /// The number of standbys that can take reads at the moment.
  public let standbys: Int
  /// The number of reads so far that a standby took.
  public let standbyReads: Int
}
