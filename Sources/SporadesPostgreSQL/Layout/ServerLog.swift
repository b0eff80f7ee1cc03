// SPDX-License-Identifier: MIT

/// What a primary says of the log of changes that it writes, as terms of statements.
package enum ServerLog {
  /// The number of the cluster, which restarts and takeovers leave as it is.
  package static let cluster = "(SELECT system_identifier::text FROM pg_control_system())"
  /// The line of the log. A standby that takes over begins another one.
  package static let line = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)"
}
