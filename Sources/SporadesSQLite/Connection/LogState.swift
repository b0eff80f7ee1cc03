// SPDX-License-Identifier: MIT
import CSQLite

/// A name for one committed state of a file with a write-ahead log: the whole header of the log's index.
///
/// Each commit changes the number of frames, and beginning the log anew changes its salts, which never come back. Two
/// equal headers therefore name the same rows.
struct LogState: Equatable, Sendable {
  private let header: sporades_log_header

  /// The newest committed state. Nil if the database has no write-ahead log, or if a commit is being noted right now.
  ///
  /// The connection must begin a transaction after its first call, as with ``LogHeader``.
  init?(of connection: Connection) {
    guard let place = unsafe sporades_log_header_place(connection.handle) else { return nil }
    var header = sporades_log_header()
    guard unsafe sporades_read_settled_log_header(place, &header) != 0 else { return nil }
    self.header = header
  }

  /// The number of frames that the state has in the log.
  var frames: Int { Int(sporades_header_frames(header)) }

  /// The two numbers that tell the log from all earlier and later ones of the file.
  private var salts: UInt64 { header.words.4 }

  /// Whether this is the state behind another one and a commit that left the log with a number of frames.
  ///
  /// A log grows only by commits, so its salts and its number of frames name one state. A commit that began the log anew
  /// is not recognised.
  func follows(_ former: LogState, byCommitting frames: Int) -> Bool {
    salts == former.salts && self.frames == frames && frames > former.frames
  }

  static func == (left: LogState, right: LogState) -> Bool {
    left.header.words == right.header.words
  }
}
