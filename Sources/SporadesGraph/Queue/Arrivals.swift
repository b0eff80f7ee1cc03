// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// What others did that a context has not taken over yet, in the order it was done.
///
/// Nobody waits for a context to merge: what is here is merged before the context's next block.
final class Arrivals: Sendable {
  enum Arrival: Sendable {
    /// A save was accepted.
    case saved(ChangeSet)
    /// The store was emptied.
    case reset
  }

  private let waiting = Guarded<[Arrival]>([])

  /// Adds to the end; true where nothing was waiting.
  func add(_ arrival: Arrival) -> Bool {
    waiting.withLock {
      $0.append(arrival)
      return $0.count == 1
    }
  }

  func takeAll() -> [Arrival] {
    waiting.withLock { waiting in
      guard !waiting.isEmpty else { return [] }
      defer { waiting = [] }
      return waiting
    }
  }
}
