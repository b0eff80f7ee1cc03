// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

@Entity final class Measure: ManagedObject {
  var number: Int = 0
  var text: String?
  var code: UUID?
  var day: Date?
  var flag: Bool?
  var small: Int16?
  var wide: Int64?
  var real: Double?
  var money: Decimal?
  var bytes: Data?
  var link: URL?
  @Attribute(.externalStorage) var picture: Data?
  var tags: [String]?
  @Relationship(inverse: "followers") var leader: Measure?
  var followers: Set<Measure>
}

/// Aggregates have one meaning: in every store, with unsaved changes and without.
@Suite struct AggregateTests {
  private static let model = try! ManagedObjectModel([Measure.self])

  /// Where the objects are when they are asked.
  enum Place: CaseIterable, Sendable {
    case memory, sqlite, nested, stores, unsaved, unsavedInSQLite, changedLeaders

    func stack() throws -> DataStack {
      let store: any PersistentStore
      switch self {
      case .memory, .unsaved: store = MemoryStore(model: AggregateTests.model)
      case .stores:
        let coordinator = PersistentStoreCoordinator(model: AggregateTests.model)
        try coordinator.addPersistentStore(MemoryStore(model: AggregateTests.model))
        try coordinator.addPersistentStore(SQLiteStore(inMemory: AggregateTests.model))
        store = coordinator
      default: store = try SQLiteStore(inMemory: AggregateTests.model)
      }
      return DataStack(store: store, classes: [Measure.self])
    }
  }

  /// Makes the objects, and asks a context that sees them.
  private func withMeasures<Output>(
    _ place: Place, _ count: Int, _ fill: (Int, Measure) -> Void,
    _ body: (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    let stack = try place.stack()
    let queue = stack.newContext()
    return try queue.performAndWait { context in
      var all: [Measure] = []
      for number in 0..<count {
        let measure = Measure.create(in: context)
        measure.number = number
        all.append(measure)
        if place == .stores, let coordinator = context.persistentStoreCoordinator {
          try context.assign(
            measure, to: coordinator.persistentStores[number / 2 % 2])
        }
        if place == .unsaved || place == .unsavedInSQLite, number == count / 2 {
          try context.save()
        }
        fill(number, measure)
        // the leader is of the same store
        if number % 2 == 1 { measure.leader = all[number - 1] }
      }
      if place == .unsaved || place == .unsavedInSQLite { return try body(context) }
      try context.save()
      guard place == .nested else { return try body(context) }
      return try stack.newChild(of: stack.newChild(of: queue)).performAndWait(body)
    }
  }

  private enum Answer: Equatable {
    case value(Value)
    case refused(FetchPredicateError.Code, String)
  }

  private func answer(
    _ function: AggregateFunction, _ path: String, _ request: FetchRequest,
    in context: ManagedObjectContext
  ) throws -> Answer {
    do {
      return .value(try context.aggregate(function, of: path, request))
    } catch let error as FetchPredicateError {
      return .refused(error.code, error.detail)
    }
  }

  private static let paths = [
    "number", "text", "code", "day", "flag", "small", "wide", "real", "money", "bytes", "link",
    "picture", "tags", "leader", "leader.wide", "leader.text", "leader.day", "followers.wide",
    "nothing", "leader..wide", "",
  ]
  private static let functions: [AggregateFunction] = [.min, .max, .sum, .average]

  private static func fill(_ random: inout SeededGenerator) -> (Int, Measure) -> Void {
    let seed = random.next()
    return { number, measure in
      var random = SeededGenerator(seed: seed &+ UInt64(number))
      func some<V>(_ value: @autoclosure () -> V) -> V? {
        Int.random(in: 0..<4, using: &random) == 0 ? nil : value()
      }
      let texts = ["12 boss", "3abc", "", "Z", "é", "7.5", "\u{1F600}", "a b"]
      measure.text = some(texts.randomElement(using: &random) ?? "")
      measure.code = some(
        UUID(
          uuid: (
            UInt8.random(in: 0...255, using: &random), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
            14, 15
          )))
      measure.day = some(
        Date(
          timeIntervalSinceReferenceDate: Double(Int.random(in: -1000...1000, using: &random)) / 2))
      measure.flag = some(Bool.random(using: &random))
      measure.small = some(Int16.random(in: .min ... .max, using: &random))
      measure.wide = some(Int64.random(in: -1 << 61...1 << 61, using: &random))
      measure.real = some(Double(Int.random(in: -100...100, using: &random)) / 4)
      measure.money = some(Decimal(Int.random(in: -1000...1000, using: &random)) / 10)
      measure.bytes = some(Data((0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }))
      measure.link = some(
        URL(string: "http://a/\(Int.random(in: 0...99, using: &random))") ?? URL.absent)
    }
  }

  @Test(arguments: 1...6)
  func everyPlaceGivesOneAnswer(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fill = Self.fill(&random)
    var requests = [FetchRequest("Measure")]
    requests.append(
      FetchRequest("Measure", where: try FetchPredicate(format: "number > 3 AND wide != 0")))
    requests.append(
      FetchRequest("Measure", sortedBy: [SortTerm("number")], limit: 9, offset: 2))
    requests.append(FetchRequest("Measure", where: .constant(false)))
    func answers(_ place: Place) throws -> [[Answer]] {
      try withMeasures(place, 24, fill) { context in
        try requests.map { request in
          try Self.paths.flatMap { path in
            try Self.functions.map { try answer($0, path, request, in: context) }
          }
        }
      }
    }
    let expected = try answers(.memory)
    for place in Place.allCases.dropFirst() {
      let given = try answers(place)
      for (request, pairs) in zip(expected, given).enumerated() {
        for (index, pair) in zip(pairs.0, pairs.1).enumerated() {
          let asked = "\(Self.functions[index % 4]) of \(Self.paths[index / 4])"
          #expect(
            pair.0 == pair.1, "seed \(seed), \(place), request \(request): \(asked)")
        }
      }
    }
  }

  @Test(arguments: Place.allCases)
  func whatHasAnOrderHasALeastAndAGreatest(in place: Place) throws {
    let texts = ["12 boss", "3abc", nil, "Zoe", "anna"]
    try withMeasures(place, texts.count) { number, measure in
      measure.text = texts[number]
      measure.flag = number > 0
      measure.day = Date(timeIntervalSinceReferenceDate: Double(number) * 100)
    } _: { context in
      #expect(try Measure.min(\.text, in: context) == "12 boss")
      #expect(try Measure.max(\.text, in: context) == "anna")
      #expect(try Measure.min(\.flag, in: context) == false)
      #expect(try Measure.max(\.flag, in: context) == true)
      #expect(try Measure.sum(\.number, in: context) == 10)
      let mean = try Measure.average(\.day, in: context)
      #expect(mean == Date(timeIntervalSinceReferenceDate: 200))
      #expect(try Measure.average(\.number, in: context) == 2)
      #expect(try Measure.max(\.code, in: context) == nil)
    }
  }

  @Test(arguments: Place.allCases, ["text", "code", "bytes", "link", "tags", "leader", "picture"])
  func whatCannotBeAddedIsRefused(in place: Place, path: String) throws {
    try withMeasures(place, 4) { number, measure in
      measure.text = "\(number) boss"
    } _: { context in
      for function in [AggregateFunction.sum, .average] {
        let error = #expect(throws: FetchPredicateError.self) {
          try context.aggregate(function, of: path, FetchRequest("Measure"))
        }
        #expect(error?.detail.contains("Measure.\(path)") == true)
      }
      #expect(throws: FetchPredicateError.self) {
        try context.aggregate(.sum, of: "day", FetchRequest("Measure"))
      }
      if path == "picture" {
        #expect(throws: FetchPredicateError.self) {
          try context.aggregate(.max, of: path, FetchRequest("Measure"))
        }
      }
    }
  }

  @Test(arguments: Place.allCases)
  func sumsThatFitAreExactAndOthersAreRefused(in place: Place) throws {
    let large: [Int64] = [.max, .max, .min, .min, 5, 7, -2]
    try withMeasures(place, large.count) { number, measure in
      measure.wide = large[number]
      measure.small = .max
      measure.money = Decimal(string: "0.1")
    } _: { context in
      #expect(try Measure.sum(\.wide, in: context) == 8)
      #expect(try Measure.sum(\.money, in: context) == Decimal(string: "0.7"))
      let error = #expect(throws: StoreError.self) {
        try Measure.sum(\.wide, where: \.number < 2, in: context)
      }
      #expect(error?.detail.contains("wide") == true)
      #expect(try Measure.average(\.wide, where: \.number < 2, in: context) == 0x1p63)
      // seven times the greatest number of 16 bits are no number of 16 bits
      #expect(throws: ContextError.self) { try Measure.sum(\.small, in: context) }
      let sum = try context.aggregate(.sum, of: "small", FetchRequest("Measure"))
      #expect(sum == .integer(7 * Int64(Int16.max)))
    }
  }

  @Test(arguments: Place.allCases)
  func unsavedChangesOfOtherObjectsCount(in place: Place) throws {
    try withMeasures(place, 2) { number, measure in
      measure.wide = 1
    } _: { context in
      let leader = try #require(try Measure.first(where: \.number == 0, in: context))
      leader.wide = 40
      #expect(try Measure.sum(\.leader!.wide, where: \.number == 1, in: context) == 40)
    }
  }

  @Test(arguments: Place.allCases)
  func sumsInPredicatesGoBeyond64Bits(in place: Place) throws {
    try withMeasures(place, 8) { number, measure in
      measure.wide = number < 5 ? .max : 4
    } _: { context in
      let all = try Measure.all(sortedBy: \.number, in: context)
      guard place != .stores else { return }
      all[7].followers = Set(all[0...3])
      all[6].followers = [all[5], all[4]]
      try context.save()
      func numbers(_ format: String) throws -> [Int] {
        try Measure.all(where: FetchPredicate(format: format), sortedBy: \.number, in: context)
          .map(\.number)
      }
      #expect(try numbers("followers.@sum.wide > 9.3e18") == [7])
      #expect(try numbers("followers.@sum.wide >= 9223372036854775807") == [6, 7])
      #expect(try numbers("followers.@sum.wide == 0") == [0, 1, 2, 3, 4, 5])
    }
  }

  @Test func aTreeThatIsOnlyAggregatedIsLookedAt() throws {
    try StoreKind.sqlite.people().newContext().performAndWait { context in
      let ann = Person.make("Ann", age: 3, in: context)
      Dog.create(in: context).owner = ann
      try context.save()
      ann.age = 50
      #expect(try Dog.sum(\.owner!.age, in: context) == 50)
    }
  }
}
