// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// Notices that another connection has committed to the file: one of another process, as a rule. Also notices that the file
/// was removed, moved or replaced, after which nobody hears of a commit any more.
///
/// A commit writes to the log first, of which the system gives notice, and then makes the commit visible, of which there is
/// no notice. After a notice the watch therefore looks several times for another version of the data, at growing
/// distances. A commit that it finds begins the distances anew: the notice may have stood for a second commit, too, which
/// is not visible yet.
///
/// A store that writes causes notices itself. After such a notice the watch looks once, and then at large distances only: a
/// commit of somebody else gives a notice of its own, unless it fell together with the store's.
final class CommitWatch: Sendable {
  private struct State {
    /// The version of the data at the last look; nil before the first.
    var version: Int64?
    /// The number of looks since the last notice or commit, and the number of the notice.
    var looks = 0
    var notice = 0
    /// The number of the store's own writes at the last notice.
    var ownWrites = 0
    /// The file was not in its place at the last look.
    var isLost = false
  }

  private let state = Guarded(State())
  private let queue = DispatchQueue(label: "sporades.commits.others", qos: .userInitiated)
  private let version: @Sendable () throws(StoreError) -> Int64?
  private let ownWrites: @Sendable () -> Int
  private let upkeep: UpkeepAccount
  private let committed: @Sendable () -> Void
  /// Nil after the end.
  private let observations = Guarded<[StoreObservation]?>([])
  /// The distances between looks in milliseconds. A commit waits for the disk for less than their sum.
  private static let distances =
    [Int](repeating: 1, count: 12) + [2, 2, 2, 4, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048]
  /// The place of the first distance after a notice of the store's own writes.
  private static let firstAfterOwnWrites = 21
  /// How long the watch waits with its first steps. Ending a process that asked the system for notices takes the system some ten
  /// milliseconds, which a short program need not pay.
  private static let patience = DispatchTimeInterval.milliseconds(50)
  /// The distance where the system gives no notices.
  private static let distanceWithoutNotices = 50

  /// Prepares a watch. `version` returns a number that changes with each commit of another connection, and nil once the
  /// store is closed. The store's own writes change the number that `ownWrites` returns, before they begin.
  init(
    upkeep: UpkeepAccount, version: @escaping @Sendable () throws(StoreError) -> Int64?,
    ownWrites: @escaping @Sendable () -> Int, committed: @escaping @Sendable () -> Void
  ) {
    self.upkeep = upkeep
    self.version = version
    self.ownWrites = ownWrites
    self.committed = committed
  }

  /// Begins to watch the file that commits write to first, and others that must stay in their places.
  func begin(_ path: String, _ others: [String]) {
    // Rows that are read from now on may be older than the next commit, so the first version is asked at once.
    _ = findsCommit()
    queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      self?.ask(for: [path] + others)
    }
  }

  /// Ends the watch.
  func end() {
    observations.withLock { $0 = nil }
    state.withLock { $0.notice = -1 }
  }

  /// Asks the system for notices. A commit of which there was no notice may be on its way already, so this counts as one.
  private func ask(for paths: [String]) {
    let isHeard = observations.withLock { observations -> Bool? in
      guard observations != nil else { return nil }
      let watches = paths.map { path in
        FileWatches.shared.add(path) { [weak self] in self?.notice() ?? false }
      }
      observations = watches.compactMap(\.self)
      return watches[0] != nil
    }
    guard let isHeard else { return }
    if isHeard { _ = notice() } else { lookOnAndOn() }
  }

  /// Begins to look. Returns whether the store itself has written since the last notice.
  private func notice() -> Bool {
    let writes = ownWrites()
    let (notice, isOwn) = state.withLock { state -> (Int?, Bool) in
      guard state.notice >= 0 else { return (nil, false) }
      let isOwn = state.ownWrites != writes
      state.ownWrites = writes
      state.notice += 1
      state.looks = isOwn ? Self.firstAfterOwnWrites : 0
      return (state.notice, isOwn)
    }
    if let notice { queue.async { [self] in look(at: notice) } }
    return isOwn
  }

  /// Looks for another version, and plans the next look unless a later notice came.
  private func look(at notice: Int) {
    guard state.withLock({ $0.notice == notice }), let isNew = findsCommit() else { return }
    let distance = state.withLock { state -> Int? in
      if isNew { state.looks = 0 }
      defer { state.looks += 1 }
      return state.looks < Self.distances.count ? Self.distances[state.looks] : nil
    }
    guard let distance else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(distance)) { [weak self] in
      self?.look(at: notice)
    }
  }

  private func lookOnAndOn() {
    guard findsCommit() != nil, state.withLock({ $0.notice >= 0 }) else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.distanceWithoutNotices)) {
      [weak self] in self?.lookOnAndOn()
    }
  }

  /// Whether another connection has committed since the last look; nil if the store is closed.
  private func findsCommit() -> Bool? {
    do throws(StoreError) {
      guard let version = try version() else { return nil }
      upkeep.noteSuccess(of: .hearingOthers)
      let isNew = state.withLock { state in
        defer { (state.version, state.isLost) = (version, false) }
        return state.isLost || state.version.map { $0 != version } ?? false
      }
      if isNew { committed() }
      return isNew
    } catch {
      noteLoss(error)
      upkeep.note(error, of: .hearingOthers)
      return false
    }
  }

  /// Tells once that the file has left its place.
  private func noteLoss(_ error: StoreError) {
    guard error.code == .moved else { return }
    let isNew = state.withLock { state in
      defer { state.isLost = true }
      return !state.isLost
    }
    if isNew { committed() }
  }
}
