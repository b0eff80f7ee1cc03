// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// How a save that was refused is tried again.
extension ManagedObjectContext {
  /// A save that still conflicts after so many resolutions fails. Others that are quicker each time
  /// make a save try again; on a busy machine that takes more than a few attempts.
  private static var mostAttempts: Int { 128 }

  /// Attempts a save, and again after each conflict that the merge policy resolves.
  func resolvingConflicts(_ attempt: (_ isAnother: Bool) throws -> Void) throws {
    var attempts = 0
    while true {
      do {
        return try attempt(attempts > 0)
      } catch let error as StoreError {
        attempts += 1
        pendingIndex = nil
        let failuresBefore = failures.count
        // A policy's decision is not a step that anybody can undo.
        let resolution = asideOfUndo {
          Result { try resolve(error, mayResolve: attempts < Self.mostAttempts) }
        }
        try resolution.get()
        try throwFailures(after: failuresBefore)
        // Where the policy gave up all changes, no save follows that would forget them.
        if !hasChanges { changes.clear() }
        pendingIndex = nil
      }
    }
  }
}
