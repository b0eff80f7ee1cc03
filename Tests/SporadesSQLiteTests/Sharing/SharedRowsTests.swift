// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesStore
import Testing

@testable import SporadesSQLite

/// Rows that reads of kept states share: what each commit takes out of the cache, and which states may ask it.
@Suite struct SharedRowsTests {
  private let file = SharedItems()
  private typealias Item = SharedItems.Item

  /// Reads a group until its fetches ask for keys and take the rows from the cache.
  private func warm(_ store: SQLiteStore, _ groups: [Int64] = [1, 2, 3]) throws {
    let state = try store.generation()
    let before = store.rowCache.account.taken
    for _ in 0..<40 { for group in groups { _ = try store.items(group, in: state) } }
    #expect(store.rowCache.account.taken > before)
  }

  /// The items of a group in a new state, by the cache; they must be those of the file. Also tells whether any came from
  /// the cache.
  private func check(
    _ store: SQLiteStore, _ group: Int64, sharing isExpected: Bool? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let state = try store.generation()
    let before = store.rowCache.account.taken
    let items = try store.items(group, in: state)
    let taken = store.rowCache.account.taken - before
    #expect(try items == store.plainItems(group, in: state), sourceLocation: location)
    for item in items {
      #expect(try store.item(item.key, in: state) == item, sourceLocation: location)
    }
    if let isExpected { #expect((taken > 0) == isExpected, sourceLocation: location) }
  }

  @Test func rowsStayBeyondACommitThatDidNotChangeThem() throws {
    let store = try file.filled()
    try warm(store)
    // The first commit looks at the tables.
    try store.put(Item(key: 15, version: 2, group: 1, value: -1, note: "first"))
    try warm(store)
    try store.put(Item(key: 16, version: 2, group: 1, value: -2, note: "second"))
    try check(store, 1, sharing: true)
    try check(store, 2, sharing: true)
    #expect(store.rowCache.account.rows >= 29)
    try store.close()
  }

  @Test func aChangedRowIsReadAnew() throws {
    let store = try file.filled()
    try warm(store)
    for version in Int64(2)...30 {
      try store.put(Item(key: 11, version: version, group: 1, value: version, note: "\(version)"))
      let state = try store.generation()
      #expect(try store.item(11, in: state)?.value == version)
      #expect(try store.items(1, in: state)[1].value == version)
    }
    try store.close()
  }

  @Test func anOlderStateShowsItsOwnRows() throws {
    let store = try file.filled()
    try warm(store)
    var states: [(state: StoreGeneration, version: Int64)] = [(try store.generation(), 1)]
    for version in Int64(2)...12 {
      try store.put(Item(key: 11, version: version, group: 1, value: version, note: "\(version)"))
      states.append((try store.generation(), version))
      try check(store, 1)
      for (state, version) in states {
        #expect(try store.item(11, in: state)?.version == version)
        #expect(try store.items(1, in: state)[1].version == version)
      }
    }
    try store.close()
  }

  @Test func aStateThatIsNotTheNewestKeepsNothing() throws {
    let store = try file.filled()
    try warm(store, [1])
    try store.put(Item(key: 90, version: 2, group: 9, value: 0, note: ""))
    try warm(store, [1])
    let old = try store.generation()
    try store.put(Item(key: 25, version: 2, group: 2, value: 77, note: "new"))
    // The old state reads the row from the file, and may not leave it for the new one.
    #expect(try store.item(25, in: old)?.value == 25)
    let new = try store.generation()
    #expect(try store.item(25, in: new)?.value == 77)
    #expect(try store.item(25, in: old)?.value == 25)
    try store.close()
  }

  @Test func deletedAndInsertedRows() throws {
    let store = try file.filled()
    try warm(store)
    try store.execute(
      ChangeSet(deleted: [DeletedRow(key: SharedItems.key(12), version: 1)]))
    try store.commit(.eventual)
    #expect(try store.item(12, in: store.generation()) == nil)
    try check(store, 1)
    try store.execute(ChangeSet(inserted: [SharedItems.page([Item(key: 12, group: 1, value: 5)])]))
    try store.commit(.eventual)
    #expect(try store.item(12, in: store.generation())?.value == 5)
    try check(store, 1)
    try store.removeAllRows()
    #expect(try store.item(12, in: store.generation()) == nil)
    try check(store, 1)
    try store.close()
  }

  @Test func acceptedChangesAreNotVisibleBeforeTheirCommit() throws {
    let store = try file.filled()
    try warm(store)
    try store.execute(SharedItems.update([Item(key: 11, version: 2, group: 1, value: 99)]))
    try check(store, 1)
    #expect(try store.item(11, in: store.generation())?.value == 11)
    try store.commit(.eventual)
    #expect(try store.item(11, in: store.generation())?.value == 99)
    try check(store, 1)
    try store.close()
  }

  @Test func aCommitThatFailsChangesNothing() throws {
    let store = try file.filled()
    try warm(store)
    try store.execute(SharedItems.update([Item(key: 11, version: 2, group: 1, value: 99)]))
    CommitRefusal.during(store) {
      #expect(throws: StoreError.self) { try store.commit(.eventual) }
    }
    try check(store, 1)
    #expect(try store.item(11, in: store.generation())?.value == 11)
    try store.commit(.eventual)
    #expect(try store.item(11, in: store.generation())?.value == 99)
    try check(store, 1)
    try store.close()
  }

  @Test func whatAnotherConnectionCommits() throws {
    let store = try file.filled()
    for value in 1000..<1010 {
      try warm(store)
      try file.run("UPDATE ZITEM SET ZVALUE = \(value) WHERE Z_PK = 11")
      #expect(try store.item(11, in: store.generation())?.value == Int64(value))
      try warm(store)
      // A commit of this store behind another one takes the others' rows along with its own.
      try file.run("UPDATE ZITEM SET ZVALUE = \(value + 100) WHERE Z_PK = 11")
      try store.put(
        Item(key: 21, version: Int64(value - 998), group: 2, value: Int64(value)))
      #expect(try store.item(11, in: store.generation())?.value == Int64(value + 100))
      try check(store, 1)
      try check(store, 2)
    }
    try store.close()
  }

  /// SQLite calls the hook of the log after the commit, when others may write again.
  @Test func aCommitOfAnotherConnectionBeforeThisStoreLooksAtItsOwn() throws {
    let store = try file.filled()
    try warm(store)
    try store.put(Item(key: 15, version: 2, group: 1, value: 15))
    try warm(store)
    let other = OtherCommit(file)
    unsafe store.withWriter { handle in
      let context = unsafe Unmanaged.passUnretained(other).toOpaque()
      let former = unsafe sqlite3_wal_hook(
        handle,
        { context, _, _, frames in
          guard let context = unsafe context else { return SQLITE_OK }
          return unsafe Unmanaged<OtherCommit>.fromOpaque(context).takeUnretainedValue()
            .run(after: frames)
        }, context)
      unsafe other.frames = former?.assumingMemoryBound(to: Int32.self)
    }
    for version in Int64(2)...6 {
      try warm(store)
      try store.put(Item(key: 11, version: version, group: 1, value: version))
      #expect(try store.item(12, in: store.generation())?.value == 1_000 + other.count)
      try check(store, 1)
    }
    try store.close()
  }

  /// Commits a change of a row whenever the store has committed.
  @safe private final class OtherCommit {
    private let file: SharedItems
    /// Where the store expects the number of frames.
    var frames: UnsafeMutablePointer<Int32>?
    private(set) var count: Int64 = 0

    init(_ file: SharedItems) { self.file = file }

    func run(after frames: Int32) -> Int32 {
      unsafe self.frames?.pointee = frames
      count += 1
      // A failure shows in the row that the test reads.
      try? file.run("UPDATE ZITEM SET ZVALUE = \(1_000 + count) WHERE Z_PK = 12")
      return SQLITE_OK
    }
  }

  @Test func rowsThatTriggersChange() throws {
    let store = try file.filled()
    try warm(store)
    try file.run(
      "CREATE TRIGGER spread AFTER UPDATE ON ZITEM BEGIN "
        + "UPDATE ZITEM SET ZNOTE = 'spread' WHERE Z_PK = NEW.Z_PK + 1; END")
    for version in Int64(2)...6 {
      try warm(store)
      try store.put(Item(key: 11, version: version, group: 1, value: version))
      #expect(try store.item(12, in: store.generation())?.note == "spread")
      try check(store, 1)
      try file.run("UPDATE ZITEM SET ZNOTE = 'back' WHERE Z_PK = 12")
    }
    try store.close()
  }

  /// SQLite does not tell the rows that such a table, a trigger or a view replaces.
  @Test(arguments: [
    "CREATE TRIGGER swap AFTER UPDATE ON ZITEM WHEN NEW.Z_PK = 11 BEGIN INSERT OR REPLACE INTO ZITEM "
      + "(Z_PK, Z_ENT, Z_OPT, ZGROUP, ZVALUE, ZNOTE) VALUES (12, NEW.Z_ENT, 1, 1, NEW.ZVALUE, 'new'); END",
    "CREATE UNIQUE INDEX one ON ZITEM (ZVALUE, Z_PK); CREATE VIEW seen AS SELECT * FROM ZITEM; "
      + "CREATE TRIGGER swap AFTER UPDATE ON ZITEM WHEN NEW.Z_PK = 11 BEGIN "
      + "UPDATE ZITEM SET ZVALUE = NEW.ZVALUE WHERE Z_PK = 12; END",
  ])
  func rowsThatSQLiteDoesNotTell(edit: String) throws {
    let store = try file.filled()
    try warm(store)
    try file.run(edit)
    for version in Int64(2)...6 {
      try warm(store)
      try store.put(Item(key: 11, version: version, group: 1, value: 1_000 + version))
      #expect(try store.item(12, in: store.generation())?.value == 1_000 + version)
      try check(store, 1)
    }
    try store.close()
  }

  /// A row that another one replaces is deleted, and SQLite tells neither.
  @Test func rowsThatOthersReplace() throws {
    let store = try file.filled()
    try warm(store)
    try file.run(
      "CREATE UNIQUE INDEX one ON ZITEM (ZVALUE); CREATE TRIGGER swap AFTER UPDATE ON ZITEM WHEN NEW.Z_PK = 11 "
        + "BEGIN UPDATE OR REPLACE ZITEM SET ZVALUE = 11 + NEW.Z_OPT WHERE Z_PK = 12; END")
    for version in Int64(2)...6 {
      try warm(store)
      try store.put(Item(key: 11, version: version, group: 1, value: -version))
      let state = try store.generation()
      #expect(try store.item(11 + version, in: state) == nil)
      #expect(try store.item(12, in: state)?.value == 11 + version)
      try check(store, 1)
    }
    try store.close()
  }

  @Test func batches() throws {
    let store = try file.filled()
    guard case .attribute(let value)? = SharedItems.shape["value"] else { return }
    for number in Int64(1)...5 {
      try warm(store)
      let assignment = try #require(
        StoreBatch.Assignment(value, .constant(.integer(-number))))
      _ = try store.execute(StoreBatch(.update([assignment]), SharedItems.fetch(1)))
      #expect(try store.item(11, in: store.generation())?.value == -number)
      try check(store, 1)
    }
    _ = try store.execute(StoreBatch(.delete, SharedItems.fetch(1)))
    #expect(try store.item(11, in: store.generation()) == nil)
    try check(store, 1)
    try store.close()
  }

  @Test func aLogThatBeginsAnew() throws {
    let store = try file.filled()
    for version in Int64(2)...10 {
      try warm(store)
      try file.run("PRAGMA wal_checkpoint(TRUNCATE)")
      try store.put(Item(key: 11, version: version, group: 1, value: version))
      #expect(try store.item(11, in: store.generation())?.value == version)
      try check(store, 1)
    }
    try store.close()
  }

  @Test func alteredTables() throws {
    let store = try file.filled()
    try warm(store)
    try file.run("CREATE INDEX other ON ZITEM (ZVALUE)")
    try check(store, 1)
    try file.run("DROP INDEX Z_Item_byGroup")
    try check(store, 1)
    try file.run("UPDATE Z_PRIMARYKEY SET Z_NAME = Z_NAME; ALTER TABLE ZITEM DROP COLUMN ZNOTE")
    let state = try store.generation()
    #expect(throws: StoreError.self) { try store.items(1, in: state) }
    // Nothing that was read of another form of the table comes out of the cache.
    _ = try? store.close()
  }

  @Test func fetchesWithLimitsAndManyRows() throws {
    let store = try file.filled(4_000)
    try file.run("UPDATE ZITEM SET ZGROUP = 7 WHERE Z_PK > 3000")
    let state = try store.generation()
    for _ in 0..<60 {
      for limit in [1, 3, 300, 2_000] {
        for group in [Int64(1), 7] {
          let fetch = SharedItems.fetch(group, limit: limit)
          let plain = SharedItems.plainFetch(group, limit: limit)
          #expect(
            try SharedItems.items(store.rows(fetch, in: .generation(state)))
              == SharedItems.items(store.rows(plain, in: .generation(state))))
        }
      }
    }
    #expect(store.rowCache.account.rows < 300)
    try store.close()
  }

  @Test func lookUpsOfManyKeys() throws {
    let store = try file.filled()
    let state = try store.generation()
    let keys = [Int64(5), 3, 900, 5, 17, 40].map(SharedItems.key)
    for _ in 0..<4 {
      let items = SharedItems.items(try store.rows(for: keys, in: .generation(state)))
      #expect(items.map(\.key).sorted() == [3, 5, 17, 40])
      #expect(items.allSatisfy { $0.value == $0.key })
      _ = try store.item(17, in: state)
    }
    #expect(store.rowCache.account.taken > 0)
    try store.close()
  }

  @Test func aStoreWithoutTheCacheAndOneThatIsClosed() throws {
    try file.filled().close()
    let without = try file.open { $0.rowCacheKilobytes = 0 }
    let state = try without.generation()
    for _ in 0..<40 { #expect(try without.items(1, in: state).count == 10) }
    #expect(without.writer.state.withLock { $0.rowCache == nil })
    try without.close()
    let store = try file.open()
    try warm(store)
    let kept = try store.generation()
    _ = try store.item(11, in: kept)
    try store.close()
    #expect(throws: StoreError.self) { try store.item(11, in: kept) }
    #expect(throws: StoreError.self) { try file.open { $0.rowCacheKilobytes = -1 } }
  }
}
