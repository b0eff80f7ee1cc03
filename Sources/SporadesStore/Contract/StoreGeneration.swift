// SPDX-License-Identifier: MIT

/// One state of a store, which can be read as ``StoreView/generation(_:)`` for as long as somebody
/// holds this.
///
/// What keeps the state is the store's own: a copy of its rows, or a transaction. It is let go of with
/// the generation.
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
        "The generation is one of another store. Read it in the store that made it.")
    }
    return state
  }
}

// A generation is itself alone: two of one state are two.
extension StoreGeneration: Hashable {
  public static func == (left: StoreGeneration, right: StoreGeneration) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentStore {
  /// The store keeps no generations.
  package var lackOfGenerations: StoreError {
    StoreError(
      .unsupported,
      "The store \(identifier) can not go on showing a state that was written over. Use one in "
        + "memory, or a SQLite file with a write-ahead log.")
  }
}
