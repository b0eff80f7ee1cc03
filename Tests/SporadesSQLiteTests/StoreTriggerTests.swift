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
