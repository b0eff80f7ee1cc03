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
    /// The parent context shows these rows otherwise now, or not any more.
    case shown([RowKey])
    /// The store was emptied.
    case reset
    /// The store with the number was removed from the coordinator.
    case storeRemoved(Int)
    /// So much was saved while the context rested that telling it all would cost more than reading
    /// again: everything in memory may be old.
    case outdated
    /// Somebody wants to hear of everything that comes after this.
    case listener(Mailbox<ContextNotification>)
  }

  private struct State {
    var waiting: [Arrival] = []
    var rows = 0

    mutating func append(_ arrival: Arrival) {
      switch arrival {
      case .saved(let changes): append(arrival, of: changes.count)
      case .shown(let keys): append(arrival, of: keys.count)
      case .reset, .outdated: forget(for: [arrival])
      case .listener, .storeRemoved: waiting.append(arrival)
      }
    }

    private mutating func append(_ arrival: Arrival, of count: Int) {
      if case .outdated? = waiting.last { return }
      rows += count
      waiting.append(arrival)
      guard waiting.count > limits.saves || rows > limits.rows else { return }
      let hasReset = waiting.contains { if case .reset = $0 { true } else { false } }
      forget(for: hasReset ? [.reset, .outdated] : [.outdated])
    }

    /// Puts something shorter in the place of what waits; who listens goes on to, and stores that were
    /// removed stay so.
    private mutating func forget(for shorter: [Arrival]) {
      waiting =
        waiting.filter {
          switch $0 {
          case .listener, .storeRemoved: true
          default: false
          }
        } + shorter
      rows = 0
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
