// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What the tests of CoreStore and MagicalRecord ask of five records, in our words.
@Suite struct FinderValueTests {
  @Entity final class Record: ManagedObject {
    var identifier: Int = 0
    var number: Int?
    var date: Date?
    var isOdd: Bool?
    var decimal: Decimal?
    var label: String?
    var bytes: Data?
    var nothing: String?
  }

  private func day(_ number: Int) -> Date {
    // The first of January 2000, and the days after it.
    Date(timeIntervalSince1970: 946_684_800 + 86_400 * Double(number - 1))
  }

  private func fill(_ context: ManagedObjectContext) {
    for number in 1...5 {
      let record = Record.create(in: context)
      record.identifier = 100 + number
      record.number = number
      record.date = day(number)
      record.isOdd = number % 2 == 1
      record.decimal = Decimal(number)
      record.label = "record \(number)"
      record.bytes = Data("record \(number)".utf8)
    }
  }

  /// Over unsaved changes, and over saved ones; in memory, and in a file.
  private func eachPlace(_ body: (ManagedObjectContext) throws -> Void) throws {
    let folder = try TemporaryFolder()
    for stack in [
      try DataStack(inMemory: [Record.self]),
      try DataStack(sqlite: folder.file("records.sqlite"), entities: [Record.self]),
    ] {
      try stack.newContext().performAndWait { context throws in
        fill(context)
        try body(context)
        try context.save()
        context.reset()
        try body(context)
      }
      try stack.store.close()
    }
  }

  @Test func aValueOfOneRecord() throws {
    try eachPlace { context throws in
      let one = Record.where(\.identifier == 101)
      #expect(try one.pluck(\.isOdd, in: context) == [true])
      #expect(try one.pluck(\.number, in: context) == [1])
      #expect(try one.pluck(\.decimal, in: context) == [1])
      #expect(try one.pluck(\.label, in: context) == ["record 1"])
      #expect(try one.pluck(\.bytes, in: context) == [Data("record 1".utf8)])
      #expect(try one.pluck(\.date, in: context) == [day(1)])
      #expect(try one.pluck(\.nothing, in: context) == [nil])
    }
  }

  @Test func oneNumberOfManyRecords() throws {
    try eachPlace { context throws in
      let later = Record.where("%K > %@", "number", 1)
      #expect(try later.average(\.number, in: context) == 3.5)
      #expect(try later.average(\.decimal, in: context) == 3.5)
      #expect(try later.count(in: context) == 4)
      #expect(try later.max(\.number, in: context) == 5)
      #expect(try later.max(\.decimal, in: context) == 5)
      #expect(try later.max(\.label, in: context) == "record 5")
      #expect(try later.max(\.date, in: context) == day(5))
      #expect(try later.min(\.number, in: context) == 2)
      #expect(try later.min(\.decimal, in: context) == 2)
      #expect(try later.min(\.label, in: context) == "record 2")
      #expect(try later.min(\.date, in: context) == day(2))
      #expect(try later.sum(\.number, in: context) == 14)
      #expect(try later.sum(\.decimal, in: context) == 14)
    }
  }

  @Test func attributesAsDictionaries() throws {
    try eachPlace { context throws in
      var request = FetchRequest("Record", where: try FetchPredicate(format: "number > %d", 3))
      request.sortTerms = [SortTerm("identifier")]
      request.propertiesToFetch = [
        "isOdd", "number", "decimal", "label", "bytes", "date", "nothing",
      ]
      let rows = try context.fetchDictionaries(request)
      #expect(rows.map { $0.value("isOdd", as: Bool.self) } == [false, true])
      #expect(rows.map { $0.value("number", as: Int.self) } == [4, 5])
      #expect(rows.map { $0.value("decimal", as: Decimal.self) } == [4, 5])
      #expect(rows.map { $0.value("label", as: String.self) } == ["record 4", "record 5"])
      #expect(rows.map { $0.value("bytes", as: Data.self) }.last == Data("record 5".utf8))
      #expect(rows.map { $0.value("date", as: Date.self) } == [day(4), day(5)])
      // What has no value has no key in the dictionary.
      #expect(rows.map(\.dictionary.count) == [6, 6])
    }
  }

  @Test func aggregatesAsOneDictionary() throws {
    try eachPlace { context throws in
      var request = FetchRequest("Record")
      request.propertiesToFetch = [
        ExpressionDescription("count", .count(of: "number")),
        ExpressionDescription("most", .max(of: "number")),
        ExpressionDescription("least", .min(of: "number")),
        ExpressionDescription("mean", .average(of: "decimal")),
      ]
      let rows = try context.fetchDictionaries(request)
      #expect(rows.count == 1)
      let row = try #require(rows.first)
      #expect(row.value("count", as: Int.self) == 5)
      #expect(row.value("most", as: Int.self) == 5)
      #expect(row.value("least", as: Int.self) == 1)
      #expect(row.value("mean", as: Double.self) == 3)
    }
  }

  @Test func theFirstAndAllOfAnOrder() throws {
    try eachPlace { context throws in
      let later = Record.where("%K > %@", "number", 1).sorted(by: \.identifier)
      #expect(try later.first(in: context)?.label == "record 2")
      let earlier = Record.where("%K < %@", "number", 4).sorted(by: \.identifier, ascending: false)
      #expect(try earlier.first(in: context)?.label == "record 3")
      #expect(try earlier.pluck(\.number, in: context) == [3, 2, 1])
      let none = Record.where("%K > %@", "number", 5)
      #expect(try none.first(in: context) == nil)
      #expect(try none.fetch(in: context).isEmpty)
      #expect(try none.count(in: context) == 0)
      #expect(try none.ids(in: context).isEmpty)
      #expect(try later.ids(in: context) == later.fetch(in: context).map(\.objectID))
      #expect(try later.offset(1).limit(2).pluck(\.number, in: context) == [3, 4])
    }
  }

  /// MagicalRecord's words in one text: a direction holds for its key alone.
  @Test func directionsBehindKeysHoldForThem() throws {
    try eachPlace { context throws in
      let found = try Record.all(sortedBy: "isOdd:YES,number:NO,label", in: context)
      #expect(found.map(\.number) == [4, 2, 5, 3, 1])
    }
  }

  @Test func aServiceWritesReadsAndGivesUp() throws {
    let service = RecordingService(inMemory: [Record.self])
    service.writeSync { context in
      let record = Record.create(in: context)
      (record.identifier, record.label) = (1, "one")
    }
    #expect(try service.readValue { try Record.count(in: $0) } == 1)
    service.writeSync { context in
      Record.first(in: context)?.label = "given up"
      throw CancellationError()
    }
    #expect(service.errors.count == 1)
    service.writeSync { context in Record.first(in: context)?.label = "edited" }
    #expect(try service.readValue { try Record.first(in: $0)?.label } == "edited")
    service.writeSync { context in Record.first(in: context)?.delete(in: context) }
    #expect(try service.readValue { try Record.count(in: $0) } == 0)
  }
}
