// SPDX-License-Identifier: MIT
import Observation
import Synchronization

/// The number of changes of what a block has read.
final class ObservedChanges: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }

  fileprivate func add() { count.add(1, ordering: .relaxed) }
}

/// Counts the changes of what `body` reads.
func changes(_ body: () -> Void) -> ObservedChanges {
  let changes = ObservedChanges()
  withObservationTracking(body) { changes.add() }
  return changes
}
