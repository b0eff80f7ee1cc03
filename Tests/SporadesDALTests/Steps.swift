// SPDX-License-Identifier: MIT
import SporadesModel

/// The steps of a test in their order. Any thread may add one.
final class Steps: Sendable {
  private let steps = Guarded<[String]>([])
  var all: [String] { steps.withLock { $0 } }
  func add(_ step: String) { steps.withLock { $0.append(step) } }
}
