// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A commit fails, SQLite gives the transaction up, others write, and the disk recovers.
@Suite struct LostTransactionTests {
  private let path = Sample.temporaryPath()
  private let name = Sample.slot("Person", "name")
  private let persons = StoreFetch(Sample.shape("Person"))
  private let first: SQLiteStore
  private let second: SQLiteStore

  init() throws {
    first = try SQLiteStore(path: path, model: Sample.model)
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 1
    second = try SQLiteStore(path: path, model: Sample.model, options: options)
    try first.execute(
      insert([(1, "Ada"), (2, "Bo"), (3, "Cy")]))
    try first.commit(.eventual)
  }

  private func insert(_ rows: [(Int64, String)], email: String? = nil) -> ChangeSet {
    ChangeSet(inserted: [
      Sample.page(
        "Person",
        rows.map { key, name in
          (key, ["name": .string(name), "email": email.map(Value.string) ?? .null])
        })
    ])
  }

  private func rename(_ key: Int64, _ text: String, version: Int64 = 2) -> ChangeSet {
    ChangeSet(updated: [
      Sample.updates(
        Sample.page("Person", [(key, ["name": .string(text)])], version: version), [name])
    ])
  }

  /// Accepts change sets in `first`, fails their commit, and has `others` done meanwhile.
  private func lose(
    _ accepted: [ChangeSet], to others: [ChangeSet], in store: SQLiteStore? = nil
  ) throws {
    let store = store ?? first
    for changes in accepted { try store.execute(changes) }
    unsafe store.withWriter { unsafe _ = sqlite3_commit_hook($0, { _ in 1 }, nil) }
    #expect(throws: StoreError.self) { try store.commit(.eventual) }
    unsafe store.withWriter { unsafe _ = sqlite3_commit_hook($0, nil, nil) }
    for changes in others { try second.execute(changes) }
    try second.commit(.eventual)
  }

  private func expectLost(_ lost: [ChangeSet], in store: SQLiteStore? = nil) throws {
    let store = store ?? first
    let refusal = #expect(throws: StoreError.self) { try store.commit(.eventual) }
    guard case .conflict? = refusal?.code else {
      Issue.record("The commit should have named what can not be kept, not \(refusal as Any).")
      return
    }
    let losses = try store.restoreAccepted()
    #expect(losses.map { ObjectIdentifier($0.changes) } == lost.map { ObjectIdentifier($0) })
    try store.commit(.eventual)
    #expect(try store.restoreAccepted().isEmpty)
    #expect(try store.integrityProblems() == [])
  }

  @Test func onlyTheChangeSetThatConflictsIsLost() throws {
    let conflicting = rename(1, "Ann")
    try lose([rename(2, "Bob"), conflicting, rename(3, "Cyd")], to: [rename(1, "Eve")])
    try expectLost([conflicting])
    #expect(try first.names(persons, name, in: .committed) == ["Eve", "Bob", "Cyd"])
    // Nothing is poisoned: the next change sets are taken as ever.
    try first.execute(rename(1, "Ann", version: 3))
    try first.commit(.immediate)
    #expect(try second.names(persons, name) == ["Ann", "Bob", "Cyd"])
  }

  /// Change sets of that size have no savepoints.
  @Test func aLargeChangeSetThatConflictsIsLostAlone() throws {
    let conflicting = insert((10..<1_200).map { ($0, "Lost") }) + rename(1, "Ann")
    let large = insert((2_000..<3_200).map { ($0, "Kept") }) + rename(3, "Cyd")
    let small = rename(2, "Bob")
    try lose([small, conflicting, large], to: [rename(1, "Eve")])
    try expectLost([conflicting])
    let names = try first.names(persons, name, in: .committed)
    #expect(names.prefix(4) == ["Eve", "Bob", "Cyd", "Kept"])
    #expect(try second.count(persons, in: .committed) == 1_203)
  }

  /// The other's change gives the row the very version that the lost change gave it.
  @Test func whatBuildsOnALostChangeIsLostThoughVersionsAgree() throws {
    let base = rename(1, "Ann")
    let later = rename(1, "Anna", version: 3)
    let reader = ChangeSet(
      updated: rename(2, "Bob").updated,
      expected: [RowVersion(key: Sample.key("Person", 1), version: 3)])
    try lose([base, later, reader, rename(3, "Cyd")], to: [rename(1, "Eve")])
    try expectLost([base, later, reader])
    #expect(try first.names(persons, name) == ["Eve", "Bo", "Cyd"])
  }

  @Test func whatWasReliedOnIsComparedAgain() throws {
    let reader = ChangeSet(
      updated: rename(2, "Bob").updated,
      expected: [RowVersion(key: Sample.key("Person", 1), version: 1)])
    try lose([reader, rename(3, "Cyd")], to: [rename(1, "Eve")])
    try expectLost([reader])
    #expect(try first.names(persons, name) == ["Eve", "Bo", "Cyd"])
  }

  @Test func aUniqueValueThatOthersTookIsLost() throws {
    let taken = insert([(10, "Ann")], email: "a")
    try lose([taken, insert([(11, "Bob")], email: "b")], to: [insert([(12, "Eve")], email: "a")])
    try expectLost([taken])
    #expect(try first.names(persons, name) == ["Ada", "Bo", "Cy", "Bob", "Eve"])
  }

  @Test func changesOfAndLinksToRowsThatAreGoneAreLost() throws {
    func deleted(_ key: Int64) -> ChangeSet {
      ChangeSet(deleted: [DeletedRow(key: Sample.key("Person", key), version: 1)])
    }
    let scope = StoreScope(
      identifier: first.identifier, entityNames: Sample.model.shapes.map(\.name))
    func pet(_ key: Int64, of owner: Int64) -> ChangeSet {
      let id = ManagedObjectID(key: Sample.key("Person", owner), scope: scope)
      return ChangeSet(inserted: [Sample.page("Pet", [(key, ["owner": .objectID(id)])])])
    }
    guard case .join(let join, let isFirst) = Sample.relationship("Person", "friends").storage
    else {
      Issue.record("Friends are kept in a join.")
      return
    }
    func friends(_ one: Int64, _ other: Int64) -> ChangeSet {
      ChangeSet(links: [
        LinkChange(
          join: join, isFirst: isFirst, owner: Sample.key("Person", one),
          added: [.init(other: Sample.key("Person", other))])
      ])
    }
    let (update, orphan, link) = (rename(1, "Ann"), pet(1, of: 1), friends(2, 1))
    try lose(
      [update, orphan, link, pet(2, of: 2), friends(2, 3)], to: [deleted(1)])
    try expectLost([update, orphan, link])
    #expect(try first.count(StoreFetch(Sample.shape("Pet")), in: .committed) == 1)
    let links = try first.links(
      of: Sample.relationship("Person", "friends"), owners: [Sample.key("Person", 2)],
      in: .committed)
    #expect(links.map(\.other.primaryKey) == [3])
  }

  /// Between the loss and its telling.
  @Test func whatBuildsOnALossThatNobodyWasToldOfIsRefused() throws {
    let scope = StoreScope(
      identifier: first.identifier, entityNames: Sample.model.shapes.map(\.name))
    func pet(_ key: Int64, of owner: Int64) -> ChangeSet {
      let id = ManagedObjectID(key: Sample.key("Person", owner), scope: scope)
      return ChangeSet(inserted: [Sample.page("Pet", [(key, ["owner": .objectID(id)])])])
    }
    let (taken, base) = (insert([(10, "Ann")], email: "a"), rename(1, "Ann"))
    try lose([taken, base], to: [insert([(12, "Eve")], email: "a"), rename(1, "Eve")])
    // The other's change gives the row the very version that the lost change gave it.
    for changes in [pet(1, of: 10), rename(1, "Anna", version: 3)] {
      let refusal = #expect(throws: StoreError.self) { try first.execute(changes) }
      guard case .conflict? = refusal?.code else {
        Issue.record("The change builds on a lost one: \(refusal as Any)")
        continue
      }
    }
    try first.execute(pet(2, of: 2))
    try expectLost([taken, base])
    #expect(try first.count(StoreFetch(Sample.shape("Pet")), in: .committed) == 1)
    #expect(try first.names(persons, name, in: .committed) == ["Eve", "Bo", "Cy", "Eve"])
  }

  /// A commit that fails, of keys in a transaction of their own.
  @Test func keysOfATransactionThatWasUndoneAreNotHandedOutTwice() throws {
    let shape = Sample.shape("Pet")
    unsafe first.withWriter { unsafe _ = sqlite3_commit_hook($0, { _ in 1 }, nil) }
    #expect(throws: StoreError.self) { try first.reserveKeys(1, for: shape) }
    unsafe first.withWriter { unsafe _ = sqlite3_commit_hook($0, nil, nil) }
    let mine = try first.reserveKeys(40, for: shape)
    let theirs = try second.reserveKeys(40, for: shape)
    let more = try first.reserveKeys(30, for: shape)
    #expect(Set(mine).union(theirs).union(more).count == 110)
  }

  @Test func keysOfATransactionOfWhichNothingIsKeptAreNotHandedOutTwice() throws {
    let shape = Sample.shape("Pet")
    let conflicting = rename(1, "Ann")
    try first.execute(conflicting)
    let lost = try first.reserveKeys(1, for: shape)
    try lose([], to: [rename(1, "Eve")])
    try expectLost([conflicting])
    let mine = try first.reserveKeys(40, for: shape)
    let theirs = try second.reserveKeys(40, for: shape)
    let more = try first.reserveKeys(30, for: shape)
    #expect(Set(lost).union(mine).union(more).count == 71)
    #expect(Set(theirs).isDisjoint(with: Set(mine).union(more)))
  }

  @Test func aRestorationThatIsHinderedLosesNothing() throws {
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 1
    let store = try SQLiteStore(path: path, model: Sample.model, options: options)
    let conflicting = rename(1, "Ann")
    try lose([conflicting, rename(2, "Bob")], to: [rename(1, "Eve")], in: store)
    try second.execute(rename(3, "Cyd"))
    let busy = #expect(throws: StoreError.self) { try store.commit(.eventual) }
    #expect(busy?.code == .busy)
    #expect(throws: StoreError.self) { try store.restoreAccepted() }
    try second.commit(.eventual)
    try expectLost([conflicting], in: store)
    #expect(try store.names(persons, name) == ["Eve", "Bob", "Cyd"])
  }

  /// The keys that were set aside in the transaction were never in the file.
  @Test func keysThatOthersTookMeanwhileAreNotHandedOut() throws {
    let shape = Sample.shape("Person")
    try first.execute(rename(2, "Bob"))
    let keys = try first.reserveKeys(1, for: shape)
    let mine = insert([(keys.lowerBound, "Mine")])
    // Rolled back with the keys; the other store takes the same.
    try lose([mine], to: [])
    let theirs = try second.reserveKeys(3, for: shape)
    #expect(theirs.contains(keys.lowerBound))
    try second.execute(insert(theirs.map { ($0, "Theirs") }))
    try second.commit(.eventual)
    try expectLost([mine])
    let next = try first.reserveKeys(2, for: shape)
    try first.execute(insert(next.map { ($0, "Next") }))
    try first.commit(.eventual)
    #expect(try first.count(persons, in: .committed) == 8)
    #expect(try first.names(persons, name)[1] == "Bob")
  }

  /// A deletion that is lost leaves the row's large value where it is.
  @Test func theFileOfALargeValueStaysWithItsRow() throws {
    let photo = Data(repeating: 7, count: 200_000)
    let large = ChangeSet(inserted: [Sample.page("Person", [(20, ["photo": .data(photo)])])])
    try first.execute(large)
    try first.commit(.eventual)
    let deletion = ChangeSet(deleted: [DeletedRow(key: Sample.key("Person", 20), version: 1)])
    let height = Sample.updates(
      Sample.page("Person", [(20, ["height": .double(2)])], version: 2),
      [Sample.slot("Person", "height")])
    try lose([deletion, rename(2, "Bob")], to: [ChangeSet(updated: [height])])
    try expectLost([deletion])
    let page = try #require(try first.rows(for: [Sample.key("Person", 20)], in: .committed).first)
    #expect(page.bytes(0, Sample.slot("Person", "photo")) == Array(photo))
  }

  @Test func aStoreThatIsLetGoOfKeepsTheOthers() throws {
    do {
      let store = try SQLiteStore(path: path, model: Sample.model)
      try lose([rename(1, "Ann"), rename(2, "Bob")], to: [rename(1, "Eve")], in: store)
      let refusal = #expect(throws: StoreError.self) { try store.close() }
      guard case .conflict? = refusal?.code else {
        Issue.record("Closing must not drop what can not be kept in silence.")
        return
      }
    }
    #expect(try second.names(persons, name) == ["Eve", "Bob", "Cy"])
  }

  @Test func metadataIsKept() throws {
    try first.execute(rename(1, "Ann"))
    var metadata = try first.metadata()
    metadata["mine"] = .string("yes")
    try first.setMetadata(metadata)
    try lose([], to: [rename(1, "Eve")])
    #expect(throws: StoreError.self) { try first.commit(.eventual) }
    #expect(try first.restoreAccepted().count == 1)
    try first.commit(.eventual)
    #expect(try second.metadata()["mine"] == .string("yes"))
  }

  /// The change of the other store comes first, and the conflicting one not at all.
  @Test func historyTellsOnlyWhatIsKept() throws {
    let tables = """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE \
      INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP \
      FLOAT, ZAUTHOR VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR );
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0);
      """
    unsafe first.withWriter {
      #expect(unsafe sqlite3_exec($0, tables, nil, nil, nil) == SQLITE_OK)
    }
    let store = try SQLiteStore(path: path, model: Sample.model)
    let conflicting = rename(1, "Ann")
    try lose([conflicting, rename(2, "Bob")], to: [rename(1, "Eve")], in: store)
    try expectLost([conflicting], in: store)
    try store.close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    var statement: OpaquePointer?
    let sql = "SELECT group_concat(ZENTITYPK || ':' || ZTRANSACTIONID, ' ') FROM ACHANGE"
    try #require(unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    defer { unsafe sqlite3_finalize(statement) }
    try #require(unsafe sqlite3_step(statement) == SQLITE_ROW)
    #expect(unsafe String(cString: sqlite3_column_text(statement, 0)) == "1:1 2:2")
  }

  // MARK: - Several stores

  @Test func aChangeSetOfTwoFilesIsLostInBoth() throws {
    let other = try SQLiteStore(path: Sample.temporaryPath(), model: Sample.model)
    let coordinator = try PersistentStoreCoordinator(model: Sample.model, first, other)
    let both =
      rename(1, "Ann") + insert([(1, "Other")]).inStore(1)
    let later = ChangeSet(
      updated: rename(1, "Else").inStore(1).updated)
    try coordinator.execute(both)
    try coordinator.execute(rename(2, "Bob") + insert([(2, "Kept")]).inStore(1))
    try coordinator.execute(later)
    unsafe first.withWriter { unsafe _ = sqlite3_commit_hook($0, { _ in 1 }, nil) }
    unsafe other.withWriter { unsafe _ = sqlite3_commit_hook($0, { _ in 1 }, nil) }
    #expect(throws: StoreError.self) { try coordinator.commit(.eventual) }
    unsafe first.withWriter { unsafe _ = sqlite3_commit_hook($0, nil, nil) }
    unsafe other.withWriter { unsafe _ = sqlite3_commit_hook($0, nil, nil) }
    try second.execute(rename(1, "Eve"))
    try second.commit(.eventual)
    #expect(throws: StoreError.self) { try coordinator.commit(.eventual) }
    let losses = try coordinator.restoreAccepted()
    #expect(losses.map { $0.changes === both || $0.changes === later } == [true, true])
    try coordinator.commit(.eventual)
    #expect(try first.names(persons, name, in: .committed) == ["Eve", "Bob", "Cy"])
    #expect(try other.names(persons, name, in: .committed) == ["Kept"])
  }
}
