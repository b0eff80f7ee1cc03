// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads which rows the transactions of a history changed, and nothing else of them.
struct CommittedRows {
  private let connection: Connection
  private let plan: StorePlan
  private let tables: CoreDataHistory

  init(_ connection: Connection, _ plan: StorePlan, _ tables: CoreDataHistory) {
    self.connection = connection
    self.plan = plan
    self.tables = tables
  }

  /// The first and the last place of the history.
  func ends() throws(StoreError) -> HistoryEnds {
    let row = try connection.rows(tables.ends).first ?? []
    let numbers = try row.map { value throws(StoreError) -> Int64? in
      switch value {
      case .integer(let number): return number
      case .null: return nil
      case .real, .text, .blob:
        throw StoreError(
          corruptHistory: "The history has a transaction whose number is no whole number")
      }
    }
    guard numbers.count == 3 else { return HistoryEnds(deleted: 0, last: 0) }
    let last = max(0, numbers[1] ?? 0, numbers[2] ?? 0)
    return HistoryEnds(deleted: numbers[0].map { max(1, $0) - 1 } ?? last, last: last)
  }

  /// The rows that transactions of others changed behind a number; nil if there are too many to be worth telling.
  func changes(
    after number: Int64, where isOwn: (Int64) -> Bool
  ) throws(StoreError) -> OthersChanges? {
    let last = try ends().last
    var changes = OthersChanges(last: last)
    let statement = try connection.statement(tables.changedRows)
    statement.bind([number, last])
    defer { statement.reset() }
    var (bound, places) = (RowBound(), [Int64: Int]())
    while try statement.step() {
      try bound.count(1, of: statement)
      let transaction = statement.integer(0)
      if isOwn(transaction) { continue }
      let entity = try shape(of: statement.integer(2), &places).number
      let key = try statement.key(3, of: CoreDataHistory.Table.changes.name)
      changes.transactions.insert(transaction)
      changes.add(
        ManagedObjectID(key: RowKey(entity: entity, primaryKey: key), scope: plan.scope),
        isInserted: statement.integer(1) == ChangeKind.insert.rawValue)
      guard changes.ids.count <= OthersChanges.mostIDs else { return nil }
    }
    return changes
  }

  private func shape(
    of entity: Int64, _ places: inout [Int64: Int]
  ) throws(StoreError) -> EntityShape {
    if let known = places[entity] { return plan.model.shapes[known] }
    let place = try plan.place(ofEntity: entity)
    places[entity] = place
    return plan.model.shapes[place]
  }
}

extension StorePlan {
  /// The place of the shape of an entity in the model, by the store's number of it.
  func place(ofEntity entity: Int64) throws(StoreError) -> Int {
    guard let place = layout.storeNumbers.firstIndex(where: { Int64($0) == entity }) else {
      throw StoreError(
        corruptHistory:
          "A change of the history names the entity number \(entity), which the model lacks"
      )
    }
    return place
  }
}

extension StoreError {
  /// A row of the history is wrong.
  init(corruptHistory fact: String) {
    self.init(
      .corrupt, "\(fact). Delete the history before it, or restore a copy of the store.")
  }
}
