// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesChain
import SporadesContainers
import SporadesGraph
import SporadesHistory
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesSQLite

/// A process died between the commits of several files. The coordinator that opens the files next finishes the commit,
/// or says why it cannot.
@Suite struct UnfinishedCommitTests {
  private let files = SharedFiles()

  private func coordinator(_ stores: any PersistentStore...) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(model: Sample.model, stores)
  }

  /// The first store has a commit of which the second one lacks the part.
  private func die(_ part: ChangeSet...) throws {
    let stores = try files.open(2)
    try files.die(
      committing: files.person(1, in: 0),
      (stores[1], part.isEmpty ? [files.person(1, in: 0)] : part), in: stores[0])
    for store in stores { try store.close() }
  }

  private func reason(_ coordinator: PersistentStoreCoordinator) -> StoreError.Code? {
    coordinator.unfinishedCommits.first?.reason.code
  }

  // MARK: - Finishing

  @Test(arguments: [false, true])
  func aCommitIsFinishedInWhicheverOrderTheStoresCome(isReversed: Bool) throws {
    try die()
    let stores = try files.open(2)
    let coordinator = PersistentStoreCoordinator(model: Sample.model)
    let order = isReversed ? stores.reversed() : stores
    try coordinator.addPersistentStore(order[0])
    #expect(reason(coordinator) == (isReversed ? nil : .noStore))
    #expect(try files.persons(stores, .committed) == [[1], []])
    try coordinator.addPersistentStore(order[1])
    #expect(coordinator.unfinishedCommits.isEmpty)
    #expect(try files.persons(stores, .committed) == [[1], [1]])
    #expect(try stores[0].intents() == [])
    // The key of the row is in use.
    #expect(try stores[1].reserveKeys(1, for: Sample.shape("Person")).lowerBound > 1)
    #expect(try stores[1].integrityProblems() == [])
  }

  @Test func aPartHasEverythingThatASaveChanges() throws {
    let stores = try files.open(2, history: true)
    let photo = Data(repeating: 3, count: 150_000)
    let tag = Sample.page("Tag", [(1, ["title": .string("t")])])
    let pet = Sample.page(
      "Pet", [(1, ["name": .string("Rex"), "owner": .null])])
    try stores[1].execute(
      ChangeSet(inserted: files.person(1, in: 0).inserted + files.person(2, in: 0).inserted + [pet])
    )
    try stores[1].commit(.immediate)
    let tags = Sample.relationship("Person", "tags")
    guard case .join(let join, let isFirst) = tags.storage else { return }
    var links = LinkChange(join: join, isFirst: isFirst, owner: Sample.key("Person", 1))
    links.added = [.init(other: Sample.key("Tag", 1), position: 5)]
    let photoChange = Sample.updates(
      Sample.page(
        "Person", [(1, ["name": .string("new"), "photo": .data(photo)])], version: 2),
      [Sample.slot("Person", "name"), Sample.slot("Person", "photo")])
    let first = ChangeSet(
      inserted: [tag], updated: [photoChange],
      deleted: [DeletedRow(key: Sample.key("Pet", 1), version: 1)], links: [links],
      expected: [RowVersion(key: Sample.key("Person", 2), version: 1)], author: "me",
      contextName: "here")
    // The second change set builds on the first.
    let second = files.rename(1, "newer", version: 3)
    try files.die(
      committing: files.person(1, in: 0), (stores[1], [first, second]), in: stores[0])
    let before = try stores[1].historyEnds().last
    let coordinator = try coordinator(stores[0], stores[1])
    #expect(coordinator.unfinishedCommits.isEmpty, "\(coordinator.unfinishedCommits)")
    #expect(try files.names(stores[1]) == ["newer", "p2"])
    #expect(try files.photo(1, in: stores[1]) == photo)
    #expect(try stores[1].keys(StoreFetch(Sample.shape("Pet")), in: .committed) == [])
    #expect(
      try stores[1].links(of: tags, owners: [Sample.key("Person", 1)], in: .committed)
        == [StoredLink(owner: Sample.key("Person", 1), other: Sample.key("Tag", 1), position: 5)])
    let history = try stores[1].history(HistoryRange(after: before))
    #expect(history.map(\.author) == ["me", nil])
    #expect(history.first?.contextName == "here")
    #expect(try stores[1].integrityProblems() == [])
  }

  @Test func aPartIsExecutedOnce() throws {
    try die()
    let (one, other) = (try files.open(2), try files.open(2))
    let intent = try #require(try one[0].intents().first)
    let first = try coordinator(one[0], one[1])
    // As if the intent had stayed because the process died before it removed it.
    var notes = CommitNotes()
    notes.intents = [intent]
    try one[0].commit(.immediate, noting: notes)
    let second = try coordinator(other[0], other[1])
    #expect(first.unfinishedCommits.isEmpty && second.unfinishedCommits.isEmpty)
    #expect(try other[0].intents() == [])
    #expect(try files.persons(other, .committed) == [[1], [1]])
  }

  @Test func threeStoresGetTheirPartsOneByOne() throws {
    let stores = try files.open(3)
    try files.die(
      committing: files.person(1, in: 0), (stores[1], [files.person(1, in: 0)]),
      (stores[2], [files.person(1, in: 0)]), in: stores[0])
    let coordinator = try coordinator(stores[0], stores[2])
    #expect(coordinator.unfinishedCommits.map(\.store) == [stores[1].identifier])
    #expect(coordinator.unfinishedCommits.map(\.holder) == [stores[0].identifier])
    #expect(try files.persons(stores, .committed) == [[1], [], [1]])
    #expect(try stores[0].intents().count == 2)
    try coordinator.addPersistentStore(stores[1])
    #expect(coordinator.unfinishedCommits.isEmpty)
    #expect(try stores[0].intents() == [])
    #expect(try files.persons(stores, .committed) == [[1], [1], [1]])
  }

  /// The coordinator is open while the other process dies.
  @Test func aCommitIsFinishedOnRequest() throws {
    let stores = try files.open(2)
    let coordinator = try coordinator(stores[0], stores[1])
    let others = try files.open(2)
    try files.die(
      committing: files.person(1, in: 0), (others[1], [files.person(1, in: 0)]), in: others[0])
    // An open transaction is committed first.
    try coordinator.execute(files.person(2, in: 0, 1))
    #expect(try coordinator.finishCommits().isEmpty)
    #expect(try files.persons(stores, .committed) == [[1, 2], [1, 2]])
    try coordinator.commit(.immediate)
    try coordinator.close()
    for store in others { try store.close() }
    #expect(try files.notes(0) == 0)
  }

  /// Nobody asks for it: the coordinator of a stack hears of the other process's commit, and its contexts show both parts.
  @Test(.timeLimit(.minutes(60)), arguments: [false, true])
  func aCommitIsFinishedSoonAfterItsProcessHasDied(hasHistory: Bool) async throws {
    let stores = try files.open(2, history: hasHistory)
    let coordinator = try coordinator(stores[0], stores[1])
    let stack = DataStack(store: coordinator)
    let queue = stack.newContext()
    func count() throws -> Int {
      try queue.performAndWait { try $0.count(FetchRequest("Person")) }
    }
    #expect(try count() == 0)
    var changes = stack.remoteChanges.makeAsyncIterator()
    let others = try files.open(2)
    try files.die(
      committing: files.person(1, in: 0), (others[1], [files.person(1, in: 0)]), in: others[0])
    var heard: Set<String> = []
    while heard.count < 2, let change = await changes.next() {
      heard.insert(change.storeIdentifier)
    }
    #expect(try files.persons(stores, .committed) == [[1], [1]])
    #expect(try count() == 2)
    #expect(coordinator.unfinishedCommits.isEmpty)
    try coordinator.close()
    for store in others { try store.close() }
  }

  /// The other process lives and holds the lock of the second store. Nothing is finished before it is gone.
  @Test(.timeLimit(.minutes(60))) func aCommitOfALivingProcessIsLeftToIt() async throws {
    let stores = try files.open(2, busyMilliseconds: 1)
    let coordinator = try coordinator(stores[0], stores[1])
    let stack = DataStack(store: coordinator)
    var changes = stack.remoteChanges.makeAsyncIterator()
    let others = try files.open(2)
    // The part is executed and not committed.
    try others[1].execute(files.person(1, in: 0))
    try files.die(
      committing: files.person(1, in: 0), (others[1], [files.person(1, in: 0)]), in: others[0])
    #expect(await changes.next()?.storeIdentifier == stores[0].identifier)
    while coordinator.unfinishedCommits.first?.reason.code != .busy {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(try files.persons(stores, .committed) == [[1], []])
    try files.rollBack(others[1])
    while try files.persons(stores, .committed)[1].isEmpty {
      try Task.checkCancellation()
      await Task.yield()
    }
    while !coordinator.unfinishedCommits.isEmpty {
      try Task.checkCancellation()
      await Task.yield()
    }
    try coordinator.close()
    #expect(try files.persons(files.open(2), .committed) == [[1], [1]])
  }

  // MARK: - What stands in the way

  @Test func aStoreThatIsReadOnlyGetsNothing() throws {
    try die()
    let holder = try files.open(at: 0)
    let reader = try files.open(at: 1, isReadOnly: true)
    let coordinator = try coordinator(holder, reader)
    #expect(reason(coordinator) == .readOnly)
    try coordinator.remove(reader)
    let writer = try files.open(at: 1)
    try coordinator.addPersistentStore(writer)
    #expect(coordinator.unfinishedCommits.isEmpty)
    #expect(try files.persons([holder, writer]) == [[1], [1]])
  }

  @Test func aReadOnlyHolderGivesThePartAndKeepsTheIntent() throws {
    try die()
    let (holder, other) = (try files.open(at: 0, isReadOnly: true), try files.open(at: 1))
    let coordinator = try coordinator(holder, other)
    #expect(coordinator.unfinishedCommits.isEmpty)
    #expect(try files.persons([other]) == [[1]])
    #expect(try holder.intents().count == 1)
    #expect(try coordinator.finishCommits().isEmpty)
  }

  @Test func aConflictIsReportedAndLaterPartsWait() throws {
    let stores = try files.open(2)
    try stores[1].execute(files.person(1, in: 0))
    try stores[1].commit(.immediate)
    try files.die(
      committing: files.person(1, in: 0), (stores[1], [files.rename(1, "late")]), in: stores[0])
    try files.die(
      committing: files.person(2, in: 0), (stores[1], [files.person(9, in: 0)]), in: stores[0])
    // Somebody opens the second store alone and changes the same person.
    try stores[1].execute(files.rename(1, "early"))
    try stores[1].commit(.immediate)
    let coordinator = try coordinator(stores[0], stores[1])
    let key = Sample.key("Person", 1).inStore(1)
    let conflict = StoreError.Code.conflict([
      ManagedObjectID(key: key, scope: coordinator.scope)
    ])
    #expect(coordinator.unfinishedCommits.map(\.reason.code) == [conflict, conflict])
    #expect(try files.names(stores[1]) == ["early"])
    #expect(try coordinator.finishCommits().count == 2)
    #expect(try stores[0].intents().count == 2)
    try coordinator.discard(try #require(coordinator.unfinishedCommits.first))
    #expect(coordinator.unfinishedCommits.count == 1)
    #expect(try coordinator.finishCommits().isEmpty)
    #expect(try files.persons(stores) == [[1, 2], [1, 9]])
    #expect(try stores[0].intents() == [])
  }

  /// Somebody opens the second store alone, and takes the primary key or a unique value of the missing row.
  @Test func aTakenKeyIsAConflict() throws {
    try die()
    let stranger = try files.open(at: 1)
    try stranger.execute(ChangeSet(inserted: files.person(1, in: 0, photo: Data([1])).inserted))
    try stranger.close()
    let stores = try files.open(2)
    let coordinator = try coordinator(stores[0], stores[1])
    guard case .conflict? = reason(coordinator) else {
      Issue.record("\(coordinator.unfinishedCommits)")
      return
    }
    // Other work goes on, and the intent stays.
    try coordinator.execute(files.person(5, in: 0, 1))
    try coordinator.commit(.immediate)
    #expect(try files.persons(stores, .committed) == [[1, 5], [1, 5]])
    #expect(try stores[0].intents().count == 2)
  }

  @Test func aFileInThePlaceOfAStoreIsAnotherStore() throws {
    try die()
    for suffix in ["", "-wal", "-shm"] {
      // A closed store may have no log.
      try? FileManager.default.removeItem(atPath: files.path(1) + suffix)
    }
    let stores = try files.open(2)
    let coordinator = try coordinator(stores[0], stores[1])
    #expect(reason(coordinator) == .noStore)
    #expect(try files.persons(stores) == [[1], []])
    let unfinished = try #require(coordinator.unfinishedCommits.first)
    #expect(unfinished.reason.detail.contains(unfinished.store))
    try coordinator.discard(unfinished)
    #expect(try coordinator.finishCommits().isEmpty)
    #expect(try stores[0].intents() == [])
  }

  @Test func anotherModelIsReported() throws {
    let stores = try files.open(2)
    var notes = CommitNotes()
    let author = RowDraft("Author", 1, ["name": "a"])
    notes.intents = [
      CommitIntent(
        commit: "x", store: stores[1].identifier, madeAt: Date(),
        changes: try StoredChanges.bytes(
          of: [ChangeSet(inserting: [author])], SampleLibrary.model))
    ]
    try stores[0].commit(.immediate, noting: notes)
    let coordinator = try coordinator(stores[0], stores[1])
    #expect(reason(coordinator) == .incompatibleModel(["Author"]))
  }

  @Test(arguments: [
    "UPDATE SPORADES_INTENT SET BYTES = zeroblob(40)",
    "UPDATE SPORADES_INTENT SET BYTES = substr(BYTES, 1, length(BYTES) - 1)",
    "UPDATE SPORADES_INTENT SET BYTES = 'text'", "UPDATE SPORADES_INTENT SET BYTES = NULL",
    "UPDATE SPORADES_INTENT SET STORE = NULL", "UPDATE SPORADES_INTENT SET COMMITID = NULL",
    "UPDATE SPORADES_INTENT SET BYTES = x'' || BYTES || x'00', MADE = 'soon'",
  ])
  func damageIsReportedAndCanBeDiscarded(sql: String) throws {
    try die()
    try files.run(0, sql)
    let stores = try files.open(2)
    let coordinator = try coordinator(stores[0], stores[1])
    #expect(coordinator.unfinishedCommits.map(\.reason.code) == [.corrupt])
    #expect(try files.persons(stores) == [[1], []])
    try coordinator.discard(try #require(coordinator.unfinishedCommits.first))
    #expect(try coordinator.finishCommits().isEmpty)
    #expect(try files.persons(stores) == [[1], []])
  }

  @Test func aTableOfAnotherFormIsReported() throws {
    try die()
    try files.run(0, "DROP TABLE SPORADES_INTENT; CREATE TABLE SPORADES_INTENT ( A )")
    let stores = try files.open(2)
    let coordinator = try coordinator(stores[0], stores[1])
    #expect(coordinator.unfinishedCommits.count == 1)
    try coordinator.execute(files.person(5, in: 1))
    try coordinator.commit(.immediate)
    #expect(try files.persons(stores, .committed) == [[1], [5]])
  }
}
