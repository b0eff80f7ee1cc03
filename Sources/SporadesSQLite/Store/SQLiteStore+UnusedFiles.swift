// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Removes the files of large values that no row names, and returns how many there were.
  ///
  /// Stores do it by themselves when they are opened after an end that was not their closing, by the one
  /// process that has them open. Call it where a store is always open somewhere. What other processes
  /// write meanwhile is safe; an object of theirs that shows a row that was since changed can lose its
  /// former large value a little sooner.
  ///
  /// Refused where a file beside the store differs from it only behind the last dot: if that is a store,
  /// its large values lie in the same folder.
  @discardableResult
  public func removeUnusedFiles() throws(StoreError) -> Int {
    guard let files else { return 0 }
    let before = try UnusedFiles.listed(files.folder)
    guard !before.isEmpty else { return 0 }
    // Asked after the files were listed: a store is there before its large values are.
    if let other = try UnusedFiles.otherOfStem(files.folder) {
      throw StoreError(
        .unsupported,
        "The large values of \(other) may lie in \(files.folder.path) too. Move that file, or this "
          + "store, to a folder of its own.")
    }
    return try write { (writer) throws(StoreError) in
      try writer.transact { (writer) throws(StoreError) in
        let known = files.known
        let unused = try UnusedFiles(folder: files.folder, connection: writer.connection)
          .among(before.filter { !known.contains($0) })
        guard !unused.isEmpty else { return 0 }
        // What dropped them may be a commit of another process that is not on the disk yet.
        try log?.syncAll()
        // Rows of a store that was put into the place of this one may name them.
        try place?.check()
        try UnusedFiles.remove(unused, files.folder)
        return unused.count
      }
    }
  }
}
