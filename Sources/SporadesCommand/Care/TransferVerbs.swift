// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import SporadesDAL
import SporadesGraph
import SporadesImport
import SporadesModel
import SporadesSQLite
import SporadesStore

extension Verb {
  private static let file = Operand(
    name: "FILE", text: "The file with records (.json, .jsonl or .csv).")

  static let `import` = Verb(
    name: "import", group: .care, summary: "Make or change objects by the records of a file",
    operands: [.store, .entity, file],
    options: [
      VerbOption(
        name: "key", value: "NAMES",
        text:
          "The attributes that tell objects apart, with commas between them: a record changes the object with its values, or "
          + "makes one. Else a uniqueness constraint of the model, if there is one.", repeats: true),
      .format,
      .related, .delimiter,
      VerbOption(name: "dry-run", text: "Read and check everything, and write nothing."),
      VerbOption(name: "all-or-nothing", text: "Write nothing if a record is refused."), .model,
    ],
    details: [
      "The keys of a record are the names of properties, or their names in snake case. A record with a mistake is refused "
        + "with its line, and the others go in; the process ends with 1 then, and where keys of records fit no property."
    ],
    examples: ["sporades import app.sqlite User users.csv --key email"]
  ) { invocation in
    let source = try source(invocation)
    let service = try GivenService(invocation)
    let entity = try service.entity(named: invocation.word(Operand.entity.name))
    var request = ImportRequest(entityNamed: entity, from: source)
    request.mapping = try invocation.mapping
    let keys = invocation.list("key")
    if !keys.isEmpty { request.uniquedBy = keys }
    request.isDryRun = invocation.has("dry-run")
    if invocation.has("all-or-nothing") { request.failures = .refuseAll }
    request.durability = .immediate
    let line = ProgressLine("importing", invocation.output.terminal)
    let asked = request
    let report = try waiting {
      try await service.service.import(asked) { progress in
        line.show(progress.bytes, of: progress.totalBytes)
      }
    }
    line.end()
    try service.close()
    try print(report, invocation)
    return report.failed == 0 && report.unknownKeys.isEmpty ? .done : .foundSomething
  }

  private static func source(_ invocation: Invocation) throws -> ImportSource {
    let path = invocation.word(file.name)
    let url = URL(fileURLWithPath: path)
    switch try invocation.format ?? url.pathExtension.lowercased() {
    case "json", "jsonl", "ndjson": return .json(url)
    case "csv": return .csv(url, CSVForm(delimiter: try invocation.delimiter))
    default:
      throw invocation.mistake(
        "The name \(path) does not tell the form of the file; add --format json or --format csv.")
    }
  }

  private static func print(_ report: ImportReport, _ invocation: Invocation) throws {
    guard invocation.isJSON else {
      for failure in report.failures {
        try invocation.output.printLine(TextTable.harmless(OwnWords.of("\(failure)")))
      }
      return try invocation.output.printLine(TextTable.harmless(sentence(of: report)))
    }
    try invocation.output.print(
      .object([
        ("made", .count(report.made)), ("updated", .count(report.updated)),
        ("unchanged", .count(report.unchanged)), ("skipped", .count(report.skipped)),
        ("failed", .count(report.failed)), ("dryRun", .bool(report.isDryRun)),
        ("failures", .texts(report.failures.map { OwnWords.of($0.description) })),
        ("unknownKeys", .texts(report.unknownKeys.map(\.description))),
      ]))
  }

  private static func sentence(of report: ImportReport) -> String {
    var text =
      "\(report.made) made, \(report.updated) updated, \(report.unchanged) unchanged, \(report.skipped) skipped, "
      + "\(report.failed) refused"
    if !report.unknownKeys.isEmpty {
      text += "; unknown keys: " + report.unknownKeys.map(\.description).joined(separator: ", ")
    }
    if report.isWithoutKey, report.made > 0 {
      text +=
        "; the same records make new objects each time, because no --key tells which are which"
    }
    return report.isDryRun ? text + " (nothing was written)" : text
  }

  // MARK: - Export

  static let export = Verb(
    name: "export", group: .care, summary: "Write the objects of an entity as JSON or CSV",
    operands: [.store, .entity],
    options: [
      VerbOption(name: "to", value: "FILE", text: "The file to write. Else the standard output."),
      .replace,
      .format, .related, .delimiter, .condition, .arguments, .model,
    ],
    details: [
      "The records are those that import reads: links are written by the keys of the objects that they lead to. What a record "
        + "cannot hold is named, and the process ends with 1. A file gets its name when it is whole. For ids, key paths and totals see dump and query."
    ],
    examples: [
      "sporades export app.sqlite User --to users.csv",
      "sporades export app.sqlite User --where 'age > 18'",
    ]
  ) { invocation in
    let form = try form(invocation)
    let path = invocation.value("to")
    if let path {
      try OutputFile.check(
        path, replaces: invocation.has(VerbOption.replace.name),
        reading: invocation.word(Operand.store.name))
    }
    let given = try GivenStore(invocation)
    let shape = try given.entity(named: invocation.word(Operand.entity.name))
    let condition = try invocation.value(VerbOption.condition.name).map {
      try FetchPredicate(format: $0)
    }
    let bound = try GivenArguments(invocation, given).bound([condition], in: shape)[0]
    let request = FetchRequest(shape.name, where: bound)
    // A mistake in the condition is the user's, and is said before anything else.
    var fetch = StoreFetch(shape, where: bound)
    try fetch.check(given.model)
    let service = QuietService(stack: DataStack(store: given.store))
    let mapping = try invocation.mapping
    let output = invocation.output
    let report = try waiting {
      if let path {
        return try await service.export(
          request, as: form, to: URL(fileURLWithPath: path), mapping: mapping)
      }
      return try await service.export(request, as: form, mapping: mapping) { bytes in
        try output.append { $0 += bytes }
      }
    }
    for omitted in report.omitted {
      invocation.output.say("left out: \(TextTable.harmless(OwnWords.of("\(omitted)")))")
    }
    if path != nil {
      if invocation.isJSON {
        try invocation.output.print(
          .object([("objects", .count(report.rows)), ("bytes", .count(report.bytes))]))
      } else {
        try invocation.output.printLine(
          "Wrote \(report.rows) objects, \(ByteCount.text(report.bytes)).")
      }
    }
    return report.omitted.isEmpty ? .done : .foundSomething
  }

  private static func form(_ invocation: Invocation) throws -> ExportForm {
    let ending = invocation.value("to").map { URL(fileURLWithPath: $0).pathExtension.lowercased() }
    switch try invocation.format ?? ending ?? "jsonl" {
    case "json": return .json
    case "jsonl", "ndjson": return .jsonLines
    case "csv": return .csv(CSVForm(delimiter: try invocation.delimiter))
    case let other:
      throw invocation.mistake(
        "The ending \(other.shownAsWord) tells no form; add --format json, jsonl or csv.")
    }
  }
}

extension Invocation {
  /// The mapping that the options describe.
  fileprivate var mapping: ImportMapping<ManagedObject> {
    get throws {
      var mapping = ImportMapping<ManagedObject>()
      for pair in allValues(VerbOption.related.name) {
        let names = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, !names.contains("") else {
          throw mistake(
            "--related needs the names of a relationship and of an attribute, as in artist=slug, and \(pair.shownAsWord) has "
              + "another form.")
        }
        mapping = mapping.related(names[0], by: names[1])
      }
      return mapping
    }
  }

  fileprivate var delimiter: Character {
    get throws {
      guard let text = value(VerbOption.delimiter.name) else { return "," }
      if text == "\\t" || text == "tab" { return "\t" }
      guard text.count == 1, let character = text.first, character.isASCII else {
        throw mistake("--delimiter needs one character of ASCII, or tab.")
      }
      return character
    }
  }

  fileprivate var format: String? {
    get throws {
      guard let form = value(VerbOption.format.name) else { return nil }
      let known = ["json", "jsonl", "csv"]
      guard known.contains(form) else {
        throw mistake("There is no form \(form.shownAsWord).\(NearNames(form, among: known).hint)")
      }
      return form
    }
  }
}

/// Runs work that waits for others, and returns when it has ended.
private func waiting<Output: Sendable>(
  _ body: @escaping @Sendable () async throws -> Output
) throws -> Output {
  let end = DispatchSemaphore(value: 0)
  let result = Guarded<Result<Output, any Error>?>(nil)
  Task.detached {
    let outcome: Result<Output, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    end.signal()
  }
  end.wait()
  guard let outcome = result.withLock({ $0 }) else {
    preconditionFailure("The work signals its end after it has left its result.")
  }
  return try outcome.get()
}
