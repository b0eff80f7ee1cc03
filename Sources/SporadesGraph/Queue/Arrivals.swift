// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// What others did that a context has not taken over yet, in the order it was done.
///
/// Nobody waits for a context to merge: what is here is merged before the context's next block.
final class Arrivals: Sendable {
  enum Arrival: Sendable {
    /// A save was accepted, under the number.
    case saved(ChangeSet, number: Int)
    /// A save that was told of could not be kept: the store shows these rows otherwise. The number is
    /// one of the order of saves.
    case lost([RowKey], number: Int)
    /// The parent context shows these rows otherwise now, or not any more.
    case shown([RowKey])
    /// The store was emptied, under the number of a save.
    case reset(number: Int)
    /// The store with the number was removed from the coordinator.
    case storeRemoved(Int)
    /// So much was saved while the context rested that telling it all would cost more than reading
    /// again: everything in memory may be old. The number is that of the last save left out.
    case outdated(number: Int)
    /// Somebody wants to hear of everything that comes after this.
    case listener(Mailbox<ContextNotification>)

    /// The number of the save from which on there is something to take over.
    var number: Int {
      switch self {
      case .saved(_, let number), .lost(_, let number), .reset(let number), .outdated(let number):
        number
      case .shown, .storeRemoved, .listener: 0
      }
    }

    /// The rows it names.
    fileprivate var rows: Int {
      switch self {
      case .saved(let changes, _): changes.count
      case .lost(let keys, _), .shown(let keys): keys.count
      case .reset, .storeRemoved, .outdated, .listener: 0
      }
    }
  }

  private struct State {
    var waiting: [Arrival] = []
    var rows = 0

    mutating func append(_ arrival: Arrival) {
      switch arrival {
      case .saved, .lost, .shown: append(arrival, of: arrival.rows)
      case .reset, .outdated:
        forgetSaves()
        waiting.append(arrival)
      case .storeRemoved, .listener: waiting.append(arrival)
      }
    }

    private mutating func append(_ arrival: Arrival, of count: Int) {
      if case .outdated(let number)? = waiting.last {
        waiting[waiting.count - 1] = .outdated(number: max(number, arrival.number))
        return
      }
      rows += count
      waiting.append(arrival)
      guard waiting.count > limits.saves || rows > limits.rows else { return }
      forgetSaves()
      waiting.append(.outdated(number: arrival.number))
    }

    /// Takes what came before a state of the store, and leaves what came after it.
    mutating func take(upTo number: Int) -> [Arrival] {
      let taken = waiting.filter { $0.number <= number }
      waiting.removeAll { $0.number <= number }
      for arrival in taken { rows -= arrival.rows }
      return taken
    }

    private mutating func forgetSaves() {
      waiting = waiting.filter {
        switch $0 {
        case .saved, .lost, .shown, .outdated: false
        case .reset, .storeRemoved, .listener: true
        }
      }
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

  /// What came up to the save with the number, in its order.
  func take(upTo number: Int) -> [Arrival] {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return [] }
      guard number == .max else { return state.take(upTo: number) }
      defer { state = State() }
      return state.waiting
    }
  }
}
