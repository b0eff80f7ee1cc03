// SPDX-License-Identifier: MIT

/// One state of a store. Requests can read it as ``StoreView/generation(_:)`` as long as somebody holds the
/// generation.
///
/// The store chooses how it keeps the state: by a copy of its rows, or by a transaction. It releases the state
/// together with the generation.
public final class StoreGeneration: Sendable {
  private let state: any Sendable
  /// The identifier of the store whose state is kept.
  private let store: String

  /// A state of the store, kept by `state`.
  public init(_ state: any Sendable, of store: any PersistentStore) {
    self.state = state
    self.store = store.identifier
  }

  /// Returns the state that the store has kept; throws where another store keeps it. `State` is the type
  /// that the store itself makes its generations of.
  public func state<State>(
    of store: any PersistentStore, as type: State.Type = State.self
  ) throws(StoreError) -> State {
    guard self.store == store.identifier, let state = state as? State else {
      throw StoreError(
        .unsupported,
        "Another store made the generation. Read it in the store that made it.")
    }
    return state
  }
}

// Two generations are equal if they are the same object, even if they show the same state.
extension StoreGeneration: Hashable {
  public static func == (left: StoreGeneration, right: StoreGeneration) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentStore {
  /// The error of a store that keeps no generations.
  package var lackOfGenerations: StoreError {
    StoreError(
      .unsupported,
      "The store \(placeText) cannot keep a state after later commits. Use a store in memory, or a "
        + "SQLite file with a write-ahead log.")
  }
}
