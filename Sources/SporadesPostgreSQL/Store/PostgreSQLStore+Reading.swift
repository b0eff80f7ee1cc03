// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSelection
public import SporadesStore

extension PostgreSQLStore {
  // MARK: - Fetches

  public func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    try readOneState(view) { (reading) throws(StoreError) in try reading.rows(fetch) }
  }

  public func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    try readOneState(view) { (reading) throws(StoreError) in try reading.keys(fetch) }
  }

  public func answer(
    _ question: TableQuestion, in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    var question = question
    let prepared: PreparedQuestion
    do throws(FetchPredicateError) {
      try question.fetch.check(model)
      prepared = try PreparedQuestion(question, model)
    } catch {
      throw StoreError(refusing: error)
    }
    var keyPaths: [[String]] = []
    question.forEachKeyPath { keyPaths.append($0) }
    let isCount = question.columns == [.objectCount] && prepared.isOfAllObjects
    return try readOneState(view) { (reading) throws(StoreError) in
      if isCount, let count = try reading.count(question.fetch) {
        return TableAnswer(width: 1, [.integer(count)])
      }
      return try prepared.answer(over: try reading.subjects(question.fetch, reading: keyPaths))
    }
  }

  // MARK: - Rows by key

  public func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    guard !keys.isEmpty else { return [] }
    return try read(view) { (reading) throws(StoreError) in try reading.rows(for: keys) }
  }

  public func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    guard !keys.isEmpty else { return [] }
    return try read(.accepted) { (reading) throws(StoreError) in try reading.absent(keys) }
  }

  public func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try read(view) { (reading) throws(StoreError) in
      try reading.rows(of: entity, referencing: owners, in: slot, position: position)
    }
  }

  public func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    try read(view) { (reading) throws(StoreError) in
      try reading.links(of: relationship, owners: owners)
    }
  }
}

extension PreparedQuestion {
  /// All objects are one group, which no condition leaves out.
  fileprivate var isOfAllObjects: Bool {
    guard case .groups(let groups) = kind else { return false }
    return groups.isOne && groups.having == nil && question.limit == nil && question.offset == 0
  }
}
