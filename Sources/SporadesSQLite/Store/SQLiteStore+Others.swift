// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore
import Synchronization

extension SQLiteStore: SharedStore {
  /// Calls `committed` with the store's identifier after another process has committed to the file, or another connection
  /// of this process, and after the file was removed, moved or replaced. Returns nil for a store in memory, for one that is read without locks, and where the
  /// options forbid it.
  public func observeOthers(
    _ committed: @escaping @Sendable (String) -> Void
  ) -> StoreObservation? {
    guard let path, let file = fileOfCommits else { return nil }
    let watch = CommitWatch(
      upkeep: account,
      version: { [weak self] () throws(StoreError) in try self?.versionOfOthers() },
      ownWrites: { [weak self] in self?.ownWrites.load(ordering: .relaxed) ?? 0 },
      committed: { [identifier] in committed(identifier) })
    watch.begin(file, file == path ? [] : [path])
    return StoreObservation { watch.end() }
  }

  /// The error of a write, if the file was found to be removed, moved or replaced, and is not back.
  public var lostPlace: StoreError? { place?.loss }

  /// Looks whether the file is still there. If not, takes the log away from the path, and returns false if it cannot.
  func leavesRemovedFile() -> Bool {
    guard let place else { return true }
    do throws(StoreError) { try place.look() } catch {
      return writer.state.withLock { writer in
        guard isOpen else { return true }
        writer.leaveLog()
        return place.leavePath()
      }
    }
    return true
  }

  /// The file that a commit writes to first; nil where no other connection commits, or none can be seen to.
  private var fileOfCommits: String? {
    guard let path, noticesOtherProcesses, !isReadWithoutLocks else { return nil }
    return writer.state.withLock { writer in
      let file = writer.connection.fileName ?? path
      return keepsGenerations ? file + "-wal" : file
    }
  }

  /// A number that changes with each commit of another connection; nil if the store is closed. Throws if the file has left
  /// its place.
  private func versionOfOthers() throws(StoreError) -> Int64? {
    do throws(StoreError) { try place?.look() } catch {
      // A reader of another process may be in the way, so each look tries again.
      writer.state.withLock { if isOpen { $0.leaveLog() } }
      throw error
    }
    return try writer.state.withLock { (writer) throws(StoreError) in
      isOpen ? try writer.othersVersion() : nil
    }
  }
}
