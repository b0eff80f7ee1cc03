// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Batches that a server carries out by statements, compared with what SQLite makes of them.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerBatchTests {
  /// The values of each type that a batch assigns.
  private static func constants(_ type: AttributeType) -> [Value] {
    switch type {
    case .integer16, .integer32, .integer64: [.integer(3), .integer(-1), .integer(30_000)]
    case .double, .float: [.double(0.5), .double(-2), .double(1e10)]
    case .boolean: [true, false]
    case .string: [.string("Ä'\"x"), .string(""), .string("b")]
    case .decimal: [.decimal(Decimal(25) / 10), .decimal(-3)]
    case .date: [.date(Date(timeIntervalSinceReferenceDate: 0.5))]
    case .uuid: [.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255)))]
    case .binary: [.data(Data([0, 39, 255])), .data(Data())]
    default: []
    }
  }

  private static func expression(
    of attribute: AttributeShape, _ random: inout SeededGenerator
  ) -> FetchExpression? {
    let isNumber = attribute.type.isWhole && attribute.type != .boolean || attribute.type == .double
    if isNumber, random.once(in: 2) {
      return .arithmetic(
        random.pick([.add, .subtract, .multiply]), .keyPath(attribute.name),
        .constant(.integer(Int64.random(in: 1...3, using: &random))))
    }
    if attribute.description.isOptional, random.once(in: 4) { return .constant(.null) }
    return constants(attribute.type).randomElement(using: &random).map { .constant($0) }
  }

  private func batch(
    _ entity: EntityShape, seed: UInt64, _ random: inout SeededGenerator
  ) -> StoreBatch {
    var predicates = PredicateGenerator(entity, SampleLibrary.model, seed: seed)
    var fetch = StoreFetch(entity, where: random.once(in: 5) ? nil : predicates.next(depth: 1))
    if random.once(in: 4) { fetch.limit = Int.random(in: 1...5, using: &random) }
    let attributes = entity.attributes.filter { $0.slot != nil }.shuffled(using: &random)
    var assignments: [StoreBatch.Assignment] = []
    for attribute in attributes.prefix(Int.random(in: 1...3, using: &random)) {
      guard let expression = Self.expression(of: attribute, &random),
        let assignment = StoreBatch.Assignment(attribute, expression)
      else { continue }
      assignments.append(assignment)
    }
    let deletes = assignments.isEmpty || random.once(in: 3)
    return StoreBatch(deletes ? .delete : .update(assignments), fetch)
  }

  /// All rows and links of a store, with versions.
  private func contents(_ store: some PersistentStore) throws -> [[Value]] {
    var all: [[Value]] = []
    for shape in SampleLibrary.model.shapes where shape.number == shape.rootNumber {
      let pages = try store.rows(StoreFetch(shape), in: .committed)
      let places = pages.flatMap { page in
        (0..<page.count).map { RowPlace(page: page, index: $0) }
      }
      for place in places.sorted(by: { $0.key < $1.key }) {
        all.append([
          .integer(Int64(place.key.entity)), .integer(place.key.primaryKey),
          .integer(place.version),
        ])
      }
      for number in shape.family {
        let shape = SampleLibrary.model.shape(numbered: number)
        let columns =
          [FetchExpression.subject]
          + shape.attributes.filter { $0.slot != nil }.map { .keyPath($0.name) }
          + shape.relationships.map { $0.isToMany ? .count([$0.name]) : .keyPath($0.name) }
        all += try store.answer(TableQuestion(StoreFetch(shape), columns), in: .committed).rows
          .spelled
      }
    }
    return all
  }

  private func spelled(_ changes: ChangeSet) -> [String] {
    let deleted = changes.deleted.map { "deleted \($0.key) \($0.version)" }
    let rewritten = changes.rewritten.flatMap { rows in
      rows.keys.map { "rewritten \($0) \(rows.slots.sorted())" }
    }
    return (deleted + rewritten + changes.relinked.map { "relinked \($0)" }).sorted()
  }

  /// The server's batches have the effects and results of SQLite's. A batch that one of them leaves to objects ends a round.
  @Test(arguments: [HistoryTracking.asInFile, .on])
  func randomBatchesChangeWhatAFileChanges(history: HistoryTracking) throws {
    var (carried, left) = (0, 0)
    for seed in UInt64(1)...25 {
      var random = SeededGenerator(seed: seed)
      let store = try TestStore().open(SampleLibrary.model) { $0.persistentHistory = history }
      let file = try SQLiteStore(inMemory: SampleLibrary.model)
      for other: any PersistentStore in [file, store] {
        let rows = SampleLibrary.rows(seed: seed)
        rows.roundDates(to: store.datePrecision)
        try other.execute(rows)
        try other.commit(.eventual)
      }
      for number in UInt64(0)..<12 {
        let entity = random.pick(SampleLibrary.model.shapes)
        let batch = batch(entity, seed: seed * 100 + number, &random)
        let told = "seed \(seed), batch \(number): \(batch.work) of \(batch.fetch)"
        let before = try contents(store)
        guard let effects = try store.execute(batch) else {
          #expect(try contents(store) == before, "\(told)")
          left += 1
          continue
        }
        guard let expected = try file.execute(batch) else {
          left += 1
          break
        }
        carried += 1
        #expect(effects.keys.sorted() == expected.keys.sorted(), "\(told)")
        #expect(spelled(effects.changes) == spelled(expected.changes), "\(told)")
        #expect(try contents(store) == contents(file), "\(told)")
      }
      try file.close()
      try store.close()
    }
    print("\(carried) batches were carried out by the server, and \(left) left to objects.")
    #expect(carried > 60)
  }

  // MARK: - Statements

  private static func assign(
    _ name: String, _ expression: FetchExpression
  ) throws -> StoreBatch.Assignment {
    let shape = SampleLibrary.shape("Book")
    let attribute = try #require(shape.attributes.first { $0.name == name })
    return try #require(StoreBatch.Assignment(attribute, expression))
  }

  private func book(_ key: Int64, copies: Int64 = 1, isbn: Value = .null) -> RowDraft {
    RowDraft(
      "Book", key,
      ["title": .string("Book \(key)"), "copies": .integer(copies), "isRead": false, "isbn": isbn])
  }

  @Test func whatTheServerCannotKeepIsLeftToObjects() throws {
    let store = try TestStore().open(SampleLibrary.model)
    try store.execute(ChangeSet(inserting: [book(1, copies: 32_000), book(2)]))
    try store.commit(.eventual)
    let before = try contents(store)
    let fetch = StoreFetch(SampleLibrary.shape("Book"))
    let assignments = [
      // More than 16 bits, no value where one is needed, one value for two rows, and a text that no server keeps.
      try Self.assign(
        "copies", .arithmetic(.add, .keyPath("copies"), .constant(.integer(1_000)))),
      try Self.assign("copies", .keyPath("pageCount")),
      // A truth value is no number there.
      try Self.assign("copies", .keyPath("isRead")),
      try Self.assign("isbn", .constant(.string("1"))),
      try Self.assign("title", .constant(.string("a\0b"))),
    ]
    for assignment in assignments {
      #expect(try store.execute(StoreBatch(.update([assignment]), fetch)) == nil)
      #expect(try contents(store) == before, "\(assignment.expression)")
    }
    // The connection is ready for the next one.
    let plain = try Self.assign("copies", .constant(.integer(7)))
    #expect(try store.execute(StoreBatch(.update([plain]), fetch))?.keys.count == 2)
    try store.close()
  }

  @Test func computedNumbersAreThoseThatColumnsHave() throws {
    let store = try TestStore().open(SampleLibrary.model)
    let shape = SampleLibrary.shape("Author")
    let ratings: [Value] = [.double(.infinity), .double(0), .double(2)]
    let authors = ratings.enumerated().map { number, rating in
      RowDraft("Author", Int64(number) + 1, ["name": "A", "rating": rating])
    }
    try store.execute(ChangeSet(inserting: authors))
    try store.commit(.eventual)
    let attribute = try #require(shape.attributes.first { $0.name == "rating" })
    func multiply(by factor: Int64) throws -> [Value] {
      let product = FetchExpression.arithmetic(
        .multiply, .keyPath("rating"), .constant(.integer(factor)))
      let assignment = try #require(StoreBatch.Assignment(attribute, product))
      _ = try #require(try store.execute(StoreBatch(.update([assignment]), StoreFetch(shape))))
      let question = TableQuestion(
        StoreFetch(shape, sortedBy: [SortTerm("name")]), [.keyPath("rating")])
      return try store.answer(question, in: .committed).rows.flatMap { $0 }
    }
    // No row has a negative zero, nor what is not a number.
    let negated = try multiply(by: -1)
    #expect(negated == [.double(-.infinity), .double(0), .double(-2)])
    #expect("\(negated[1])" == "\(Value.double(0))")
    #expect(try multiply(by: 0) == [.null, .double(0), .double(0)])
    try store.close()
  }

  @Test func aRowThatAnotherProcessTakesMeanwhileIsNotTakenAgain() throws {
    let fixture = try ServerFixture()
    let store = try fixture.open()
    try store.execute(fixture.insert(1, 2))
    try store.commit(.immediate)
    let note = try #require(fixture.model.shape(named: "Note"))
    let text = try #require(note.attributes.first { $0.name == "text" })
    let mine = try #require(StoreBatch.Assignment(text, .constant(.string("mine"))))
    let free = StoreFetch(
      note, where: .comparison(.init(.keyPath("text"), .beginsWith, .constant(.string("Note")))),
      limit: 1)
    let other = try fixture.connect()
    try other.run("BEGIN")
    try other.run("UPDATE note SET text = 'taken', row_version = row_version + 1 WHERE row_id = 1")
    let work = ThreadWork { try store.execute(StoreBatch(.update([mine]), free))?.keys }
    try fixture.waitForLock()
    try other.run("COMMIT")
    #expect(try work.get()?.map(\.primaryKey) == [2])
    #expect(try fixture.ask("SELECT text FROM note ORDER BY row_id") == ["taken", "mine"])
    try store.close()
  }

  @Test func aHistoryHasTheChangesOfABatch() throws {
    let store = try TestStore().open(SampleLibrary.model) { $0.persistentHistory = .on }
    try store.execute(ChangeSet(inserting: [book(1), book(2), book(3)]))
    try store.commit(.eventual)
    let first = try #require(store.history(HistoryRange()).last?.transactionNumber)
    let some = StoreFetch(
      SampleLibrary.shape("Book"),
      where: .comparison(.init(.keyPath("title"), .notEqual, .constant(.string("Book 3")))))
    let copies = try Self.assign("copies", .constant(.integer(9)))
    _ = try store.execute(StoreBatch(.update([copies]), some, author: "a batch"))
    _ = try store.execute(StoreBatch(.delete, some, author: "another"))
    let later = try store.history(HistoryRange()).filter { $0.transactionNumber > first }
    #expect(later.map(\.author) == ["a batch", "another"])
    let changes = later.map { $0.changes ?? [] }
    #expect(changes.map { $0.map(\.changeType) } == [[.update, .update], [.delete, .delete]])
    #expect(changes[0].allSatisfy { $0.updatedProperties == ["copies"] })
    try store.close()
  }
}
