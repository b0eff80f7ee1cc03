// SPDX-License-Identifier: MIT
import CSQLite

/// A copy of the header of the write-ahead log's index.
///
/// Every commit of every process changes the header, in memory that all connections to the file share. An equal
/// header therefore proves that nobody has committed since the copy.
@safe
struct LogHeader {
  private let place: UnsafeRawPointer
  private let copy: sporades_log_header

  /// Nil if the database has no write-ahead log, or if its index is not in shared memory.
  ///
  /// The connection must begin a transaction after this call and before the next comparison. SQLite keeps the
  /// memory in place while the transaction is open.
  init?(of connection: Connection) {
    guard let place = unsafe sporades_log_header_place(connection.handle) else { return nil }
    unsafe self.place = unsafe UnsafeRawPointer(place)
    unsafe copy = sporades_read_log_header(place)
  }

  /// The number of frames in the log; 0 if checkpoints have moved all of them, so that a reader that begins now is in
  /// nobody's way.
  var frames: Int { unsafe Int(sporades_log_frames(place)) }

  /// Nobody has committed since the copy.
  var isCurrent: Bool {
    unsafe sporades_is_log_header(copy, UnsafeMutableRawPointer(mutating: place)) != 0
  }
}
