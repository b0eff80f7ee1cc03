// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Change sets in which rows pass unique values on.
@Suite struct UniqueValueSaveTests {
  private let store: SQLiteStore
  private let email = Sample.slot("Person", "email")
  private let persons = StoreFetch(Sample.shape("Person"))

  init() throws {
    store = try SQLiteStore(path: Sample.temporaryPath(), model: Sample.model)
    try store.execute(ChangeSet(inserted: [page([(1, "a"), (2, "b"), (3, "c")], version: 1)]))
    try store.commit(.eventual)
  }

  private func page(_ rows: [(Int64, String)], version: Int64, photo: Data? = nil) -> RowPage {
    Sample.page(
      "Person",
      rows.map { key, email in
        (key, ["email": .string(email), "photo": photo.map(Value.data) ?? .null])
      }, version: version)
  }

  private func update(_ rows: [(Int64, String)], photo: Data? = nil) -> UpdatedRows {
    let slots = [email] + (photo == nil ? [] : [Sample.slot("Person", "photo")])
    return Sample.updates(page(rows, version: 2, photo: photo), slots)
  }

  private var emails: [String?] {
    get throws { try store.names(persons, email) }
  }

  @Test func rowsOfSeveralPagesPassAValueRound() throws {
    try store.execute(
      ChangeSet(updated: [update([(1, "b")]), update([(2, "c"), (3, "a")])]))
    #expect(try emails == ["b", "c", "a"])
  }

  @Test func aValueThatAnUnchangedRowHasIsRefusedAndNothingStays() throws {
    let refusal = #expect(throws: StoreError.self) {
      try store.execute(ChangeSet(updated: [update([(1, "b"), (3, "a")])]))
    }
    guard case .constraint? = refusal?.code else {
      Issue.record("The second row keeps its value: \(refusal as Any)")
      return
    }
    #expect(try emails == ["a", "b", "c"])
  }

  /// The row whose update is tried twice writes its file once.
  @Test func rowsThatPassValuesOnKeepTheirLargeValues() throws {
    let photo = Data(repeating: 7, count: 200_000)
    try store.execute(ChangeSet(updated: [update([(1, "b"), (2, "a")], photo: photo)]))
    try store.commit(.immediate)
    #expect(try emails == ["b", "a", "c"])
    let keys = [Sample.key("Person", 1), Sample.key("Person", 2)]
    for page in try store.rows(for: keys, in: .committed) {
      for row in 0..<page.count {
        #expect(page.bytes(row, Sample.slot("Person", "photo")) == Array(photo))
      }
    }
    #expect(try store.integrityProblems() == [])
    #expect(try store.removeUnusedFiles() == 0)
  }

  /// Under a savepoint, SQLite walks through all that the transaction has changed at each row that fires triggers.
  @Test func theFirstChangeSetOfATransactionHasNoSavepoint() throws {
    let statements = Statements()
    try withExtendedLifetime(statements) {
      unsafe store.withWriter { unsafe statements.listen(to: $0) }
      try store.execute(
        ChangeSet(
          inserted: [page((10..<40).map { ($0, "new \($0)") }, version: 1)],
          updated: [update([(1, "b"), (2, "a")])]))
      unsafe store.withWriter { unsafe _ = sqlite3_trace_v2($0, 0, nil, nil) }
    }
    #expect(statements.texts.contains { $0.hasPrefix("INSERT") })
    #expect(!statements.texts.contains { $0.hasPrefix("SAVEPOINT") })
    #expect(try emails.prefix(3) == ["b", "a", "c"])
  }
}

/// The statements that a connection runs. The store calls it on the thread of the test.
private final class Statements {
  private(set) var texts: [String] = []

  func listen(to database: OpaquePointer) {
    unsafe sqlite3_trace_v2(
      database, UInt32(SQLITE_TRACE_STMT),
      { _, context, _, text in
        guard let context = unsafe context, let text = unsafe text else { return 0 }
        let statements = unsafe Unmanaged<Statements>.fromOpaque(context).takeUnretainedValue()
        statements.texts.append(
          unsafe String(cString: text.assumingMemoryBound(to: CChar.self)))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
