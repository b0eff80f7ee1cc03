// SPDX-License-Identifier: MIT
import Sporades
import SporadesChain
import SporadesModel
import SporadesSQL
import SporadesStore
import SporadesTesting
import Testing

/// The first operand is a text that has a sign. Databases answer it by `instr`.
private struct HasSign: SQLMeaning {
  let sign: String
  var name: String { "HASSIGN[\(sign)]" }

  func isTrue(of values: [Value], for object: Any?) -> Bool {
    if case .string(let text)? = values.first { text.contains(sign) } else { false }
  }

  func condition(on operands: [SQLFragment]) -> SQLFragment {
    "instr(\(operands[0]), \(.text(sign))) > 0"
  }
}

/// The first operand is odd. Databases look for the second, a ticket, as they would in an index of their own.
private struct IsOddInTable: SQLMeaning {
  var name: String { "ISODD" }

  func isTrue(of values: [Value], for object: Any?) -> Bool {
    if case .integer(let number)? = values.first { number % 2 != 0 } else { false }
  }

  func condition(on operands: [SQLFragment]) -> SQLFragment {
    "\(operands[1]) IN (SELECT Z_PK FROM ZTICKET WHERE ZNUMBER % 2 <> 0)"
  }
}

/// The first operand is above seven. Databases look for the second, a worker.
private struct IsAboveSevenInTable: SQLMeaning {
  var name: String { "ISABOVESEVEN" }

  func isTrue(of values: [Value], for object: Any?) -> Bool {
    if case .integer(let number)? = values.first { number > 7 } else { false }
  }

  func condition(on operands: [SQLFragment]) -> SQLFragment {
    "\(operands[1]) IN (SELECT Z_PK FROM ZWORKER WHERE ZVALUE > 7)"
  }
}

/// A condition that no database has heard of.
private struct IsShort: ConditionMeaning {
  var name: String { "ISSHORT" }

  func isTrue(of values: [Value], for object: Any?) -> Bool {
    if case .string(let text)? = values.first { text.count < 2 } else { true }
  }
}

extension TypedPredicate where Object: ManagedObject {
  fileprivate init(_ meaning: any ConditionMeaning, _ path: String) {
    self.init(.open(OpenCondition(meaning, [.keyPath(path)])))
  }
}

@Suite struct OpenConditionTests {
  private typealias Condition = TypedPredicate<Ticket>

  private static let hasX = Condition(HasSign(sign: "x"), "note")
  private static let isOdd = Condition(
    .open(OpenCondition(IsOddInTable(), [.keyPath("number"), .subject])))

  private func expect(
    _ numbers: [Int16], _ condition: Condition, in context: ManagedObjectContext,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try Ticket.all(where: condition, sortedBy: \.number, in: context)
    #expect(found.numbers == numbers, sourceLocation: location)
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func storesAndMemoryGiveOneAnswer(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try expect([0], Self.hasX, in: context)
      try expect([1, 2, 3, 4], !Self.hasX, in: context)
      try expect([0, 3], Self.hasX || \.number == 3, in: context)
      try expect([1, 2, 4], !(Self.hasX || \.number == 3), in: context)
      try expect([1, 3], Self.isOdd, in: context)
      try expect([0, 2, 4], !Self.isOdd, in: context)
      let all = try Ticket.all(in: context)
      #expect(try all.filter { try Self.hasX.evaluate(with: $0) }.numbers == [0])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func operandsLeadOverRelationships(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try expect([0, 2], Condition(HasSign(sign: "n"), "owner.name"), in: context)
      try expect([1, 3, 4], !Condition(HasSign(sign: "n"), "owner.name"), in: context)
      let member = FetchPredicate.open(
        OpenCondition(HasSign(sign: "o"), [.keyPath(["$watcher", "name"])]))
      let some = FetchExpression.collection(
        FetchCollection(["watchers"], where: .init("watcher", member), asking: .count))
      let condition = Condition(.comparison(.init(some, .greater, .constant(.integer(0)))))
      try expect([2, 3], condition, in: context)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func rowsAreFoundByTheKeyThatAnOperandGives(in kind: StoreKind) throws {
    func condition(_ value: [String], _ worker: FetchExpression) -> FetchPredicate {
      .open(OpenCondition(IsAboveSevenInTable(), [.keyPath(value), worker]))
    }
    let ofOwner = Condition(condition(["owner", "value"], .keyPath("owner")))
    let some = FetchExpression.collection(
      FetchCollection(
        ["watchers"],
        where: .init("watcher", condition(["$watcher", "value"], .variable("watcher"))),
        asking: .count))
    let ofWatcher = Condition(.comparison(.init(some, .greater, .constant(.integer(0)))))
    try Workshop.open(kind) { context in
      try expect([1], ofOwner, in: context)
      try expect([0, 2, 3, 4], !ofOwner, in: context)
      try expect([2, 3], ofWatcher, in: context)
      try expect([0, 1, 4], !ofWatcher, in: context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func countsGroupsAndBatchesTakeIt(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      #expect(try Ticket.count(where: Self.hasX, in: context) == 1)
      let groups = try Ticket.where(!Self.hasX).grouped(by: \.urgency) { $0.count }.fetch(
        in: context)
      #expect(groups.map(\.1).sorted() == [2, 2])
      guard !context.hasChanges else { return }
      try context.execute(Ticket.where(Self.hasX).update(\.cost, to: 9))
      #expect(try Ticket.all(where: \.cost == 9, in: context).numbers == [0])
      try context.execute(Ticket.where(\.cost == 9).update(\.cost, to: 0))
    }
  }

  @Test func aChangedValueIsAskedBeforeItIsSaved() throws {
    try Workshop.open(.sqlite) { context in
      let changed = try #require(try Ticket.first(where: \.number == 4, in: context))
      changed.note = "fox"
      try expect([0, 4], Self.hasX, in: context)
      changed.note = "é"
      try expect([0], Self.hasX, in: context)
    }
  }

  @Test func aStoreRefusesByNameWhatItHasNoFormOf() throws {
    let condition = Condition(IsShort(), "note")
    try Workshop.open(.memory) { context in
      try expect([0, 1, 2, 3, 4], condition, in: context)
    }
    try Workshop.open(.sqlite) { context in
      guard !context.hasChanges else { return }
      let error = #expect(throws: StoreError.self) {
        try Ticket.all(where: condition, in: context)
      }
      #expect(error?.code == .unsupported)
      #expect(error?.detail.contains("ISSHORT") == true)
    }
  }

  @Test(arguments: [
    (FetchExpression.keyPath("watchers.name"), FetchPredicateError.Code.needsQuantifier),
    (.list([.keyPath("note"), .keyPath("title")]), .wrongOperands),
    (.keyPath("nothing"), .unknownKeyPath), (.variable("text"), .unboundVariable),
  ])
  func operandsAreCheckedAgainstTheModel(
    _ operand: FetchExpression, _ code: FetchPredicateError.Code
  ) throws {
    let condition = FetchPredicate.open(OpenCondition(HasSign(sign: "x"), [operand]))
    let entity = try #require(Workshop.model.shape(named: "Ticket"))
    let error = #expect(throws: FetchPredicateError.self) {
      try condition.validate(in: entity, Workshop.model)
    }
    #expect(error?.code == code)
  }

  @Test func theTreeTreatsItAsAComparison() {
    let condition = FetchPredicate.open(OpenCondition(HasSign(sign: "x"), [.variable("text")]))
    let bound = condition.substituting(["text": "box"])
    #expect(bound.predicateFormat == "HASSIGN[x](\"box\")")
    #expect(bound == .open(OpenCondition(HasSign(sign: "x"), [.constant(.string("box"))])))
    #expect(bound != .open(OpenCondition(HasSign(sign: "y"), [.constant(.string("box"))])))
    #expect(bound != .open(OpenCondition(IsShort(), [.constant(.string("box"))])))
    #expect(Set([condition, condition, bound]).count == 2)
    var paths: [[String]] = []
    Self.hasX.predicate.beginning(at: ["ticket"]).forEachKeyPath { paths.append($0) }
    #expect(paths == [["ticket", "note"]])
  }
}
