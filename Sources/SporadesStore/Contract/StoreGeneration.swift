// SPDX-License-Identifier: MIT

/// One state of a store. Requests can read it as ``StoreView/generation(_:)`` as long as somebody holds the
/// generation.
///
/// The store chooses how it keeps the state: by a copy of its rows, or by a transaction. It releases the state
/// together with the generation.
public final class StoreGeneration: Sendable {
  /// The value by which the store keeps the state.
  public let state: any Sendable

  /// Makes a generation of a value that keeps a state.
  public init(_ state: any Sendable) { self.state = state }
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
      "The store \(identifier) cannot keep a state after later commits. Use a store in memory, or a "
        + "SQLite file with a write-ahead log.")
  }
}

extension StoreGeneration {
  /// The error of a generation that another store made.
  package var isForeign: StoreError {
    StoreError(
      .unsupported, "Another store made the generation. Read it in the store that made it.")
  }
}
