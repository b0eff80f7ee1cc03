// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// Reads a store's file without a trace: without a lock, and without a new file beside it.
///
/// A read-only connection would create a missing log and its index, and leave them there. A file without a
/// log is therefore opened as immutable. Two stamps, before and after the read, reveal a change by another
/// process. After a change, a connection with SQLite's locks reads the file again.
package struct UntouchedFile {
  private let path: String

  package init(_ path: String) { self.path = SystemFile.target(of: path) }

  package func read<Output>(
    _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    if let stamp = stamp() {
      let attempt = Result { () throws(StoreError) in try read(.immutable, body) }
      if self.stamp() == stamp { return try attempt.get() }
    }
    return try read(.readOnly, body)
  }

  private func read<Output>(
    _ access: Connection.Access, _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let connection = try Connection(path: path, access: access, busyMilliseconds: 5_000)
    defer { connection.close() }
    return try body(connection)
  }

  /// Nil if a log or a journal belongs to the content, or if the system refuses to tell.
  private func stamp() -> SystemFile.Stamp? {
    for end in ["-wal", "-journal"] where SystemFile.kind(path + end) != .none {
      guard SystemFile.size(path + end) == 0 else { return nil }
    }
    return SystemFile.stamp(path)
  }
}
