// SPDX-License-Identifier: MIT

/// One state of a store, which can be read as ``StoreView/generation(_:)`` for as long as somebody
/// holds this.
///
/// What keeps the state is the store's own: a copy of its rows, or a transaction. It is let go of with
/// the generation.
public final class StoreGeneration: Sendable {
  public let state: any Sendable

  public init(_ state: any Sendable) { self.state = state }
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

extension StoreGeneration {
  /// The generation is one of another store's.
  package var isForeign: StoreError {
    StoreError(
      .unsupported, "The generation is one of another store. Read it in the store that made it.")
  }
}
