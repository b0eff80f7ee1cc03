// SPDX-License-Identifier: MIT
import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// Writes the file of a store anew, without the pages that deletions left empty. Returns the numbers of bytes before and
  /// afterwards, with the log. Throws if another process writes to the store.
  package static func vacuum(
    storeAt path: String
  ) throws(StoreError) -> (before: Int, after: Int) {
    do throws(StoreError) {
      _ = try StoreContent.read(at: path).identity(at: path)
      let before = try size(ofStoreAt: path)
      let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 5_000)
      defer { connection.close() }
      connection.limit.allow(0)
      try connection.checkWritable(path)
      try connection.registerFunctions(nil)
      try connection.run(.vacuum)
      // A reader of another process may keep the log; the next checkpoint moves it.
      if try connection.rows(.journalMode).first?.first?.text == "wal" {
        try connection.run(.emptyLog)
      }
      return (before, try size(ofStoreAt: path))
    } catch { throw error.located(at: path) }
  }

  private static func size(ofStoreAt path: String) throws(StoreError) -> Int {
    let file = SystemFile.target(of: path)
    guard let size = SystemFile.size(file) else {
      throw StoreError(
        .io,
        "The size of \(path) cannot be read: \(SystemFile.message(SystemFile.lastError)).")
    }
    return size + (SystemFile.size(file + "-wal") ?? 0)
  }
}
