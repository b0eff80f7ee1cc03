// SPDX-License-Identifier: MIT
import SporadesStore

// The part of this store in commits over several stores.
//
// Rules:
// 1. Another store keeps an intent of the part while this one commits. If the commit fails, any process may finish the
//    part before the next attempt.
// 2. So each later attempt notes that the part is there, and a restoration first looks whether it is.
extension Writer {
  /// Change sets of which another store keeps an intent.
  struct CoveredPart {
    let commit: String
    let changes: [ChangeSet]
  }

  /// All accepted change sets belong to parts of these commits.
  mutating func cover(_ commits: [String]) {
    for commit in commits where !covered.contains(where: { $0.commit == commit }) {
      let known = covered.flatMap(\.changes)
      covered.append(
        CoveredPart(
          commit: commit,
          changes: accepted.filter { changes in !known.contains { $0 === changes } }))
    }
  }

  /// Writes the notes of a commit, all or none of them.
  mutating func write(_ notes: CommitNotes?) throws(StoreError) {
    var notes = notes ?? CommitNotes()
    notes.finished = covered.map(\.commit)
    guard !notes.isEmpty else { return }
    try beginChanges()
    do throws(StoreError) {
      try CommitNoteRows(connection).write(notes)
      try release()
    } catch {
      undoChanges()
      endTransaction(brokenBy: error)
      throw error
    }
  }

  /// Leaves out the accepted change sets that another process has given the store meanwhile. The caller has begun a
  /// transaction.
  mutating func leaveOutFinished() throws(StoreError) {
    guard !covered.isEmpty else { return }
    let rows = CommitNoteRows(connection)
    while let part = covered.first, try rows.hasFinished(part.commit) {
      accepted.removeAll { known in part.changes.contains { $0 === known } }
      covered.removeFirst()
    }
  }

  /// Executes the part of a commit whose process has died, and commits it. Returns false if the store has it.
  mutating func finish(_ commit: String, by parts: [ChangeSet]) throws(StoreError) -> Bool {
    guard !hasAccepted, losses.isEmpty else {
      throw StoreError(
        .busy, "The store has changes that are not committed. Commit them, then finish the commit.")
    }
    try checkIfLost()
    connection.limit.renew()
    let mark = files?.mark
    try begin()
    do throws(StoreError) {
      let rows = CommitNoteRows(connection)
      if try rows.hasFinished(commit) {
        rollback()
        return false
      }
      for changes in parts {
        connection.limit.renew()
        try checkReferences(of: changes)
        try write(changes)
      }
      var notes = CommitNotes()
      notes.finished = [commit]
      try rows.write(notes)
      try files?.sync()
      // The changes are those of another process. The contexts hear of them like of its other commits.
      own.forgetUncommitted()
      try endTransaction()
    } catch {
      rollback()
      if let mark { files?.discard(after: mark) }
      throw error
    }
    files?.settle()
    try checkPlace()
    return true
  }
}
