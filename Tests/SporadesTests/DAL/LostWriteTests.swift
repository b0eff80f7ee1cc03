// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

// Accepted writes whose commit failed. Another process changed their rows before the next attempt.
struct LostWriteTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let double: StoreDouble
  private let service: RecordingService
  /// A second connection, which stands for another process.
  private let other: RecordingService
  private let calls = Calls()

  init() throws {
    folder = try TemporaryFolder()
    let url = folder.file("Store.sqlite")
    store = try SQLiteStore(url: url, model: .members)
    double = StoreDouble(store)
    service = RecordingService.over(double)
    other = RecordingService.at(url)
    try service.writeSync(durability: .immediate) { context in
      for name in ["Ann", "Bob"] { Member.create(in: context).firstname = name }
    }.get()
  }

  /// Makes commits fail until `act` has run, and has SQLite roll the transaction back.
  private func whileNothingIsCommitted(_ act: () throws -> Void) rethrows {
    // Every commit fails, because the stack tries again by itself.
    double.play { [store] (call) throws(StoreError) in
      guard call == .commit else { return }
      store.loseTransaction()
      throw StoreError(.full, "Scripted.")
    }
    try act()
    double.play { _ in }
  }

  private func rename(
    _ name: String, to new: String, in service: RecordingService,
    _ durability: Durability = .eventual
  ) -> Chain {
    service.writeSync(
      durability: durability,
      { context in
        Member.first(where: \.firstname == name, in: context)?.lastname = new
      }, completion: service === self.service ? calls.completion : nil)
  }

  private func lastname(_ name: String) throws -> String? {
    try service.readValue { try Member.first(where: \.firstname == name, in: $0)?.lastname }
  }

  @Test func onlyTheWriteThatConflictsIsLostAndEverybodyHearsOfIt() throws {
    let held = try #require(
      try service.readValue { try Member.first(where: \.firstname == "Ann", in: $0)?.objectID })
    var receipts: [WriteReceipt?] = []
    try whileNothingIsCommitted {
      receipts = [
        rename("Ann", to: "Mine", in: service).receipt,
        rename("Bob", to: "Mine", in: service).receipt,
      ]
      #expect(try lastname("Ann") == "Mine")
      #expect(calls.wait(2))
      // SQLite has rolled the transaction back, so the other process can lock the file.
      store.loseTransaction()
      try rename("Ann", to: "Theirs", in: other, .immediate).get()
    }
    let (lost, kept) = (try #require(receipts[0]), try #require(receipts[1]))
    guard case .lost(let write) = lost.wait(within: .seconds(3_600)) else {
      Issue.record("The write can not be kept: \(lost.state)")
      return
    }
    #expect(write.objects == [held])
    guard case .committed = kept.wait(within: .seconds(3_600)) else {
      Issue.record("The other write is kept: \(kept.state)")
      return
    }
    #expect(try lastname("Ann") == "Theirs")
    #expect(try lastname("Bob") == "Mine")
    #expect(eventually { service.errorsSoFar.contains { $0.kind == "lost" } })
    let told = service.errorsSoFar.filter { $0.kind == "lost" }
    #expect(told.count == 1)
    #expect(told.first?.receipt == lost)
    #expect(calls.all.map { $0?.kind } == ["notDurable", "notDurable"])
    #expect(calls.all.map { $0?.receipt } == receipts)
    #expect(eventually { Set(service.settlements) == [lost, kept] })
    #expect(service.settlements.count == 2)
    let commits = service.metrics.commits
    #expect(commits.changeSetsLost == 1)
    #expect(commits.rowsLost == 1)
    #expect(commits.rowsWaiting == 0)
    // Later writes succeed.
    try rename("Ann", to: "Again", in: service, .immediate).get()
    #expect(
      try other.readValue { try Member.first(where: \.firstname == "Ann", in: $0)?.lastname }
        == "Again")
  }

  @Test func aFlushReportsWhatIsLostInIt() throws {
    try whileNothingIsCommitted {
      _ = rename("Ann", to: "Mine", in: service)
      #expect(calls.wait())
      store.loseTransaction()
      try rename("Ann", to: "Theirs", in: other, .immediate).get()
      // A retry before the flush would have reported the loss.
      double.play { _ in }
      let report = service.flush()
      let isReported = report.lostCount == 1 && report.lostObjects.count == 1
      let wasRetried = service.errors.contains { $0.kind == "lost" } && report.isComplete
      #expect(isReported || wasRetried)
    }
    #expect(service.flush().isComplete)
  }

  @Test func aCompletionThatStillWaitsHearsThatTheWriteIsLost() throws {
    // The transaction is lost without a failed commit, as after a read error of the disk.
    let mayCommit = Latch()
    double.play { (call) throws(StoreError) in if call == .commit { mayCommit.wait() } }
    let double = double
    let chain = service.writeSync(
      { Member.create(in: $0).firstname = "Cid" }, completion: calls.completion)
    let changes = try #require(double.lastSave)
    try double.withdraw([changes])
    mayCommit.open()
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["lost"])
    #expect(calls.all.first??.receipt == chain.receipt)
    #expect(service.memberCount == 2)
    #expect(service.errors.map(\.kind) == ["lost"])
    // The service never reported the write as not durable.
    #expect(service.settlements.isEmpty)
  }

  @Test func contextsThatShowALostChangeShowTheStore() throws {
    let stack = try service.stack()
    let plain = stack.newContext()
    let heard = Guarded<[ManagedObjectID]>([])
    try plain.performAndWait { context in
      context.retainsRegisteredObjects = true
      _ = try Member.all(in: context)
    }
    let observation = plain.performAndWait { context in
      context.observe { change in
        heard.withLock { $0 += change.refreshedObjects.map(\.objectID) }
      }
    }
    defer { observation.end() }
    let mayCommit = Latch()
    double.play { (call) throws(StoreError) in if call == .commit { mayCommit.wait() } }
    let double = double
    let chain = service.writeSync { context in
      Member.first(where: \.firstname == "Ann", in: context)?.lastname = "Mine"
      let cid = Member.create(in: context)
      cid.firstname = "Cid"
      Animal.create(in: context).owner = cid
      Member.first(where: \.firstname == "Bob", in: context)?.delete(in: context)
    }
    func state() throws -> [String] {
      try plain.performAndWait { context in
        try Member.all(sortedBy: \.firstname, in: context)
          .map { "\($0.firstname ?? "") \($0.lastname ?? "-") \($0.animals.count)" }
      }
    }
    #expect(try state() == ["Ann Mine 0", "Cid - 1"])
    try double.withdraw([try #require(double.lastSave)])
    heard.withLock { $0 = [] }
    mayCommit.open()
    guard case .lost? = chain.receipt?.wait(within: .seconds(3_600)) else {
      Issue.record("The write was given up.")
      return
    }
    #expect(try state() == ["Ann - 0", "Bob - 0"])
    #expect(heard.withLock { !$0.isEmpty })
    #expect(service.memberCount == 2)
    #expect(try service.readValue { try Animal.count(in: $0) } == 0)
  }

  /// A context that has not merged the loss saves before the next commit finds the loss.
  @Test(arguments: [Durability.eventual, .immediate])
  func aWriteThatLeadsToALostObjectIsRefusedBeforeAnybodyHeardOfTheLoss(
    _ durability: Durability
  ) throws {
    let context = try service.stack().newContext()
    try whileNothingIsCommitted {
      let chain = service.writeSync(
        { Member.create(in: $0).firstname = "Cid" }, completion: calls.completion)
      #expect(calls.wait())
      let cid = try #require(
        try service.readValue { try Member.first(where: \.firstname == "Cid", in: $0)?.objectID })
      try context.performAndWait { context in
        context.durability = durability
        Animal.create(in: context).owner = try context.existingObject(with: cid) as? Member
        // The store throws this error if another process changed the same rows.
        try store.withdraw([try #require(double.lastSave)])
        #expect(throws: (any Error).self) { try context.save() }
      }
      guard case .lost = try #require(chain.receipt).wait(within: .seconds(3_600)) else {
        Issue.record("The refusal tells of the loss.")
        return
      }
    }
    #expect(service.flush().isComplete)
    #expect(try service.readValue { try Animal.count(in: $0) } == 0)
  }

  /// The other process gives the row the same version as the lost write.
  @Test func aWriteThatReadALostChangeDoesNotOverwriteTheOthers() throws {
    let double = double
    let chain = try service.stack().newContext().performAndWait { context -> Chain? in
      let mayCommit = Latch()
      double.play { (call) throws(StoreError) in if call == .commit { mayCommit.wait() } }
      let chain = rename("Ann", to: "Mine", in: service)
      let ann = try #require(try Member.first(where: \.firstname == "Ann", in: context))
      context.refresh(ann, mergeChanges: false)
      #expect(ann.lastname == "Mine")
      try double.withdraw([try #require(double.lastSave)])
      mayCommit.open()
      chain.receipt?.wait(within: .seconds(3_600))
      try rename("Ann", to: "Theirs", in: other, .immediate).get()
      ann.count = 5
      let refusal = #expect(throws: StoreError.self) { try context.save() }
      guard case .conflict(let ids)? = refusal?.code else {
        Issue.record("The save is based on what is lost: \(refusal as Any)")
        return chain
      }
      #expect(ids == [ann.objectID])
      context.mergePolicy = .mergeByPropertyObjectTrump
      try context.save()
      #expect(ann.lastname == "Theirs")
      #expect(ann.count == 5)
      return chain
    }
    #expect(chain != nil)
    #expect(try lastname("Ann") == "Theirs")
  }
}

extension SQLiteStore {
  /// Rolls the open transaction back, as SQLite does when a disk fails.
  func loseTransaction() {
    unsafe withWriter { unsafe _ = sqlite3_exec($0, "ROLLBACK", nil, nil, nil) }
  }
}
