// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesPostgreSQL
import SporadesSQLite
import SporadesStore
import SporadesTesting
import TestServer
import Testing

/// The anomalies of Kleppmann's Hermitage, which tells databases' levels of isolation apart, shown to contexts of several programs
/// on one store. Rows 1 and 2 have the values 10 and 20.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct IsolationTests {
  enum Kind: CaseIterable, Sendable {
    case server, file
  }

  /// A save is one change set that others see as a whole or not at all, and compares the versions of its rows.
  @Test(arguments: Kind.allCases) func writesHaveNoCycles(_ kind: Kind) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, _ in
      _ = (try first.values(), try second.values())
      try first.set(1, to: 11)
      try second.set(1, to: 12)
      try first.set(2, to: 21)
      try first.save()
      try second.set(2, to: 22)
      #expect(throws: StoreError.self) { try second.save() }
    }
    #expect(try programs.values() == [1: 11, 2: 21])
  }

  @Test(arguments: Kind.allCases) func nobodyReadsWhatIsAborted(_ kind: Kind) throws {
    try Programs(kind).run { first, second, _ in
      try first.set(1, to: 101)
      #expect(try second.values() == [1: 10, 2: 20])
      first.context.rollback()
      #expect(try second.values() == [1: 10, 2: 20])
    }
  }

  @Test(arguments: Kind.allCases) func nobodyReadsWhatIsInBetween(_ kind: Kind) throws {
    try Programs(kind).run { first, second, _ in
      try first.set(1, to: 101)
      #expect(try second.values() == [1: 10, 2: 20])
      try first.set(1, to: 11)
      try first.save()
      #expect(try second.values() == [1: 11, 2: 20])
    }
  }

  @Test(arguments: Kind.allCases) func informationHasNoCircles(_ kind: Kind) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, _ in
      try first.set(1, to: 11)
      try second.set(2, to: 22)
      #expect(try first.values()[2] == 20)
      #expect(try second.values()[1] == 10)
      try first.save()
      try second.save()
    }
    #expect(try programs.values() == [1: 11, 2: 22])
  }

  @Test(arguments: Kind.allCases) func whatWasSeenDoesNotVanish(_ kind: Kind) throws {
    try Programs(kind).run { first, second, third in
      _ = try second.values()
      try first.set(1, to: 11)
      try first.set(2, to: 19)
      try second.set(1, to: 12)
      try first.save()
      #expect(try third.values() == [1: 11, 2: 19])
      try second.set(2, to: 18)
      #expect(throws: StoreError.self) { try second.save() }
      #expect(try third.values() == [1: 11, 2: 19])
    }
  }

  /// A context that is pinned to a state does not meet rows that come later.
  @Test(arguments: Kind.allCases) func aStateGetsNoNewRows(_ kind: Kind) throws {
    try Programs(kind).run { first, second, _ in
      try first.context.setQueryGeneration(from: .current)
      #expect(try first.numbers("value == 30") == [])
      try second.add(3, 30)
      try second.save()
      #expect(try first.numbers("value >= 30") == [])
      try first.context.setQueryGeneration(from: nil)
      #expect(try first.numbers("value >= 30") == [3])
    }
  }

  /// Batches are transactions of their own, one behind the other.
  @Test(arguments: Kind.allCases) func batchesMeetEachOthersRows(_ kind: Kind) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, _ in
      try first.context.execute(
        BatchUpdateRequest(
          fetchRequest: FetchRequest("Row"),
          propertiesToUpdate: [
            "value": FetchExpression.arithmetic(.add, .keyPath(["value"]), .constant(10))
          ]))
      let twenty = try FetchPredicate(format: "value == 20")
      try second.context.execute(
        BatchDeleteRequest(fetchRequest: FetchRequest("Row", where: twenty)))
    }
    #expect(try programs.values() == [2: 30])
  }

  @Test(arguments: Kind.allCases) func noUpdateIsLost(_ kind: Kind) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, _ in
      _ = (try first.values(), try second.values())
      try first.set(1, to: 11)
      try second.set(1, to: 12)
      try first.save()
      #expect(throws: StoreError.self) { try second.save() }
    }
    #expect(try programs.values() == [1: 11, 2: 20])
  }

  @Test(arguments: Kind.allCases) func aStateIsReadAsOne(_ kind: Kind) throws {
    try Programs(kind).run { first, second, _ in
      try first.context.setQueryGeneration(from: .current)
      #expect(try first.value(1) == 10)
      #expect(try first.numbers("value < 15") == [1])
      try second.set(1, to: 12)
      try second.set(2, to: 18)
      try second.save()
      #expect(try first.value(2) == 20)
      #expect(try first.numbers("value == 12 OR value == 18") == [])
    }
  }

  @Test(arguments: Kind.allCases) func aStateIsNoGroundForDeletions(_ kind: Kind) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, _ in
      try first.context.setQueryGeneration(from: .current)
      #expect(try first.value(1) == 10)
      try second.set(1, to: 12)
      try second.set(2, to: 18)
      try second.save()
      for object in try first.objects("value == 20") { first.context.delete(object) }
      #expect(throws: StoreError.self) { try first.save() }
    }
    #expect(try programs.values() == [1: 12, 2: 18])
  }

  /// What a save only read may change meanwhile, unless the program watches it.
  @Test(arguments: Kind.allCases, [false, true])
  func writesAreSkewUnlessReadsAreWatched(_ kind: Kind, isWatched: Bool) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, _ in
      _ = (try first.values(), try second.values())
      if isWatched {
        first.context.detectConflicts(for: try first.row(2))
        second.context.detectConflicts(for: try second.row(1))
      }
      try first.set(1, to: 11)
      try second.set(2, to: 21)
      try first.save()
      if isWatched {
        #expect(throws: StoreError.self) { try second.save() }
      } else {
        try second.save()
      }
    }
    #expect(try programs.values() == [1: 11, 2: isWatched ? 20 : 21])
  }

  /// Nobody watches rows that are not there.
  @Test(arguments: Kind.allCases) func newRowsAreNotWatched(_ kind: Kind) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, _ in
      #expect(try first.numbers("value >= 30") == [] && second.numbers("value >= 30") == [])
      try first.add(3, 30)
      try second.add(4, 42)
      try first.save()
      try second.save()
    }
    #expect(try programs.values() == [1: 10, 2: 20, 3: 30, 4: 42])
  }

  @Test(arguments: Kind.allCases, [false, true])
  func twoEdgesAreMetWhereReadsAreWatched(_ kind: Kind, isWatched: Bool) throws {
    let programs = try Programs(kind)
    try programs.run { first, second, third in
      #expect(try first.values() == [1: 10, 2: 20])
      if isWatched { first.context.detectConflicts(for: try first.row(2)) }
      try second.set(2, to: 25)
      try second.save()
      #expect(try third.values() == [1: 10, 2: 25])
      try first.set(1, to: 0)
      if isWatched {
        #expect(throws: StoreError.self) { try first.save() }
      } else {
        try first.save()
      }
    }
    #expect(try programs.values() == [1: isWatched ? 10 : 0, 2: 25])
  }

  /// Two programs that write at the same moment, and have watched what the other one writes.
  @Test func watchedRowsStayUntilTheCommit() throws {
    let programs = try Programs(.server)
    let (first, second) = (programs.stores[0], programs.stores[1])
    let rows = Programs.rows
    try first.execute(rows[0].changed(["value": 11]), watching: rows[1])
    let work = ThreadWork {
      #expect(throws: StoreError.self) {
        try second.execute(rows[1].changed(["value": 21]), watching: rows[0])
      }
    }
    try programs.waitForLock()
    try first.commit(.immediate)
    _ = try work.get()
    try second.commit(.immediate)
    #expect(try programs.values() == [1: 11, 2: 20])
  }
}

extension PersistentStore {
  fileprivate func execute(_ row: RowDraft, watching other: RowDraft) throws(StoreError) {
    let changes = ChangeSet(updating: [row])
    try execute(
      ChangeSet(
        updated: changes.updated,
        expected: [RowVersion(key: other.key, version: other.version)]))
  }
}

/// Three programs on one store, each with a store object and a context of its own.
private struct Programs {
  static let model = try! ManagedObjectModel(entities: [
    EntityDescription(
      "Row",
      attributes: [
        AttributeDescription("number", .integer64), AttributeDescription("value", .integer64),
      ])
  ])
  static let rows = [(1, 10), (2, 20)].map { number, value in
    RowDraft(
      "Row", Int64(number), ["number": .integer(Int64(number)), "value": .integer(Int64(value))],
      of: model)
  }

  let stores: [any PersistentStore]
  private let place: TestStore

  init(_ kind: IsolationTests.Kind) throws {
    let place = try TestStore()
    self.place = place
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "rows-\(UUID().uuidString).sqlite")
    stores = try (0..<3).map { _ in
      switch kind {
      case .server: try place.open(Self.model)
      case .file: try SQLiteStore(url: file, model: Self.model)
      }
    }
    try stores[0].execute(ChangeSet(inserting: Self.rows))
    try stores[0].commit(.immediate)
  }

  func run(_ body: (Program, Program, Program) throws -> Void) throws {
    let queues = stores.map { DataStack(store: $0).newContext() }
    try queues[0].performAndWait { first in
      try queues[1].performAndWait { second in
        try queues[2].performAndWait { third in
          let programs = zip([first, second, third], stores).map(Program.init)
          try body(programs[0], programs[1], programs[2])
        }
      }
    }
  }

  func values() throws -> [Int: Int] {
    try DataStack(store: stores[2]).newContext().performAndWait {
      try Program(context: $0, store: stores[2]).values()
    }
  }

  /// Waits until one program waits for a row of another.
  func waitForLock() throws {
    let deadline = ContinuousClock.now + .seconds(20)
    let question =
      "SELECT pid::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%' "
      + "AND pg_blocking_pids(pid) && (SELECT array_agg(pid) FROM pg_locks WHERE relation = '\(place.options.schema).row'::regclass)"
    while try place.lines(question).isEmpty {
      try #require(ContinuousClock.now < deadline, "Nobody waits.")
      usleep(1_000)
    }
  }
}

/// A program's context, and its store.
private struct Program {
  let context: ManagedObjectContext
  let store: any PersistentStore

  /// Saves, and waits until the others can see it.
  func save() throws {
    try context.save()
    try store.commit(.immediate)
  }

  /// The rows whose values the context shows now, by their numbers.
  func objects(_ format: String = "TRUEPREDICATE") throws -> [ManagedObject] {
    let predicate = try FetchPredicate(format: format)
    return try context.fetch(FetchRequest("Row", where: predicate, sortedBy: [SortTerm("number")]))
  }

  func number(_ object: ManagedObject, _ name: String) -> Int {
    if case .integer(let number) = object[name] { Int(number) } else { 0 }
  }

  func numbers(_ format: String) throws -> [Int] {
    try objects(format).map { number($0, "number") }
  }

  func values() throws -> [Int: Int] {
    for object in context.registeredObjects where !object.hasChanges {
      context.refresh(object, mergeChanges: true)
    }
    return Dictionary(
      uniqueKeysWithValues: try objects().map { (number($0, "number"), number($0, "value")) })
  }

  func row(_ number: Int) throws -> ManagedObject {
    try #require(try objects("number == \(number)").first)
  }

  func value(_ number: Int) throws -> Int { self.number(try row(number), "value") }

  func set(_ number: Int, to value: Int) throws {
    try row(number)["value"] = .integer(Int64(value))
  }

  func add(_ number: Int, _ value: Int) throws {
    let row = try context.insert(entityNamed: "Row")
    (row["number"], row["value"]) = (.integer(Int64(number)), .integer(Int64(value)))
  }
}
