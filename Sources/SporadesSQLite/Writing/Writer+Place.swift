// SPDX-License-Identifier: MIT
import SporadesStore

// The files of the store, which anybody may remove, move, replace or empty.
extension Writer {
  /// Throws if the last check threw and the files have not come back.
  func checkIfLost() throws(StoreError) {
    if place?.wasLost == true { try checkPlace() }
  }

  /// Throws if the files are known to be away. What is written to a log may get into a database that lies there now.
  func checkBeforeWriting() throws(StoreError) {
    try checkIfLost()
    if let loss = place?.loss { throw loss }
  }

  /// Throws if the file at the store's path is not the one that received the commit.
  func checkPlace() throws(StoreError) {
    do throws(StoreError) { try place?.check() } catch {
      leaveLog()
      throw error
    }
  }

  /// Lets the connection leave a log alone that belongs to another store, and a database that somebody has emptied.
  func keepForeignFiles() {
    guard let place, !place.ownsLog else { return }
    connection.keepLog()
    if place.wasEmptied { connection.keepDatabase() }
  }

  /// Takes the log from the path of a database that is lost. It belongs to the opened file, and SQLite would read it as part
  /// of another file at this path.
  func leaveLog() {
    // `try?`, because the log then stays, and `close` tries again. An empty one is left alone, as to empty it is a notice for
    // all who watch it.
    if place?.isLogEmpty == false { try? emptyLog() }
    place?.leaveOtherDatabase()
    keepForeignFiles()
  }

  /// Moves the whole log into the database, unless another connection uses it or it belongs to another file.
  func emptyLog() throws(StoreError) {
    guard place?.ownsLog == true else { return }
    try connection.withoutWaiting { () throws(StoreError) in
      _ = try connection.checkpoint(truncating: true)
    }
  }
}
