// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesAudit
import Testing

enum Rating: String { case low, high }

@Entity class Account: ManagedObject {
  @Attribute(.keepsValuesInHistory) var balance: Decimal = 0
  @Attribute(.keepsValuesInHistory) var owner: String?
  var note: String = ""
  @Attribute(.keepsValuesInHistory, .externalStorage) var scan: Data?
  @Attribute(.keepsValuesInHistory, .userInfo(["who": "audit"])) var opened: Date?
}

@Entity final class Savings: Account {
  @Attribute(.keepsValuesInHistory) var rate: Double = 0
}

/// One attribute of each type.
@Entity final class Everything: ManagedObject {
  @Attribute(.keepsValuesInHistory) var number: Int = 0
  @Attribute(.keepsValuesInHistory) var small: Int16 = 0
  @Attribute(.keepsValuesInHistory) var middle: Int32 = 0
  @Attribute(.keepsValuesInHistory) var isGood: Bool = false
  @Attribute(.keepsValuesInHistory) var ratio: Double = 0
  @Attribute(.keepsValuesInHistory) var part: Float = 0
  @Attribute(.keepsValuesInHistory) var price: Decimal = 0
  @Attribute(.keepsValuesInHistory) var text: String = ""
  @Attribute(.keepsValuesInHistory) var day: Date?
  @Attribute(.keepsValuesInHistory) var token: UUID?
  @Attribute(.keepsValuesInHistory) var site: URL?
  @Attribute(.keepsValuesInHistory) var bytes: Data?
  @Attribute(.keepsValuesInHistory, .unique) var code: String = ""
}

/// A file with a history, and a stack on it.
final class Bank {
  let folder: TemporaryFolder
  let url: URL
  let stack: DataStack

  init(_ entities: [ManagedObject.Type] = [Account.self, Savings.self, Everything.self]) throws {
    folder = try TemporaryFolder()
    url = folder.file("bank.sqlite")
    stack = try Self.open(url, entities)
  }

  static func open(
    _ url: URL, _ entities: [ManagedObject.Type],
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    change(&options)
    let model = try ManagedObjectModel(entities)
    return DataStack(
      store: try SQLiteStore(url: url, model: model, options: options), classes: entities)
  }

  /// Saves what `body` does on a new context.
  @discardableResult
  func save<Output>(
    by author: String? = nil, _ body: (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    try stack.newContext().performAndWait { context in
      context.transactionAuthor = author
      let output = try body(context)
      try context.save()
      return output
    }
  }

  func read<Output>(_ body: (ManagedObjectContext) throws -> Output) throws -> Output {
    try stack.newContext().performAndWait { try body($0) }
  }

  /// Runs a statement as another program would.
  func runElsewhere(_ sql: String) throws {
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(url.path, &handle) == SQLITE_OK)
    // because the store may be committing or cleaning its log just then
    try #require(unsafe sqlite3_busy_timeout(handle, 10_000) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(unsafe String(cString: sqlite3_errmsg(handle)))")
  }
}

/// A folder that is removed with its owner.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "audit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // A temporary folder that stays does not affect later tests.
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
