// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSearch
import SporadesStore
import SporadesTesting
import Testing

// Checks of searches in stores that are opened again or beside, and in states that were kept.

extension StoreCheck {
  static let standing: [StoreCheck] = [
    searchCheck(14, "a generation is searched as it was", rows: 21) { stores, rows in
      guard let store = stores.store as? any GenerationKeepingStore, store.keepsGenerations else {
        return
      }
      try stores.commit()
      // The first one is kept before the first search.
      var kept: [(StoreView, StoreView)] = []
      for round in UInt64(1)...4 {
        kept.append(
          (.generation(try store.generation()), .generation(try stores.reference.generation())))
        try stores.execute(rows.changed())
        #expect(try stores.agree(round, searches: 4) > 0)
        for (view, reference) in kept {
          #expect(try stores.agree(round, searches: 4, in: view, and: reference) > 0)
        }
        try stores.commit()
        for (view, reference) in kept {
          #expect(try stores.agree(round, searches: 4, in: view, and: reference) > 0)
        }
      }
      try store.removeAllRows()
      for (view, reference) in kept {
        #expect(try stores.agree(9, searches: 4, in: view, and: reference) > 0)
      }
    },
    searchCheck(3, "a store that is opened again finds the committed words") { store, subject in
      guard let reopen = subject.reopen else { return }
      var rows = SearchedRows(seed: 22)
      var stores = SearchedStores(store: store)
      try stores.execute(rows.added(40))
      for round in UInt64(1)...4 {
        try stores.commit()
        stores = stores.with(try reopen(stores.store))
        if round != 2 { #expect(try stores.agree(round, searches: 10) > 25) }
        try stores.execute(rows.changed())
      }
      #expect(try stores.agree(9, searches: 10) > 25)
      try stores.store.close()
    },
    searchCheck(9, "what another process writes is found") { store, subject in
      guard let openBeside = subject.openBeside else { return }
      var rows = SearchedRows(seed: 23)
      let stores = SearchedStores(store: store)
      try stores.execute(rows.added(40))
      try stores.commit()
      let others = stores.with(try openBeside(store))
      for round in UInt64(0)..<8 {
        let writer = round.isMultiple(of: 2) ? others : stores
        let reader = round.isMultiple(of: 2) ? stores : others
        // In the first two rounds, neither has searched yet.
        try writer.execute(rows.changed())
        if round > 1 { #expect(try writer.agree(round, searches: 5) > 0) }
        // Where others hold locks, an index may take its time to find out that it cannot be made.
        #expect(try reader.agree(round, searches: round == 0 ? 1 : 5, in: .committed) > 0)
        try writer.commit()
        #expect(try reader.agree(round, searches: 5) > 0)
        #expect(try writer.agree(round, searches: 5) > 0)
      }
      try others.store.close()
    },
  ]
}

extension SearchedStores {
  /// The same rows in memory, and another store.
  fileprivate func with(_ store: any PersistentStore) -> SearchedStores {
    SearchedStores(store: store, reference: reference)
  }
}
