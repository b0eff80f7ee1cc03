// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A store whose files are removed, moved or replaced while it is open.
@Suite struct StorePlaceTests {
  private let name = Sample.slot("Person", "name")
  private let persons = StoreFetch(Sample.shape("Person"))
  private let files = FileManager.default
  private let path = Sample.temporaryPath()

  enum Loss: String, CaseIterable {
    case removed, moved, replaced, logRemoved, logReplaced, sharedMemoryRemoved

    func happen(to path: String) throws {
      let files = FileManager.default
      switch self {
      case .removed: try files.removeItem(atPath: path)
      case .moved: try files.moveItem(atPath: path, toPath: path + ".away")
      case .replaced: try #require(unsafe rename(StorePlaceTests.otherStore(), path) == 0)
      case .logRemoved: try files.removeItem(atPath: path + "-wal")
      case .logReplaced:
        let bytes = try #require(files.contents(atPath: path + "-wal"))
        try bytes.write(to: URL(fileURLWithPath: path + "-wal"), options: .atomic)
      case .sharedMemoryRemoved: try files.removeItem(atPath: path + "-shm")
      }
    }
  }

  /// The path of a closed store with a person of its own.
  private static func otherStore() throws -> String {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(1, ["name": "Zoe"])])]))
    try store.close()
    return path
  }

  private func insert(_ store: SQLiteStore, _ key: Int64, _ name: String) throws {
    try store.execute(
      ChangeSet(inserted: [Sample.page("Person", [(key, ["name": .string(name)])])]))
  }

  /// A store with Ada in it, on the disk.
  private func openedWithAda() throws -> SQLiteStore {
    let store = try SQLiteStore(path: path, model: Sample.model)
    try insert(store, 1, "Ada")
    try store.commit(.immediate)
    return store
  }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch { return (error as? StoreError)?.code }
    return nil
  }

  /// Why a person is refused, or the commit of it; nil where neither is.
  private func refusal(
    _ store: SQLiteStore, _ key: Int64, _ name: String, _ durability: Durability = .immediate
  ) -> StoreError.Code? {
    code {
      try insert(store, key, name)
      try store.commit(durability)
    }
  }

  @Test(arguments: Loss.allCases, [Durability.immediate, .eventual])
  func acknowledgesNothingThatIsNotInTheFile(_ loss: Loss, _ durability: Durability) throws {
    let store = try openedWithAda()
    try loss.happen(to: path)
    #expect(refusal(store, 2, "Bo", durability) == .moved)
    // From then on nothing is taken, and nothing is called committed.
    #expect(code { try insert(store, 3, "Cy") } == .moved)
    #expect(code { try store.commit(durability) } == .moved)
    #expect(code { try store.setMetadata(["a": .integer(1)]) } == .moved)
    #expect(code { try store.removeAllRows() } == .moved)
    #expect(code { _ = try store.reserveKeys(100_000, for: Sample.shape("Person")) } == .moved)
    #expect(try store.names(persons, name).contains("Ada"))
    try store.close()
  }

  /// Nobody has looked at the file since it was emptied. A reader finds no tables, a page that is not there, or another model,
  /// unless the log has the pages that it needs.
  @Test(arguments: [true, false])
  func whoReadsFromAnEmptiedFileIsToldOfThat(_ isLogEmpty: Bool) throws {
    var store = try openedWithAda()
    if isLogEmpty {
      try store.close()
      store = try SQLiteStore(path: path, model: Sample.model)
    }
    try #require(unsafe truncate(path, 0) == 0)
    #expect(code { _ = try store.names(persons, name) } == (isLogEmpty ? .moved : nil))
    #expect(code { try insert(store, 2, "Bo") } == .moved)
    #expect(code { try store.commit(.immediate) } == .moved)
    // `try?`, because it may tell of the loss once more.
    try? store.close()
    #expect(files.contents(atPath: path)?.isEmpty == true)
  }

  /// A checkpoint that has begun before the loss fills the file again, and whoever looks now finds pages. Who has seen the
  /// file empty has taken the log away.
  @Test func everyStoreIsToldOfAnEmptiedFileThatACheckpointFills() throws {
    try openedWithAda().close()
    let open = { try SQLiteStore(path: self.path, model: Sample.model) }
    let (first, writer, reader) = (try open(), try open(), try open())
    try #require(unsafe truncate(path, 0) == 0)
    #expect(refusal(first, 2, "Bo") == .moved)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seek(toOffset: 8_192)
    try file.write(contentsOf: Data(repeating: 0, count: 4_096))
    #expect(refusal(writer, 3, "Cy") == .moved)
    #expect(code { _ = try reader.names(persons, name) } == .moved)
    #expect(!files.fileExists(atPath: path + "-wal"))
    // `try?`, because each may tell of the loss once more.
    for store in [first, writer, reader] { try? store.close() }
  }

  @Test(arguments: ["metadata", "all rows"])
  func oneCommitAfterTheLossIsEnoughForWhatIsNoRow(_ change: String) throws {
    let store = try openedWithAda()
    try Loss.removed.happen(to: path)
    #expect(
      code {
        if change == "metadata" {
          try store.setMetadata(["a": .integer(1)])
        } else {
          try store.removeAllRows()
        }
      } == .moved)
  }

  @Test func aDroppedStoreThatCannotCloseNoLongerHasTheFileOpen() throws {
    var store: SQLiteStore? = try openedWithAda()
    try Loss.moved.happen(to: path)
    #expect(code { try insert(#require(store), 2, "Bo") } == nil)
    #expect(code { try store?.close() } == .moved)
    store = nil
    let url = URL(fileURLWithPath: path + ".away")
    try SQLiteStore.setMetadata(["a": .integer(1)], ofStoreAt: url)
    #expect(try SQLiteStore.metadata(ofStoreAt: url)["a"] == .integer(1))
  }

  @Test func writesAgainWhenTheFileIsBack() throws {
    let store = try openedWithAda()
    try Loss.moved.happen(to: path)
    #expect(refusal(store, 2, "Bo") == .moved)
    try files.moveItem(atPath: path + ".away", toPath: path)
    try store.commit(.immediate)
    try insert(store, 3, "Cy")
    try store.commit(.immediate)
    try store.close()
    let again = try SQLiteStore(path: path, model: Sample.model)
    #expect(try again.names(persons, name) == ["Ada", "Bo", "Cy"])
    #expect(try again.integrityProblems() == [])
  }

  #if os(Linux)
    /// What the descriptors of this process lead to, among the logs of the store.
    private func openLogs(_ path: String) throws -> [String] {
      try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        // One that was closed since it was listed leads nowhere.
        try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }.filter { $0.hasPrefix(path + "-wal") }
    }

    /// The log is opened for the first sync; before, only SQLite has it open.
    @Test func aCommitThatIsBackInItsPlaceIsSynced() throws {
      let store = try SQLiteStore(path: path, model: Sample.model)
      try insert(store, 1, "Ada")
      try store.commit(.eventual)
      let log = path + "-wal"
      try files.moveItem(atPath: log, toPath: log + ".away")
      #expect(refusal(store, 2, "Bo") == .moved)
      try files.moveItem(atPath: log + ".away", toPath: log)
      let before = try openLogs(path).count
      try store.commit(.immediate)
      #expect(try openLogs(path).count == before + 1)
    }

    @Test func noOtherLogIsSynced() throws {
      let store = try SQLiteStore(path: path, model: Sample.model)
      try insert(store, 1, "Ada")
      try store.commit(.eventual)
      let log = path + "-wal"
      try files.moveItem(atPath: log, toPath: log + ".away")
      try files.copyItem(atPath: log + ".away", toPath: log)
      #expect(code { try store.commit(.immediate) } == .moved)
      #expect(code { try store.commit(.immediate) } == .moved)
      try files.removeItem(atPath: log)
      try files.moveItem(atPath: log + ".away", toPath: log)
      try insert(store, 2, "Bo")
      try store.commit(.immediate)
      let open = try openLogs(path)
      #expect(open.count > 1)
      #expect(open.allSatisfy { $0 == log })
    }
  #endif

  @Test func readersOpenNoOtherFile() throws {
    let store = try openedWithAda()
    // No reader has been needed so far.
    try Loss.replaced.happen(to: path)
    #expect(try store.names(persons, name, in: .committed) == ["Ada"])
    #expect(refusal(store, 2, "Bo") == .moved)
    #expect(try store.names(persons, name, in: .committed) == ["Ada"])
    // The log of the former file is not taken for that of the new one.
    let other = try SQLiteStore(path: path, model: Sample.model)
    #expect(try other.names(persons, name) == ["Zoe"])
    #expect(try other.integrityProblems() == [])
  }

  @Test func savesWhatWasInAFileThatIsGone() throws {
    let store = try openedWithAda()
    try Loss.removed.happen(to: path)
    #expect(refusal(store, 2, "Bo", .eventual) == .moved)
    try store.copy(to: path + ".saved")
    let saved = try SQLiteStore(path: path + ".saved", model: Sample.model)
    #expect(try saved.names(persons, name) == ["Ada", "Bo"])
  }

  @Test func closesWithoutHarmToTheStoreThatLiesThereNow() throws {
    let store = try openedWithAda()
    for end in ["", "-wal", "-shm"] {
      try files.moveItem(atPath: path + end, toPath: path + ".away" + end)
    }
    let other = try SQLiteStore(path: path, model: Sample.model)
    try insert(other, 1, "Zoe")
    try other.commit(.immediate)
    try store.close()
    #expect(files.fileExists(atPath: path + "-wal"))
    // A process that was killed has left the file and its log, and nothing else.
    let copy = Sample.temporaryPath()
    for end in ["", "-wal"] { try files.copyItem(atPath: path + end, toPath: copy + end) }
    let left = try SQLiteStore(path: copy, model: Sample.model)
    #expect(try left.names(persons, name) == ["Zoe"])
    #expect(try other.names(persons, name) == ["Zoe"])
  }

  @Test func leavesNoLogBesideAFileThatReplacedItsOwn() throws {
    let store = try openedWithAda()
    try Loss.replaced.happen(to: path)
    try store.close()
    #expect(files.contents(atPath: path + "-wal")?.isEmpty != false)
    let other = try SQLiteStore(path: path, model: Sample.model)
    #expect(try other.names(persons, name) == ["Zoe"])
    #expect(try other.integrityProblems() == [])
  }

  @Test func noticesTheLossInAFileWithoutALog() throws {
    try openedWithAda().close()
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    try #require(
      unsafe sqlite3_exec(database, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK)
    unsafe sqlite3_close(database)
    let store = try SQLiteStore(path: path, model: Sample.model)
    try Loss.removed.happen(to: path)
    #expect(refusal(store, 2, "Bo") == .moved)
  }

  @Test func worksThroughALinkAndNoticesThatItLeadsElsewhere() throws {
    let link = Sample.temporaryPath()
    try openedWithAda().close()
    try files.createSymbolicLink(atPath: link, withDestinationPath: path)
    let store = try SQLiteStore(path: link, model: Sample.model)
    try insert(store, 2, "Bo")
    try store.commit(.immediate)
    try files.removeItem(atPath: link)
    try files.createSymbolicLink(atPath: link, withDestinationPath: Self.otherStore())
    #expect(refusal(store, 3, "Cy") == .moved)
    try store.close()
    #expect(
      try SQLiteStore(path: path, model: Sample.model).names(persons, name) == ["Ada", "Bo", "Cy"])
  }

  @Test(.timeLimit(.minutes(60)))
  func aLargeValueThatWentWithItsFolderIsRefusedAndNobodyWaits() throws {
    let place = LargeStore()
    let store = try place.open()
    try store.insertPhotos(1...1)
    // Nobody has read what is committed, so that no reader has the file open.
    let page = try #require(try store.rows(LargeStore.persons, in: .accepted).first)
    try store.commit(.immediate)
    let value = try #require(page.largeValue(0, slot: LargeStore.slot))
    var builder = RowPageBuilder(layout: page.layout)
    builder.appendRow(page.key(0), version: 2)
    builder.set(LargeStore.slot, to: value)
    try files.moveItem(atPath: place.root.path, toPath: place.root.path + ".away")
    #expect(
      code {
        try store.execute(
          ChangeSet(updated: [Sample.updates(builder.finish(), [LargeStore.slot])]))
      } == .moved)
    try files.moveItem(atPath: place.root.path + ".away", toPath: place.root.path)
    #expect(try store.photo(1) == LargeStore.photo(1))
  }

  @Test func eachReadAfterTheLossMayTakeAllSteps() throws {
    var options = SQLiteStoreOptions()
    options.stepLimit = 1_000_000
    let store = try SQLiteStore(path: path, model: Sample.model, options: options)
    let rows = (1...4_000).map { (key: Int64($0), values: ["name": Value.string("\($0)")]) }
    try store.execute(ChangeSet(inserted: [Sample.page("Person", rows)]))
    try store.commit(.immediate)
    try Loss.removed.happen(to: path)
    for _ in 0..<60 { #expect(try store.names(persons, name, in: .committed).count == 4_000) }
    for number in 0..<20 { try store.copy(to: "\(path).\(number)") }
  }
}
