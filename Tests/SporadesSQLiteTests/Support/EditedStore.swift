// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A store with two persons, a pet of each and a tag of both, and what somebody else wrote into it.
struct EditedStore {
  let path: String

  init(_ edits: String...) throws {
    path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.execute(Self.rows)
    try store.commit(.eventual)
    try store.close()
    for edit in edits { try run(edit) }
  }

  private static var rows: ChangeSet {
    guard case .join(let join, let isFirst) = Sample.relationship("Person", "tags").storage else {
      preconditionFailure("Tags are kept in a table of their own.")
    }
    let pets = [Int64(1), 2].map { number -> (key: Int64, values: [String: Value]) in
      let owner = ManagedObjectID(
        key: Sample.key("Person", number), scope: StoreScope(identifier: "", entityNames: []))
      return (number, ["name": "Rex", "owner": .objectID(owner), "_owner": 2048])
    }
    let links = [Int64(1), 2].map { owner in
      var change = LinkChange(join: join, isFirst: isFirst, owner: Sample.key("Person", owner))
      change.added = [.init(other: Sample.key("Tag", 1), position: 2048)]
      return change
    }
    return ChangeSet(
      inserted: [
        Sample.page("Person", [(1, ["name": "Ada"]), (2, ["name": "Eve"])]),
        Sample.page("Pet", pets), Sample.page("Tag", [(1, ["title": "kind"])]),
      ], links: links)
  }

  /// Runs statements as any program could.
  func run(_ sql: String) throws {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(unsafe String(cString: sqlite3_errmsg(database))): \(sql)")
  }

  func open(stepLimit: Int? = nil) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    options.stepLimit = stepLimit ?? options.stepLimit
    return try SQLiteStore(path: path, model: Sample.model, options: options)
  }

  /// The code and the sentence with which a request is refused.
  static func refusal(
    _ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation
  ) -> (code: StoreError.Code?, detail: String) {
    let error = #expect(throws: StoreError.self, sourceLocation: location) { try body() }
    return (error?.code, error?.detail ?? "")
  }

  func refusalToOpen(
    _ location: SourceLocation = #_sourceLocation
  ) -> (code: StoreError.Code?, detail: String) {
    Self.refusal({ try open().close() }, location)
  }
}
