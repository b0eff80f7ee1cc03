// SPDX-License-Identifier: MIT
package import SporadesStore

/// Tables of another module, by which the server finds the rows of conditions that it does not decide by itself.
package protocol ServerCompanion: Sendable {
  /// Brings the tables up to date before a fetch, as far as that is possible.
  func prepare(for fetch: StoreFetch) throws(StoreError)
  /// The fetch with what the tables know in the state that a connection shows. In the writer's transaction each statement sees
  /// a state of its own.
  func bound(
    _ fetch: StoreFetch, on connection: ServerConnection, isOneState: Bool
  ) throws(StoreError) -> StoreFetch
}

/// Makes the companion of each store that is opened with the same options.
package protocol ServerCompanions: Sendable {
  /// Nil for a store that has none.
  func companion(of store: any PersistentStore) -> (any ServerCompanion)?
}
