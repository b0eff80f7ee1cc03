// SPDX-License-Identifier: MIT
import Sporades
import SporadesImport
import Testing

/// What a mapping says of single properties.
@Suite struct ImportMappingTests {
  private let service = makeStaffService()

  private struct Refusal: Error, CustomStringConvertible { let description: String }

  private func skills() throws -> [[String]] {
    try service.readValue { context in
      try Worker.all(sortedBy: \.email, in: context).map { $0.skills.map(\.name).sorted() }
    }
  }

  // MARK: - Transforms of keys of objects

  private let listed = ImportMapping<Worker>()
    .key("Skills", to: \.skills) { $0.string?.split(separator: ";").map(String.init) }
    .related(\.skills, missing: .make)

  @Test func aTransformMakesAListOfKeys() async throws {
    let text = "email,Skills\na@x,go;chess\nb@x,\nc@x,go\n"
    let report = try await service.import(Worker.self, from: .csv(text: text), mapping: listed)
    #expect(report.made == 3 && report.failures.isEmpty)
    #expect(try skills() == [["chess", "go"], [], ["go"]])
    let again = try await service.import(Worker.self, from: .csv(text: text), mapping: listed)
    #expect(again.unchanged == 3)
  }

  @Test func aTransformGetsTheWholeArray() async throws {
    let mapping = ImportMapping<Worker>()
      .key("Skills", to: \.skills) { $0.array?.compactMap { $0.string?.lowercased() } }
      .related(\.skills, missing: .make)
    let text = #"[{"email":"a@x","Skills":["GO","Chess"]},{"email":"b@x","Skills":null}]"#
    let report = try await service.import(Worker.self, from: .json(text: text), mapping: mapping)
    #expect(report.made == 2)
    #expect(try skills() == [["chess", "go"], []])
  }

  @Test func aTransformMakesTheKeyOfOneObject() async throws {
    try service.makeTeams("t", "u")
    let mapping = ImportMapping<Worker>()
      .related(\.team, missing: .refuse).key("Team", to: \.team) { $0.string?.lowercased() }
    _ = try await service.import(
      Worker.self, from: .csv(text: "email,Team\na@x,T\nb@x,\nc@x,X\n"), mapping: mapping)
    _ = try await service.import(
      Worker.self, from: .records([["email": "d@x", "Team": "U"]]), mapping: mapping)
    #expect(try service.workers() == ["a@x - 0 t", "b@x - 0 -", "d@x - 0 u"])
  }

  @Test func aNestedMappingHasTransformsToo() async throws {
    let team = ImportMapping<Team>().key("members", to: \.workers) {
      $0.string?.split(separator: " ").map(String.init)
    }
    .related(\.workers, missing: .make)
    _ = try await service.import(
      Worker.self,
      from: .json(text: #"{"email":"a@x","team":{"code":"t","members":"a@x b@x"}}"#),
      mapping: ImportMapping<Worker>().nested(\.team, team))
    #expect(try service.workers() == ["a@x - 0 t", "b@x - 0 t"])
  }

  @Test func refusalsOfTransformedValuesHaveTheirPlaces() async throws {
    let missing = try await service.import(
      Worker.self, from: .csv(text: "email,Skills\na@x,go\n"),
      mapping: ImportMapping<Worker>().key("Skills", to: \.skills) { $0.string.map { [$0] } })
    #expect(missing.failures.map(\.path) == ["skills[0]"])
    #expect(missing.failures.map { $0.place?.column } == [5])
    let thrown = try await service.import(
      Worker.self, from: .csv(text: "email,Skills\na@x,go\nb@x,no\n"),
      mapping: ImportMapping<Worker>().related(\.skills, missing: .make)
        .key("Skills", to: \.skills) { value in
          guard value.string == "go" else { throw Refusal(description: "nobody can that.") }
          return value.string
        })
    #expect(thrown.made == 1)
    #expect(thrown.failures.map(\.description) == ["line 3, column 5, skills: nobody can that."])
  }

  // MARK: - Several calls for a property

  @Test func keysOfSeveralCallsAreAlternatives() async throws {
    let mapping = ImportMapping<Worker>().key("a", to: \.firstName).key("b", to: \.firstName)
      .key("t", to: \.team).key("u", to: \.team).related(\.team, missing: .make)
    let report = try await service.import(
      Worker.self,
      from: .records([
        ["email": "a@x", "a": "A", "b": "B", "u": "team"], ["email": "b@x", "b": "B"],
      ]), mapping: mapping)
    #expect(report.unknownKeys.isEmpty)
    #expect(try service.workers() == ["a@x A 0 team", "b@x B 0 -"])
  }

  @Test func aFormatOfDatesCanStandAlone() async throws {
    let mapping = ImportMapping<Worker>().key("since", to: \.hired)
      .key(to: \.hired, dates: .pattern("dd.MM.yyyy")).key("from", to: \.hired)
    let report = try await service.import(
      Worker.self,
      from: .records([
        ["email": "a@x", "since": "01.02.2024"], ["email": "b@x", "from": "01.02.2024"],
      ]), mapping: mapping)
    #expect(report.made == 2 && report.failures.isEmpty)
  }

  @Test func whatDoesNotFitAPropertyIsRefusedByName() async throws {
    let mixed = ImportMapping<Worker>().key("a", to: \.age)
    for (mapping, text) in [
      (mixed.key("b", to: \.age) { $0.integer }, "Worker.age: several calls of key(_:to:)"),
      (
        ImportMapping<Worker>().key("a", to: \.hired, dates: .secondsSince1970)
          .key("b", to: \.hired, dates: .iso8601), "Worker.hired: several calls"
      ),
      (mixed.key(to: \.age, dates: .iso8601), "Worker.age: it has a format of dates"),
      (ImportMapping<Worker>().key(to: \.team, dates: .iso8601), "Worker.team: it has a format"),
      (ImportMapping<Worker>().related(\.age, by: "x"), "Worker.age: related(_:by:)"),
      (ImportMapping<Worker>().related(\.age, missing: .make), "Worker.age: related(_:by:)"),
      (ImportMapping<Worker>().members(of: \.team, .add), "Worker.team: members(of:_:)"),
      (
        ImportMapping<Worker>().ignoring(\.team!.name),
        "ignores team.name, which is a property of another object"
      ),
    ] {
      let error = await #expect(throws: ImportError.self) {
        _ = try await service.import(Worker.self, from: .json(text: "[]"), mapping: mapping)
      }
      #expect(error?.code == .request)
      #expect(error?.detail.contains(text) == true, "\(error?.detail ?? "none")")
      await #expect(throws: ExportError.self) {
        try await service.export(Worker.request, as: .json, mapping: mapping) { _ in }
      }
    }
  }
}
