// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

extension ManagedObjectContext {
  private static let hint = Hint(
    " was released with unsaved changes, which are lost. Keep it until save(), or call rollback() before."
  )

  private static let hintAtClose = Hint(
    " has unsaved changes while its service closes, which are lost. A child saves into its parent: save that, too."
  )

  /// Hints at changes that go away with the context, in debug builds.
  func hintAtLostChanges(atClose: Bool = false) {
    guard checksQueue, let subject = subjectOfLostChanges else { return }
    (atClose ? Self.hintAtClose : Self.hint).give(about: subject)
    // The context is released later, and has been named.
    if atClose { hintsAtLoss = false }
  }

  /// The context and an entity of which it has unsaved changes; nil if none would be missed.
  ///
  /// Nobody misses those of a context over a context: to release it is the usual way to cancel what was edited in it.
  var subjectOfLostChanges: String? {
    guard !hasEnded, hintsAtLoss, case .parent = savePlace, parent.context == nil else {
      return nil
    }
    let object = changes.listed.first { $0.isRowChanged && !$0.state.contains(.gone) }
    guard let object else { return nil }
    return "A context\(name.map { ", \($0)," } ?? "") with objects of \(object.home.shape.name)"
  }
}
