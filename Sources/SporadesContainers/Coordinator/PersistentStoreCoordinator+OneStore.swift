// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

// Questions for the one store that holds certain entities. They are refused where several stores do, or none.

extension PersistentStoreCoordinator {
  package func askOneStore(
    holding entities: Set<Int>, identifier: String?, in view: StoreView,
    _ body: (any PersistentStore, _ number: Int, StoreView) throws(StoreError) -> Void
  ) throws(StoreError) {
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
    let hasAnswered = try ask(member, view, else: false) { member, view throws(StoreError) in
      try body(member.store, member.number, view)
      return true
    }
    guard hasAnswered else {
      throw StoreError(
        .noStore,
        "The state of the coordinator that is read has no store \(member.store.placeText).")
    }
  }
}
