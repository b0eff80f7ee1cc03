// SPDX-License-Identifier: MIT
import CSQLite
import SporadesStore

// The write-ahead log.
extension Connection {
  /// Counts the frames of the write-ahead log. It also replaces SQLite's own checkpoints, which would delay
  /// commits.
  func watchLog() {
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, frames in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = frames
        return SQLITE_OK
      }, logFrames)
  }

  var framesInLog: Int { Int(unsafe logFrames.pointee) }

  /// Runs a commit. Returns the number of frames in the log after it; nil if it wrote none.
  func framesAfter(_ commit: () throws(StoreError) -> Void) throws(StoreError) -> Int? {
    let former = unsafe logFrames.pointee
    unsafe logFrames.pointee = -1
    defer { if unsafe logFrames.pointee < 0 { unsafe logFrames.pointee = former } }
    try commit()
    return unsafe logFrames.pointee < 0 ? nil : framesInLog
  }

  /// Moves as many frames as possible from the log into the database, and returns the number of moved frames.
  /// The others stay in the log.
  func checkpoint(truncating: Bool) throws(StoreError) -> Int {
    var moved: Int32 = 0
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    // Other readers and writers may still need frames in the log; those frames stay.
    _ = try moveLog(mode, &moved)
    return Int(max(0, moved))
  }

  /// Moves all frames, and waits until nobody reads from the log, so that the next commit begins it anew. Meanwhile no
  /// connection can write. Returns false if another connection was in the way all the time.
  func beginLogAnew(patience milliseconds: Int32) throws(StoreError) -> Bool {
    let patience = BusyWait(milliseconds: milliseconds)
    unsafe patience.install(on: handle)
    defer { unsafe wait.install(on: handle) }
    var moved: Int32 = 0
    // SQLite calls the handler of the patience only within this call.
    return try withExtendedLifetime(patience) { () throws(StoreError) in
      try moveLog(SQLITE_CHECKPOINT_RESTART, &moved)
    }
  }

  /// Moves frames from the log into the database. Returns false if other connections still needed some.
  private func moveLog(_ mode: Int32, _ moved: inout Int32) throws(StoreError) -> Bool {
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, &moved)
    guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
      throw unsafe StoreError.sqlite(code, handle, "The log cannot be moved into the database.")
    }
    return code == SQLITE_OK
  }

  /// Makes the connection leave the log alone when it closes. SQLite removes the log by its path, and after a
  /// replacement that path belongs to another store.
  func keepLog() {
    var keeps: Int32 = 1
    // A database without a log has nothing to keep, and the call fails there.
    _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
  }
}
