// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// Something that others did and a context has to take over.
package enum Arrival: Sendable {
  /// The root accepted a save, under the number.
  case saved(ChangeSet, number: Int)
  /// A published save could not be kept: the store shows these rows otherwise. The number is one of the
  /// order of saves.
  case lost([RowKey], number: Int)
  /// The parent context shows these rows otherwise now, or not any more.
  case shown([RowKey])
  /// The store was emptied, under the number of a save.
  case reset(number: Int)
  /// The store with the number was removed from the coordinator.
  case storeRemoved(Int)
  /// Everything in memory may be old. The context rested while so much was saved that reading again
  /// costs less than hearing it all. The number is that of the last save left out.
  case outdated(number: Int)
  /// A mark that the context itself set, to know what came after it.
  case mark(Int)

  /// The number of the save that makes the arrival visible.
  package var number: Int {
    switch self {
    case .saved(_, let number), .lost(_, let number), .reset(let number), .outdated(let number):
      number
    case .shown, .storeRemoved, .mark: 0
    }
  }

  /// The number of rows it names.
  fileprivate var rowCount: Int {
    switch self {
    case .saved(let changes, _): changes.count
    case .lost(let keys, _), .shown(let keys): keys.count
    case .reset, .storeRemoved, .outdated, .mark: 0
    }
  }
}

/// An object that the root tells of every save.
package protocol SaveListener: AnyObject, Sendable {
  /// Notes the arrival and returns at once: the root is held meanwhile.
  func deliver(_ arrival: Arrival)
}

/// The arrivals that a context has not taken over yet, in their order.
///
/// Nobody waits for a context to merge: a context takes its arrivals over before its next block.
package final class Arrivals: Sendable {
  private struct State {
    var waiting: [Arrival] = []
    var rows = 0

    mutating func append(_ arrival: Arrival) {
      switch arrival {
      case .saved, .lost, .shown: append(arrival, of: arrival.rowCount)
      case .reset, .outdated:
        dropSaves()
        waiting.append(arrival)
      case .storeRemoved, .mark: waiting.append(arrival)
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
      dropSaves()
      waiting.append(.outdated(number: arrival.number))
    }

    /// Takes the arrivals that a state of the store shows, and leaves the later ones.
    mutating func take(upTo number: Int) -> [Arrival] {
      let taken = waiting.filter { $0.number <= number }
      waiting.removeAll { $0.number <= number }
      for arrival in taken { rows -= arrival.rowCount }
      return taken
    }

    private mutating func dropSaves() {
      waiting = waiting.filter {
        switch $0 {
        case .saved, .lost, .shown, .outdated: false
        case .reset, .storeRemoved, .mark: true
        }
      }
      rows = 0
    }
  }

  private let state = Guarded(State())
  /// A context that rests must not hold all that others save meanwhile.
  private static let limits = (saves: 4096, rows: 200_000)

  package init() {}

  /// Adds an arrival to the end; returns true where none was waiting.
  package func add(_ arrival: Arrival) -> Bool {
    state.withLock { state in
      defer { state.append(arrival) }
      return state.waiting.isEmpty
    }
  }

  /// Takes the arrivals up to the save with the number, in their order.
  package func take(upTo number: Int) -> [Arrival] {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return [] }
      guard number == .max else { return state.take(upTo: number) }
      defer { state = State() }
      return state.waiting
    }
  }
}
