// SPDX-License-Identifier: MIT
import SporadesModel
import Synchronization

/// Rows that readers of a file have read lately, for those who read them again in the same state or in a later one.
///
/// Rules:
/// 1. The cache knows one current state by the header of the log, and gives it a number. A row in the cache is the same
///    in all states from the one in which it was read to the current one.
/// 2. A reader's state that is the current one has its number. So have the few states before it. In any other state
///    nobody asks the cache.
/// 3. A reader takes rows that were read in its own state or an earlier one. It leaves rows only if its state is still
///    the current one.
/// 4. A commit of this store takes out the rows that it changes before anybody can see it, and only then makes the next
///    state the current one. It does so only if it began from the current state, and if every changed row is known.
///    Else it empties the cache.
/// 5. A newer state that no commit of this store led to was made by somebody else. The cache is emptied, and that state
///    becomes the current one.
///
/// A commit that the cache does not hear of therefore empties it, and cannot make it wrong.
final class RowCache: Sendable {
  fileprivate struct Content {
    var rows: KeptRows
    /// The number of the current state, or of the next one while there is none. It only grows.
    var number = 0
    /// Nil while a commit runs, and when the outcome of a commit is not known.
    var current: LogState?
    /// The number of rows that readers took so far.
    var taken = 0
    var isCommitting = false
    /// States before the current one, the oldest first.
    var former: [(state: LogState, number: Int)] = []
  }
  private let content: Guarded<Content>
  private let hasReaders = Atomic(false)
  private static let mostFormer = 4

  /// A cache that holds no more than a number of bytes.
  init(byteCount: Int) { content = Guarded(Content(rows: KeptRows(limit: byteCount))) }

  /// Whether anybody has asked the cache yet. Before that, commits need not tell what they change.
  var isUsed: Bool { hasReaders.load(ordering: .acquiring) }

  /// The number of rows, of their bytes, and of the rows that readers took so far.
  var account: (rows: Int, bytes: Int, taken: Int) {
    content.withLock { ($0.rows.count, $0.rows.byteCount, $0.taken) }
  }

  // MARK: - Readers

  /// The number of a reader's state; nil if the cache does not know the state. `isNewest` tells whether no later state
  /// has been committed.
  func number(of state: LogState, ifNewest isNewest: () -> Bool) -> Int? {
    hasReaders.store(true, ordering: .releasing)
    return content.withLock { content -> Int? in
      if content.current == state { return content.number }
      if let known = content.former.first(where: { $0.state == state }) { return known.number }
      guard !content.isCommitting, isNewest() else { return nil }
      content.empty()
      content.current = state
      return content.number
    }
  }

  /// Appends the rows with the keys that a state of a number shows, in the order of the keys. Returns the indexes of
  /// the keys whose rows the cache lacks.
  func take(_ keys: [RowKey], in number: Int, into builder: inout RowPageBuilder) -> [Int] {
    content.withLock { content in
      let missing = content.rows.take(keys, upTo: number, into: &builder)
      content.taken &+= keys.count - missing.count
      return missing
    }
  }

  /// Keeps rows that were read in a state. Returns the number of rows that the cache had; nil if the state is no longer
  /// the current one.
  @discardableResult
  func keep(_ pages: [RowPage], from number: Int) -> Int? {
    content.withLock { content -> Int? in
      guard content.number == number, content.current != nil else { return nil }
      return pages.reduce(0) { $0 + content.rows.keep($1, number: number) }
    }
  }

  // MARK: - The writer

  /// Tells that a transaction is about to be committed. `keys` are the primary keys of all rows that it changes; nil if
  /// they are not known. ``didCommit(_:)`` follows in any case.
  func willCommit(from state: LogState?, changing keys: [Int64]?) {
    content.withLock { content in
      content.isCommitting = true
      guard let state, let keys, content.current == state else { return content.empty() }
      for key in keys { content.rows.remove(key) }
      content.former.append((state, content.number))
      if content.former.count > Self.mostFormer { content.former.removeFirst() }
      content.number += 1
      content.current = nil
    }
  }

  /// Tells the state that the commit led to; nil if it failed, or if somebody else may have committed since.
  func didCommit(_ state: LogState?) {
    content.withLock { content in
      content.isCommitting = false
      if state == nil { content.empty() }
      content.current = state
    }
  }
}

extension RowCache.Content {
  /// Forgets all rows. No state keeps its number.
  fileprivate mutating func empty() {
    rows.removeAll()
    number += 1
    former = []
    current = nil
  }
}
