// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

struct Taste: Codable, Equatable {
  var theme = "light"
  var size = 1
  var since: Date?
}

@Entity final class Guest: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var taste: Taste = Taste()
  var tags: [String]?
  @Attribute(.transformer(named: "PropertyList")) var list: [Int]?
}

/// Attributes of `Codable` types, whose values are JSON.
@Suite struct CodableImportTests {
  private let service = makeService()

  private static func makeService() -> DALService {
    var options = DALService.Options()
    options.reactor = nil
    return DALService(inMemory: [Guest.self], options: options)
  }

  private func guests() throws -> [String] {
    try service.readValue { context in
      try Guest.all(sortedBy: \.name, in: context).map {
        "\($0.name) \($0.taste.theme) \($0.taste.size) \($0.tags ?? []) \($0.list ?? [])"
      }
    }
  }

  @Test func arraysAndObjectsAreDecodedByTheType() async throws {
    let text = """
      [{"name": "a", "taste": {"theme": "d\\u00e4rk", "size": 3}, "tags": ["x", "y\\"z"], "list": [1, 2]},
       {"name": "b", "taste": {"size": 5}, "tags": null},
       {"name": "c", "tags": [1]},
       {"name": "d", "tags": "WyJxIl0="}]
      """
    let report = try await service.import(Guest.self, from: .json(text: text))
    #expect(report.made == 2)
    #expect(report.failures.map(\.path) == ["taste", "tags"])
    #expect(report.failures.map { $0.place?.line } == [2, 3])
    #expect(
      report.failures[0].reason.hasPrefix(
        "the value does not fit the type of the attribute at theme:"), "\(report.failures)")
    #expect(report.failures[1].reason.contains("at [0]"), "\(report.failures)")
    #expect(try guests() == ["a därk 3 [\"x\", \"y\\\"z\"] [1, 2]", "d light 1 [\"q\"] []"])
    let first = String(text.split(separator: "\n")[0].dropLast())
    let again = try await service.import(Guest.self, from: .json(text: first + "]"))
    #expect(again.unchanged == 1)
  }

  @Test func valuesOfTheProgramAndOfTransformsAreDecodedToo() async throws {
    let date = Date(timeIntervalSinceReferenceDate: 12.5)
    let mapping = ImportMapping<Guest>()
      .key("Tags", to: \.tags) { $0.string?.split(separator: ";").map(String.init) }
    _ = try await service.import(
      Guest.self,
      from: .records([
        ["name": "a", "taste": ["theme": "t", "size": 2, "since": .init(date)], "Tags": "x;y"]
      ]), mapping: mapping)
    #expect(try guests() == ["a t 2 [\"x\", \"y\"] []"])
    #expect(try service.readValue { try Guest.first(in: $0)?.taste.since } == date)
  }

  @Test func anExportWritesJSONAndComesBack() async throws {
    _ = try await service.import(
      Guest.self,
      from: .records([["name": "a", "taste": ["theme": "t", "size": 2], "tags": [], "list": [7]]]))
    for form in [ExportForm.jsonLines, .json, .csv()] {
      var bytes: [UInt8] = []
      for try await piece in service.exported(Guest.request, as: form) { bytes += piece }
      let text = String(decoding: bytes, as: UTF8.self)
      let isCSV = if case .csv = form { true } else { false }
      if !isCSV { #expect(text.contains(#""taste":{"size":2,"theme":"t"},"tags":[],"list":""#)) }
      let target = Self.makeService()
      let report = try await target.import(
        Guest.self, from: isCSV ? .csv(text: text) : .json(text: text))
      #expect(report.made == 1, "\(report) \(text)")
      let again = try await service.import(
        Guest.self, from: isCSV ? .csv(text: text) : .json(text: text))
      #expect(again.unchanged == 1, "\(again) \(text)")
    }
  }

  @Test func anEntityWithoutAClassKeepsTheJSON() async throws {
    var prefs = AttributeDescription("prefs", .transformable)
    prefs.isOptional = true
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Bag", attributes: [AttributeDescription("name", .string), prefs])
    ])
    var options = DALService.Options()
    options.reactor = nil
    let service = DALService(
      stack: DataStack(store: MemoryStore(model: model)), options: options)
    var request = ImportRequest(
      entityNamed: "Bag",
      from: .json(text: #"{"name": "a", "prefs": {"b": [1, true, null], "a": "é"}}"#))
    request.uniquedBy = ["name"]
    #expect(try await service.import(request).made == 1)
    #expect(try await service.import(request).unchanged == 1)
  }
}
