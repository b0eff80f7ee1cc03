// SPDX-License-Identifier: MIT
public import SporadesStore

// The notes of commits over several stores.
extension SQLiteStore: IntentKeepingStore {
  /// A store in a file keeps intents; a store in memory ends with the process.
  public var keepsIntents: Bool { path != nil }

  /// Commits the open transaction with notes.
  public func commit(
    _ durability: Durability, noting notes: CommitNotes
  ) throws(StoreError) {
    guard !isReadOnly else {
      throw StoreError(.readOnly, "\(path ?? "The store") is read-only, and can keep no notes.")
    }
    try commit(durability, notes)
  }

  /// Syncs the log, unless all commits are on the disk already.
  public func syncCommits(ofOthers: Bool) throws(StoreError) {
    guard !isReadOnly else {
      throw StoreError(.readOnly, "\(path ?? "The store") is read-only, and cannot be synced.")
    }
    let all = try write { (writer) throws(StoreError) in ofOthers || writer.mayMissOthers }
    if all { try log?.syncAll() } else { try log?.sync() }
  }

  /// Reads the intents of the committed state.
  public func intents() throws(StoreError) -> [CommitIntent] {
    try read(.committed) { (connection) throws(StoreError) in
      try CommitNoteRows(connection).intents()
    }
  }

  /// Reads the commits and stores of the intents.
  public func intentTargets() throws(StoreError) -> [IntentTarget] {
    try read(.committed) { (connection) throws(StoreError) in
      try CommitNoteRows(connection).intentTargets()
    }
  }

  /// Looks for the note of a commit in the committed state.
  public func hasFinished(_ commit: String) throws(StoreError) -> Bool {
    try read(.committed) { (connection) throws(StoreError) in
      try CommitNoteRows(connection).hasFinished(commit)
    }
  }

  /// Executes the part of a commit that the store lacks, in one transaction. The part is on the disk when it returns.
  public func finish(_ commit: String, by parts: [ChangeSet]) throws(StoreError) -> Bool {
    for changes in parts { try configuration.check(changes, model) }
    let isNew = try write { (writer) throws(StoreError) in
      let isNew = try writer.finish(commit, by: parts)
      if isNew { log?.noteCommit(frames: writer.connection.framesInLog) }
      return isNew
    }
    // The part of another process may not be on the disk yet.
    if isNew { try finishCommit(.immediate) } else { try log?.syncAll() }
    return isNew
  }
}
