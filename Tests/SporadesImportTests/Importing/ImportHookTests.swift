// SPDX-License-Identifier: MIT
import Sporades
import SporadesImport
import Testing

@Entity final class Visitor: ManagedObject, Importable {
  @Attribute(.unique) var name: String = ""
  var visits: Int = 0
  var log: String = ""

  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  func shouldImport(_ record: ImportRecord) throws -> Bool { record["hidden"]?.boolean != true }

  func willImport(_ record: ImportRecord) { log += "will " }

  func importValue(_ value: ImportValue, forKey name: String) throws -> Bool {
    guard name == "visits" else { return false }
    guard let count = value.integer, count >= 0 else {
      throw Refusal(description: "nobody visits \(value.integer ?? 0) times.")
    }
    visits += count
    return true
  }

  func didImport(_ record: ImportRecord) throws {
    log += "did(\(record.pairs.count)) "
    if name == "late" { throw Refusal(description: "too late.") }
  }
}

@Suite struct ImportHookTests {
  @Test func hooksTakePart() async throws {
    let service = make()
    let text = """
      {"name": "a", "visits": 2}
      {"name": "b", "hidden": true}
      {"name": "a", "visits": 3}
      {"name": "c", "visits": -1}
      {"name": "late"}
      """
    let report = try await service.import(Visitor.self, from: .json(text: text))
    #expect([report.made, report.updated, report.skipped, report.failed] == [1, 1, 1, 2])
    #expect(report.failures.map(\.path) == ["visits", ""])
    #expect(report.failures.map(\.reason) == ["nobody visits -1 times.", "too late."])
    let all = try service.readValue { context in
      try Visitor.all(in: context).map { "\($0.name) \($0.visits) \($0.log)" }
    }
    #expect(all == ["a 5 will did(2) will did(2) "])
  }

  @Test func aFilterLeavesRecordsOut() async throws {
    let service = make()
    var request = ImportRequest(
      Visitor.self, from: .csv(text: "name,visits\na,1\nb,2\nc,3\n"))
    request.filter = { ($0["visits"]?.integer ?? 0) > 1 }
    let report = try await service.import(request)
    #expect([report.made, report.skipped] == [2, 1])
  }

  @Test func aTransformChangesValues() async throws {
    let service = make()
    let mapping = ImportMapping<Visitor>()
      .key("NAME", to: \.name) { ($0.string ?? "").lowercased() }
      .ignoring(\.visits)
    _ = try await service.import(
      Visitor.self, from: .csv(text: "NAME,visits\nANN,7\n"), mapping: mapping)
    let all = try service.readValue { context in
      try Visitor.all(in: context).map { "\($0.name) \($0.visits)" }
    }
    #expect(all == ["ann 0"])
  }

  private func make() -> DALService {
    var options = DALService.Options()
    options.reactor = nil
    return DALService(inMemory: [Visitor.self], options: options)
  }
}
