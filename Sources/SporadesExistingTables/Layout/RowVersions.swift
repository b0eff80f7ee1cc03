// SPDX-License-Identifier: MIT
import SporadesModel

/// The versions of rows that the store has written into tables without a column of versions.
///
/// The server marks each row with the number of the transaction that wrote it. A row that was read has its mark as its
/// version, and a save gives it the next number, which the server does not know. So the store remembers both numbers of each
/// row that it has written. A mark is never below the version that stands for it, since each write takes a number of its own.
///
/// All keys are those of the root entity.
final class RowVersions: Sendable {
  private struct Known {
    /// The number that contexts have.
    let version: Int64
    /// The server's mark.
    let mark: Int64
  }

  private struct State {
    var known: [UInt64: Known] = [:]
    /// What was known before each change set of the open transaction.
    var former: [[(row: UInt64, known: Known?)]] = []

    mutating func undoLast() {
      for (row, known) in (former.popLast() ?? []).reversed() { self.known[row] = known }
    }
  }

  private let state = Guarded(State())
  /// More rows are forgotten, and the next save of each of them meets a conflict.
  private let limit: Int

  init(limit: Int = 1_000_000) { self.limit = limit }

  /// The mark that a row has on the server, if nobody else has changed it since it had a version.
  func mark(of key: RowKey, _ version: Int64) -> Int64 {
    state.withLock { state in
      guard let known = state.known[key.rawValue], known.version == version else { return version }
      return known.mark
    }
  }

  /// The version of a row with a mark.
  func version(of key: RowKey, _ mark: Int64) -> Int64 {
    state.withLock { state in
      guard let known = state.known[key.rawValue], known.mark == mark else { return mark }
      return known.version
    }
  }

  // MARK: - Writes

  /// Begins a change set of the open transaction.
  func begin() { state.withLock { $0.former.append([]) } }

  func note(_ key: RowKey, version: Int64, mark: Int64) {
    state.withLock { state in
      let former = state.known.updateValue(
        Known(version: version, mark: mark), forKey: key.rawValue)
      guard let last = state.former.indices.last else { return }
      state.former[last].append((key.rawValue, former))
    }
  }

  /// Forgets the last change set.
  func undo() { state.withLock { $0.undoLast() } }

  /// Forgets the change sets of a transaction that was undone.
  func undoAll() {
    state.withLock { state in while !state.former.isEmpty { state.undoLast() } }
  }

  /// Keeps what a transaction has written.
  func keep() {
    state.withLock { state in
      state.former = []
      if state.known.count > limit { state.known = [:] }
    }
  }
}
