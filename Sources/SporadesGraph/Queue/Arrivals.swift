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
    /// So much was saved while the context rested that telling it all would cost more than reading
    /// again: everything in memory may be old.
    case outdated
    /// Somebody wants to hear of what arrives from now on.
    case listener(@Sendable (ManagedObjectContext) -> Void)
  }

  private struct State {
    var waiting: [Arrival] = []
    var rows = 0

    private var listeners: [Arrival] {
      waiting.filter { if case .listener = $0 { true } else { false } }
    }

    mutating func append(_ arrival: Arrival) {
      switch arrival {
      case .listener: waiting.insert(arrival, at: 0)
      case .saved(let changes):
        if case .outdated? = waiting.last { return }
        rows += changes.count
        waiting.append(arrival)
        guard waiting.count > limits.saves || rows > limits.rows else { return }
        let hasReset = waiting.contains { if case .reset = $0 { true } else { false } }
        waiting = listeners + (hasReset ? [.reset, .outdated] : [.outdated])
        rows = 0
      case .reset, .outdated:
        waiting = listeners + [arrival]
        rows = 0
      }
    }
  }

  private let state = Guarded(State())
  /// A context that rests must not hold all that others save meanwhile.
  private static let limits = (saves: 4096, rows: 200_000)

  /// Adds to the end; true where nothing was waiting.
  func add(_ arrival: Arrival) -> Bool {
    state.withLock { state in
      defer { state.append(arrival) }
      return state.waiting.isEmpty
    }
  }

  func takeAll() -> [Arrival] {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return [] }
      defer { state = State() }
      return state.waiting
    }
  }
}
