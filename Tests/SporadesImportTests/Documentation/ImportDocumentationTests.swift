// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesImport
import SporadesModel
import Testing

@Entity final class Author: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var born: Date?
  @Relationship(inverse: \Book.author) var books: Set<Book>
}

@Entity final class Book: ManagedObject {
  @Attribute(.unique) var isbn: String = ""
  var title: String = ""
  var pages: Int = 0
  var author: Author?
}

// snippet: import-hooks
@Entity final class Volume: ManagedObject, Importable {
  @Attribute(.unique) var title: String = ""
  var copies: Int = 0
  var tags: String = ""

  func shouldImport(_ record: ImportRecord) throws -> Bool { record["Hidden"]?.boolean != true }

  /// True says that the property needs nothing more.
  func importValue(_ value: ImportValue, forKey name: String) throws -> Bool {
    guard name == "copies" else { return false }
    copies += value.integer ?? 0
    return true
  }

  func didImport(_ record: ImportRecord) throws {
    tags = record["Tags"]?.string?.replacing(";", with: ", ") ?? ""
  }
}
// snippet end

@Entity final class Topic: ManagedObject {
  @Attribute(.unique) var name: String = ""
  @Relationship(inverse: \Lesson.topics) var lessons: Set<Lesson>
}

@Entity final class Lesson: ManagedObject {
  @Attribute(.unique) var title: String = ""
  var topics: Set<Topic>
}

/// The code in the documentation of imports and exports.
@Suite struct ImportDocumentationTests {
  @Test func aFileIsImported() async throws {
    try await withFile("books.json", #"[{"isbn": "1", "title": "Emma", "pages": "many"}]"#) {
      service, file in
      // snippet: import-file
      let report = try await service.import(Book.self, from: .json(file))
      print(report)
      // 1 rows: 0 made, 0 updated, 0 unchanged, 0 skipped, 1 failed
      for failure in report.failures { print(failure) }
      // line 1, column 42, pages: "many" is not a whole number of 64 bits.
      // snippet end
      #expect("\(report)" == "1 rows: 0 made, 0 updated, 0 unchanged, 0 skipped, 1 failed")
      #expect(
        report.failures.map(\.description)
          == ["line 1, column 42, pages: \"many\" is not a whole number of 64 bits."])
    }
  }

  @Test func aMappingSaysMore() async throws {
    try await withFile(
      "books.csv", "ISBN;Name;Pages;Writer\r\n1;Emma;474;Jane Austen\r\n"
    ) { service, file in
      // snippet: import-mapping
      let mapping = ImportMapping<Book>()
        .key("ISBN", to: \.isbn)
        .key("Name", "Title", to: \.title)
        .key("Pages", to: \.pages) { ($0.integer ?? 0) + 1 }
        .key("Writer", to: \.author)
        .related(\.author, by: "name", missing: .make)
      let report = try await service.import(
        Book.self, from: .csv(file, CSVForm(delimiter: ";")), mapping: mapping)
      // snippet end
      #expect(report.made == 1)
      let found = try service.readValue { context in
        try Book.all(in: context).map {
          "\($0.isbn) \($0.title) \($0.pages) \($0.author?.name ?? "")"
        }
      }
      #expect(found == ["1 Emma 475 Jane Austen"])
    }
  }

  @Test func aRequestHasAllChoices() async throws {
    try await withFile("books.jsonl", #"{"isbn": "1"}"#) { service, file in
      // snippet: import-request
      var request = ImportRequest(Book.self, from: .json(file))
      request.uniquedBy = ["isbn"]
      request.failures = .refuseAll
      request.nulls = .keep
      request.missing = .delete(where: \.pages == 0)
      request.isDryRun = true
      let forecast = try await service.import(request)
      // snippet end
      #expect(forecast.made == 1)
    }
  }

  @Test func progressIsShown() async throws {
    try await withFile("books.jsonl", #"{"isbn": "1"}"#) { service, file in
      let lines = Guarded<[String]>([])
      let request = ImportRequest(Book.self, from: .json(file))
      // snippet: import-progress
      let run = service.startImport(request)
      for await progress in run { print(progress.bar(), terminator: "\r") }
      let report = try await run.report
      // snippet end
      lines.withLock { $0.append("\(report.made)") }
      #expect(lines.withLock(\.self) == ["1"])
    }
  }

  @Test func recordsOfTheProgramAreImported() async throws {
    try await withFile("none", "") { service, _ in
      // snippet: import-records
      let records: [ImportRecord] = [
        ["isbn": "1", "title": "Emma", "author": ["name": "Jane Austen"]],
        ["isbn": "2", "title": "Persuasion", "author": ["name": "Jane Austen"]],
      ]
      print(try await service.import(Book.self, from: .records(records)))
      // snippet end
      #expect(try service.readValue { try Author.count(in: $0) } == 1)
    }
  }

  @Test func aTransformSplitsAField() async throws {
    try await withFile("lessons.csv", "title,Topics\nKnots,rope;sea\n") { service, file in
      // snippet: import-transform
      let mapping = ImportMapping<Lesson>()
        .key("Topics", to: \.topics) { $0.string?.split(separator: ";").map(String.init) }
        .related(\.topics, by: "name", missing: .make)
      // snippet end
      _ = try await service.import(Lesson.self, from: .csv(file), mapping: mapping)
      let names = try service.readValue { try Topic.all(sortedBy: \.name, in: $0).map(\.name) }
      #expect(names == ["rope", "sea"])
    }
  }

  @Test func recordsInsideRecordsHaveTheirMapping() async throws {
    try await withFile("none", "") { service, _ in
      // snippet: import-nested
      let mapping = ImportMapping<Book>()
        .nested(
          \.author,
          ImportMapping<Author>().key("full_name", to: \.name)
            .key("birthday", to: \.born, dates: .pattern("d MMMM yyyy")))
      let text = """
        [{"isbn": "1", "author": {"full_name": "Jane Austen", "birthday": "16 December 1775"}}]
        """
      let report = try await service.import(Book.self, from: .json(text: text), mapping: mapping)
      // snippet end
      #expect(report.made == 1)
      let born = try service.readValue { try Author.all(in: $0).first?.born }
      #expect(born == Date(timeIntervalSince1970: -6_123_427_200))
    }
  }

  @Test func anExportGoesTheWayBack() async throws {
    try await withFile("lessons.csv", "title,Topics\nKnots,rope;sea\n") { service, file in
      let target = file.deletingLastPathComponent().appendingPathComponent("out.csv")
      // snippet: export-both-ways
      let mapping = ImportMapping<Lesson>()
        .key("Topics", to: \.topics) {
          $0.string?.split(separator: ";").map(String.init) ?? []
        } writing: {
          .text($0.joined(separator: ";"))
        }
        .related(\.topics, by: "name", missing: .make)
      try await service.export(Lesson.request, as: .csv(), to: target, mapping: mapping)
      // snippet end
      #expect(try String(contentsOf: target, encoding: .utf8) == "title,Topics\r\n")
      _ = try await service.import(Lesson.self, from: .csv(file), mapping: mapping)
      try await service.export(Lesson.request, as: .csv(), to: target, mapping: mapping)
      let again = try await service.import(Lesson.self, from: .csv(target), mapping: mapping)
      #expect(again.unchanged == 1)
    }
  }

  @Test func aClassTakesPart() async throws {
    let text = #"[{"title": "Emma", "Tags": "a;b", "copies": 2}, {"title": "x", "Hidden": true}]"#
    try await withFile("volumes.json", text) { service, file in
      for _ in 0..<2 { _ = try await service.import(Volume.self, from: .json(file)) }
      let all = try service.readValue { context in
        try Volume.all(in: context).map { "\($0.title) \($0.copies) \($0.tags)" }
      }
      #expect(all == ["Emma 4 a, b"])
    }
  }

  @Test func anExportComesInPieces() async throws {
    try await withFile("books.jsonl", #"{"isbn": "1", "pages": 12}"#) { service, file in
      _ = try await service.import(Book.self, from: .json(file))
      let target = file.deletingLastPathComponent().appendingPathComponent("out.jsonl")
      try Data().write(to: target)
      let output = try FileHandle(forWritingTo: target)
      // snippet: export-pieces
      try await service.export(Book.request, as: .jsonLines) { piece in
        try output.write(contentsOf: piece)
      }
      // snippet end
      try output.close()
      // snippet: export-text
      var bytes: [UInt8] = []
      for try await piece in service.exported(Book.request, as: .jsonLines) { bytes += piece }
      let text = String(decoding: bytes, as: UTF8.self)
      // snippet end
      #expect(try String(contentsOf: target, encoding: .utf8) == text)
      #expect(text == "{\"isbn\":\"1\",\"title\":\"\",\"pages\":12,\"author\":null}\n")
    }
  }

  @Test func aRequestIsExported() async throws {
    try await withFile("books.jsonl", #"{"isbn": "1", "pages": 12}"#) { service, file in
      _ = try await service.import(Book.self, from: .json(file))
      let target = file.deletingLastPathComponent().appendingPathComponent("out.jsonl")
      // snippet: export-file
      try await service.export(Book.where(\.pages > 10), as: .jsonLines, to: target)
      // {"isbn":"1","title":"","pages":12,"author":null}
      // snippet end
      #expect(
        try String(contentsOf: target, encoding: .utf8)
          == "{\"isbn\":\"1\",\"title\":\"\",\"pages\":12,\"author\":null}\n")
    }
  }

  private func withFile(
    _ name: String, _ text: String, _ body: (DALService, URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    var options = DALService.Options()
    options.reactor = nil
    try await body(
      DALService(
        inMemory: [Author.self, Book.self, Volume.self, Topic.self, Lesson.self],
        options: options), file)
  }
}
