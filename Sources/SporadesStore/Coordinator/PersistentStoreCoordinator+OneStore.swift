// SPDX-License-Identifier: MIT
import SporadesModel

/// A request that only one store can answer fits none or several stores of a coordinator.
package struct StoreChoice: Error {
  /// The identifiers of the stores that could answer.
  package let stores: [String]
}

extension PersistentStoreCoordinator {
  /// Asks the only store that holds all the entities, for requests that a coordinator cannot divide. With an identifier,
  /// only the store of that name is meant. `body` also gets the store's number in the keys of the coordinator.
  package func askOneStore<Output>(
    holding entities: Set<Int>, identifier: String?, in view: StoreView,
    _ body: (any PersistentStore, _ number: Int, StoreView) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let all = try stores.withLock { stores throws(StoreError) in
      try checkOpen(stores)
      return stores.numbered
    }
    let holders = all.filter { member in
      entities.allSatisfy(member.configuration.holds)
        && (identifier.map { $0.uppercased() == member.store.identifier.uppercased() } ?? true)
    }
    guard holders.count == 1, let member = holders.first else {
      let choice = StoreChoice(stores: holders.map(\.store.identifier))
      throw StoreError(
        holders.isEmpty ? .noStore : .unsupported, "The request means no single store.",
        underlying: choice)
    }
    let answer: Output? = try ask(member, view, else: nil) { member, view throws(StoreError) in
      try body(member.store, member.number, view)
    }
    guard let answer else {
      throw StoreError(
        .noStore,
        "The state of the coordinator that is read has no store \(member.store.placeText).")
    }
    return answer
  }
}
