// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesMoving
import SporadesSQLite
import SporadesStore

extension Verb {
  private static let target = Operand(name: "TO", text: "The place of the new store.")
  private static let difference =
    "backup copies the pages of the file, with everything in it: tables of other programs, the history, and room that "
    + "deletions left. copy makes a new file with the same objects, keys and links and nothing else. export writes objects as "
    + "JSON or CSV, which other programs read."

  static let backup = Verb(
    name: "backup", group: .care, summary: "Write a backup of a store that may be in use",
    operands: [.store, target], options: [.replace, .model],
    details: [
      "The backup shows one committed state, with the files of large values. Programs that have the store open go on "
        + "meanwhile. It gets its name when it is whole and on the disk.", difference,
    ],
    examples: ["sporades backup app.sqlite backups/app.sqlite"]
  ) { invocation in
    let given = try GivenStore(invocation)
    let path = invocation.word(target.name)
    let replaces = invocation.has(VerbOption.replace.name)
    try OutputFile.check(store: path, replaces: replaces, reading: given.path)
    try given.store.copy(to: path, replacing: replaces)
    return try report(path, [], invocation)
  }

  static let copy = Verb(
    name: "copy", group: .care, summary: "Write the objects of a store into a new file",
    operands: [.store, target], options: [.replace, .model],
    details: [
      "Each object keeps its key, version, values and links. The new store has an identifier of its own and no history. It "
        + "gets its name when it is whole.", difference,
    ],
    examples: ["sporades copy app.sqlite small.sqlite"]
  ) { invocation in
    let given = try GivenStore(invocation)
    if case .inferred(let reason) = given.origin {
      throw CommandError.failed(
        "A copy of objects needs their model. \(reason) Name the model of the program with --model."
      )
    }
    let path = invocation.word(target.name)
    let moved = try CopiedStore(given, invocation).write(
      to: path, replacing: invocation.has(VerbOption.replace.name))
    return try report(
      path, [("objects", .count(moved.rows)), ("links", .count(moved.links))], invocation)
  }

  private static func report(
    _ path: String, _ more: [(String, JSON)], _ invocation: Invocation
  ) throws -> ExitCode {
    let size = SystemFile.size(path) ?? 0
    if invocation.isJSON {
      try invocation.output.print(.object([("path", .text(path)), ("bytes", .count(size))] + more))
    } else {
      try invocation.output.printLine("Wrote \(path), \(ByteCount.text(size)).")
    }
    return .done
  }
}

/// The objects of a store on their way into a new file.
private struct CopiedStore {
  private let given: GivenStore
  private let progress: ProgressLine

  init(_ given: GivenStore, _ invocation: Invocation) {
    self.given = given
    progress = ProgressLine("copying", invocation.output.terminal)
  }

  /// The file appears when it is complete. Until then the rows are in a hidden one beside it.
  func write(to path: String, replacing: Bool) throws -> StoreMove.Progress {
    try OutputFile.check(store: path, replaces: replacing, reading: given.path)
    let url = URL(fileURLWithPath: path)
    let draft = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      var options = SQLiteStoreOptions()
      options.configuration = given.store.configurationName
      let target = try SQLiteStore(url: draft, model: given.model, options: options)
      let moved = try StoreMove(from: given.store, to: target).run {
        progress.show($0.rows, of: $0.allRows)
      }
      progress.end()
      try target.copy(to: url.path, replacing: replacing)
      try target.close()
      try SQLiteStore.destroy(storeAt: draft)
      return moved
    } catch {
      progress.end()
      // `try?`, because the caller gets the first error, and whatever stays has the name of a draft.
      try? SQLiteStore.destroy(storeAt: draft)
      throw error
    }
  }
}
