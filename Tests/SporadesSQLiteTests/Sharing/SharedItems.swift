// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesStore
import Testing

@testable import SporadesSQLite

/// A file of items in groups, which an index finds, and what other programs do to it.
struct SharedItems {
  let path = Sample.temporaryPath()

  static let model: ManagedObjectModel = {
    let item = EntityDescription(
      "Item",
      attributes: [
        AttributeDescription("group", .integer64, isOptional: true),
        AttributeDescription("value", .integer64, isOptional: true),
        AttributeDescription("note", .string, isOptional: true),
      ], indexes: [FetchIndexDescription("byGroup", on: "group")])
    let mark = EntityDescription(
      "Mark", attributes: [AttributeDescription("title", .string, isOptional: true)])
    // The model is written here, so a mistake in it is a mistake of the tests.
    return try! ManagedObjectModel(entities: [item, mark])
  }()
  static let shape = model.shape(named: "Item")!

  /// One row, as a change set writes it and as a read shows it.
  struct Item: Hashable {
    var key: Int64
    var version: Int64 = 1
    var group: Int64 = 0
    var value: Int64 = 0
    var note = ""
  }

  func open(
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    change(&options)
    return try SQLiteStore(path: path, model: Self.model, options: options)
  }

  /// A store with items in groups of ten.
  func filled(_ count: Int64 = 100) throws -> SQLiteStore {
    let store = try open()
    _ = try store.reserveKeys(Int(count), for: Self.shape)
    let items = (1...count).map { Item(key: $0, group: $0 / 10, value: $0, note: "note \($0)") }
    try store.execute(ChangeSet(inserted: [Self.page(items)]))
    try store.commit(.eventual)
    return store
  }

  /// Runs statements as another process could.
  func run(_ sql: String) throws {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    unsafe sqlite3_busy_timeout(database, 60_000)
    let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(unsafe String(cString: sqlite3_errmsg(database))): \(sql)")
  }

  // MARK: - Rows

  private static func slot(_ name: String) -> Int {
    guard case .attribute(let attribute)? = shape[name] else { return -1 }
    return attribute.slot ?? -1
  }
  private static let slots = (slot("group"), slot("value"), slot("note"))

  static func page(_ items: [Item]) -> RowPage {
    var builder = RowPageBuilder(layout: shape.layout, capacity: items.count)
    for item in items {
      builder.appendRow(RowKey(entity: shape.number, primaryKey: item.key), version: item.version)
      builder.set(slots.0, to: item.group)
      builder.set(slots.1, to: item.value)
      builder.set(slots.2, to: item.note)
    }
    return builder.finish()
  }

  static func update(_ items: [Item]) -> ChangeSet {
    ChangeSet(updated: [Sample.updates(page(items), [slots.0, slots.1, slots.2])])
  }

  static func items(_ pages: [RowPage]) -> [Item] {
    pages.flatMap { page in
      (0..<page.count).map { row in
        func number(_ slot: Int) -> Int64 {
          page.isNull(row, slot: slot)
            ? -1 : Int64(bitPattern: page.word(row, slot: slot))
        }
        return Item(
          key: page.key(row).primaryKey, version: page.version(row), group: number(slots.0),
          value: number(slots.1), note: page.text(row, slot: slots.2) ?? "nil")
      }
    }
  }

  // MARK: - Reads

  static func fetch(_ group: Int64, limit: Int? = nil) -> StoreFetch {
    let condition = FetchPredicate.comparison(
      .init(.keyPath(["group"]), .equal, .constant(.integer(group))))
    var fetch = StoreFetch(shape, where: condition, limit: limit)
    // The caller of a store checks the fetch; a form comes with it.
    try! CheckedFetches().check(&fetch, model)
    return fetch
  }

  /// The same fetch without a form. It reads every row from the file.
  static func plainFetch(_ group: Int64, limit: Int? = nil) -> StoreFetch {
    let condition = FetchPredicate.comparison(
      .init(.keyPath(["group"]), .isIn, .constant(.list([.integer(group), .integer(group)]))))
    return StoreFetch(shape, where: condition, limit: limit)
  }

  static func key(_ key: Int64) -> RowKey { RowKey(entity: shape.number, primaryKey: key) }
}

extension SQLiteStore {
  func items(_ group: Int64, in state: StoreGeneration) throws -> [SharedItems.Item] {
    SharedItems.items(try rows(SharedItems.fetch(group), in: .generation(state)))
  }

  func plainItems(_ group: Int64, in state: StoreGeneration) throws -> [SharedItems.Item] {
    SharedItems.items(try rows(SharedItems.plainFetch(group), in: .generation(state)))
  }

  func item(_ key: Int64, in state: StoreGeneration) throws -> SharedItems.Item? {
    SharedItems.items(try rows(for: [SharedItems.key(key)], in: .generation(state))).first
  }

  /// The cache of the store's readers.
  var rowCache: RowCache { writer.state.withLock { $0.rowCache! } }

  /// Updates one item and commits it.
  func put(_ item: SharedItems.Item) throws {
    try execute(SharedItems.update([item]))
    try commit(.eventual)
  }
}
