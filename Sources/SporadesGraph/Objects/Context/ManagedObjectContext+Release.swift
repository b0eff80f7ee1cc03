// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

extension ManagedObjectContext {
  private static let hint = Hint(
    " was released with unsaved changes, which are lost. Keep it until save(), or call rollback() before."
  )

  private static let hintAtEnd = Hint(
    ", which are lost. Save it before, also where a child has saved into it.")

  /// How a context goes away.
  enum Loss: String {
    case release
    case close = "while its service closes"
    case exit = "while the process exits"
  }

  /// Hints at changes that go away with the context, in debug builds.
  func hintAtLostChanges(_ loss: Loss = .release) {
    guard checksQueue, let subject = subjectOfLostChanges else { return }
    guard loss != .release else { return Self.hint.give(about: subject) }
    Self.hintAtEnd.give(about: "\(subject) has unsaved changes \(loss.rawValue)")
    // The context is released later, and has been named.
    saving.hintsAtLoss = false
  }

  /// The context and an entity of which it has unsaved changes; nil if none would be missed.
  ///
  /// Nobody misses those of a context over a context: to release it is the usual way to cancel what was edited in it.
  var subjectOfLostChanges: String? {
    guard !hasEnded, saving.hintsAtLoss, case .parent = saving.place, parent.context == nil else {
      return nil
    }
    let object = changes.listed.first { $0.writesRow && !$0.state.contains(.gone) }
    guard let object else { return nil }
    return "A context\(name.map { ", \($0)," } ?? "") with objects of \(object.home.shape.name)"
  }
}
