// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesHistory
import SporadesImport
import SporadesModel
import SporadesTesting
import Testing

@Entity final class Sample: ManagedObject {
  @Attribute(.unique) var number: Int = 0
  @Attribute(.range(0...10)) var level: Int = 0
  @Attribute(.unique) var code: String?
  var maker: String

  override func willSave() {
    if !isDeleted, maker.isEmpty { maker = "nobody" }
  }
}

/// A group of rows of which a save refuses some.
@Suite struct RefusedGroupTests {
  private let service: DALService = {
    var options = DALService.Options()
    options.reactor = nil
    return DALService(inMemory: [Sample.self], options: options)
  }()

  private func lines(_ count: Int, level: (Int) -> Int) -> ImportSource {
    .json(text: (0..<count).map { "{\"number\": \($0), \"level\": \(level($0))}\n" }.joined())
  }

  /// The group is saved, refused, and saved once more without the rows that the refusal names.
  @Test func rowsThatBreakARuleCostOneRepetition() async throws {
    let reads = Guarded(0)
    let mapping = ImportMapping<Sample>().key("number", to: \.number) { value in
      reads.withLock { $0 += 1 }
      return value.integer ?? 0
    }
    let once = try await service.import(
      Sample.self, from: lines(1000) { _ in 1 }, mapping: mapping)
    #expect(once.made == 1000)
    let usual = reads.withLock { count in
      defer { count = 0 }
      return count
    }
    let report = try await service.import(
      Sample.self, from: lines(1000) { $0 % 100 == 7 ? 11 : 2 }, mapping: mapping)
    #expect([report.updated, report.failed] == [990, 10])
    #expect(report.failures.map(\.row) == (0..<10).map { $0 * 100 + 8 })
    #expect(report.failures.first?.path == "level")
    #expect(report.failures.first?.reason.contains("above the maximum, 10") == true)
    #expect(reads.withLock(\.self) <= 2 * usual)
  }

  /// What an object gives itself in the last moment counts, also where objects are checked one by one.
  @Test func objectsFinishThemselvesBeforeTheyAreChecked() async throws {
    var request = ImportRequest(Sample.self, from: lines(3) { $0 == 1 ? 11 : 1 })
    request.isDryRun = true
    let forecast = try await service.import(request)
    #expect([forecast.made, forecast.failed] == [2, 1])
    request.isDryRun = false
    let report = try await service.import(request)
    #expect([report.made, report.failed] == [2, 1])
    // A row for each object of two values: the save does not tell which row it refuses.
    let text = """
      {"number": 8, "level": 11}
      {"number": 8, "code": "x"}
      {"number": 9}
      """
    let twice = try await service.import(Sample.self, from: .json(text: text))
    #expect([twice.made, twice.failed] == [2, 1])
    #expect(twice.failures.map(\.row) == [1])
  }

  @Test func rowsThatBreakAConstraintAreFound() async throws {
    let text = (0..<200).map { "{\"number\": \($0), \"code\": \"\($0 % 190)\"}\n" }.joined()
    let report = try await service.import(Sample.self, from: .json(text: text))
    #expect([report.made, report.failed] == [190, 10])
    #expect(report.failures.map(\.row) == Array(191...200))
  }

  @Test func theReportSaysHowManyFailuresItDescribes() async throws {
    var request = ImportRequest(Sample.self, from: lines(20) { _ in 11 })
    request.describedFailures = 5
    let report = try await service.import(request)
    #expect(report.failed == 20 && report.failures.count == 5)
    #expect("\(report)".contains("20 failed (the first 5 are described)"), "\(report)")
  }

  @Test func anErrorOfTheProgramDescribesItselfOnce() async throws {
    struct Wrong: LocalizedError { var errorDescription: String? { "Nobody is called so." } }
    let mapping = ImportMapping<Sample>()
      .key("number", to: \.number) { value in
        guard let number = value.integer else { throw Wrong() }
        return number
      }
      .key("code", to: \.code) { _ -> String in throw Wrong() }
    let text = "{\"number\": \"x\", \"level\": 1}\n{\"number\": 1, \"code\": \"a\"}\n"
    let report = try await service.import(Sample.self, from: .json(text: text), mapping: mapping)
    #expect(report.failures.map(\.reason) == ["Nobody is called so.", "Nobody is called so."])
    #expect(report.failures.map(\.path) == ["number", "code"])
  }

  @Test func anImportHasAnAuthor() async throws {
    let store = MemoryStore(model: try ManagedObjectModel([Sample.self]), keepsHistory: true)
    var options = DALService.Options()
    options.reactor = nil
    let service = DALService(
      stack: DataStack(store: store, classes: [Sample.self]), options: options)
    for (author, refusesAll) in [("feed", false), ("night", true)] {
      var request = ImportRequest(Sample.self, from: lines(3) { _ in refusesAll ? 2 : 1 })
      request.author = author
      if refusesAll { request.failures = .refuseAll }
      _ = try await service.import(request)
    }
    var request = ImportRequest(Sample.self, from: .json(text: "{\"number\": 2, \"level\": 2}"))
    request.missing = .deleteAll
    request.author = "cleaner"
    #expect(try await service.import(request).deleted == 2)
    let authors = try await service.read { context in
      try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil)).transactions
        .map { $0.author ?? "-" }
    }
    #expect(authors == ["feed", "night", "cleaner"])
  }
}
