// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore

extension Verb {
  static let check = Verb(
    name: "check", group: .care, summary: "Search a store for damage",
    operands: [.store],
    options: [
      VerbOption(
        name: "repair", value: "COPY",
        text: "Write a copy in which everything is mended that can be mended without loss."),
      VerbOption(
        name: "limit", value: "COUNT", text: "The largest number of problems to print. Else 1000."),
      .replace, .model,
    ],
    details: [
      "Looks at the structure of the file, each value, both sides of each link, keys and the largest ones handed out, "
        + "numbers of entities, unique values, orders, derived counts, and files of large values. It ends with 1 if it found "
        + "something.",
      "Mendable are links that lead nowhere (they are emptied, unless the model requires them), links that only one side has, "
        + "entity numbers beside links, largest keys, versions, shared positions, derived totals and indexes. What else is "
        + "wrong stays as it is in the copy, and is listed. The store itself is never changed.",
    ],
    examples: ["sporades check app.sqlite", "sporades check app.sqlite --repair mended.sqlite"]
  ) { invocation in
    let limit = try invocation.count("limit") ?? 1_000
    let given = try GivenStore(invocation)
    var problems = FoundProblems(limit: limit)
    let lost = try StoreFiles(ofStoreAt: given.path).lostFrames
    if lost > 0 {
      problems.add(
        IntegrityProblem(
          .database,
          "The log is damaged: \(lost) of its pages, and what was committed in them, are lost."))
    }
    try given.store.forEachIntegrityProblem { problems.add($0) }
    var mended: MendedCopy?
    if let copy = invocation.value("repair") {
      mended = try MendedCopy(
        of: given, at: copy, replacing: invocation.has(VerbOption.replace.name))
    }
    try problems.print(to: invocation, mended)
    if problems.count > 0, mended == nil, case .inferred = given.origin {
      invocation.output.say(
        "To mend it, name the model of the program with --model: the store carries none.")
    }
    return problems.count == 0 ? .done : .foundSomething
  }
}

/// The problems of a store, of which the first ones are kept.
private struct FoundProblems {
  private let limit: Int
  private var shown: [IntegrityProblem] = []
  private(set) var count = 0

  init(limit: Int) { self.limit = limit }

  mutating func add(_ problem: IntegrityProblem) {
    count += 1
    if shown.count < limit { shown.append(problem) }
  }

  func print(to invocation: Invocation, _ mended: MendedCopy?) throws {
    let output = invocation.output
    if invocation.isJSON {
      var members: [(String, JSON)] = [
        ("problems", .list(shown.map(Self.json))), ("count", .count(count)),
      ]
      if let mended { members.append(("repair", mended.json)) }
      return try output.print(.object(members))
    }
    for problem in shown {
      let mark = problem.isMendable ? "mendable  " : String(repeating: " ", count: 10)
      try output.printLine(mark + TextTable.harmless(Self.text(problem)))
    }
    if count > shown.count { try output.printLine("… and \(count - shown.count) more") }
    let sum = count == 1 ? "1 problem" : "\(count) problems"
    try output.printLine(
      count == 0 ? output.terminal.green("No damage found.") : output.terminal.red("\(sum) found."))
    if let mended { try output.printLine(mended.sentence) }
  }

  private static func text(_ problem: IntegrityProblem) -> String {
    let place = problem.objectID.map { id in
      "\(id.shown)\(problem.property.map { ".\($0)" } ?? ""): "
    }
    return (place ?? "") + problem.detail
  }

  private static func json(_ problem: IntegrityProblem) -> JSON {
    .object([
      ("kind", .text("\(problem.kind)")), ("objectID", .optional(problem.objectID?.shown)),
      ("property", .optional(problem.property)), ("detail", .text(problem.detail)),
      ("mendable", .bool(problem.isMendable)),
    ])
  }
}

/// A copy of a store in which everything was mended that can be.
private struct MendedCopy {
  private let path: String
  private let changes: Int
  private let left: Int

  init(of given: GivenStore, at path: String, replacing: Bool) throws {
    if case .inferred(let reason) = given.origin {
      throw CommandError.failed(
        "A store cannot be mended by its tables alone. \(reason) Name the model of the program with --model."
      )
    }
    self.path = path
    try OutputFile.check(store: path, replaces: replacing, reading: given.path)
    try given.store.copy(to: path, replacing: replacing)
    changes = try SQLiteStore.mendDamages(
      ofStoreAt: path, given.model, configuration: given.store.configurationName)
    var options = SQLiteStoreOptions()
    (options.isReadOnly, options.createsFile, options.checksModel) = (true, false, false)
    options.configuration = given.store.configurationName
    let copy = try SQLiteStore(path: path, model: given.model, options: options)
    var left = 0
    try copy.forEachIntegrityProblem { _ in left += 1 }
    self.left = left
    try copy.close()
  }

  var sentence: String {
    let rest =
      left == 0 ? "It has no damage." : "\(left) problems are left, which no rule can mend."
    return "Mended \(changes) \(changes == 1 ? "row" : "rows") in \(path). \(rest)"
  }

  var json: JSON {
    .object([
      ("path", .text(path)), ("changedRows", .count(changes)), ("problemsLeft", .count(left)),
    ])
  }
}
