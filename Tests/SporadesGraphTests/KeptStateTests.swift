// SPDX-License-Identifier: MIT
import Foundation
import SporadesChain
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// How long a state of the store is kept, by whom, and where none can be.
@Suite struct KeptStateTests {
  @Test func aStateIsKeptByItsTokensAndContexts() throws {
    let folder = try TemporaryFolder()
    let stack = try KeepingKind.file.people(in: folder)
    /// Whether somebody keeps the log from being begun anew.
    func isHeld() throws -> Bool {
      _ = stack.root.commit(.eventual)
      return try WriteAheadLogProbe.isHeld(folder.url.appendingPathComponent("people.sqlite"))
    }
    try stack.addAnn()
    var token: QueryGenerationToken?
    try stack.newContext().performAndWait { context in
      try context.setQueryGeneration(from: .current)
      token = context.queryGenerationToken
      #expect(try Person.names(in: context).first == "Ann")
    }
    try stack.ruinAnn()
    try stack.newContext().performAndWait { context in
      try context.setQueryGeneration(from: token)
      try expectAnn(in: context)
    }
    #expect(try isHeld())
    token = nil
    // Look-ups hold the log for some milliseconds more.
    let deadline = ContinuousClock.now + .seconds(3_600)
    while try isHeld() {
      try #require(ContinuousClock.now < deadline, "The state is still kept.")
    }
  }

  @Test func closingTheStoreEndsItsStates() throws {
    let folder = try TemporaryFolder()
    let stack = try KeepingKind.file.withAnn(in: folder)
    let pinned = try stack.pinned()
    try stack.store.close()
    #expect(
      FileManager.default.contents(
        atPath: folder.url.appendingPathComponent("people.sqlite-wal").path)?.isEmpty != false)
    pinned.performAndWait { context -> Void in
      #expect(throws: StoreError.self) { try Person.count(in: context) }
    }
  }

  @Test func largeValuesStayWithTheirState() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("kinds.sqlite")
    let model = try ManagedObjectModel([Kinds.self])
    let stack = DataStack(store: try SQLiteStore(url: url, model: model), classes: [Kinds.self])
    let large = Data(repeating: 7, count: 300_000)
    try stack.save { context in
      for _ in 0..<2 { Kinds.create(in: context).data = large }
    }
    func files() -> Int {
      let path = folder.url.appendingPathComponent(".kinds_SUPPORT/_EXTERNAL_DATA").path
      return (try? FileManager.default.contentsOfDirectory(atPath: path))?.count ?? 0
    }
    #expect(files() == 2)
    let pinned = stack.newContext()
    try pinned.performAndWait { context in
      try context.setQueryGeneration(from: .current)
      #expect(try Kinds.count(in: context) == 2)
    }
    try stack.save { context in
      let all = try Kinds.all(in: context)
      context.delete(all[0])
      all[1].data = nil
    }
    _ = stack.root.commit(.immediate)
    try pinned.performAndWait { context in
      #expect(try Kinds.all(in: context).map(\.data) == [large, large])
      try context.setQueryGeneration(from: nil)
      #expect(try Kinds.all(in: context).map(\.data) == [nil])
    }
    // The commit in the background removes the files if it came before the immediate one.
    let deadline = ContinuousClock.now + .seconds(3_600)
    while files() > 0 {
      try #require(ContinuousClock.now < deadline, "The files of the former state are still there.")
    }
  }

  @Test func aStoreThatCanNotKeepAStateSaysSo() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("people.sqlite")
    try SQLiteStore(url: url, model: People.model).close()
    try WriteAheadLogProbe.giveUp(url)
    let store = try SQLiteStore(url: url, model: People.model)
    #expect(!store.keepsGenerations)
    let stack = DataStack(store: store, classes: People.classes)
    try stack.addAnn()
    try stack.newContext().performAndWait { context in
      do {
        try context.setQueryGeneration(from: .current)
        Issue.record("pinned to a state that the store does not keep")
      } catch let error as StoreError {
        #expect(error.code == .unsupported)
      }
      #expect(context.queryGenerationToken == nil)
      #expect(try Person.count(in: context) == 3)
    }
  }

  @Test func aTokenOfAnotherStackIsRefused() throws {
    let stacks = [0, 1].map { _ in
      DataStack(store: MemoryStore(model: People.model), classes: People.classes)
    }
    let token = try stacks[0].newContext().performAndWait { context in
      try context.setQueryGeneration(from: .current)
      return context.queryGenerationToken
    }
    stacks[1].newContext().performAndWait { context -> Void in
      #expect(throws: ContextError.self) { try context.setQueryGeneration(from: token) }
    }
  }

  /// Stores that are added later are not seen, nor is what was in one that is removed.
  @Test func aStateHasTheStoresOfItsTime() throws {
    let coordinator = PersistentStoreCoordinator(model: People.model)
    let (first, second) = (MemoryStore(model: People.model), MemoryStore(model: People.model))
    try coordinator.addPersistentStore(first)
    let stack = DataStack(store: coordinator, classes: People.classes)
    try stack.addAnn()
    let pinned = try stack.pinned()
    try coordinator.addPersistentStore(second)
    try stack.save { context in
      try context.assign(Person.make("Gus", in: context), to: second)
    }
    try pinned.performAndWait { context throws in
      #expect(try Person.names(in: context) == ["Ann", "Bob", "Cid"])
    }
    try coordinator.remove(first)
    try pinned.performAndWait { context in
      #expect(try Person.names(in: context).isEmpty)
      try context.setQueryGeneration(from: .current)
      #expect(try Person.names(in: context) == ["Gus"])
    }
  }
}
