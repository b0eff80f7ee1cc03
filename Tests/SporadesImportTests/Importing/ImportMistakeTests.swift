// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import Testing

/// Inputs that are not what the request says, and the sentences that lead to what it should say.
@Suite struct ImportMistakeTests {
  @Entity final class Parcel: ManagedObject {
    var code: String = "new"
    var label: String
    var weight: Int = 1
    var sent: Date?
    @Derived("uppercase:(code)") var sortCode: String
    @Transient var isOpen: Bool = false
  }
  @Entity final class Keyed: ManagedObject {
    @Attribute(.unique) var email: String?
    var label: String = ""
  }
  private let service = DALService(inMemory: [Parcel.self])

  private func run(_ json: String) async throws -> ImportReport {
    try await service.import(Parcel.self, from: .json(text: json))
  }

  @Test(arguments: [
    ("24.12.2024", ": dates(.pattern(\"dd.MM.yyyy\"))."),
    ("12/24/2024 10:30", ": dates(.pattern(\"MM/dd/yyyy HH:mm\"))."),
    (
      "01/02/2024",
      ": dates(.pattern(\"dd/MM/yyyy\")) or dates(.pattern(\"MM/dd/yyyy\"))."
    ),
    ("1700000000", ": dates(.secondsSince1970)."),
    ("1700000000000", ": dates(.millisecondsSince1970)."),
    ("yesterday", ", as in dates(.pattern(\"dd.MM.yyyy\"))."),
  ])
  func aDateLeadsToItsFormat(text: String, remedy: String) async throws {
    let report = try await run("[{\"label\": \"x\", \"sent\": \"\(text)\"}]")
    let reason = report.failures.first?.reason ?? ""
    #expect(reason.hasSuffix("is no date of ISO 8601; name its format\(remedy)"), "\(reason)")
  }

  /// The key is optional, and these records do not have it.
  @Test func recordsWithoutTheirKeyLeadToUniquedBy() async throws {
    let keyed = DALService(inMemory: [Keyed.self])
    var request = ImportRequest(Keyed.self, from: .json(text: "[{\"label\": \"x\"}]"))
    let report = try await keyed.import(request)
    #expect(report.failed == 1)
    let reason = report.failures.first?.reason ?? ""
    #expect(
      reason.hasSuffix(
        "Set the request's uniquedBy to other attributes, or to [], with which each record makes a new object."
      ),
      "\(reason)")
    request.uniquedBy = []
    #expect(try await keyed.import(request).made == 1)
  }

  @Test func millisecondsAreNotTakenForSeconds() async throws {
    let json = "[{\"label\": \"x\", \"sent\": 1700000000000}]"
    let report = try await run(json)
    #expect(report.failed == 1)
    #expect(report.failures[0].reason.contains("dates(.millisecondsSince1970)"))
    let named = try await service.import(
      Parcel.self, from: .json(text: json),
      mapping: ImportMapping<Parcel>().dates(.millisecondsSince1970))
    #expect(named.made == 1)
    let few = try await run("[{\"label\": \"x\", \"sent\": 1700000000}]")
    #expect(few.made == 1)
  }

  @Test func aKeyOfAComputedAttributeIsReported() async throws {
    let report = try await run(
      "[{\"label\": \"x\", \"sortCode\": \"X\", \"sort_code\": \"X\", \"isOpen\": true}]")
    #expect(report.made == 1)
    #expect(report.unknownKeys.map(\.key) == ["isOpen", "sortCode", "sort_code"])
    #expect(report.unknownKeys[0].reason == "transient, so no store keeps it")
    #expect(report.unknownKeys[1].reason == "derived, so the store computes it")
    #expect("\(report)".contains("sortCode (1; derived, so the store computes it)"), "\(report)")
    let ignored = try await service.import(
      Parcel.self, from: .records([["label": "x", "sortCode": "X"]]),
      mapping: ImportMapping<Parcel>().ignoring(\.sortCode))
    #expect(ignored.made == 1 && ignored.unknownKeys.isEmpty)
  }

  @Test func aRowNamesAllValuesThatItLacks() async throws {
    let report = try await run("[{\"code\": null, \"label\": null}, {\"weight\": null}]")
    #expect(report.failed == 2)
    let text = report.failures[0].description
    #expect(
      text.contains("Parcel.code must have one. It gets its default where the key"), "\(text)")
    let label = "label: the value is null, and Parcel.label must have one."
    #expect(text.contains(label), "\(text)")
  }

  @Test func aFileOfCSVIsNamed() async throws {
    let report = try await run("label,weight\nx,3\n")
    #expect(report.failed == 2)
    let remedy = "For a file of CSV, write .csv in the place of .json"
    #expect(report.failures[0].reason.contains(remedy))
  }
}
