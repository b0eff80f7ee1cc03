// SPDX-License-Identifier: MIT

extension Connection.Access {
  /// The access mode for reading the store at a path. SQLite cannot read a log in a read-only folder. A store
  /// without a log can be read from its file alone.
  static func reading(_ path: String) -> Self {
    let file = SystemFile.target(of: path)
    let canShareLog = SystemFile.isWritable(SystemFile.folder(of: file))
    let log = file + "-wal"
    // If the system refuses to tell the size, the log may hold data.
    let hasLog = SystemFile.kind(log) != .none && SystemFile.size(log) != 0
    return canShareLog || hasLog ? .readOnly : .immutable
  }
}
