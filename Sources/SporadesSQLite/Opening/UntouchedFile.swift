// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// Reads a store's file without a trace: without a lock, and without a new file beside it.
///
/// A read-only connection would create a missing log and its index, and leave them there. The file is therefore
/// read without SQLite's locks. Two stamps, before and after the read,
/// reveal a change by another process. After a change, a connection with SQLite's locks reads the file again.
package struct UntouchedFile: Sendable {
  private let path: String

  package init(_ path: String) { self.path = SystemFile.target(of: path) }

  package func read<Output>(
    _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let access = Connection.Access.withoutTrace(path, whileInUse: true)
    if access.isUnprotected, let stamp = stamp() {
      let attempt = Result { () throws(StoreError) in try read(access, body) }
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

  /// The states of the file and of its log and journal.
  package struct Stamp: Equatable, Sendable {
    private let file: SystemFile.Stamp
    private let others: [SystemFile.Stamp?]

    fileprivate init?(_ path: String) {
      guard let file = SystemFile.stamp(path) else { return nil }
      self.file = file
      others = SystemFile.logs.map { SystemFile.stamp(path + $0) }
    }
  }

  /// Whether there is a file without a log or a journal, so that opening it for writing changes nothing in it, whatever
  /// it holds. A file of one byte is none, because SQLite would overwrite it.
  var isLeftWhole: Bool {
    guard SystemFile.kind(path) == .file, let size = SystemFile.size(path), size > 1 else {
      return false
    }
    return !SystemFile.hasLog(beside: path)
  }

  /// Nil if the system refuses to tell.
  package func stamp() -> Stamp? { Stamp(path) }
}

/// Watches a file that stays open and is read without locks.
struct UntouchedWatch: Sendable {
  private let file: UntouchedFile
  private let first: UntouchedFile.Stamp

  /// Nil if the connections of the access mode lock the file.
  init?(_ path: String, _ access: Connection.Access) throws(StoreError) {
    guard access.isUnprotected else { return nil }
    file = UntouchedFile(path)
    guard let stamp = file.stamp() else {
      throw StoreError(
        .io,
        "The system does not tell the state of \(path): \(SystemFile.message(SystemFile.lastError)). "
          + "Try again.")
    }
    first = stamp
  }

  /// Throws if another process changed the file since it was opened.
  func check() throws(StoreError) {
    guard file.stamp() != first else { return }
    throw StoreError(
      .moved,
      "Another process changed the store while it was open without a lock, so what was read may be mixed of "
        + "two states. Open it again.")
  }
}
