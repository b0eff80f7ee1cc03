// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

// Saves inside a save.
extension ManagedObjectContext {
  private static let hint = Hint(
    "didSave called save() of the same context, which threw. Call it when the save has returned, or change the objects in "
      + "willSave.")
  private static let lossHint = Hint(
    " was changed in didSave, at the end of a write that was saved, so the change is lost. Change it in willSave."
  )

  /// Throws during a save of the context. Until the parent has accepted that save, it fails too, because hooks can not
  /// throw and may ignore the error.
  func refuseInSave() throws {
    switch saving.stage {
    case .none: return
    case .open: report(.savedInSave)
    case .accepted: Self.hint.give()
    }
    throw ContextError.savedInSave
  }

  /// Hints at changes that `didSave` made in the last save of a context, in debug builds.
  func hintAtLateChanges() {
    guard checksQueue, let first = changes.listed.first else { return }
    Self.lossHint.give(about: "\(first.objectID)")
  }
}
