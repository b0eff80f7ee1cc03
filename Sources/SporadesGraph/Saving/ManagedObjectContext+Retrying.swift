// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Further attempts of a save after a conflict.
extension ManagedObjectContext {
  /// The most attempts of one save. Each time, a faster writer may save first, and on a busy
  /// machine that takes more than a few attempts.
  private static var mostAttempts: Int { 128 }

  /// Attempts a save, and attempts it again after each conflict that the merge policy resolves.
  func resolvingConflicts(_ attempt: (_ isAnother: Bool) throws -> Void) throws {
    var attempts = 0
    while true {
      do {
        return try attempt(attempts > 0)
      } catch let error as StoreError {
        attempts += 1
        pendingIndex = nil
        let failuresBefore = failures.count
        // because a policy's decision is not a step that a user can undo
        let resolution = withoutUndo {
          Result { try resolve(error, mayResolve: attempts < Self.mostAttempts) }
        }
        try resolution.get()
        try throwFailures(after: failuresBefore)
        // because no save follows that would clear the changes, if the policy discarded them all
        if !hasChanges { changes.clear() }
        pendingIndex = nil
      }
    }
  }
}
