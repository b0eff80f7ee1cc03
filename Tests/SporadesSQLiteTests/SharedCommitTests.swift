// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesContainers
import SporadesHistory
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesSQLite

/// A coordinator commits to several files, and finishes what a process before it has begun.
@Suite struct SharedCommitTests {
  private let files = SharedFiles()

  // MARK: - Commits that succeed

  @Test func anIntentIsKeptUntilAllPartsAreOnTheDisk() throws {
    let stores = try files.open(3)
    let coordinator = try PersistentStoreCoordinator(model: Sample.model, stores)
    for round in 1...3 {
      try coordinator.execute(files.person(round, in: 0, 1))
      try coordinator.execute(files.person(10 + round, in: 1))
      try coordinator.commit(round == 2 ? .immediate : .eventual)
      let intents = try stores[0].intents()
      #expect(intents.map(\.store) == [stores[1].identifier])
      #expect(try stores[1].hasFinished(try #require(intents.first).commit))
      #expect(try stores[1].intents() == [])
    }
    // The first of the changed stores keeps the intent.
    try coordinator.execute(files.person(4, in: 1, 2))
    try coordinator.commit(.eventual)
    #expect(try stores[1].intents().map(\.store) == [stores[2].identifier])
    #expect(coordinator.unfinishedCommits.isEmpty)
    #expect(try coordinator.finishCommits().isEmpty)
    try coordinator.close()
    let again = try files.open(3)
    for store in again { #expect(try store.intents() == []) }
    #expect(try files.persons(again) == [[1, 2, 3], [1, 2, 3, 4, 11, 12, 13], [4]])
    for place in 0..<3 { #expect(try files.notes(place) == 0) }
  }

  @Test func aCommitOfOneStoreNotesNothing() throws {
    let stores = try files.open(2)
    let coordinator = try PersistentStoreCoordinator(model: Sample.model, stores)
    for place in 0..<2 {
      try coordinator.execute(files.person(1, in: place))
      try coordinator.commit(.immediate)
    }
    // Two change sets of two stores, and none of both.
    for place in 0..<2 { try coordinator.execute(files.person(2, in: place)) }
    try coordinator.commit(.immediate)
    try coordinator.close()
    for place in 0..<2 { #expect(try files.notes(place) == nil) }
  }

  @Test func storesInMemoryTakeNoPart() throws {
    let store = try files.open(1)[0]
    let memory: [any PersistentStore] = [
      MemoryStore(model: Sample.model), try SQLiteStore(inMemory: Sample.model),
    ]
    for other in memory {
      let coordinator = try PersistentStoreCoordinator(model: Sample.model, other, store)
      let key = try coordinator.reserveKeys(1, for: Sample.shape("Person"), inStore: 1)
      try coordinator.execute(files.person(Int(key.lowerBound), in: 0, 1))
      try coordinator.commit(.immediate)
      #expect(try store.intents() == [])
    }
    try store.close()
    #expect(try files.notes(0) == nil)
  }

  @Test func aStoreLeavesWithoutTraces() throws {
    let stores = try files.open(2)
    let coordinator = try PersistentStoreCoordinator(model: Sample.model, stores)
    try coordinator.execute(files.person(1, in: 0, 1))
    try coordinator.remove(stores[1])
    #expect(try stores[0].intents() == [])
    try coordinator.execute(files.person(2, in: 0))
    try coordinator.close()
    for place in 0..<2 { #expect(try files.notes(place) == 0) }
    #expect(try files.persons(files.open(2)) == [[1, 2], [1]])
  }

  /// The change sets of the time before the second store came are no part of the intent, and need not be.
  @Test func aSecondStoreMayComeInTheMiddleOfATransaction() throws {
    let stores = try files.open(2)
    let coordinator = try PersistentStoreCoordinator(model: Sample.model, stores[0])
    try coordinator.execute(files.person(1, in: 0))
    try coordinator.addPersistentStore(stores[1])
    try coordinator.execute(files.person(2, in: 0, 1))
    try coordinator.commit(.eventual)
    #expect(try files.persons(stores, .committed) == [[1, 2], [2]])
    #expect(try stores[0].intents().map(\.store) == [stores[1].identifier])
  }

  /// To delete the history of one store commits what that store has accepted, and so the other stores' parts.
  @Test func aDeletionOfHistoryCommitsAllParts() throws {
    let stores = try files.open(2, history: true)
    let coordinator = try PersistentStoreCoordinator(model: Sample.model, stores)
    try coordinator.execute(files.person(1, in: 0, 1))
    for source in coordinator.historySources.reversed() {
      let count = try source.change { store throws(StoreError) in
        try store.deleteHistory(before: .number(.max))
      }
      #expect(count == 1)
      #expect(try files.persons(stores, .committed) == [[1], [1]])
      #expect(try stores[0].intents().map(\.store) == [stores[1].identifier])
    }
  }

  /// A migration leaves the notes alone. The rows in them have the former version.
  @Test func anIntentOutlastsAMigration() throws {
    let stores = try files.open(2)
    try files.die(
      committing: files.person(1, in: 0), (stores[1], [files.person(1, in: 0)]), in: stores[0])
    for store in stores { try store.close() }
    let model = try ManagedObjectModel(
      entities: Sample.model.entities.map { entity in
        var entity = entity
        if entity.name == "Person" {
          entity.attributes.append(AttributeDescription("nick", .string, isOptional: true))
        }
        return entity
      })
    let coordinator = PersistentStoreCoordinator(model: model)
    for place in 0..<2 {
      try coordinator.addPersistentStore(SQLiteStore(path: files.path(place), model: model))
    }
    #expect(
      coordinator.unfinishedCommits.map(\.reason.code) == [.incompatibleModel(["Person"])])
    try coordinator.discard(try #require(coordinator.unfinishedCommits.first))
    try coordinator.close()
    #expect(try files.notes(0) == 0)
  }

  // MARK: - Commits that fail

  /// Any call of the first or the second store fails, before or after it had an effect. Every commit is repeated until
  /// it succeeds.
  @Test(arguments: [0, 1], FaultyStore.Moment.allCases)
  func aFailureAtAnyCallLeavesAllOrNothing(place: Int, moment: FaultyStore.Moment) throws {
    // The first call is the commit with which a store comes to a coordinator.
    var ordinal = 1
    var faulty: FaultyStore
    repeat {
      ordinal += 1
      let files = SharedFiles()
      let stores = try files.open(2)
      var all: [any PersistentStore] = stores
      faulty = FaultyStore(stores[place], failingCall: ordinal, moment)
      all[place] = faulty
      let coordinator = try PersistentStoreCoordinator(model: Sample.model, all)
      var kept: Set<Int64> = []
      var isBroken = false
      for round in 1...3 {
        do {
          try coordinator.execute(files.person(round, in: 0, 1))
          kept.insert(Int64(round))
        } catch {
          #expect(error.code == .io)
          // A store that executes and then says no breaks the contract.
          isBroken = moment == .after
        }
        do { try coordinator.commit(round == 2 ? .immediate : .eventual) } catch {
          #expect(error.code == .io)
          // The process may die at any moment, so the second store is never ahead of the first.
          let (first, second) = (
            try files.persons(stores, .committed)[0], try files.persons(stores, .committed)[1]
          )
          #expect(isBroken || Set(second).isSubset(of: first), "call \(ordinal)")
        }
      }
      do { try coordinator.commit(.eventual) } catch { try coordinator.commit(.eventual) }
      #expect(try stores[0].intents().count <= 2)
      do { try coordinator.close() } catch { try coordinator.close() }
      let again = try files.open(2)
      let found = try PersistentStoreCoordinator(model: Sample.model, again)
      #expect(found.unfinishedCommits.isEmpty, "call \(ordinal)")
      if !isBroken {
        #expect(try files.persons(again) == [kept.sorted(), kept.sorted()], "call \(ordinal)")
      }
      try found.close()
    } while faulty.hasFailed
    #expect(ordinal > 8)
  }

  /// A coordinator that is dropped while a store refuses to commit takes the parts of the save from all stores. The store
  /// that could commit does not do it alone when it goes.
  @Test(arguments: [0, 1]) func aDroppedCoordinatorLeavesNoPartAlone(place: Int) throws {
    var stores = try files.open(2)
    var coordinator: PersistentStoreCoordinator? = try PersistentStoreCoordinator(
      model: Sample.model, stores)
    try coordinator?.execute(files.person(1, in: 0, 1))
    try coordinator?.commit(.eventual)
    try coordinator?.execute(files.person(2, in: 0, 1))
    try coordinator?.execute(files.person(3, in: 1))
    CommitRefusal.during(stores[place]) { coordinator = nil }
    stores = []
    let again = try files.open(2)
    let found = try PersistentStoreCoordinator(model: Sample.model, again)
    #expect(found.unfinishedCommits.isEmpty)
    #expect(
      try files.persons(again) == (place == 0 ? [[1], [1, 3]] : [[1, 2], [1, 2, 3]]))
    for store in again { #expect(try store.integrityProblems() == []) }
  }

  /// The second store fails to commit, and another process finishes its part before the next attempt.
  @Test func aPartThatOthersFinishedMeanwhileIsNotLost() throws {
    let stores = try files.open(2)
    let coordinator = try PersistentStoreCoordinator(model: Sample.model, stores)
    let photo = Data(repeating: 7, count: 200_000)
    try coordinator.execute(files.person(1, in: 0, 1, photo: photo))
    CommitRefusal.during(stores[1]) {
      #expect(throws: StoreError.self) { try coordinator.commit(.eventual) }
    }
    // This change set is accepted after the attempt and is no part of the intent.
    try coordinator.execute(files.person(2, in: 0, 1))
    try files.rollBack(stores[1])
    let others = try files.open(2, busyMilliseconds: 1)
    let other = try PersistentStoreCoordinator(model: Sample.model, others)
    #expect(other.unfinishedCommits.isEmpty)
    #expect(try files.persons(others, .committed)[1] == [1])
    try coordinator.commit(.eventual)
    #expect(try files.persons(stores, .committed) == [[1, 2], [1, 2]])
    #expect(try coordinator.restoreAccepted().isEmpty)
    try other.close()
    try coordinator.close()
    let again = try files.open(2)
    #expect(try files.persons(again) == [[1, 2], [1, 2]])
    for store in again { #expect(try store.integrityProblems() == []) }
    #expect(try files.photo(1, in: again[1]) == photo)
  }
}
