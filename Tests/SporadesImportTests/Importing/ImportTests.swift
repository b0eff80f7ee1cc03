// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import Testing

@Suite struct ImportTests {
  @Test func makesObjectsOfAnArray() async throws {
    let service = makeStaffService()
    let report = try await service.import(
      Worker.self,
      from: .json(
        text: """
          [{"email": "a@x", "firstName": "Ann", "age": 30}, {"email": "b@x", "first_name": "Bob"}]
          """))
    #expect(report.made == 2)
    #expect(report.failed == 0)
    #expect(try service.workers() == ["a@x Ann 30 -", "b@x Bob 0 -"])
  }

  @Test func findsObjectsByTheirKey() async throws {
    let service = makeStaffService()
    _ = try await service.import(
      Worker.self, from: .json(text: #"{"email": "a@x", "age": 30}"# + "\n" + #"{"email": "b@x"}"#))
    let report = try await service.import(
      Worker.self,
      from: .json(
        text: """
          {"email": "a@x", "age": 31}
          {"email": "b@x", "age": 0}
          {"email": "c@x"}
          """))
    #expect(report.made == 1)
    #expect(report.updated == 1)
    #expect(report.unchanged == 1)
    #expect(try service.workers() == ["a@x - 31 -", "b@x - 0 -", "c@x - 0 -"])
  }

  @Test func convertsEveryValue() async throws {
    let service = makeStaffService()
    _ = try await service.import(
      Worker.self,
      from: .csv(
        text: """
          email,first_name,age,rank,salary,hired
          a@x,"Ann ""A"" Lee",44,senior,1234.50,2026-03-01T12:30:00.25+01:00
          """))
    let found = try service.readValue { context in
      try Worker.all(in: context).map {
        "\($0.firstName ?? "") \($0.rank?.rawValue ?? "") \($0.salary ?? 0) \($0.hired?.timeIntervalSince1970 ?? 0)"
      }
    }
    #expect(found == ["Ann \"A\" Lee senior 1234.5 1772364600.25"])
  }

  @Test func refusesRowsWithLinePathAndReason() async throws {
    let service = makeStaffService()
    let text = """
      {"email": "a@x", "age": "many"}
      {"email": "b@x", "rank": "boss"}
      {"email": "c@x", "team": "none"}
      {"age": 3}
      [1]
      {"email": "d@x", "age": 99999999999999999999}
      {"email": null}
      {"email": "e@x", "team": {"name": "no key"}
      {"email": "f@x", "age": 1}
      """
    let report = try await service.import(Worker.self, from: .json(text: text))
    #expect(report.made == 1)
    #expect(report.failed == 8)
    #expect(try service.workers() == ["f@x - 1 -"])
    #expect(report.failures.map { $0.place?.line } == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(
      report.failures.map(\.path) == ["age", "rank", "team", "email", "", "age", "email", ""])
    #expect(report.failures[0].place?.column == 25)
    #expect(report.failures[1].reason.contains("senior"))
  }

  @Test func aRowThatBreaksTheModelIsRefusedAlone() async throws {
    let service = makeStaffService()
    _ = try await service.import(Worker.self, from: .json(text: #"{"email": "old@x", "age": 1}"#))
    var request = ImportRequest(
      Worker.self,
      from: .records(
        (0..<50).map { ["first_name": "n", "age": .init($0 % 10), "email": "same@x"] }))
    request.uniquedBy = []
    let report = try await service.import(request)
    // All have the same email, which must be unique.
    #expect(report.made == 1)
    #expect(report.failed == 49)
    #expect(try service.workers().count == 2)
  }

  @Test func nothingGoesInIfOneRowIsBadAndAllWereAskedFor() async throws {
    let service = makeStaffService()
    var request = ImportRequest(
      Worker.self, from: .json(text: "{\"email\": \"a@x\"}\n{\"email\": 1, \"age\": []}\n"))
    request.failures = .refuseAll
    let error = await #expect(throws: ImportError.self) { try await service.import(request) }
    #expect(error?.code == .refusedRows)
    #expect(error?.report?.failures.map { $0.place?.line } == [2])
    #expect(try service.workers().isEmpty)
  }

  @Test func aDryRunReportsAndWritesNothing() async throws {
    let service = makeStaffService()
    try service.makeTeams("t")
    _ = try await service.import(Worker.self, from: .json(text: #"{"email": "a@x", "age": 1}"#))
    var request = ImportRequest(
      Worker.self,
      from: .json(
        text: """
          {"email": "a@x", "age": 2}
          {"email": "b@x", "team": "t"}
          {"email": "b@x", "age": 3}
          {"email": "c@x", "age": {}}
          """))
    request.isDryRun = true
    let report = try await service.import(request)
    #expect(report.isDryRun)
    #expect([report.made, report.updated, report.failed] == [1, 2, 1])
    #expect(try service.workers() == ["a@x - 1 -"])
  }

  @Test func nullsClearOrKeep() async throws {
    let service = makeStaffService()
    _ = try await service.import(
      Worker.self, from: .json(text: #"{"email":"a@x","firstName":"Ann"}"#))
    var request = ImportRequest(
      Worker.self, from: .json(text: #"{"email":"a@x","firstName":null}"#))
    request.nulls = .keep
    #expect(try await service.import(request).unchanged == 1)
    #expect(try service.workers() == ["a@x Ann 0 -"])
    request.nulls = .clear
    #expect(try await service.import(request).updated == 1)
    #expect(try service.workers() == ["a@x - 0 -"])
  }

  @Test func repeatedKeysFollowTheRule() async throws {
    let text = #"[{"email":"a@x","age":1},{"email":"a@x","age":2},{"email":"a@x","age":3}]"#
    var answers: [String] = []
    for rule in [
      ImportRequest<Worker>.DuplicateRule.lastWins, .firstWins, .refuse,
    ] {
      for size in [1, 100] {
        let service = makeStaffService()
        var request = ImportRequest(Worker.self, from: .json(text: text))
        request.duplicates = rule
        request.rowsPerSave = size
        let report = try await service.import(request)
        answers.append(
          "\(try service.workers()[0]) \(report.made) \(report.updated) \(report.skipped) \(report.failed)"
        )
      }
    }
    let expected = ["a@x - 3 - 1 2 0 0", "a@x - 1 - 1 0 2 0", "a@x - 1 - 1 0 0 2"]
    #expect(answers == expected.flatMap { [$0, $0] })
  }

  @Test func unchangedRowsAreWrittenWhenAsked() async throws {
    let service = makeStaffService()
    let text = #"{"email":"a@x","age":1}"#
    _ = try await service.import(Worker.self, from: .json(text: text))
    var request = ImportRequest(Worker.self, from: .json(text: text))
    #expect(try await service.import(request).unchanged == 1)
    request.unchanged = .write
    #expect(try await service.import(request).updated == 1)
  }

  @Test func deletesWhatIsMissing() async throws {
    let service = makeStaffService()
    try service.makeTeams("t", "u")
    _ = try await service.import(
      Worker.self,
      from: .json(
        text: #"""
          [{"email":"a@x","team":"t"},{"email":"b@x","team":"t"},{"email":"c@x","team":"u"}]
          """#))
    var request = ImportRequest(
      Worker.self, from: .json(text: #"[{"email":"a@x"},{"email":"new@x","team":"t"}]"#))
    request.missing = .delete(where: FetchPredicate.equals("team.code", "t"))
    let report = try await service.import(request)
    #expect(report.deleted == 1)
    #expect(try service.workers() == ["a@x - 0 t", "c@x - 0 u", "new@x - 0 t"])
  }

  @Test func deletesNothingIfARowWasRefused() async throws {
    let service = makeStaffService()
    _ = try await service.import(
      Worker.self, from: .json(text: #"[{"email":"a@x"},{"email":"b@x"}]"#))
    var request = ImportRequest(Worker.self, from: .json(text: #"[{"email":"a@x","age":"x"}]"#))
    request.missing = .deleteAll
    let report = try await service.import(request)
    #expect(report.deleted == 0)
    #expect(report.keptMissing)
    #expect(try service.workers().count == 2)
  }

  @Test func recordsOfTheProgramGoIn() async throws {
    let service = makeStaffService()
    let records: [ImportRecord] = [
      ["email": "a@x", "age": 3, "hired": .init(Date(timeIntervalSinceReferenceDate: 1.5))],
      ["email": "b@x", "salary": 1.25],
    ]
    #expect(try await service.import(Worker.self, from: .records(records)).made == 2)
    let stream = AsyncStream { continuation in
      for index in 0..<10 { continuation.yield(["email": .init("s\(index)@x")] as ImportRecord) }
      continuation.finish()
    }
    #expect(
      try await service.import(Worker.self, from: .records(asynchronously: stream)).made == 10)
    #expect(try service.workers().count == 12)
  }

  @Test func refusesRequestsThatDoNotFit() async throws {
    let service = makeStaffService()
    let source = ImportSource.json(text: #"{"email":"a@x"}"#)
    let wrong: [ImportRequest<Worker>] = [
      with(source) { $0.uniquedBy = ["mail"] },
      with(source) { $0.mapping = ImportMapping().key("x", to: "nothing") },
      with(source) { $0.mapping = ImportMapping().key("x", to: \.hired, dates: .pattern("QQ")) },
      with(source) { $0.rowsPerSave = 0 },
      with(source) {
        $0.uniquedBy = []
        $0.missing = .deleteAll
      },
    ]
    for request in wrong {
      let error = await #expect(throws: ImportError.self) { try await service.import(request) }
      #expect(error?.code == .request)
    }
    let missing = ImportSource.json(URL(fileURLWithPath: "/nowhere/file.json"))
    let error = await #expect(throws: ImportError.self) {
      _ = try await service.import(Worker.self, from: missing)
    }
    #expect(error?.code == .file)
  }

  @Test func deliversProgress() async throws {
    let service = makeStaffService()
    let lines = (0..<100).map { "{\"email\": \"\($0)@x\"}" }.joined(separator: "\n")
    var request = ImportRequest(Worker.self, from: .json(text: lines))
    request.rowsPerSave = 10
    let run = service.startImport(request)
    var last = ImportProgress()
    for await progress in run { last = progress }
    #expect(last.made == 100)
    #expect(last.fraction == 1)
    #expect(last.bar(width: 4) == "[####] 100 %  100 rows, 100 made")
    #expect(try await run.report.made == 100)
  }

  /// An import is a row of writes of its own, and none of them can be a part of another write.
  @Test(arguments: [true, false])
  func anImportThatBeginsInAWriteFollowsIt(_ writeSucceeds: Bool) async throws {
    struct Mishap: Error {}
    let service = makeStaffService()
    let run = Guarded<ImportRun?>(nil)
    let chain = service.writeSync { context in
      let line = #"{"email": "a@x", "team": "T"}"#
      run.withLock {
        $0 = service.startImport(ImportRequest(Worker.self, from: .json(text: line)))
      }
      Team.create(in: context).code = "T"
      if !writeSucceeds { throw Mishap() }
    }
    if writeSucceeds { try chain.get() } else { #expect(throws: DALError.self) { try chain.get() } }
    let report = try await #require(run.withLock { $0 }).report
    // The team is there if the write made it.
    #expect(report.made == (writeSucceeds ? 1 : 0))
    #expect(report.failed == (writeSucceeds ? 0 : 1))
    #expect(try service.workers() == (writeSucceeds ? ["a@x - 0 T"] : []))
  }

  @Test func aCancelledImportKeepsWholeGroups() async throws {
    let service = makeStaffService()
    let records = (0..<1000).map { ["email": .init("\($0)@x")] as ImportRecord }
    var request = ImportRequest(Worker.self, from: .records(records))
    request.rowsPerSave = 10
    let asked = request
    let task = Task {
      _ = try await service.import(asked) { progress in
        if progress.made >= 50 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
    }
    let result = await task.result
    let error = #expect(throws: ImportError.self) { try result.get() }
    #expect(error?.code == .cancelled)
    #expect(error?.report?.made == 50)
    #expect(try service.workers().count == 50)
  }

  @Test func anInputThatBreaksOffKeepsItsGoodRowsAndThrows() async throws {
    let service = makeStaffService()
    let error = await #expect(throws: ImportError.self) {
      _ = try await service.import(
        Worker.self, from: .json(text: #"[{"email":"a@x"},{"email":"b@x"},{"email":"#))
    }
    #expect(error?.code == .malformed)
    #expect(error?.report?.made == 2)
    #expect(try service.workers().count == 2)
  }

  private func with(
    _ source: ImportSource, _ change: (inout ImportRequest<Worker>) -> Void
  ) -> ImportRequest<Worker> {
    var request = ImportRequest(Worker.self, from: source)
    change(&request)
    return request
  }
}
