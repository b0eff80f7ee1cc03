// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What triggers of an app do inside the statements of a change set.
@Suite struct StoreTriggerTests {
  private static let tags = StoreFetch(Sample.shape("Tag"))

  private func tag(_ key: Int64, _ title: String) -> ChangeSet {
    ChangeSet(inserted: [Sample.page("Tag", [(key, ["title": .string(title)])])])
  }

  @Test func aRefusedStatementLeavesNothingOfItself() throws {
    // Unlike ABORT, FAIL keeps what the statement has done so far.
    let store = try EditedStore(
      "CREATE TRIGGER refuse AFTER INSERT ON ZTAG WHEN NEW.ZTITLE = 'bad' BEGIN "
        + "SELECT RAISE(FAIL, 'no'); END"
    ).open()
    try store.execute(tag(2, "good"))
    #expect(throws: StoreError.self) { try store.execute(tag(3, "bad")) }
    try store.commit(.immediate)
    #expect(try store.keys(Self.tags, in: .committed).map(\.primaryKey) == [1, 2])
    try store.close()
  }

  private static let refusals = [
    "BEFORE INSERT ON ZTAG WHEN NEW.ZTITLE = 'bad' BEGIN SELECT RAISE(IGNORE); END",
    "AFTER INSERT ON ZTAG WHEN NEW.ZTITLE = 'bad' BEGIN UPDATE ZTAG SET Z_PK = Z_PK + 100 WHERE "
      + "Z_PK = NEW.Z_PK; END",
    // SQLite tells two changes of the row before it gets another key.
    "AFTER INSERT ON ZTAG WHEN NEW.ZTITLE = 'bad' BEGIN UPDATE ZTAG SET ZTITLE = 'worse' WHERE "
      + "Z_PK = NEW.Z_PK; UPDATE ZTAG SET Z_PK = Z_PK + 100 WHERE Z_PK = NEW.Z_PK; END",
  ]

  @Test(arguments: refusals)
  func anInsertWhoseRowIsNotThereIsRefused(_ trigger: String) throws {
    let store = try EditedStore("CREATE TRIGGER odd " + trigger).open()
    try store.execute(tag(2, "good"))
    let error = #expect(throws: StoreError.self) { try store.execute(tag(3, "bad")) }
    #expect(error?.code == .constraint(entity: "Tag", properties: []))
    let several = Sample.page(
      "Tag", [(4, ["title": "good"]), (5, ["title": "bad"]), (6, ["title": "good"])])
    #expect(throws: StoreError.self) { try store.execute(ChangeSet(inserted: [several])) }
    try store.commit(.immediate)
    #expect(try store.keys(Self.tags, in: .committed).map(\.primaryKey) == [1, 2])
    try store.close()
  }

  @Test func aLinkThatATriggerIgnoresIsRefused() throws {
    guard case .join(let join, let isFirst) = Sample.relationship("Person", "friends").storage
    else {
      preconditionFailure("Friends are kept in a table of their own.")
    }
    let edited = try EditedStore()
    let tables = try PlainStore(edited.path).rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z\\_%FRIENDS' ESCAPE '\\'"
    )
    guard case .text(let table)? = tables.first?.first else {
      Issue.record("There is no table of friends: \(tables)")
      return
    }
    try edited.run(
      "CREATE TRIGGER odd BEFORE INSERT ON \(table) BEGIN SELECT RAISE(IGNORE); END")
    let store = try edited.open()
    var change = LinkChange(join: join, isFirst: isFirst, owner: Sample.key("Person", 1))
    change.added = [.init(other: Sample.key("Person", 2))]
    let error = #expect(throws: StoreError.self) {
      try store.execute(ChangeSet(links: [change]))
    }
    #expect(error?.code == .constraint(entity: "Person", properties: []))
    try store.close()
  }

  /// The triggers of a file are looked for when it is opened.
  @Test func aTriggerThatAppearsLaterIsMet() throws {
    let edited = try EditedStore()
    let store = try edited.open()
    try edited.run("CREATE TRIGGER odd " + Self.refusals[0])
    #expect(throws: StoreError.self) { try store.execute(tag(3, "bad")) }
    try store.execute(tag(4, "good"))
    try store.commit(.immediate)
    #expect(try store.keys(Self.tags, in: .committed).map(\.primaryKey) == [1, 4])
    try store.close()
  }

  @Test func anUpdateWhoseRowGetsAnotherKeyIsRefused() throws {
    let store = try EditedStore(
      "CREATE TRIGGER odd AFTER UPDATE OF ZTITLE ON ZTAG BEGIN "
        + "UPDATE ZTAG SET Z_PK = Z_PK + 100 WHERE Z_PK = NEW.Z_PK; END"
    ).open()
    let page = Sample.page("Tag", [(1, ["title": "new"])], version: 2)
    let error = #expect(throws: StoreError.self) {
      try store.execute(
        ChangeSet(updated: [Sample.updates(page, [Sample.slot("Tag", "title")])]))
    }
    #expect(error?.code == .constraint(entity: "Tag", properties: []))
    #expect(try store.keys(Self.tags, in: .accepted).map(\.primaryKey) == [1])
    try store.close()
  }

  /// The contexts hear of it, as of every row that a trigger changed.
  @Test func aRowThatATriggerDeletesAtOnceIsNoFailure() throws {
    let store = try EditedStore(
      "CREATE TRIGGER odd AFTER INSERT ON ZTAG BEGIN DELETE FROM ZTAG WHERE Z_PK = NEW.Z_PK; END"
    ).open()
    try store.execute(tag(2, "new"))
    #expect(store.takeKeysChangedByTriggers() == [Sample.key("Tag", 2)])
    try store.close()
  }

  @Test func aRowThatATriggerDeletedIsKnownToBeAbsent() throws {
    let store = try EditedStore(
      "CREATE TRIGGER clear AFTER INSERT ON ZTAG BEGIN DELETE FROM ZPET WHERE Z_PK = 1; END"
    ).open()
    let pets = [Sample.key("Pet", 1), Sample.key("Pet", 2)]
    #expect(try store.absent(pets).isEmpty)
    try store.execute(tag(2, "new"))
    #expect(try store.absent(pets) == [pets[0]])
    try store.commit(.immediate)
    try store.close()
  }

  @Test func aRestoredChangeLeadsToNoRowThatATriggerDeleted() throws {
    let edited = try EditedStore()
    let store = try edited.open()
    try edited.run("CREATE TABLE switch (state)")
    try store.close()
    try edited.run(
      "CREATE TRIGGER clear AFTER INSERT ON ZTAG WHEN (SELECT COUNT(*) FROM switch) > 0 BEGIN "
        + "DELETE FROM ZPERSON WHERE Z_PK = 1; END")
    let again = try edited.open()
    func pet(_ key: Int64) -> ChangeSet {
      let owner = ManagedObjectID(
        key: Sample.key("Person", 1), scope: StoreScope(identifier: "", entityNames: []))
      let values: [String: Value] = ["owner": .objectID(owner)]
      return ChangeSet(inserted: [Sample.page("Pet", [(key, values)])])
    }
    let last = pet(4)
    for changes in [pet(3), tag(2, "new"), last] { try again.execute(changes) }
    CommitRefusal.during(again) {
      #expect(throws: StoreError.self) { try again.commit(.eventual) }
    }
    try edited.run("INSERT INTO switch VALUES (1)")
    #expect(throws: StoreError.self) { try again.commit(.eventual) }
    #expect(
      try again.restoreAccepted().map { ObjectIdentifier($0.changes) } == [ObjectIdentifier(last)])
    try again.commit(.immediate)
    try again.close()
  }
}
