// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import Testing

/// Keys that fit no property are reported, and records without a key that fits are refused.
@Suite struct UnknownKeyTests {
  private let service = makeStaffService()

  @Test func aRecordOfStrangeKeysIsRefused() async throws {
    for rule in [ImportRequest<Skill>.FailureRule.refuseRow, .refuseAll] {
      var request = ImportRequest(
        Skill.self, from: .records([["Name": "a", "Titel": 3], [:], ["name": "b"]]))
      request.uniquedBy = []
      request.failures = rule
      do throws(ImportError) {
        let report = try await service.import(request)
        #expect(report.counts.failed == 1 && report.made == 2)
        #expect("\(report)".contains("the same records make new objects each time"))
        #expect(report.failures[0].row == 1)
        let reason = report.failures[0].reason
        #expect(reason.contains("no key of the record fits Skill: Name, Titel."), "\(reason)")
        #expect(reason.contains("The nearest name is name."), "\(reason)")
      } catch {
        #expect(rule == .refuseAll && error.code == .refusedRows)
      }
    }
  }

  @Test func unknownKeysAreCounted() async throws {
    let report = try await service.import(
      Worker.self,
      from: .json(
        text: """
          [{"email": "a@x", "Aeg": 3, "team": {"code": "T", "Nmae": "x"}},
           {"email": "b@x", "Aeg": 4, "shoe": 1}, {"email": 5, "age": {}, "Aeg": 1}]
          """))
    #expect(report.failed == 1 && !report.isWithoutKey)
    #expect(report.unknownKeys.map(\.key) == ["Aeg", "Nmae", "shoe"])
    #expect(report.unknownKeys.map(\.records) == [3, 1, 1])
    #expect(report.unknownKeys.map(\.nearest) == ["age", "name", nil])
    #expect(report.unknownKeys.map(\.entity) == ["Worker", "Team", "Worker"])
    #expect(
      report.description.hasSuffix(
        "unknown keys: Aeg (3; nearest: age), Nmae (1; nearest: name), shoe (1)"))
  }

  @Test func keysLeftOutOnPurposeAreNotUnknown() async throws {
    let mapping = ImportMapping<Worker>().ignoring(\.age, \.firstName)
    let report = try await service.import(
      Worker.self, from: .records([["email": "a@x", "age": 3, "first_name": "x"]]), mapping: mapping
    )
    #expect(report.made == 1 && report.unknownKeys.isEmpty)
    let named = try await service.import(
      Worker.self, from: .records([["email": "b@x", "age": 3]]),
      mapping: ImportMapping<Worker>().key("email", to: \.email).onlyNamed())
    #expect(named.unknownKeys.isEmpty && named.unfoundKeys.isEmpty)
  }

  @Test func aKeyOfTheMappingThatNoRecordHasIsReported() async throws {
    let mapping = ImportMapping<Worker>().key("Vorname", to: \.firstName).key(
      "a", "Alter", to: \.age)
    let report = try await service.import(
      Worker.self,
      from: .records([["email": "a@x", "firstName": "x"], ["email": "b@x", "Alter": 4]]),
      mapping: mapping)
    #expect(report.unfoundKeys == ["Vorname"])
    #expect(report.unknownKeys.map(\.key) == ["firstName"])
    #expect(report.description.hasSuffix("; no record has Vorname"))
  }

  // MARK: - CSV

  @Test func aHeaderOfStrangeColumnsEndsTheImport() async throws {
    func refusal(_ text: String, _ form: CSVForm = CSVForm()) async -> ImportError? {
      await #expect(throws: ImportError.self) {
        _ = try await service.import(Worker.self, from: .csv(text: text, form))
      }
    }
    let semicolons = await refusal("email;age\na@x;3\n")
    #expect(semicolons?.code == .request)
    #expect(semicolons?.detail.contains("CSVForm(delimiter: \";\")") == true)
    let commas = await refusal("email,age\na@x,3\n", CSVForm(delimiter: ";"))
    #expect(commas?.detail.contains("CSVForm(delimiter: \",\")") == true)
    let strange = await refusal("Emial;Alter\na@x;3\n", CSVForm(delimiter: ";"))
    #expect(strange?.detail.contains("The nearest name is email.") == true)
    let headless = await refusal("a@x,3\nb@x,4\n")
    #expect(headless?.detail.contains("CSVForm.columns") == true)
    #expect(try service.workers().isEmpty)
  }

  // MARK: - JSON

  @Test func aListInsideTheOnlyRecordIsNamed() async throws {
    for (text, path) in [
      (#"{"people": [{"email": "a@x"}], "next": null}"#, "people"),
      (#"{"status": 1, "data": {"all": [{"email": "a@x"}]}}"#, "data.all"),
    ] {
      let report = try await service.import(Team.self, from: .json(text: text))
      #expect(report.failed == 1)
      #expect(report.failures[0].reason.contains("JSONForm.at(\"\(path)\")"), "\(report.failures)")
    }
  }

  // MARK: - Values

  @Test func aRowNamesAllItsWrongValues() async throws {
    let report = try await service.import(
      Worker.self,
      from: .records([["email": "a@x", "age": "many", "rank": "boss", "hired": "31.12.2024"]]))
    let failure = try #require(report.failures.first)
    #expect(report.failed == 1)
    for name in ["age", "rank", "hired"] {
      #expect(failure.description.contains("\(name): "), "\(failure)")
    }
  }
}
