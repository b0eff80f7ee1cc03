// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension PostgreSQLStore: CompanionedStore {
  private var companion: (any ServerCompanion)? {
    guard tables.keepsBooks, readers.pinned == nil else { return nil }
    return options.companions?.companion(of: self)
  }

  package var tableKeeper: (any Sendable)? { companion }

  /// The companion that binds conditions of a fetch; nil for a fetch without such conditions.
  func companion(for fetch: StoreFetch) -> (any ServerCompanion)? {
    fetch.predicate?.hasOpenConditions == true ? companion : nil
  }

  /// The state that a companion keeps with the store. The first call makes it.
  package func remembered<Kept: Sendable>(_ make: () -> Kept) -> Kept {
    kept.withLock { kept in
      if let known = kept as? Kept { return known }
      let made = make()
      kept = made
      return made
    }
  }

  /// Runs `body` with the statements of a fetch. Those that a companion binds, and those that memory helps to answer, see one
  /// state.
  func answering<Output: Sendable>(
    _ fetch: StoreFetch, in view: StoreView,
    _ body: (ServerReading, FetchCompiler) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard let companion = companion(for: fetch) else {
      let compiler = try plan.compiler(fetch)
      return try read(view, asOne: !compiler.isExact) { (reading) throws(StoreError) in
        try body(reading, compiler)
      }
    }
    return try answering(fetch, by: companion, in: view, body)
  }

  func answering<Output: Sendable>(
    _ fetch: StoreFetch, by companion: any ServerCompanion, in view: StoreView,
    _ body: (ServerReading, FetchCompiler) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try companion.prepare(for: fetch)
    return try read(view) { (reading) throws(StoreError) in
      var isOneState = !reading.connection.isInTransaction
      if case .generation = view { isOneState = true }
      return try reading.asOne { (reading) throws(StoreError) in
        let bound = try companion.bound(fetch, on: reading.connection, isOneState: isOneState)
        return try body(reading, try plan.compiler(bound))
      }
    }
  }
}
