// SPDX-License-Identifier: MIT

extension Connection.Access {
  /// The access mode for reading the store at a path. SQLite cannot read a log in a read-only folder. A store
  /// without a log can be read from its file alone.
  static func reading(_ path: String) -> Self {
    let file = SystemFile.target(of: path)
    let canShareLog = SystemFile.isWritable(SystemFile.folder(of: file))
    return canShareLog || hasContent(file + "-wal") ? .readOnly : .immutable
  }

  /// The access mode for reading the store at a path without a trace: without a lock, and without a new file
  /// beside it.
  ///
  /// A log without an index is in nobody's use, and is read without a lock. A log with an index may be in use. A reader
  /// with a lock writes a mark into the index; one without must look afterwards whether another process has written. A
  /// journal can only be read by a connection that locks the file.
  static func withoutTrace(_ path: String, whileInUse: Bool) -> Self {
    if hasContent(path + "-journal") { return .readOnly }
    guard hasContent(path + "-wal") else { return .immutable }
    let isUnlocked = whileInUse || SystemFile.kind(path + "-shm") == .none
    return isUnlocked && !OpenStores.areLocking(path) ? .unlocked : .readOnly
  }

  /// If the system refuses to tell the size, the file may hold data.
  private static func hasContent(_ path: String) -> Bool {
    SystemFile.kind(path) != .none && SystemFile.size(path) != 0
  }

  /// Whether other processes can change the file in the middle of a read.
  var isUnprotected: Bool {
    switch self {
    case .immutable, .unlocked: true
    case .readOnly, .readWrite: false
    }
  }
}
