// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

// Commits, their syncs, and what they leave for later.
extension SQLiteStore {
  /// Commits the open transaction. With `.immediate`, it returns after the log has reached the disk.
  public func commit(_ durability: Durability) throws(StoreError) {
    guard !isReadOnly else { return }
    try commit(durability, nil)
  }

  func commit(_ durability: Durability, _ notes: CommitNotes?) throws(StoreError) {
    let mustCheckPlace = try write { (writer) throws(StoreError) -> Bool in
      let hadChanges = writer.hasAccepted || notes != nil
      defer { if hadChanges { noteCommit(writer) } }
      // One check after the sync answers for the commit, too.
      try writer.commit(noting: notes, checksPlace: durability == .eventual)
      guard hadChanges else {
        try writer.checkIfLost()
        return false
      }
      if durability == .immediate { log?.moveRest() }
      return durability == .immediate
    }
    try finishCommit(durability, mustCheckPlace: mustCheckPlace)
  }

  /// Syncs a commit that asked for it, and does the work that commits leave for later.
  func finishCommit(
    _ durability: Durability, mustCheckPlace: Bool = false
  ) throws(StoreError) {
    // The sync runs outside the writer's lock, so that other threads can read and write during it.
    let isSynced = durability == .immediate ? try log?.sync() == true : false
    if isSynced || mustCheckPlace { try checkPlace() }
    try removeDropped(durability)
    log?.checkpointIfNeeded()
  }

  private func checkPlace() throws(StoreError) {
    do throws(StoreError) { try place?.check() } catch {
      writer.state.withLock { if isOpen { $0.leaveLog() } }
      throw error
    }
  }

  /// Records that the log needs a sync. A commit into a file that is missing counts too, because the file may
  /// come back.
  func noteCommit(_ writer: Writer) {
    if !writer.hasAccepted { log?.noteCommit(frames: writer.connection.framesInLog) }
  }

  /// Removes the files that commits dropped, after these commits have reached the disk. An `.eventual` commit
  /// leaves the removal to the background.
  func removeDropped(_ durability: Durability) throws(StoreError) {
    guard let files, files.hasDrops else { return }
    if let log, durability == .eventual { return log.release(files) }
    try files.removeDropped { () throws(StoreError) in try log?.sync() }
  }
}
