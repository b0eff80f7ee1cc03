// SPDX-License-Identifier: MIT
import SporadesModel

/// Notes of what happened, in order, from any thread.
final class Steps: Sendable {
  private let steps = Guarded<[String]>([])
  var all: [String] { steps.withLock { $0 } }
  func add(_ step: String) { steps.withLock { $0.append(step) } }
}
