// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite
import SporadesStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Verb {
  static let watch = Verb(
    name: "watch", group: .look, summary: "Print changes as other programs commit them",
    operands: [
      .store,
      Operand(
        name: "QUERY", text: "Watch only what this query finds: 'User where age > 18'.",
        count: .optional),
    ],
    options: [
      .arguments,
      VerbOption(name: "count", value: "COUNT", text: "End after this number of changes."), .model,
    ],
    details: [
      "Prints each object that appears (+), changes (~) or disappears (-), with its values. It ends with control-C. "
        + "With --json, each change is an object of JSON on a line of its own.",
      "The program keeps a key and a version of each watched object in memory. It looks ten times a second, so that several "
        + "commits between two looks appear as one.",
    ],
    examples: ["sporades watch app.sqlite 'User where isActive == YES'"]
  ) { asked in
    var invocation = asked
    // Commits of others are what it waits for.
    invocation.locksStores = true
    let limit = try invocation.count("count") ?? .max
    let query = try invocation.optionalWord("QUERY").map { try QueryText($0) }
    var watching = try StoreWatching(invocation, query)
    // The first line tells a program behind a pipe that from now on nothing is missed.
    invocation.output.say("watching \(invocation.word(Operand.store.name))")
    while watching.changes < limit {
      try watching.look(limit)
      try invocation.output.flush()
    }
    return .done
  }
}

/// The objects of a store as they were at the last look.
private struct StoreWatching {
  private let invocation: Invocation
  private let query: QueryText?
  private let file: UntouchedFile
  private var stamp: UntouchedFile.Stamp?
  private var versions: [RowKey: Int64] = [:]
  /// The number of changes that were printed.
  private(set) var changes = 0

  init(_ invocation: Invocation, _ query: QueryText?) throws {
    self.invocation = invocation
    self.query = query
    file = UntouchedFile(invocation.word(Operand.store.name))
    stamp = file.stamp()
    versions = try read(GivenStore(invocation))
  }

  private static let microsecondsBetweenLooks: UInt32 = 100_000

  /// Waits a little, and prints what has changed meanwhile, up to a number of changes.
  mutating func look(_ limit: Int) throws {
    usleep(Self.microsecondsBetweenLooks)
    let stamp = file.stamp()
    guard stamp != self.stamp else { return }
    let given = try GivenStore(invocation)
    let found = try read(given)
    self.stamp = stamp
    let inserted = found.keys.filter { versions[$0] == nil }
    let updated = found.compactMap { key, version in
      versions[key].flatMap { $0 == version ? nil : key }
    }
    let deleted = versions.keys.filter { found[$0] == nil }
    versions = found
    for (word, sign, keys) in [
      ("insert", "+", inserted), ("update", "~", updated), ("delete", "-", deleted),
    ] {
      for key in keys.sorted(by: { ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey) })
      where changes < limit {
        changes += 1
        try print(key, word, sign, given)
      }
    }
  }

  /// The versions of the watched objects in the present state of the store.
  private func read(_ given: GivenStore) throws -> [RowKey: Int64] {
    var fetches = given.heldShapes.filter { $0.superNumber == 0 }.map { StoreFetch($0) }
    if let query {
      let listing = try QueryReader(query, given).listing(GivenArguments(invocation, given))
      guard !listing.question.isOfGroups(given.model) else {
        throw CommandError.asked("watch shows objects; leave out groups and totals.")
      }
      fetches = [listing.question.fetch]
    }
    var versions: [RowKey: Int64] = [:]
    for fetch in fetches {
      for page in try given.store.rows(fetch, in: given.view) {
        for index in 0..<page.count { versions[page.key(index)] = page.version(index) }
      }
    }
    return versions
  }

  private func print(_ key: RowKey, _ word: String, _ sign: String, _ given: GivenStore) throws {
    let id = ManagedObjectID(key: key, scope: given.scope)
    let shape = given.model.shape(numbered: key.entity)
    let columns = Array(shape.usualColumns.dropFirst())
    var values: [(String, Value)] = []
    if word != "delete", !columns.isEmpty {
      let own = FetchPredicate.comparison(.init(.subject, .equal, .constant(.objectID(id))))
      let question = TableQuestion(StoreFetch(shape, where: own), columns.map(\.expression))
      let answer = try given.store.answer(question, in: given.view)
      if answer.rowCount == 1 {
        values = columns.indices.map { (columns[$0].name, answer[0, $0]) }
      }
    }
    let output = invocation.output
    guard !invocation.isJSON, output.terminal.showsOutput else {
      return try output.append { bytes in
        JSON.object(
          [("change", .text(word)), ("objectID", .text(id.shown))]
            + values.map {
              ($0, .value($1))
            }
        ).append(to: &bytes, indent: nil)
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    let shown = values.filter { !$1.isNull }.map { "\($0) \(ShownValue.text($1))" }
    let text = TextTable.harmless("\(id.shown)  \(shown.joined(separator: ", "))")
    try output.printLine("\(output.terminal.bold(sign)) " + text)
  }
}
