// SPDX-License-Identifier: MIT
import Sporades
import SporadesCare
import SporadesContainers
import SporadesHistory
import SporadesStore
import SporadesTesting
import Testing

/// A store without any capability carries a stack, and what it can not do is refused by name.
@Suite struct PlainStoreTests {
  private typealias Track = Archive.Track

  @Test(arguments: StoreCheck.all)
  func conforms(to check: StoreCheck) throws {
    try check.run(StoreUnderTest { PlainStore($0) })
  }

  private func stack() throws -> DataStack {
    DataStack(store: PlainStore(try Archive.model.get()), classes: Archive.classes)
  }

  @Test func aServiceReadsWritesAndChangesManyObjectsAtOnce() async throws {
    let service = DALService(stack: try stack())
    try await service.write { context in
      for title in ["a", "b", "c"] { Track.create(in: context).title = title }
    }
    let batch = Track.where(\.title > "a").update(\.plays, to: 2)
    #expect(try await service.execute(batch).count == 2)
    let plays = try await service.read { context in
      try Track.all(sortedBy: \.title, in: context).map(\.plays)
    }
    #expect(plays == [0, 2, 2])
    #expect(try await service.execute(Track.where(\.plays == 0).delete()).count == 1)
    #expect(try await service.read { try Track.count(in: $0) } == 2)
    try service.close()
  }

  @Test func whatItCanNotDoIsRefusedByName() throws {
    let stack = try stack()
    let store = stack.store
    #expect(!store.keepsHistory)
    #expect(
      try #require(throws: StoreError.self) { try store.integrityProblems() }.detail
        .contains("CheckableStore"))
    #expect(try stack.currentPersistentHistoryToken() == nil)
    #expect(throws: DALError.self) { try DALService(stack: stack).history() }
    #expect(throws: StoreError.self) { try store.copy(to: "/nowhere") }
    try stack.newContext().performAndWait { context in
      let error = try #require(throws: StoreError.self) {
        try context.setQueryGeneration(from: .current)
      }
      #expect(error.code == .unsupported)
    }
  }

  @Test func aSaveInSeveralStoresIsRefusedAndReachesNone() throws {
    let coordinator = PersistentStoreCoordinator(model: try Archive.model.get())
    let stores = [PlainStore(coordinator.model), PlainStore(coordinator.model)]
    for store in stores { try coordinator.addPersistentStore(store) }
    let stack = DataStack(store: coordinator, classes: Archive.classes)
    try stack.newContext().performAndWait { context in
      let tracks = [Track.create(in: context), Track.create(in: context)]
      for (track, store) in zip(tracks, stores) { try context.assign(track, to: store) }
      let error = try #require(throws: StoreError.self) { try context.save() }
      #expect(error.detail.contains("RevocableStore"))
      let fetch = StoreFetch(try #require(coordinator.model.shape(named: "Track")))
      for store in stores { #expect(try store.count(fetch, in: .accepted) == 0) }
      context.rollback()
      for _ in 1...2 { try context.assign(Track.create(in: context), to: stores[0]) }
      try context.save()
      #expect(try stores[0].count(fetch, in: .accepted) == 2)
    }
  }
}
