// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesSQL
package import SporadesStore
import Synchronization

// Conditions that the tables of another module answer.
extension SQLiteStore {
  /// The fetch with the conditions that hold for a view of this store.
  package func bound(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> StoreFetch {
    guard fetch.predicate?.hasOpenConditions == true else { return fetch }
    return try fetch.mappingMeanings(in: model) { (meaning) throws(StoreError) in
      guard let meaning = meaning as? any StoreBoundMeaning else { return meaning }
      return try meaning.bound(to: self, in: view)
    }
  }

  /// The question with the conditions that hold for a view of this store.
  func bound(_ question: TableQuestion, in view: StoreView) throws(StoreError) -> TableQuestion {
    var bound = question
    bound.fetch = try self.bound(question.fetch, in: view)
    return bound
  }

  /// Runs `body` with the fetch with the conditions that hold for a view of this store.
  func answering<Output>(
    _ fetch: StoreFetch, in view: StoreView,
    _ body: (StoreFetch) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard fetch.predicate?.hasOpenConditions == true else { return try body(fetch) }
    return try mending { () throws(StoreError) in try body(bound(fetch, in: view)) }
  }

  /// Runs `body`, and once more if it meets damaged tables of another module, which that makes anew out of the rows.
  package func mending<Output>(
    _ body: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    do throws(StoreError) { return try body() } catch {
      guard error.isOfVirtualTable, let companion = writer.state.withLock(\.companion) else {
        throw error
      }
      companion.distrust()
      return try body()
    }
  }

  /// Runs `body` in the open transaction, or in one of its own if none is open. Changes in the open one are committed with
  /// the accepted changes.
  package func maintain<Output: Sendable>(
    _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try write { (writer) throws(StoreError) in try maintain(&writer, body) }
  }

  private func maintain<Output: Sendable>(
    _ writer: inout Writer, _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let answer = try writer.transact { (writer) throws(StoreError) in try body(writer.connection) }
    noteCommit(writer)
    return answer
  }

  /// Runs `body` in a transaction of its own, which may make and drop tables. The store commits its accepted changes before, or
  /// is busy if it may not.
  package func rearrange<Output: Sendable>(
    committingAccepted: Bool, _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    if committingAccepted { try commit(.eventual) }
    return try write { (writer) throws(StoreError) in
      guard committingAccepted || !writer.hasAccepted else {
        throw StoreError(
          .busy, "The store has accepted changes, beside which no table is made. Commit them first."
        )
      }
      return try maintain(&writer, body)
    }
  }

  /// Runs `body` on a connection that shows a view.
  package func examine<Output: Sendable>(
    _ view: StoreView, _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output { try read(view, body) }

  /// Statements of the store may call the function of a condition from now on. `make` makes it for each connection. An error of
  /// it fails the statement.
  package func teach(
    _ name: String, _ make: @escaping @Sendable () -> ([SQLValue]) throws -> Bool
  ) { taught.add(name, make) }

  /// Returns the companion of the store. `make` makes it at the first call.
  package func companion<Kind: StoreCompanion>(
    _ make: () -> Kind
  ) -> Kind {
    writer.state.withLock { writer in
      if let known = writer.companion as? Kind { return known }
      let made = make()
      writer.companion = made
      return made
    }
  }

  /// The present mark of the store. Two marks are equal if nobody has changed the store in between.
  package func mark() throws(StoreError) -> StoreMark {
    let own = ownWrites.load(ordering: .acquiring)
    let others = try writer.state.withLock { (writer) throws(StoreError) in
      try checkOpen()
      let statement = try writer.connection.statement(
        StatementNumber(.dataVersion), .dataVersion)
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : 0
    }
    return StoreMark(own: own, others: others)
  }
}

/// The number of writes of this process, and a number that changes with those of others.
package struct StoreMark: Hashable, Sendable {
  fileprivate let own: Int
  fileprivate let others: Int64
}
