// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesImport
import SporadesModel
import SporadesSQLite
import SporadesStore

extension Verb {
  static let history = Verb(
    name: "history", group: .look, summary: "Print the saves that a store remembers",
    operands: [.store],
    options: [
      VerbOption(
        name: "since", value: "TIME",
        text: "Only saves after a moment in ISO 8601 (2026-01-31 or 2026-01-31T12:00:00Z)."),
      VerbOption(
        name: "after", value: "NUMBER", text: "Only saves after the transaction of this number."),
      VerbOption(name: "entity", value: "NAME", text: "Only changes of this entity's objects."),
      VerbOption(name: "author", value: "NAME", text: "Only saves of this author."),
      VerbOption(name: "limit", value: "COUNT", text: "The largest number of saves."), .model,
    ],
    details: [
      "Prints each save with its number, time and author, and the objects that it inserted, updated and deleted. With "
        + "--json, each save is an object of JSON on a line of its own. A store without a history is an error."
    ],
    examples: ["sporades history app.sqlite --entity User --since 2026-01-01"]
  ) { invocation in
    let filter = try HistoryFilterWords(invocation)
    let given = try GivenStore(invocation)
    guard given.store.keepsHistory else {
      throw CommandError.failed("\(given.path) keeps no history.")
    }
    try HistoryPrinting(given, filter, invocation).print()
    return .done
  }
}

/// The options that choose saves.
struct HistoryFilterWords {
  let since: Date?
  let after: Int64?
  let entity: String?
  let author: String?
  let limit: Int?

  init(_ invocation: Invocation) throws {
    since = try invocation.value("since").map { text in
      // `try?`, because the sentence below says it for this program.
      if case .date(let date)? = try? AttributeType.date.value(ofText: text) { return date }
      throw invocation.mistake(
        "--since needs a moment in ISO 8601, and \(text.shownAsWord) is none.")
    }
    after = try invocation.count("after").map(Int64.init)
    entity = invocation.value("entity")
    author = invocation.value("author")
    limit = try invocation.count("limit")
  }
}

/// Prints the history of a store, a part after the other.
private struct HistoryPrinting {
  private let given: GivenStore
  private let filter: HistoryFilterWords
  private let invocation: Invocation
  /// The numbers of the entity and of those below it.
  private let family: ClosedRange<Int>?

  init(_ given: GivenStore, _ filter: HistoryFilterWords, _ invocation: Invocation) throws {
    self.given = given
    self.filter = filter
    self.invocation = invocation
    family = try filter.entity.map { try given.entity(named: $0).family }
  }

  func print() throws {
    var range = HistoryRange(after: filter.after, since: filter.since)
    var left = filter.limit ?? .max
    while left > 0 {
      let part = try given.store.transactions(range)
      guard let last = part.last?.transactionNumber else { return }
      for transaction in part where left > 0 {
        if try print(transaction) { left -= 1 }
      }
      range.after = last
      range.since = nil
    }
  }

  /// Prints a transaction that the filter takes.
  private func print(_ transaction: PersistentHistoryTransaction) throws -> Bool {
    if let author = filter.author, transaction.author != author { return false }
    var changes = transaction.changes ?? []
    if let family {
      changes.removeAll { !family.contains($0.changedObjectID.key.entity) }
      if changes.isEmpty { return false }
    }
    if invocation.isJSON {
      try invocation.output.printLine(json(transaction, changes).line)
    } else {
      try printText(transaction, changes)
    }
    return true
  }

  private func json(
    _ transaction: PersistentHistoryTransaction, _ changes: [PersistentHistoryChange]
  ) -> JSON {
    .object([
      ("number", .integer(transaction.transactionNumber)),
      ("time", .text(ShownValue.text(of: transaction.timestamp))),
      ("author", .optional(transaction.author)), ("context", .optional(transaction.contextName)),
      ("bundle", .optional(transaction.bundleID)), ("process", .optional(transaction.processID)),
      ("changes", .list(changes.map(json))),
    ])
  }

  private func json(_ change: PersistentHistoryChange) -> JSON {
    var members: [(String, JSON)] = [
      ("change", .text("\(change.changeType)")), ("objectID", .text(change.changedObjectID.shown)),
    ]
    if let names = change.updatedProperties {
      members.append(("properties", .texts(names.sorted())))
    }
    if let tombstone = change.tombstone {
      let values = tombstone.sorted { $0.key < $1.key }.map { ($0, JSON.value($1)) }
      members.append(("tombstone", .object(values)))
    }
    return .object(members)
  }

  private func printText(
    _ transaction: PersistentHistoryTransaction, _ changes: [PersistentHistoryChange]
  ) throws {
    let output = invocation.output
    let names = [transaction.author, transaction.processID, transaction.bundleID].compactMap(\.self)
    let author = names.isEmpty ? "" : "  by " + TextTable.harmless(names.joined(separator: ", "))
    let title =
      "\(transaction.transactionNumber)  \(ShownValue.text(of: transaction.timestamp))\(author)"
    try output.printLine(output.terminal.bold(title))
    for change in changes {
      let names = change.updatedProperties.map { "  " + $0.sorted().joined(separator: ", ") } ?? ""
      try output.printLine(
        "  \(change.changeType) \(TextTable.harmless(change.changedObjectID.shown + names))")
    }
  }
}
