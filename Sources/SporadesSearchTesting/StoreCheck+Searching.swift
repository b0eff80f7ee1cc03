// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSearch
import SporadesStore
public import SporadesTesting
import Testing

extension StoreCheck {
  /// The checks of searches. Rows and words are those of a model of their own, and the store in memory finds what is right.
  ///
  /// ```swift
  /// @Test(arguments: StoreCheck.searching)
  /// func searches(_ check: StoreCheck) throws {
  ///   try check.run(StoreUnderTest { MemoryStore(model: $0) })
  /// }
  /// ```
  public static let searching: [StoreCheck] = finding + following + standing

  static func searchCheck(
    _ rule: Int, _ name: String,
    _ body: @escaping @Sendable (any PersistentStore, StoreUnderTest) throws -> Void
  ) -> StoreCheck {
    StoreCheck(rule, name, of: SearchedLibrary.model, body)
  }

  /// Makes a check of a store and of the store in memory, which have the same rows.
  static func searchCheck(
    _ rule: Int, _ name: String, rows seed: UInt64,
    _ body: @escaping @Sendable (SearchedStores, inout SearchedRows) throws -> Void
  ) -> StoreCheck {
    searchCheck(rule, name) { store, _ in
      var rows = SearchedRows(seed: seed)
      let stores = SearchedStores(store: store)
      try stores.execute(rows.added(30))
      try body(stores, &rows)
    }
  }
}
