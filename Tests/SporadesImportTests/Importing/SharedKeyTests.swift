// SPDX-License-Identifier: MIT
import Sporades
import SporadesImport
import Testing

/// Keys that several objects of the store have: none of them is taken by chance.
@Suite struct SharedKeyTests {
  private let service = makeStaffService()

  private func notes() throws -> [String] {
    try service.readValue { try Note.all(in: $0).map(\.text).sorted() }
  }

  private func makeNotes(_ texts: String...) throws {
    try service.writeSync { context in for text in texts { Note.create(in: context).text = text } }
      .get()
  }

  @Test(arguments: [false, true])
  func aRecordWithASharedKeyIsRefused(isDryRun: Bool) async throws {
    try makeNotes("a", "a", "a", "b")
    var request = ImportRequest(
      Note.self, from: .records([["text": "a"], ["text": "b"], ["text": "c"], ["text": "a"]]))
    request.uniquedBy = ["text"]
    request.missing = .deleteAll
    request.isDryRun = isDryRun
    let report = try await service.import(request)
    #expect([report.made, report.unchanged, report.failed, report.deleted] == [1, 1, 2, 0])
    #expect(report.failures.map(\.row) == [1, 4])
    #expect(
      report.failures[0].description.hasPrefix("row 1, text: 3 objects of Note have this value"),
      "\(report.failures)")
    #expect(try notes() == ["a", "a", "a", "b"] + (isDryRun ? [] : ["c"]))
  }

  @Test func aKeyOfSeveralAttributesIsSharedAsAWhole() async throws {
    try service.writeSync { context in
      for (first, age) in [("x", 1), ("x", 2), ("y", 1), ("y", 1)] {
        let worker = Worker.create(in: context)
        (worker.email, worker.firstName, worker.age) = ("\(worker.objectID)", first, age)
      }
    }.get()
    var request = ImportRequest(
      Worker.self,
      from: .records([["firstName": "x", "age": 2, "salary": 5], ["firstName": "y", "age": 1]]))
    request.uniquedBy = ["firstName", "age"]
    let report = try await service.import(request)
    #expect([report.updated, report.failed] == [1, 1])
    #expect(report.failures[0].reason.contains("2 objects of Worker"))
  }

  @Test func aLinkBySharedKeysIsRefused() async throws {
    try service.writeSync { context in
      for code in ["t", "u", "v"] {
        let team = Team.create(in: context)
        (team.code, team.name) = (code, code == "v" ? "other" : "same")
      }
    }.get()
    let mapping = ImportMapping<Worker>().related(\.team, by: "name")
    let report = try await service.import(
      Worker.self,
      from: .records([
        ["email": "a@x", "team": "same"], ["email": "b@x", "team": "other"],
        ["email": "c@x", "team": ["name": "same"]],
      ]), mapping: mapping)
    #expect(report.failures.map(\.path) == ["team", "team"])
    #expect(report.failures[0].reason.contains("2 objects of Team have the name \"same\""))
    #expect(try service.workers() == ["b@x - 0 v"])
  }

  @Test func objectsThatTheImportMakesAreTakenAgain() async throws {
    var request = ImportRequest(
      Note.self, from: .records([["text": "a"], ["text": "a"], ["text": "a"]]))
    request.uniquedBy = ["text"]
    request.rowsPerSave = 1
    #expect(try await service.import(request).made == 1)
    #expect(try notes() == ["a"])
  }
}
