// SPDX-License-Identifier: MIT
import Foundation
import SporadesFoundation
import SporadesModel
import SporadesSQL
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Questions whose answers are values: the server computes them where it computes what memory does.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerQuestionTests {
  private let place: TestStore

  init() throws {
    TextCollation.useFoundation()
    place = try TestStore()
  }

  private func isAnswered(
    _ question: TableQuestion, by store: PostgreSQLStore
  ) throws -> Bool {
    let compiler = try AnswerCompiler(question, store.plan.compiler(question.fetch))
    _ = try compiler.statement()
    return compiler.isExact
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func randomQuestionsHaveTheAnswersOfMemory(part: UInt64) throws {
    let memory = MemoryStore(model: SampleLibrary.model)
    let store = try place.open(SampleLibrary.model)
    let rows = SampleLibrary.rows(seed: part)
    rows.roundDates(to: store.datePrecision)
    for other: any PersistentStore in [memory, store] {
      try other.execute(rows)
      try other.commit(.eventual)
    }
    let shapes = SampleLibrary.model.shapes
    var answered = 0
    for number in UInt64(0)..<1_000 {
      let seed = part * 10_000 + number
      let entity = shapes[Int(seed) % shapes.count]
      var generator = QuestionGenerator(entity, SampleLibrary.model, seed: seed)
      let question = generator.next()
      let told = {
        """
        seed \(seed), \(entity.name): \(question.columns), by \(question.groups), having \
        \(question.having.map { "\($0)" } ?? "-"), sorted \(question.sortTerms) and \(question.fetch.sortTerms), where \
        \(question.fetch.predicate.map { "\($0)" } ?? "-")
        """
      }
      let expected: [[Value]]
      do { expected = try memory.answer(question, in: .accepted).rows.spelled } catch {
        // Stores refuse some functions of many decimals.
        #expect(throws: StoreError.self, "\(told())") {
          try store.answer(question, in: .committed)
        }
        continue
      }
      if try isAnswered(question, by: store) { answered += 1 }
      #expect(try store.answer(question, in: .committed).rows.spelled == expected, "\(told())")
    }
    print("\(answered) of 1000 questions were answered by the server itself.")
    // The others compute, fold, or have a condition that only memory decides.
    #expect(answered > 300)
    try store.close()
  }

  // MARK: - Extremes

  private static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(entities: [
        EntityDescription(
          "Sale",
          attributes: [
            AttributeDescription("total", .integer64), AttributeDescription("size", .integer16),
            AttributeDescription("price", .decimal, isOptional: true),
            AttributeDescription("weight", .double, isOptional: true),
            AttributeDescription("day", .date, isOptional: true),
            AttributeDescription("town", .string, isOptional: true),
            AttributeDescription("isPaid", .boolean),
          ])
      ])
    } catch {
      preconditionFailure("The model of sales is not valid: \(error)")
    }
  }()

  private func sale(_ key: Int64, _ values: [String: Value] = [:]) -> RowDraft {
    let plain: [String: Value] = ["total": .integer(1), "size": .integer(1), "isPaid": true]
    return RowDraft(
      "Sale", key, plain.merging(values) { $1 }, of: Self.model)
  }

  private var sales: StoreFetch { StoreFetch(Self.model.shapes[0]) }

  /// The answers of the server and of memory to a question about the same rows.
  private func answers(
    _ rows: [RowDraft], _ columns: [FetchExpression], by groups: [FetchExpression] = []
  ) throws -> (server: [[Value]], memory: [[Value]]) {
    let memory = MemoryStore(model: Self.model)
    let store = try place.open(Self.model)
    try memory.execute(ChangeSet(inserting: rows))
    try store.execute(ChangeSet(inserting: rows))
    var question = TableQuestion(sales, columns)
    question.groups = groups
    #expect(try isAnswered(question, by: store))
    let server = try store.answer(question, in: .accepted)
    try store.close()
    return (server.rows, try memory.answer(question, in: .accepted).rows)
  }

  @Test func sumsOfWholeNumbersAreExactAndRefusedBeyond64Bits() throws {
    let large = [
      sale(1, ["total": .integer(.max), "size": .integer(.init(Int16.max))]),
      sale(2, ["total": .integer(.max), "size": .integer(.init(Int16.max))]),
      sale(3, ["total": .integer(.min), "isPaid": false]),
      sale(4, ["total": .integer(-17)]),
    ]
    let columns: [FetchExpression] = [
      .sum(of: "total"), .function(.average, [.keyPath("total")]), .sum(of: "size"),
      .sum(of: "isPaid"), .max(of: "isPaid"), .function(.min, [.keyPath("isPaid")]),
    ]
    let (server, memory) = try answers(large, columns)
    #expect(server == memory)
    #expect(server[0][0] == .integer(.max - 18))
    let store = try place.open(Self.model)
    let positive = StoreFetch(
      Self.model.shapes[0],
      where: .comparison(.init(.keyPath("total"), .greater, .constant(.integer(0)))))
    let failure = #expect(throws: StoreError.self) {
      try store.aggregate(.sum, of: ["total"], positive, in: .accepted)
    }
    #expect(failure?.description.contains("beyond what an integer of 64 bits holds") == true)
    try store.close()
  }

  @Test func leastAndGreatestValuesKeepAllTheirDigits() throws {
    let prices = [
      "12345678901234567890.125", "0.1", "-0.0001", "1000000", "12345678901234567890.126",
    ]
    var rows = try prices.enumerated().map { number, price in
      sale(
        Int64(number + 1),
        [
          "price": .decimal(try #require(Decimal(string: price))),
          "weight": .double(number == 0 ? -0.0 : Double(number - 1)),
          "day": .date(Date(timeIntervalSinceReferenceDate: Double(number) * -1e9 + 0.000_001)),
          "town": .string(["Aa", "a", "Ä", "z", "Z"][number]),
        ])
    }
    rows.append(sale(9, ["price": .decimal(.nan), "weight": .double(.nan)]))
    let columns = ["price", "weight", "day", "town", "size"].flatMap { name in
      [FetchExpression.function(.min, [.keyPath(name)]), .max(of: name), .count(of: name)]
    }
    let (server, memory) = try answers(rows, columns)
    #expect(server == memory)
    #expect(
      server[0][1] == .decimal(try #require(Decimal(string: "12345678901234567890.126"))))
  }

  @Test func groupsAreCutInTheOrderOfMemory() throws {
    let towns: [Value] = [.string("a"), .string("B"), .string("ä"), .string(""), .null]
    var rows: [RowDraft] = []
    for number in 0..<30 {
      let total = Value.integer(Int64(number % 4))
      let isPaid = Value.boolean(number % 3 == 0)
      rows.append(
        sale(Int64(number + 1), ["total": total, "isPaid": isPaid, "town": towns[number % 5]]))
    }
    let memory = MemoryStore(model: Self.model)
    let store = try place.open(Self.model)
    for other: any PersistentStore in [memory, store] {
      try other.execute(ChangeSet(inserting: rows))
    }
    for ascending in [true, false] {
      for column in [
        FetchExpression.keyPath("town"), .sum(of: "total"), .max(of: "town"), .objectCount,
      ] {
        for nils in [nil, SortTerm.NilPlacement.first, .last] {
          var question = TableQuestion(
            sales, [.keyPath("town"), .objectCount, .sum(of: "total"), .max(of: "town")])
          question.groups = [.keyPath("town"), .keyPath("isPaid")]
          question.sortTerms = [SortTerm(column, ascending: ascending, nils: nils)]
          (question.limit, question.offset) = (3, 1)
          #expect(try isAnswered(question, by: store))
          #expect(
            try store.answer(question, in: .accepted) == memory.answer(question, in: .accepted),
            "\(column), \(ascending), \(String(describing: nils))")
        }
      }
    }
    try store.close()
  }

  // MARK: - What other programs write

  @Test func whatIsNotANumberIsNoValue() throws {
    let rows = (1...3).map { sale($0, ["weight": .double(Double($0))]) }
    let store = try place.open(Self.model)
    try store.execute(ChangeSet(inserting: rows))
    try store.commit(.immediate)
    _ = try place.lines(
      "UPDATE sale SET weight = 'NaN', price = 'NaN' WHERE row_id = 3 RETURNING 1::text")
    var question = TableQuestion(
      sales, [.max(of: "weight"), .count(of: "weight"), .max(of: "price"), .count(of: "price")])
    #expect(try store.answer(question, in: .committed).rows == [[2.0, 2, .null, 0]])
    question = TableQuestion(sales, [.keyPath("weight"), .objectCount])
    question.groups = [.keyPath("weight")]
    #expect(try store.answer(question, in: .committed).rows.map { $0[1] } == [1, 1, 1])
    try store.close()
  }

  @Test func aValueThatNoObjectHoldsIsRefused() throws {
    let store = try place.open(Self.model)
    try store.execute(ChangeSet(inserting: [sale(1)]))
    try store.commit(.immediate)
    _ = try place.lines("UPDATE sale SET day = 'infinity' RETURNING 1::text")
    for column in [FetchExpression.keyPath("day"), .max(of: "day")] {
      let failure = #expect(throws: StoreError.self) {
        try store.answer(TableQuestion(sales, [column]), in: .committed)
      }
      #expect(failure?.code == .corrupt)
    }
    try store.close()
  }

  @Test func aColumnThatAMigrationGaveAnotherTypeIsNotRead() throws {
    let store = try place.open(Self.model)
    try store.execute(ChangeSet(inserting: [sale(1)]))
    try store.commit(.immediate)
    _ = try place.lines(
      "ALTER TABLE sale ALTER total TYPE text USING total::text; SELECT 1::text")
    let failure = #expect(throws: StoreError.self) {
      try store.answer(TableQuestion(sales, [.keyPath("total")]), in: .committed)
    }
    #expect(failure?.code == .modelChanged)
    try store.close()
  }
}
