// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Files whose tables, triggers and lists do something else than hold rows.
@Suite struct EndlessFileTests {
  private typealias Store = EditedStore
  private static let tags = StoreFetch(Sample.shape("Tag"))
  private static let endless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT MAX(x) FROM c"

  private func tag(_ key: Int64, _ title: String = "new") -> ChangeSet {
    ChangeSet(inserted: [Sample.page("Tag", [(key, ["title": .string(title)])])])
  }

  // MARK: - Triggers

  @Test(arguments: [1, 2_000_000])
  func aTriggerThatNeverEndsIsInterruptedAndUndone(stepLimit: Int) throws {
    let store = try Store(
      "CREATE TRIGGER endless AFTER INSERT ON ZTAG WHEN NEW.ZTITLE = 'bad' BEGIN \(Self.endless); END"
    ).open(stepLimit: stepLimit)
    try store.execute(tag(2))
    for key: Int64 in [3, 4] {
      let refusal = Store.refusal { try store.execute(tag(key, "bad")) }
      #expect(refusal.code == .interrupted)
      #expect(refusal.detail.contains("stepLimit"))
    }
    #expect(StoreError(.interrupted, "").isRetryable == false)
    // The connection works, and what it had accepted is there and is committed.
    try store.execute(tag(5))
    #expect(try store.keys(Self.tags, in: .accepted).map(\.primaryKey) == [1, 2, 5])
    try store.commit(.immediate)
    #expect(try store.keys(Self.tags, in: .committed).map(\.primaryKey) == [1, 2, 5])
    try store.close()
  }

  @Test func eachRequestMayTakeAllSteps() throws {
    // Each insert takes some 400,000 steps.
    let store = try Store(
      "CREATE TRIGGER long AFTER INSERT ON ZTAG BEGIN WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
        + "SELECT x + 1 FROM c WHERE x < 30000) SELECT MAX(x) FROM c; END"
    ).open(stepLimit: 1_500_000)
    for key: Int64 in 2..<12 { try store.execute(tag(key)) }
    try store.commit(.eventual)
    #expect(try store.count(Self.tags, in: .committed) == 11)
    let many = ChangeSet(inserted: [
      Sample.page("Tag", (20..<40).map { (Int64($0), ["title": "many"]) })
    ])
    #expect(Store.refusal { try store.execute(many) }.code == .interrupted)
    #expect(try store.count(Self.tags, in: .accepted) == 11)
    try store.close()
  }

  @Test func aReadThatTakesTooManyStepsIsInterrupted() throws {
    let store = try Store(
      "WITH RECURSIVE c(x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM c WHERE x < 200000) "
        + "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT x, 4, 1, 'title ' || x FROM c"
    ).open(stepLimit: 1)
    var fetch = Self.tags
    fetch.predicate = try FetchPredicate(format: "title CONTAINS[cd] 'nothing'")
    for view in [StoreView.accepted, .committed, .generation(try store.generation())] {
      #expect(Store.refusal { _ = try store.rows(fetch, in: view) }.code == .interrupted)
      #expect(try store.rows(for: [Sample.key("Tag", 7)], in: view).count == 1)
    }
    try store.close()
  }

  @Test func aTriggerCallsNothingThatCouldHarm() throws {
    let store = try Store(
      "CREATE TRIGGER loads AFTER INSERT ON ZTAG BEGIN SELECT load_extension('/nowhere'); END"
    ).open()
    #expect(throws: StoreError.self) { try store.execute(tag(2)) }
    #expect(try store.count(Self.tags, in: .accepted) == 1)
    try store.close()
  }

  // MARK: - Tables that are none

  @Test(arguments: ["Z_METADATA", "Z_PRIMARYKEY", "ZTAG", "Z_1TAGS"])
  func aViewInPlaceOfATableIsRefused(_ table: String) throws {
    let edited = try Store(
      "ALTER TABLE \(table) RENAME TO old; CREATE VIEW \(table) AS \(Self.endless)")
    let refusal = edited.refusalToOpen()
    #expect(
      [.corrupt, .incompatibleModel(["Tag"]), .incompatibleModel(["Person"])].contains(refusal.code)
    )
  }

  @Test(arguments: ["Z_METADATA", "ZTAG"])
  func aVirtualTableInPlaceOfATableIsRefused(_ table: String) throws {
    let edited = try Store(
      "DROP TABLE \(table); CREATE VIRTUAL TABLE \(table) USING fts5(Z_UUID, Z_PLIST, ZTITLE)")
    let refusal = edited.refusalToOpen()
    #expect([.corrupt, .incompatibleModel(["Tag"])].contains(refusal.code))
  }

  @Test func aTableWithoutRowNumbersIsReadAndWritten() throws {
    let store = try Store(
      "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZTITLE VARCHAR COLLATE NOCASE) WITHOUT ROWID; INSERT INTO ZTAG VALUES (1, 4, 1, 'kind')"
    ).open()
    try store.execute(tag(2))
    #expect(try store.keys(Self.tags, in: .accepted).map(\.primaryKey) == [1, 2])
    try store.close()
  }

  @Test func aColumnThatIsComputedIsNoColumn() throws {
    let edited = try Store(
      "ALTER TABLE ZTAG RENAME COLUMN ZTITLE TO ZOTHER",
      "ALTER TABLE ZTAG ADD COLUMN ZTITLE VARCHAR AS (ZOTHER) VIRTUAL")
    #expect(edited.refusalToOpen().code == .incompatibleModel(["Tag"]))
  }

  // MARK: - Property lists

  private func xml(_ inner: String, attributes: String = "version=\"1.0\"") -> String {
    "<?xml version=\"1.0\"?><!DOCTYPE plist><plist \(attributes)><dict><key>a</key>\(inner)</dict></plist>"
  }

  private func nested(_ depth: Int, _ inner: String = "") -> String {
    String(repeating: "<array>", count: depth) + inner
      + String(repeating: "</array>", count: depth)
  }

  private func refusal(_ list: String) throws -> String {
    let edited = try Store("UPDATE Z_METADATA SET Z_PLIST = '\(list)'")
    let url = URL(fileURLWithPath: edited.path)
    let refusal = Store.refusal { _ = try SQLiteStore.metadata(ofStoreAt: url) }
    #expect(refusal.code == .corrupt)
    #expect(edited.refusalToOpen().code == .corrupt)
    return refusal.detail
  }

  @Test func aPropertyListDeeperThanAStackIsRefused() throws {
    let decoy = "<!-- \(String(repeating: "</array>", count: 300)) -->"
    let hidden = String(repeating: "<array>\(decoy)", count: 400)
    for list in [
      xml(nested(50_000)), xml(nested(300)), xml(String(repeating: "<array>", count: 60_000)),
      xml(String(repeating: "<plist>", count: 50_000)), xml(hidden),
      xml(String(repeating: "<array a=\"</array>\">", count: 400)),
      xml(String(repeating: "<![CDATA[</dict>]]><dict>", count: 400)),
    ] {
      #expect(try refusal(list).contains("containers deep"))
    }
  }

  @Test(arguments: ["not a list", "{ a = ( ( ( 1 ) ) ); }", "", "  ", "5", "((((((("])
  func whatIsNoPropertyListIsRefused(_ list: String) throws {
    guard !list.isEmpty else {
      let edited = try Store("UPDATE Z_METADATA SET Z_PLIST = ''")
      #expect(edited.refusalToOpen().code == .incompatibleModel(Sample.model.shapes.map(\.name)))
      return
    }
    #expect(try refusal(list).contains("cannot be read"))
  }

  @Test func aListOfManyContainersThatIsNotDeepIsRead() throws {
    let many = String(repeating: "<array><true/></array>", count: 5_000)
    let edited = try Store(
      "UPDATE Z_METADATA SET Z_PLIST = '\(xml("<array>\(many)\(nested(200))</array>"))'")
    let url = URL(fileURLWithPath: edited.path)
    guard case .list(let items)? = try SQLiteStore.metadata(ofStoreAt: url)["a"] else {
      Issue.record("The list is none.")
      return
    }
    #expect(items.count == 5_001)
  }

  @Test func aNumberInPlaceOfAListIsRefused() throws {
    let edited = try Store("UPDATE Z_METADATA SET Z_PLIST = 9e999")
    #expect(edited.refusalToOpen().detail.contains("Z_METADATA.Z_PLIST holds a number"))
  }

  // MARK: - Pages

  /// Two pages of two tables name one page each, again and again: the first the second, the second a
  /// leaf. What is eight million rows then takes two megabytes.
  @Test func aFileWhosePagesLeadToMoreRowsThanItHoldsIsRefused() throws {
    let series = "WITH RECURSIVE c(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM c WHERE x < 20000)"
    let edited = try Store(
      "\(series) INSERT INTO ZTAG SELECT x, 4, 1, 'a title of so many letters' FROM c",
      "CREATE TABLE other (x INTEGER PRIMARY KEY, y); \(series) INSERT INTO other SELECT x, "
        + "'a text of so many letters' FROM c",
      "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    var file = try PagedFile(edited.path)
    let tags = try file.root(of: "ZTAG")
    let other = try file.root(of: "other")
    file.leadAll(of: other, to: file.child(of: tags))
    file.leadAll(of: tags, to: other)
    try file.write()
    let store = try edited.open()
    for refusal in [
      Store.refusal { _ = try store.rows(Self.tags, in: .committed) },
      Store.refusal { _ = try store.keys(Self.tags, in: .committed) },
    ] {
      #expect(refusal.code == .corrupt)
      #expect(refusal.detail.contains("pages contain more"))
    }
    try store.close()
  }

  // MARK: - Options

  @Test func numbersThatSQLiteHasNoRoomForAreRefusedByName() throws {
    let edited = try Store()
    let changes: [(String, (inout SQLiteStoreOptions) -> Void)] = [
      ("busyMilliseconds", { $0.busyMilliseconds = -1 }),
      ("cacheKilobytes", { $0.cacheKilobytes = .max }),
      ("mappedBytes", { $0.mappedBytes = -1 }),
      ("readerCount", { $0.readerCount = .max }),
      ("checkpointFrames", { $0.checkpointFrames = .max }),
      ("stepLimit", { $0.stepLimit = .min }),
    ]
    for (name, change) in changes {
      var options = SQLiteStoreOptions()
      change(&options)
      let refusal = Store.refusal {
        _ = try SQLiteStore(path: edited.path, model: Sample.model, options: options)
      }
      #expect(refusal.code == .unsupported && refusal.detail.contains("The option \(name) is"))
    }
  }
}
