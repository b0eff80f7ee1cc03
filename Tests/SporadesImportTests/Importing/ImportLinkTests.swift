// SPDX-License-Identifier: MIT
import Sporades
import SporadesImport
import Testing

@Suite struct ImportLinkTests {
  @Test func linksByKey() async throws {
    let service = makeStaffService()
    try service.makeTeams("t", "u")
    let text =
      #"[{"email":"a@x","team":"t"},{"email":"b@x","team":"u"},{"email":"c@x","team":null}]"#
    let report = try await service.import(Worker.self, from: .json(text: text))
    #expect(report.made == 3)
    #expect(try service.workers() == ["a@x - 0 t", "b@x - 0 u", "c@x - 0 -"])
    let moved = #"[{"email":"a@x","team":"u"},{"email":"b@x","team":"u"}]"#
    let second = try await service.import(Worker.self, from: .json(text: moved))
    #expect([second.updated, second.unchanged] == [1, 1])
    #expect(try service.workers() == ["a@x - 0 u", "b@x - 0 u", "c@x - 0 -"])
  }

  @Test func makesNestedObjectsAndFindsThemAgain() async throws {
    let service = makeStaffService()
    let text = """
      [{"email":"a@x","team":{"code":"t","name":"First"}},
       {"email":"b@x","team":{"code":"t"}},
       {"email":"c@x","team":{"code":"u","name":"Second"}}]
      """
    _ = try await service.import(Worker.self, from: .json(text: text))
    #expect(try service.workers() == ["a@x - 0 t", "b@x - 0 t", "c@x - 0 u"])
    #expect(try teams(service) == ["t First", "u Second"])
    let second = try await service.import(Worker.self, from: .json(text: text))
    #expect(second.unchanged == 3)
    #expect(try teams(service).count == 2)
  }

  @Test func keysWithoutAnObjectFollowTheRule() async throws {
    let text = #"{"email":"a@x","team":"t"}"#
    for (rule, workers, codes) in [
      (MissingTargetRule.make, ["a@x - 0 t"], ["t -"]), (.ignore, ["a@x - 0 -"], []),
      (.refuse, [], []),
    ] {
      let service = makeStaffService()
      let mapping = ImportMapping<Worker>().related(\.team, missing: rule)
      _ = try await service.import(Worker.self, from: .json(text: text), mapping: mapping)
      #expect(try service.workers() == workers)
      #expect(try teams(service) == codes)
    }
  }

  @Test func toManyListsFollowTheRule() async throws {
    for (rule, skills, all) in [
      (ToManyRule.replace, ["b", "c"], ["a", "b", "c"]), (.add, ["a", "b", "c"], ["a", "b", "c"]),
      (.deleteMissing, ["b", "c"], ["b", "c"]),
    ] {
      let service = makeStaffService()
      let mapping = ImportMapping<Worker>().members(of: \.skills, rule)
        .related(\.skills, missing: .make)
      _ = try await service.import(
        Worker.self, from: .json(text: #"{"email":"a@x","skills":["a","b"]}"#), mapping: mapping)
      let second = ImportSource.json(text: #"{"email":"a@x","skills":[{"name":"b"},"c"]}"#)
      #expect(try await service.import(Worker.self, from: second, mapping: mapping).updated == 1)
      #expect(try await service.import(Worker.self, from: second, mapping: mapping).unchanged == 1)
      #expect(try self.skills(service) == skills)
      #expect(
        try service.readValue { try Skill.all(sortedBy: \.name, in: $0).map(\.name) } == all)
    }
  }

  @Test func aBadNestedRecordRefusesItsRowAlone() async throws {
    let service = makeStaffService()
    let text = """
      [{"email":"a@x","team":{"code":"t"}},
       {"email":"b@x","age":1,"team":{"code":"u","workers":[{"email":"c@x"},{"email":"d@x","age":[]}]}},
       {"email":"e@x","team":"t"}]
      """
    let report = try await service.import(Worker.self, from: .json(text: text))
    #expect(report.made == 2)
    #expect(report.failures.map(\.path) == ["team.workers[1].age"])
    #expect(report.failures.map { $0.place?.line } == [2])
    #expect(try service.workers() == ["a@x - 0 t", "e@x - 0 t"])
    #expect(try teams(service) == ["t -"])
  }

  @Test func findsByOtherAttributes() async throws {
    let service = makeStaffService()
    _ = try await service.import(
      Team.self, from: .json(text: #"[{"code":"t","name":"First"},{"code":"u","name":"Second"}]"#))
    let mapping = ImportMapping<Worker>().key("group", to: \.team).related(\.team, by: "name")
    _ = try await service.import(
      Worker.self, from: .csv(text: "email,group\na@x,Second\n"), mapping: mapping)
    #expect(try service.workers() == ["a@x - 0 u"])
  }

  @Test func smallGroupsMakeNoDifference() async throws {
    let text = (0..<30).map {
      "{\"email\":\"\($0 % 20)@x\",\"age\":\($0),\"team\":{\"code\":\"t\($0 % 3)\"},\"skills\":[\"s\($0 % 4)\"]}"
    }.joined(separator: "\n")
    var answers: Set<[String]> = []
    for size in [1, 7, 1000] {
      let service = makeStaffService()
      var request = ImportRequest(Worker.self, from: .json(text: text))
      request.rowsPerSave = size
      request.mapping = ImportMapping().related(\.skills, missing: .make)
      let report = try await service.import(request)
      #expect([report.made, report.updated] == [20, 10])
      answers.insert(try service.workers() + teams(service) + skills(service))
    }
    #expect(answers.count == 1)
  }

  private func teams(_ service: DALService) throws -> [String] {
    try service.readValue { context in
      try Team.all(sortedBy: \.code, in: context).map { "\($0.code) \($0.name ?? "-")" }
    }
  }

  private func skills(_ service: DALService) throws -> [String] {
    try service.readValue { context in
      try Worker.all(sortedBy: \.email, in: context).flatMap { $0.skills.map(\.name).sorted() }
    }
  }
}
