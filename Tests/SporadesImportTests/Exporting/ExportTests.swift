// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import Testing

@Entity final class Keyless: ManagedObject {
  var first: Int = 0
  var second: Int = 0
  @Relationship(inverse: \Holder.keyless) var holders: Set<Holder>
  @Derived("holders.@count") var count: Int
}

@Entity final class Holder: ManagedObject {
  var number: Int = 0
  var keyless: Keyless?
}

@Suite struct ExportTests {
  @Test(arguments: [ExportForm.jsonLines, .json])
  func anImportOfAnExportMakesTheSameObjects(form: ExportForm) async throws {
    let source = makeThingService()
    try source.makeThings()
    let target = makeThingService()
    // Either side of a many-to-many relationship lists its links.
    let labels = ImportMapping<Label>().ignoring(\.things)
    let texts = (
      try await export(source, Label.self, form, labels), try await export(source, Kind.self, form),
      try await export(source, Thing.self, form)
    )
    let reports = [
      try await target.import(Label.self, from: .json(text: texts.0)),
      try await target.import(Kind.self, from: .json(text: texts.1)),
      try await target.import(Thing.self, from: .json(text: texts.2)),
    ]
    #expect(reports.flatMap(\.failures).isEmpty)
    #expect(try target.things() == source.things())
  }

  @Test(arguments: [",", ";", "\t"] as [Character])
  func anImportOfCSVMakesTheSameObjects(delimiter: Character) async throws {
    let source = makeThingService()
    try source.makeThings()
    let target = makeThingService()
    let csv = CSVForm(delimiter: delimiter)
    let kinds = try await export(source, Kind.self, .csv(csv))
    _ = try await target.import(Kind.self, from: .csv(text: kinds, csv))
    let things = try await export(source, Thing.self, .csv(csv))
    let report = try await target.import(Thing.self, from: .csv(text: things, csv))
    #expect(report.failures.isEmpty)
    // CSV has no lists, so it leaves the labels out, and says so.
    func withoutLabels(_ all: [String]) -> [String] {
      all.map { $0.replacing(/; labels: .*/, with: "") }
    }
    #expect(try withoutLabels(target.things()) == withoutLabels(source.things()))
  }

  @Test func reportsWhatTheFormCanNotHold() async throws {
    let service = makeThingService()
    let report = try await service.export(Thing.request, as: .csv()) { _ in }
    #expect(report.omitted.map(\.name) == ["labels"])
    #expect(report.omitted[0].description.contains("labels: a field of CSV holds no list."))
    #expect(try await service.export(Thing.request, as: .jsonLines) { _ in }.omitted == [])
  }

  @Test func omittedRelationshipsHaveTheirReasons() async throws {
    var options = DALService.Options()
    options.reactor = nil
    let service = DALService(inMemory: [Keyless.self, Holder.self], options: options)
    let report = try await service.export(Holder.request, as: .json) { _ in }
    #expect(
      report.omitted.map(\.description) == [
        "keyless: Keyless has no attribute that tells its objects apart. Name one with related(_:by:)."
      ])
    let both = ImportMapping<Holder>().related(\.keyless, by: "first", "second")
    let flat = try await service.export(Holder.request, as: .csv(), mapping: both) { _ in }
    #expect(flat.omitted.map(\.name) == ["keyless"])
    #expect(flat.omitted[0].reason.contains("first and second tell objects of Keyless apart"))
    #expect(
      try await service.export(Holder.request, as: .json, mapping: both) { _ in }.omitted == [])
    for name in ["frist", "count"] {
      let error = await #expect(throws: ExportError.self) {
        let mapping = ImportMapping<Holder>().related(\.keyless, by: name)
        try await service.export(Holder.request, as: .json, mapping: mapping) { _ in }
      }
      #expect(error?.detail.contains("Keyless can not be found by \(name)") == true)
    }
  }

  @Test func writesTheKeysOfTheMapping() async throws {
    let service = makeStaffService()
    _ = try await service.import(
      Worker.self, from: .json(text: #"{"email":"a@x","hired":"2026-03-01","age":5}"#))
    let mapping = ImportMapping<Worker>().onlyNamed().key("mail", to: \.email)
      .key("since", to: \.hired, dates: .pattern("EEEE, d MMM yyyy 'at' h:mm a"))
    let text = try await export(service, Worker.self, .jsonLines, mapping)
    #expect(text == "{\"mail\":\"a@x\",\"since\":\"Sunday, 1 Mar 2026 at 12:00 AM\"}\n")
    let again = try await service.import(Worker.self, from: .json(text: text), mapping: mapping)
    #expect(again.unchanged == 1)
  }

  @Test func writesAnArrayAndAnEmptyOne() async throws {
    let service = makeStaffService()
    #expect(try await export(service, Team.self, .json) == "[\n]\n")
    try service.makeTeams("a", "b")
    #expect(
      try await export(service, Team.self, .json)
        == "[\n{\"code\":\"a\",\"name\":null},\n{\"code\":\"b\",\"name\":null}\n]\n")
    #expect(try await export(service, Team.self, .csv()) == "code,name\r\na,\r\nb,\r\n")
  }

  @Test func aFileIsWholeOrUnchanged() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("teams.jsonl")
    let service = makeStaffService()
    try service.makeTeams("a")
    let report = try await service.export(Team.request, as: .jsonLines, to: file)
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(report.bytes == written.utf8.count)
    let wrong = ImportMapping<Team>().key("x", to: \.code).key("x", to: \.name)
    await #expect(throws: ExportError.self) {
      try await service.export(Team.request, as: .jsonLines, to: file, mapping: wrong)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == written)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["teams.jsonl"])
    let error = await #expect(throws: ExportError.self) {
      try await service.export(
        Team.request, as: .json, to: folder.appendingPathComponent("no/where"))
    }
    #expect(error?.code == .file)
  }

  @Test func aReceiverThatThrowsEndsTheExport() async throws {
    struct Stop: Error {}
    let service = makeStaffService()
    try service.makeTeams("a")
    let error = await #expect(throws: ExportError.self) {
      try await service.export(Team.request, as: .json) { _ in throw Stop() }
    }
    #expect(error?.code == .receiver)
  }

  @Test func piecesMakeTheSameText() async throws {
    let service = makeStaffService()
    _ = try await service.import(
      Note.self, from: .records((0..<5000).map { ["text": .init("note \($0)")] as ImportRecord }))
    for form in [ExportForm.json, .jsonLines, .csv()] {
      var bytes: [UInt8] = []
      for try await piece in service.exported(Note.request.sorted(by: \.text), as: form) {
        bytes += piece
      }
      let whole = try await export(service, Note.request.sorted(by: \.text), form)
      #expect(String(decoding: bytes, as: UTF8.self) == whole)
    }
  }

  private func export<Object: ManagedObject>(
    _ service: DALService, _ type: Object.Type, _ form: ExportForm,
    _ mapping: ImportMapping<Object> = ImportMapping()
  ) async throws -> String { try await export(service, type.request, form, mapping) }

  private func export<Object: ManagedObject>(
    _ service: DALService, _ request: TypedRequest<Object>, _ form: ExportForm,
    _ mapping: ImportMapping<Object> = ImportMapping()
  ) async throws -> String {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    try await service.export(request, as: form, mapping: mapping) { continuation.yield($0) }
    continuation.finish()
    var bytes: [UInt8] = []
    for await piece in stream { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}
