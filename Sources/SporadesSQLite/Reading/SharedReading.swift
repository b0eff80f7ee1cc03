// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads rows of a kept state, and shares them with the reads of other states.
///
/// The rows come from the cache or from the file. Either way they are those of the state.
struct SharedReading {
  private let reader: RowReader
  private let plan: StorePlan
  private let connection: Connection
  private let shared: SharedRows

  init(
    _ reader: RowReader, _ plan: StorePlan, _ connection: Connection, _ shared: SharedRows
  ) {
    self.reader = reader
    self.plan = plan
    self.connection = connection
    self.shared = shared
  }

  // MARK: - Fetches

  /// The rows of a fetch, which has a form.
  func pages(_ fetch: StoreFetch, _ form: FetchForm) throws(StoreError) -> [RowPage] {
    guard let trial = connection.knownFetches.trial(form), fetch.limit ?? 0 <= KeptRows.mostRows
    else { return try allRows(fetch) }
    switch trial.next() {
    case .rows: return try allRows(fetch)
    case .rowsToKeep: break
    case .keys:
      if let keys = try keys(fetch, trial), let pages = try pages(of: keys, trial) { return pages }
    }
    let pages = try allRows(fetch)
    let count = pages.reduce(0) { $0 + $1.count }
    guard count <= KeptRows.mostRows else {
      trial.noteTooMany()
      return pages
    }
    if let found = try keep(pages) { trial.note(found, of: count) }
    return pages
  }

  private func allRows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] {
    try reader.pages(
      of: connection.statement(fetch, .rows, plan), expecting: fetch.limit ?? 0)
  }

  /// The keys of a fetch's rows in their order. Nil if no index holds them, or if they are too many.
  private func keys(
    _ fetch: StoreFetch, _ trial: FetchTrial
  ) throws(StoreError) -> [RowKey]? {
    if trial.isCovered == nil { trial.isCovered = try connection.isCovered(fetch, plan) }
    guard trial.isCovered == true else { return nil }
    let statement = try connection.statement(fetch, .primaryKeys, plan)
    // An unfinished statement keeps its place in the index.
    defer { statement.reset() }
    var keys: [RowKey] = []
    keys.reserveCapacity(fetch.limit ?? 16)
    while try statement.step() {
      guard keys.count < KeptRows.mostRows else {
        trial.noteTooMany()
        return nil
      }
      let key = try statement.key(0, of: reader.entity.tableName)
      keys.append(RowKey(entity: reader.layout.rootEntity, primaryKey: key))
    }
    return keys
  }

  /// The rows with the keys, in their order; nil if the cache lacks too many.
  private func pages(
    of keys: [RowKey], _ trial: FetchTrial
  ) throws(StoreError) -> [RowPage]? {
    guard !keys.isEmpty else { return [] }
    var builder = RowPageBuilder(layout: reader.layout, capacity: keys.count)
    let missing = shared.take(keys, into: &builder)
    trial.note(keys.count - missing.count, of: keys.count)
    guard missing.count * 2 <= keys.count else { return nil }
    let found = builder.finish()
    Cancellation.current?.note(rows: found.count)
    guard !missing.isEmpty else { return [found] }
    let read = try rows(missing.map { keys[$0].primaryKey })
    return [try joined(found, missing, read, keys)]
  }

  /// Puts the rows that were missing between those that were found.
  private func joined(
    _ found: RowPage, _ missing: [Int], _ read: [RowPage], _ keys: [RowKey]
  ) throws(StoreError) -> RowPage {
    var places: [RowKey: (page: RowPage, row: Int)] = [:]
    for page in read { for row in 0..<page.count { places[page.key(row)] = (page, row) } }
    var builder = RowPageBuilder(layout: reader.layout, capacity: keys.count)
    var (next, row) = (0, 0)
    for (index, key) in keys.enumerated() {
      if next < missing.count, missing[next] == index {
        next += 1
        guard let place = places[key] else {
          throw StoreError(
            .corrupt,
            "An index of \(reader.entity.tableName) names row \(key.primaryKey), which the table lacks. Restore a "
              + "copy of the store, or let a program that reads SQLite's files make the index anew."
          )
        }
        builder.appendWhole(place.row, of: place.page)
      } else {
        builder.appendWhole(row, of: found)
        row += 1
      }
    }
    return builder.finish()
  }

  // MARK: - Look-ups

  /// The rows with the keys, which are of the reader's entity, in any order.
  func pages(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    var numbers = keys.map(\.primaryKey)
    if numbers.count > 1 { numbers = Array(Set(numbers)).sorted() }
    let entity = reader.layout.rootEntity
    var builder = RowPageBuilder(layout: reader.layout, capacity: numbers.count)
    let missing = shared.take(
      numbers.map { RowKey(entity: entity, primaryKey: $0) }, into: &builder)
    guard missing.count < numbers.count else { return try rows(numbers) }
    if numbers.count > 1 { Cancellation.current?.note(rows: builder.count) }
    let found = builder.finish()
    return missing.isEmpty ? [found] : [found] + (try rows(missing.map { numbers[$0] }))
  }

  /// Reads rows from the file and keeps them.
  private func rows(_ keys: [Int64]) throws(StoreError) -> [RowPage] {
    let rows = KeyedRows(reader: reader, connection: connection)
    let pages = try keys.count == 1 ? rows.pages(keys[0]) : rows.pages(keys)
    _ = try keep(pages)
    return pages
  }

  /// Keeps rows, unless they may be those of another version of the model. Returns the number of rows that the cache
  /// had; nil if the state is no longer the newest.
  private func keep(_ pages: [RowPage]) throws(StoreError) -> Int? {
    if connection.schema.isDue { try connection.model?.check(connection) }
    // SQLite ends a transaction itself if the disk fails, and the next statement shows another state.
    return connection.isOutsideTransaction ? nil : shared.keep(pages)
  }
}
