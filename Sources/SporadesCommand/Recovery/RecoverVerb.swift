// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesCare
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import SporadesXcode

extension Verb {
  static let recover = Verb(
    name: "recover", group: .care, summary: "Save the readable rows of a damaged store",
    operands: [.store],
    options: [
      VerbOption(name: "to", value: "NEW", text: "The place of the new store."), .replace, .model,
    ],
    details: [
      "Reads the pages of the file and of its log without the database, and writes each row that can be read into a new file "
        + "with the same tables, indexes and triggers. Rows of pages that no tree leads to any more are known by the number of "
        + "their entity. Rows that were deleted do not come back.",
      "Where the list of the tables itself is lost, --model tells them: the columns of a table are then taken in the order that "
        + "a new store of the model gives them.",
      "Then it mends what can be mended, and lists what is still missing: see check. The files of large values are copied. The "
        + "damaged store is never changed. Use a backup if there is one.",
    ],
    examples: ["sporades recover broken.sqlite --to saved.sqlite"]
  ) { invocation in
    guard let target = invocation.value("to") else { throw invocation.mistake("--to is missing.") }
    return try RecoveredStore(invocation.word(Operand.store.name), target, invocation).write()
  }
}

/// A damaged store on its way into a new file.
private struct RecoveredStore {
  private let source: String
  private let target: String
  private let invocation: Invocation

  init(_ source: String, _ target: String, _ invocation: Invocation) throws {
    guard SystemFile.kind(source) == .file else {
      throw CommandError.failed("There is no store at \(source).")
    }
    try OutputFile.check(
      store: target, replaces: invocation.has(VerbOption.replace.name), reading: source)
    (self.source, self.target, self.invocation) = (
      SystemFile.target(of: source), target, invocation
    )
  }

  func write() throws -> ExitCode {
    let url = URL(fileURLWithPath: target)
    let draft = url.deletingLastPathComponent().appendingPathComponent(
      ".\(UUID().uuidString)-\(url.lastPathComponent)")
    let progress = ProgressLine("reading", invocation.output.terminal)
    defer {
      progress.end()
      // `try?`: there is no draft behind a success, and one that stays has the name of a draft. One that is no store yet
      // is a plain file.
      if (try? SQLiteStore.destroy(storeAt: draft)) == nil {
        try? FileManager.default.removeItem(at: draft)
      }
    }
    var recovery = try Recovery(of: source, into: draft.path, givenModel())
    let report = try recovery.run { progress.show($0, of: nil) }
    progress.end()
    try copyValues(to: draft.path)
    let (mended, problems) = try finish(draft)
    try print(report, mended, problems)
    return problems.isEmpty && report.notes.isEmpty && report.unreadableCells == 0
      && report.unreadablePages == 0
      ? .done : .foundSomething
  }

  /// Mends the draft and gives it its place. Returns the number of mended rows, and what is still wrong.
  private func finish(_ draft: URL) throws -> (mended: Int, problems: [String]) {
    let replaces = invocation.has(VerbOption.replace.name)
    guard let model = try model(of: draft) else {
      let url = URL(fileURLWithPath: target)
      if replaces, SystemFile.kind(target) != .none { try FileManager.default.removeItem(at: url) }
      try FileManager.default.moveItem(at: draft, to: url)
      return (
        0,
        [
          "The store carries no model that can be read, so that its objects were not checked. Add --model."
        ]
      )
    }
    let mended = try SQLiteStore.mendDamages(ofStoreAt: draft.path, model)
    var options = SQLiteStoreOptions()
    (options.isReadOnly, options.createsFile, options.checksModel) = (true, false, false)
    let store = try SQLiteStore(path: draft.path, model: model, options: options)
    let problems = try store.integrityProblems()
    try store.copy(to: target, replacing: replaces)
    try store.close()
    return (mended, problems)
  }

  private func givenModel() throws -> ManagedObjectModel? {
    try invocation.value(VerbOption.model.name).map {
      try ManagedObjectModel(contentsOf: URL(fileURLWithPath: $0))
    }
  }

  private func model(of draft: URL) throws -> ManagedObjectModel? {
    if let given = try givenModel() { return given }
    // `try?`: a store whose own model is damaged, too, is kept without a check, and the report says so.
    guard let found = try? StoreModel(ofStoreAt: draft), found.source == .cached else { return nil }
    return found.model
  }

  /// Copies the files of large values beside the draft.
  private func copyValues(to draft: String) throws {
    let from = ValueFolder(ofStoreAt: SystemFile.absolute(source)).path
    guard SystemFile.kind(from) == .folder else { return }
    let to = URL(fileURLWithPath: ValueFolder(ofStoreAt: SystemFile.absolute(draft)).path)
    do {
      try FileManager.default.createDirectory(
        at: to.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: from, toPath: to.path)
    } catch {
      throw CommandError.failed(
        "The files of large values in \(from) cannot be copied: \(OwnWords.of(error)).")
    }
  }

  private func print(_ report: RecoveryReport, _ mended: Int, _ problems: [String]) throws {
    let output = invocation.output
    guard !invocation.isJSON else {
      return try output.print(
        .object([
          ("path", .text(target)),
          ("rows", .object(report.rows.map { ($0.table, .count($0.count)) })),
          ("orphanRows", .count(report.orphans)),
          ("unreadableRows", .count(report.unreadableCells)),
          ("unreadablePages", .count(report.unreadablePages)),
          ("mendedRows", .count(mended)), ("problems", .texts(problems)),
          ("notes", .texts(report.notes)),
        ]))
    }
    var table = TextTable([.init(title: "Table"), .init(title: "Rows", isNumber: true)])
    for (name, count) in report.rows { table.add([name, String(count)]) }
    for line in table.lines(output.terminal) { try output.printLine(line) }
    try output.printLine("")
    var facts: [String] = []
    if report.orphans > 0 {
      facts.append("\(report.orphans) rows come from pages that no tree led to.")
    }
    if report.unreadableCells > 0 {
      facts.append("\(report.unreadableCells) rows could not be read.")
    }
    if report.unreadablePages > 0 {
      facts.append(
        "\(report.unreadablePages) pages of tables could not be read; each may have held many rows."
      )
    }
    if mended > 0 { facts.append("\(mended) rows were mended.") }
    for fact in facts + report.notes + problems { try output.printLine(TextTable.harmless(fact)) }
    try output.printLine("Wrote \(target).")
  }
}
