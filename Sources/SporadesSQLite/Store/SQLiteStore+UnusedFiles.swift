// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Removes the files of large values that no row names, and returns their number.
  ///
  /// A store removes them itself when a process opens it after a crash and no other process has it open. Call
  /// this method if some process always has the store open. Rows that other processes write at the same time
  /// are safe. An object of another process that still shows an old row can lose its former large value a
  /// little sooner.
  ///
  /// Throws if the name of a file beside the store differs only after the last dot. If that file is a store,
  /// it keeps its large values in the same folder.
  @discardableResult
  public func removeUnusedFiles() throws(StoreError) -> Int {
    guard let files else { return 0 }
    let before = try UnusedFiles.listed(files.folder)
    guard !before.isEmpty else { return 0 }
    // The check follows the listing, because a store exists before its large values do.
    if let other = try UnusedFiles.otherOfStem(files.folder) {
      throw StoreError(
        .unsupported,
        "The large values of \(other) may be in \(files.folder.path) too. Move that file, or this "
          + "store, to another folder.")
    }
    return try write { (writer) throws(StoreError) in
      try writer.transact { (writer) throws(StoreError) in
        let known = files.known
        let unused = try UnusedFiles(folder: files.folder, connection: writer.connection)
          .among(before.filter { !known.contains($0) })
        guard !unused.isEmpty else { return 0 }
        // The files may have been dropped by another process's commit that is not on the disk yet.
        try log?.syncAll()
        // If another store has replaced this one, its rows may name the files.
        try place?.check()
        try UnusedFiles.remove(unused, files.folder)
        return unused.count
      }
    }
  }
}
