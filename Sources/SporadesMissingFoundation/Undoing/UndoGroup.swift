// SPDX-License-Identifier: MIT
import Foundation

/// The actions between the opening and the closing of a group.
struct UndoGroup {
  /// A step of a group.
  enum Step {
    /// An action on a target. A target that is gone is left alone.
    case action(Action)
    /// A group inside of the group.
    case group(UndoGroup)
  }

  /// A closure and its target, which the manager does not keep.
  struct Action {
    weak let target: AnyObject?
    let perform: (AnyObject) -> Void
  }

  var steps: [Step] = []
  /// The name of the action for menus; empty without one.
  var name = ""
  var isDiscardable = false

  /// The group holds an action.
  var hasActions: Bool { !steps.isEmpty }

  /// Performs the actions, the last one first.
  func perform() {
    for step in steps.reversed() {
      switch step {
      case .action(let action):
        if let target = action.target { action.perform(target) }
      case .group(let group): group.perform()
      }
    }
  }

  /// The group without the actions of a target; nil if none is left.
  func removing(_ target: AnyObject) -> UndoGroup? {
    var rest = self
    rest.steps = steps.compactMap { step in
      switch step {
      case .action(let action): action.target === target ? nil : step
      case .group(let group): group.removing(target).map { .group($0) }
      }
    }
    return rest.steps.isEmpty ? nil : rest
  }
}
