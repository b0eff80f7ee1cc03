// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads a history on one connection, and gives numbers to what was committed without.
struct HistoryReading {
  let connection: ServerConnection
  let plan: ServerPlan

  // MARK: - Numbers

  /// Gives numbers to the transactions that are committed by now. Costs one question where all have theirs.
  func settle() throws(StoreError) {
    guard try connection.run(HistoryTables.hasUnnumbered).integer(0, 0) == 1 else { return }
    _ = try connection.pipelined { (connection) throws(StoreError) in
      // Connections wait for the disk, as a number that a reader knows must outlast a crash.
      try connection.send(HistoryTables.turn)
      try connection.send(HistoryTables.numbering)
    }
  }

  func ends() throws(StoreError) -> HistoryEnds {
    let answer = try connection.run(HistoryTables.ends)
    guard answer.count == 1, let deleted = answer.integer(0, 0), let last = answer.integer(0, 1)
    else {
      throw StoreError(
        .corrupt,
        "\(connection.place): \(HistoryTables.state) has \(answer.count) rows, and a history has one. Restore it from a backup."
      )
    }
    return HistoryEnds(deleted: deleted, last: last)
  }

  /// Refuses a reader who knows the history up to a number, if it lacks transactions after it, or is another one than the
  /// reader's.
  func check(_ number: Int64) throws(StoreError) {
    let ends = try ends()
    try ends.check(number, of: plan.scope.identifier)
    guard number != ends.deleted, number != ends.last else { return }
    let answer = try connection.run(HistoryTables.isHandedOut, [.int8(number)])
    guard answer.integer(0, 0) != 1 else { return }
    throw StoreError(
      .historyExpired,
      "The history of the store \(plan.scope.identifier) has no transaction \(number), up to which the reader knows it. The "
        + "database was restored from a copy, or another server took over without the last transactions. Read the objects "
        + "anew, and the history after the current token.")
  }

  // MARK: - Transactions

  /// The number of transactions that are read at once.
  private static let page = 1_000

  /// The facts of a transaction, and where its changes are.
  private struct Head {
    let facts: PersistentHistoryTransaction.Facts
    let place: Int64
    let firstChange: Int64
    /// The number of its rows of changes, of which several can be about one object.
    let count: Int
  }

  func transactions(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    var range = range
    var all: [PersistentHistoryTransaction] = []
    var size = 0
    while size < range.limit {
      let limit = range.includesChanges ? Self.page : min(Self.page, range.limit - size)
      let heads = try heads(range, limit)
      guard let last = heads.last else { return all }
      guard range.includesChanges else {
        all += heads.map { PersistentHistoryTransaction($0.facts, changes: nil) }
        size += heads.count
        range.after = last.facts.number
        continue
      }
      let part = Self.part(of: heads, range.limit - size)
      for transaction in try transactions(part) {
        all.append(transaction)
        size += transaction.changes?.count ?? 0
      }
      range.after = part.last?.facts.number
    }
    return all
  }

  /// The transactions up to the one whose changes reach a number, and the first one at least.
  private static func part(of heads: [Head], _ limit: Int) -> ArraySlice<Head> {
    var count = 0
    for (place, head) in heads.enumerated() {
      count += head.count
      if count >= limit { return heads[...place] }
    }
    return heads[...]
  }

  private func heads(_ range: HistoryRange, _ limit: Int) throws(StoreError) -> [Head] {
    var values: [ServerValue] = [
      .int8(range.after ?? 0), .int8(range.through ?? .max), .int8(Int64(limit)),
    ]
    if let since = range.since { values.append(try Self.moment(since)) }
    let answer = try connection.run(HistoryTables.part(since: range.since != nil), values)
    var heads: [Head] = []
    for row in 0..<answer.count {
      guard let number = answer.integer(row, 0), let place = answer.integer(row, 1),
        let first = answer.integer(row, 2), let count = answer.integer(row, 3),
        let seconds = answer.integer(row, 4).flatMap(ServerDate.seconds)
      else { throw corrupt("A transaction lacks its number or its moment") }
      heads.append(
        Head(
          facts: PersistentHistoryTransaction.Facts(
            number: number, timestamp: Date(timeIntervalSinceReferenceDate: seconds),
            storeID: plan.scope.identifier, author: answer.text(row, 5),
            contextName: answer.text(row, 6), bundleID: answer.text(row, 7),
            processID: answer.text(row, 8)), place: place, firstChange: first,
          count: Int(clamping: count)))
    }
    return heads
  }

  /// A moment for a comparison; the nearest one that a server knows.
  static func moment(_ date: Date) throws(StoreError) -> ServerValue {
    guard let moment = ServerDate.microseconds(date.timeIntervalSinceReferenceDate) else {
      throw StoreError(
        .unsupported, "The history cannot be compared with \(date). Give a date of a commit.")
    }
    return .timestamptz(moment)
  }

  // MARK: - Changes

  private func transactions(
    _ heads: ArraySlice<Head>
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    let answer = try connection.run(
      HistoryTables.changesOfPart, [.int8List(heads.map(\.place))])
    var rows: [Int64: Range<Int>] = [:]
    var start = 0
    while start < answer.count {
      let place = answer.integer(start, 0)
      var end = start + 1
      while end < answer.count, answer.integer(end, 0) == place { end += 1 }
      if let place { rows[place] = start..<end }
      start = end
    }
    var all: [PersistentHistoryTransaction] = []
    for head in heads {
      var changes = HistoryChanges(plan, head.facts, first: head.firstChange)
      for row in rows[head.place] ?? 0..<0 {
        guard changes.add(answer, row) else {
          let number = head.facts.number
          throw corrupt("Transaction \(number) has a change of an unknown kind or entity")
        }
      }
      all.append(PersistentHistoryTransaction(head.facts, changes: changes.all))
    }
    return all
  }

  /// The objects that others changed behind a number; nil if there are too many to be worth telling.
  func changes(after number: Int64, notBy client: UUID) throws(StoreError) -> OthersChanges? {
    let last = try ends().last
    var changes = OthersChanges(last: last)
    let limit = 2 * OthersChanges.mostIDs
    let answer = try connection.run(
      HistoryTables.changesOfOthers,
      [.int8(number), .int8(last), .uuid(client.bytes), .int8(Int64(limit))])
    guard answer.count < limit else { return nil }
    for row in 0..<answer.count {
      guard let transaction = answer.integer(row, 0),
        let entity = answer.text(row, 2).flatMap(plan.number(ofEntity:)),
        let key = answer.integer(row, 3), 0...RowKey.largestPrimaryKey ~= key
      else { throw corrupt("A change names an unknown entity") }
      changes.transactions.insert(transaction)
      changes.add(
        plan.id(RowKey(entity: entity, primaryKey: key)),
        isInserted: answer.integer(row, 1) == ChangeKind.insert.rawValue)
    }
    return changes.ids.count <= OthersChanges.mostIDs ? changes : nil
  }

  private func corrupt(_ fact: String) -> StoreError {
    StoreError(
      .corrupt,
      "\(connection.place): \(fact), in the history. Delete the history before it, or restore a copy of the database."
    )
  }
}
