// SPDX-License-Identifier: MIT

extension Connection.Access {
  /// How to read the store at a path. A log cannot be read in a folder that cannot be written, but
  /// where there is no log the file alone is the store.
  static func reading(_ path: String) -> Self {
    let file = SystemFile.target(of: path)
    let canShareLog = SystemFile.isWritable(SystemFile.folder(of: file))
    let log = file + "-wal"
    // A log whose size the system does not tell may hold something.
    let hasLog = SystemFile.kind(log) != .none && SystemFile.size(log) != 0
    return canShareLog || hasLog ? .readOnly : .immutable
  }
}
