// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// Numbers in a file that no app writes there: each is refused with its table and column, and neither
/// traps nor stands for another.
@Suite struct HostileStoreFileTests {
  private typealias Store = EditedStore
  private static let persons = StoreFetch(Sample.shape("Person"))
  private static let pets = StoreFetch(Sample.shape("Pet"))

  // MARK: - Keys

  private static let noMaxima: [Int64] = [
    .max, .max - 1, RowKey.largestPrimaryKey, RowKey.largestPrimaryKey + 1,
  ]

  @Test(arguments: noMaxima)
  func noKeyIsHandedOutAboveTheLargest(maximum: Int64) throws {
    let store = try Store("UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_NAME = 'Pet'").open()
    let refusal = Store.refusal { _ = try store.reserveKeys(1, for: Sample.shape("Pet")) }
    #expect(refusal.code == .full)
    #expect(refusal.detail.contains("ZPET has no keys left: Z_PRIMARYKEY.Z_MAX"))
    // The tables of others have theirs.
    #expect(try store.reserveKeys(1, for: Sample.shape("Tag")) == 2..<3)
    #expect(try store.rows(Self.pets, in: .accepted).count == 1)
    try store.close()
  }

  @Test func theLastKeysAreHandedOut() throws {
    let last = RowKey.largestPrimaryKey
    let store = try Store("UPDATE Z_PRIMARYKEY SET Z_MAX = \(last - 3) WHERE Z_NAME = 'Pet'").open()
    let pet = Sample.shape("Pet")
    #expect(try store.reserveKeys(1, for: pet) == last - 2..<last - 1)
    #expect(Store.refusal { _ = try store.reserveKeys(3, for: pet) }.code == .full)
    #expect(Store.refusal { _ = try store.reserveKeys(.max, for: pet) }.code == .full)
    #expect(try store.reserveKeys(2, for: pet) == last - 1..<last + 1)
    try store.execute(ChangeSet(inserted: [Sample.page("Pet", [(last, ["name": "Last"])])]))
    #expect(try store.keys(Self.pets, in: .accepted).last?.primaryKey == last)
    #expect(Store.refusal { _ = try store.reserveKeys(1, for: pet) }.code == .full)
    try store.close()
  }

  @Test(arguments: ["'abc'", "x'00'", "9e999", "0.5"])
  func aMaximumThatIsNoNumberIsRefused(_ maximum: String) throws {
    let store = try Store("UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_NAME = 'Pet'").open()
    let refusal = Store.refusal { _ = try store.reserveKeys(1, for: Sample.shape("Pet")) }
    #expect(refusal.code == .corrupt)
    #expect(refusal.detail.contains("Z_MAX FROM Z_PRIMARYKEY"))
  }

  @Test(arguments: [
    "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL",
    "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'; INSERT INTO Z_PRIMARYKEY SELECT 4, 'Tag', 0, NULL",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = -9223372036854775808",
  ])
  func aMaximumThatIsMissingFollowsFromTheRows(_ edit: String) throws {
    let store = try Store(edit).open()
    #expect(try store.reserveKeys(2, for: Sample.shape("Tag")) == 2..<4)
    try store.close()
  }

  @Test func aRowOfKeysThatTakesItselfAwayIsNotAwaited() throws {
    let edited = try Store()
    let store = try edited.open()
    try edited.run(
      "DELETE FROM Z_PRIMARYKEY; CREATE TRIGGER gone AFTER INSERT ON Z_PRIMARYKEY BEGIN DELETE FROM "
        + "Z_PRIMARYKEY; END")
    #expect(try store.reserveKeys(1, for: Sample.shape("Tag")) == 2..<3)
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "-1", "549755813888", "1099511627777",
  ])
  func aRowWithAKeyThatNoRowCanHaveIsRefused(_ key: String) throws {
    let store = try Store("UPDATE ZPET SET Z_PK = \(key) WHERE Z_PK = 2").open()
    for refusal in [
      Store.refusal { _ = try store.rows(Self.pets, in: .committed) },
      Store.refusal { _ = try store.keys(Self.pets, in: .accepted) },
      Store.refusal {
        _ = try store.links(
          of: Sample.relationship("Person", "pets"), owners: [Sample.key("Person", 2)],
          in: .committed)
      },
    ] {
      #expect(refusal.code == .corrupt)
      #expect(refusal.detail.contains("ZPET"))
      #expect(refusal.detail.contains("Z_PK holds an impossible key"))
      // The path before the sentence may contain the digits.
      #expect(!refusal.detail.contains(" \(key)"))
    }
    #expect(try store.rows(for: [Sample.key("Pet", 1)], in: .committed).count == 1)
    #expect(
      try store.integrityProblems().contains("1 rows of ZPET have keys that no row can have."))
    try store.close()
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807"])
  func aTableWhoseKeysSpanAllNumbersIsReadByNoStretches(_ key: String) throws {
    let store = try Store(
      "UPDATE ZPET SET Z_PK = \(key) WHERE Z_PK = 1; UPDATE ZPET SET Z_PK = 500000 WHERE Z_PK = 2",
      "DELETE FROM ZTAG"
    ).open()
    #expect(Store.refusal { _ = try store.rows(Self.pets, in: .committed) }.code == .corrupt)
    #expect(
      Store.refusal {
        _ = try store.rows(
          of: Sample.shape("Pet"), referencing: (1...40).map { Sample.key("Person", $0) },
          in: Sample.slot("Pet", "owner"), position: nil, in: .committed)
      }.code == .corrupt)
    try store.close()
  }

  // MARK: - References

  @Test(arguments: [
    "9223372036854775807", "-1", "549755813888", "9e999", "'abc'", "'1abc'", "x'31'", "0.5",
  ])
  func aReferenceThatIsNoKeyIsRefused(_ key: String) throws {
    let store = try Store("UPDATE ZPET SET ZOWNER = \(key) WHERE Z_PK = 2").open()
    let refusal = Store.refusal { _ = try store.rows(Self.pets, in: .committed) }
    #expect(refusal.code == .corrupt)
    #expect(refusal.detail.contains("ZPET.ZOWNER holds an impossible key"))
    let links = try store.links(
      of: Sample.relationship("Person", "pets"), owners: [Sample.key("Person", 1)], in: .committed)
    #expect(links.map(\.other) == [Sample.key("Pet", 1)])
    try store.close()
  }

  @Test(arguments: ["9223372036854775807", "549755813888", "'abc'", "NULL"])
  func aLinkToNoKeyIsRefused(_ key: String) throws {
    let edited = try Store()
    // The columns are named after the entities' numbers.
    let store = try Store("UPDATE Z_1TAGS SET Z_4TAGS = \(key)").open()
    let refusal = Store.refusal {
      _ = try store.links(
        of: Sample.relationship("Person", "tags"), owners: [Sample.key("Person", 1)],
        in: .committed)
    }
    #expect(refusal.code == .corrupt)
    #expect(refusal.detail.contains("Z_1TAGS.Z_4TAGS holds an impossible key"))
    try store.close()
    try edited.open().close()
  }

  /// Without a log, a statement that stays at a row keeps the writer out.
  @Test func aRefusalLeavesNothingThatOthersWaitFor() throws {
    let edited = try Store(
      "PRAGMA journal_mode = DELETE", "UPDATE ZPET SET Z_PK = -1 WHERE Z_PK = 1")
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 0
    let store = try SQLiteStore(path: edited.path, model: Sample.model, options: options)
    #expect(Store.refusal { _ = try store.keys(Self.pets, in: .committed) }.code == .corrupt)
    #expect(
      Store.refusal {
        _ = try store.links(
          of: Sample.relationship("Person", "pets"), owners: [Sample.key("Person", 1)],
          in: .committed)
      }.code == .corrupt)
    try store.execute(ChangeSet(inserted: [Sample.page("Tag", [(9, ["title": "new"])])]))
    try store.commit(.immediate)
    try store.close()
  }

  // MARK: - Versions

  private static let noVersions: [Int64] = [.max, .min, -1, 1 << 48, 1 << 47]

  @Test(arguments: noVersions)
  func aVersionThatNoSavesMakeIsRefused(_ version: Int64) throws {
    let store = try Store("UPDATE ZPET SET Z_OPT = \(version) WHERE Z_PK = 2").open()
    let refusal = Store.refusal { _ = try store.rows(Self.pets, in: .committed) }
    #expect(refusal.code == .corrupt)
    #expect(refusal.detail.contains("Row 2 of ZPET has an impossible version"))
    try store.close()
  }

  @Test func theLargestVersionThatIsReadCanBeSaved() throws {
    let version: Int64 = 1 << 47 - 1
    let store = try Store("UPDATE ZPET SET Z_OPT = \(version - 1) WHERE Z_PK = 2").open()
    let page = Sample.page("Pet", [(2, ["name": "Max"])], version: version)
    try store.execute(
      ChangeSet(updated: [Sample.updates(page, [Sample.slot("Pet", "name")])]))
    #expect(try store.rows(Self.pets, in: .accepted).first?.version(1) == version)
    try store.close()
  }

  // MARK: - Entities

  @Test(arguments: ["200000000000", "-5", "65536", "9223372036854775807"])
  func aNumberThatNoEntityHasIsRefused(_ number: String) throws {
    let edited = try Store("UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_NAME = 'Pet'")
    let refusal = edited.refusalToOpen()
    #expect(refusal.code == .corrupt)
    #expect(refusal.detail.contains("Z_PRIMARYKEY.Z_ENT of Pet"))
  }

  @Test func entitiesThatShareANumberOrANameAreRefused() throws {
    let rebuilt =
      "CREATE TABLE other AS SELECT * FROM Z_PRIMARYKEY; DROP TABLE Z_PRIMARYKEY; "
      + "ALTER TABLE other RENAME TO Z_PRIMARYKEY;"
    let number = try Store("\(rebuilt) UPDATE Z_PRIMARYKEY SET Z_ENT = 1 WHERE Z_NAME = 'Pet'")
    #expect(number.refusalToOpen().detail.contains("Z_PRIMARYKEY.Z_ENT of Pet"))
    let name = try Store("INSERT INTO Z_PRIMARYKEY VALUES (9, 'Pet', 0, 0)")
    #expect(name.refusalToOpen().detail.contains("two rows with the same Z_NAME"))
  }

  /// Else its row would be read by the other tree's layout.
  @Test(arguments: ["3", "4", "-1", "65536", "9223372036854775807", "'abc'"])
  func aRowOfAnotherTreesEntityIsTakenForOneOfItsOwn(_ number: String) throws {
    let store = try Store("UPDATE ZPERSON SET Z_ENT = \(number)").open()
    let keys = try store.keys(Self.persons, in: .committed)
    #expect(keys == [Sample.key("Person", 1), Sample.key("Person", 2)])
    let pages = try store.rows(Self.persons, in: .committed)
    #expect(pages.flatMap { page in (0..<page.count).map(page.key) } == keys)
    try store.close()
  }

  @Test(arguments: [
    "'no uuid'", "NULL", "x'00'", "5", "''", "'00000000-0000-0000-0000-00000000000'",
  ])
  func anIdentifierThatIsNoUUIDIsRefused(_ identifier: String) throws {
    let edited = try Store("UPDATE Z_METADATA SET Z_UUID = \(identifier)")
    let refusal = edited.refusalToOpen()
    #expect(refusal.code == .corrupt)
    #expect(refusal.detail.contains("Z_METADATA.Z_UUID holds no UUID"))
    let url = URL(fileURLWithPath: edited.path)
    let other = Store.refusal { _ = try SQLiteStore.metadata(ofStoreAt: url) }
    #expect(other.code == .corrupt)
    #expect(other.detail.contains("Z_METADATA.Z_UUID holds no UUID"))
  }

  // MARK: - Places

  @Test(arguments: ["9223372036854775807", "9223372036854774785", "1e300", "9e999"])
  func aLinkBehindTheLastPlaceIsRefused(_ place: String) throws {
    let edited = try Store("UPDATE Z_1TAGS SET Z_FOK_4TAGS = \(place) WHERE Z_1PERSONS = 1")
    let store = try edited.open()
    try store.execute(ChangeSet(inserted: [Sample.page("Tag", [(2, ["title": "new"])])]))
    guard case .join(let join, let isFirst) = Sample.relationship("Person", "tags").storage else {
      Issue.record("Tags are kept in a table of their own.")
      return
    }
    func link(_ owner: Int64) -> ChangeSet {
      var change = LinkChange(join: join, isFirst: isFirst, owner: Sample.key("Person", owner))
      change.added = [.init(other: Sample.key("Tag", 2))]
      return ChangeSet(links: [change])
    }
    let refusal = Store.refusal { try store.execute(link(1)) }
    #expect(refusal.code == .full)
    #expect(refusal.detail.contains("Z_1TAGS.Z_FOK_4TAGS has no place left"))
    // The order of another object has room.
    try store.execute(link(2))
    try store.close()
  }

  // MARK: - History

  @Test func aHistoryAtTheEndOfItsKeysIsRefused() throws {
    let edited = try Store(
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE "
        + "INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );"
        + "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTIMESTAMP FLOAT, "
        + "ZAUTHOR VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR );"
        + "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 9223372036854775805), "
        + "(16002, 'TRANSACTION', 0, 0)")
    let store = try edited.open()
    try store.execute(ChangeSet(inserted: [Sample.page("Tag", [(2, ["title": "one"])])]))
    let refusal = Store.refusal {
      try store.execute(ChangeSet(inserted: [Sample.page("Tag", [(3, ["title": "two"])])]))
    }
    #expect(refusal.code == .full)
    #expect(refusal.detail.contains("ACHANGE has no keys left"))
    // What was accepted before is committed.
    try store.commit(.eventual)
    #expect(try store.count(StoreFetch(Sample.shape("Tag")), in: .committed) == 2)
    try store.close()
  }
}
