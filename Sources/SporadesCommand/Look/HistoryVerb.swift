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
      VerbOption(name: "limit", value: "COUNT", text: "The largest number of saves."),
      VerbOption(
        name: "last", value: "COUNT",
        text: "Only the last saves, of those that the other options take."),
      .model,
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
      throw CommandError.failed(
        "\(given.path) keeps no history. A program's store keeps one with SQLiteStoreOptions.persistentHistory."
      )
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
  let last: Int?

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
    last = try invocation.count("last")
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
    var texts = LastTexts(most: filter.last ?? 0)
    try forEachTransaction { transaction, changes in
      var text: [UInt8] = []
      write(transaction, changes, to: &text)
      if filter.last != nil { texts.add(text) } else { try invocation.output.append { $0 += text } }
    }
    for text in texts.inOrder { try invocation.output.append { $0 += text } }
  }

  /// Calls `body` with each transaction that the filter takes, and the changes of it that the filter takes.
  private func forEachTransaction(
    _ body: (PersistentHistoryTransaction, [PersistentHistoryChange]) throws -> Void
  ) throws {
    var range = HistoryRange(after: filter.after, since: filter.since)
    var left = filter.limit ?? .max
    while left > 0 {
      let part = try given.store.transactions(range)
      guard let last = part.last?.transactionNumber else { return }
      for transaction in part where left > 0 {
        guard let changes = changes(of: transaction) else { continue }
        try body(transaction, changes)
        left -= 1
      }
      range.after = last
      range.since = nil
    }
  }

  /// The changes of a transaction that the filter takes; nil if it does not take the transaction.
  private func changes(of transaction: PersistentHistoryTransaction) -> [PersistentHistoryChange]? {
    if let author = filter.author, transaction.author != author { return nil }
    var changes = transaction.changes ?? []
    guard let family else { return changes }
    changes.removeAll { !family.contains($0.changedObjectID.key.entity) }
    return changes.isEmpty ? nil : changes
  }

  private func write(
    _ transaction: PersistentHistoryTransaction, _ changes: [PersistentHistoryChange],
    to text: inout [UInt8]
  ) {
    let lines =
      invocation.isJSON ? [json(transaction, changes).line] : lines(transaction, changes)
    for line in lines {
      text += line.utf8
      text.append(UInt8(ascii: "\n"))
    }
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

  private func lines(
    _ transaction: PersistentHistoryTransaction, _ changes: [PersistentHistoryChange]
  ) -> [String] {
    let names = [transaction.author, transaction.processID, transaction.bundleID].compactMap(\.self)
    let author = names.isEmpty ? "" : "  by " + TextTable.harmless(names.joined(separator: ", "))
    let title =
      "\(transaction.transactionNumber)  \(ShownValue.text(of: transaction.timestamp))\(author)"
    return [invocation.output.terminal.bold(title)]
      + changes.map { change in
        let names =
          change.updatedProperties.map { "  " + $0.sorted().joined(separator: ", ") } ?? ""
        return
          "  \(change.changeType) \(TextTable.harmless(change.changedObjectID.shown + names))"
      }
  }
}

/// The last of many texts.
private struct LastTexts {
  let most: Int
  private var texts: [[UInt8]] = []
  /// The place of the oldest text, once there are as many as are kept.
  private var oldest = 0

  init(most: Int) { self.most = most }

  mutating func add(_ text: [UInt8]) {
    if texts.count < most {
      texts.append(text)
    } else if most > 0 {
      texts[oldest] = text
      oldest = (oldest + 1) % most
    }
  }

  var inOrder: [[UInt8]] { Array(texts[oldest...] + texts[..<oldest]) }
}
