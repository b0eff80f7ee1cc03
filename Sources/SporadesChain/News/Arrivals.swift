// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A change outside of a context that the context has to merge.
package enum Arrival: Sendable {
  /// The root accepted a save and gave it the number.
  case saved(ChangeSet, number: Int)
  /// The store cannot keep a published save, so the context reads these rows again. The loss has a number in
  /// the order of saves.
  case lost([RowKey], number: Int)
  /// Another process inserted, changed or removed these rows, and links between them. Those that it inserted are named
  /// a second time. The root gave the news a number.
  case others([RowKey], inserted: [RowKey], number: Int)
  /// The parent context inserted, changed or removed these rows. Those that it inserted are named a
  /// second time.
  case shown([RowKey], inserted: [RowKey] = [])
  /// The root removed all rows of the store. The removal has a number in the order of saves.
  case reset(number: Int)
  /// The coordinator removed the store with the number.
  case storeRemoved(Int)
  /// The coordinator has more stores. A context meets their rows when it fetches.
  case storesAdded
  /// Every row in the context may be old. So many saves arrived since the context's last block that to read
  /// the rows again costs less than to merge the saves. The number is that of the last dropped save.
  case outdated(number: Int)
  /// A mark that the context set itself, to separate earlier arrivals from later ones.
  case mark(Int)

  /// The number of the save that makes the arrival visible; 0 if it is visible at once.
  package var number: Int {
    switch self {
    case .saved(_, let number), .lost(_, let number), .reset(let number), .outdated(let number),
      .others(_, _, let number):
      number
    case .shown, .storeRemoved, .storesAdded, .mark: 0
    }
  }

  /// About the number of bytes that the arrival holds in memory.
  fileprivate var memory: Int {
    switch self {
    case .saved(let changes, _): changes.memory
    case .lost, .shown, .others: rowCount * 8
    case .reset, .storeRemoved, .storesAdded, .outdated, .mark: 0
    }
  }

  /// The number of rows that the arrival names.
  fileprivate var rowCount: Int {
    switch self {
    case .saved(let changes, _): changes.count
    case .lost(let keys, _), .shown(let keys, _), .others(let keys, _, _): keys.count
    case .reset, .storeRemoved, .storesAdded, .outdated, .mark: 0
    }
  }
}

/// An object to which the root delivers every save.
package protocol SaveListener: AnyObject, Sendable {
  /// Stores the arrival and returns at once, because the root is locked during the call.
  func deliver(_ arrival: Arrival)
}

/// The arrivals that a context has not merged yet, in their order.
///
/// No save waits for a context to merge. A context merges its arrivals before its next block.
package final class Arrivals: Sendable {
  private struct Waiting {
    let arrival: Arrival
    let rows: Int
    /// The saving context tells it, which closes its pages after the delivery: nobody else may ask them.
    let memory: Int

    init(_ arrival: Arrival) {
      self.arrival = arrival
      rows = arrival.rowCount
      memory = arrival.memory
    }
  }

  private struct State {
    var waiting: [Waiting] = []
    var rows = 0
    var memory = 0
    /// The number of times that arrivals were taken.
    var takes = 0

    mutating func append(_ arrival: Arrival) {
      switch arrival {
      case .saved, .lost, .shown, .others: append(Waiting(arrival))
      case .reset, .outdated:
        dropSaves()
        waiting.append(Waiting(arrival))
      case .storeRemoved, .mark: waiting.append(Waiting(arrival))
      case .storesAdded: break
      }
    }

    private mutating func append(_ new: Waiting) {
      let number = new.arrival.number
      if case .outdated(let last)? = waiting.last?.arrival {
        waiting[waiting.count - 1] = Waiting(.outdated(number: max(last, number)))
        return
      }
      rows += new.rows
      memory += new.memory
      waiting.append(new)
      // A single large save is in memory anyway.
      let isLarge = waiting.count > 1 && memory > limits.memory
      guard isLarge || waiting.count > limits.saves || rows > limits.rows else { return }
      dropSaves()
      waiting.append(Waiting(.outdated(number: number)))
    }

    /// Removes and returns the arrivals up to the save with the number.
    mutating func take(upTo number: Int) -> [Arrival] {
      let taken = waiting.filter { $0.arrival.number <= number }
      takes += 1
      waiting.removeAll { $0.arrival.number <= number }
      for each in taken {
        rows -= each.rows
        memory -= each.memory
      }
      return taken.map(\.arrival)
    }

    private mutating func dropSaves() {
      waiting = waiting.filter {
        switch $0.arrival {
        case .saved, .lost, .shown, .others, .outdated: false
        case .reset, .storeRemoved, .storesAdded, .mark: true
        }
      }
      (rows, memory) = (0, 0)
    }
  }

  private let state = Guarded(State())
  /// An idle context must not keep an unlimited number of saves.
  private static let limits = (saves: 4096, rows: 200_000, memory: 16 << 20)

  package init() {}

  /// Appends an arrival. Returns true if it is the only one.
  package func add(_ arrival: Arrival) -> Bool {
    state.withLock { state in
      defer { state.append(arrival) }
      return state.waiting.isEmpty
    }
  }

  /// Removes and returns the arrivals up to the save with the number, in their order.
  package func take(upTo number: Int) -> [Arrival] {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return [] }
      guard number == .max else { return state.take(upTo: number) }
      defer { state = State(takes: state.takes + 1) }
      return state.waiting.map(\.arrival)
    }
  }

  /// What a parent has shown and nobody has merged.
  package struct Shown: Sendable {
    package fileprivate(set) var keys: Set<RowKey> = []
    fileprivate let count: Int
    fileprivate let takes: Int
  }

  /// What a parent has shown, if nothing else waits; else nil.
  package var shown: Shown? {
    state.withLock { state in
      var found = Shown(count: state.waiting.count, takes: state.takes)
      for each in state.waiting {
        guard case .shown(let keys, _) = each.arrival else { return nil }
        found.keys.formUnion(keys)
      }
      return found.count > 0 ? found : nil
    }
  }

  /// Removes and returns the arrivals; none if others were taken meanwhile. Answers also whether later ones wait.
  package func take(_ shown: Shown) -> (taken: [Arrival], isMoreWaiting: Bool) {
    state.withLock { state in
      guard state.takes == shown.takes, state.waiting.count >= shown.count else {
        return ([], !state.waiting.isEmpty)
      }
      let rest = state.waiting.dropFirst(shown.count)
      let taken = state.waiting.prefix(shown.count).map(\.arrival)
      state = State(takes: state.takes + 1)
      for each in rest { state.append(each.arrival) }
      return (taken, !rest.isEmpty)
    }
  }
}
