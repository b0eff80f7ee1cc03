// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesContainers
import SporadesHistory
import SporadesPostgreSQL
import SporadesTesting
import TestServer
import Testing

@Entity final class LoggedNote: ManagedObject {
  @Attribute(.preservesValueOnDeletion) var key: Int = 0
  @Attribute(.preservesValueOnDeletion) var title: String = ""
  var body: String?
  @Relationship(inverse: "notes") var folder: LoggedFolder?
  @Relationship(inverse: "notes") var labels: Set<LoggedLabel>
}

@Entity final class LoggedFolder: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "folder") var notes: Set<LoggedNote>
}

@Entity final class LoggedLabel: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "labels") var notes: Set<LoggedNote>
}

/// A kind of store that keeps a history.
enum HistoryStoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case file, sqliteInMemory, memory, coordinator, server

  /// A server only where the tests are to be shown on every kind of store.
  static let servers: [HistoryStoreKind] = TestServer.isAsked ? [.server] : []
  static let allCases: [HistoryStoreKind] =
    [.file, .sqliteInMemory, .memory, .coordinator] + servers

  var testDescription: String {
    switch self {
    case .file: "a file"
    case .sqliteInMemory: "SQLite in memory"
    case .memory: "memory"
    case .coordinator: "a coordinator of two"
    case .server: "a server"
    }
  }

  func store(_ folder: TemporaryFolder) throws -> any PersistentStore {
    let model = try Logbook.model()
    switch self {
    case .file: return try Logbook.file(folder.file("log.sqlite"))
    case .sqliteInMemory: return try SQLiteStore(inMemory: model, options: Logbook.options)
    case .memory: return MemoryStore(model: model, keepsHistory: true)
    case .coordinator:
      let coordinator = PersistentStoreCoordinator(model: model)
      // The first store is there for the numbers of the others; all new objects go to the second.
      var readOnly = SQLiteStoreOptions()
      let file = folder.file("first.sqlite")
      try SQLiteStore(path: file.path, model: model, options: Logbook.options).close()
      readOnly.isReadOnly = true
      try coordinator.addPersistentStore(
        SQLiteStore(path: file.path, model: model, options: readOnly))
      try coordinator.addPersistentStore(Logbook.file(folder.file("second.sqlite")))
      return coordinator
    case .server:
      return try TestStore().open(model) {
        $0.persistentHistory = .on
        $0.bundleIdentifier = Logbook.options.bundleIdentifier
      }
    }
  }

  func stack(_ folder: TemporaryFolder) throws -> DataStack {
    DataStack(store: try store(folder), classes: Logbook.classes)
  }
}

enum Logbook {
  static let classes: [ManagedObject.Type] = [
    LoggedNote.self, LoggedFolder.self, LoggedLabel.self,
  ]

  static func model() throws -> ManagedObjectModel { try ManagedObjectModel(classes) }

  static var options: SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    options.bundleIdentifier = "org.example.logbook"
    return options
  }

  static func file(_ url: URL, noticingOthers: Bool = true) throws -> SQLiteStore {
    var options = options
    options.noticesOtherProcesses = noticingOthers
    return try SQLiteStore(path: url.path, model: model(), options: options)
  }
}

extension DataStack {
  /// Saves the changes of a block in a new context, and commits them.
  @discardableResult
  func save<Output: Sendable>(
    by author: String? = nil, as name: String? = nil,
    _ body: @Sendable (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    let output = try newContext(name: name).performAndWait { context in
      context.transactionAuthor = author
      let output = try body(context)
      try context.save()
      return output
    }
    #expect(root.commit(.eventual) == nil)
    return output
  }

  @discardableResult
  func answer(_ request: PersistentHistoryChangeRequest) throws -> PersistentHistoryResult {
    try newContext().performAndWait { try $0.execute(request) }
  }

  func history(
    after token: PersistentHistoryToken? = nil
  ) throws -> [PersistentHistoryTransaction] {
    try answer(.fetchHistory(after: token)).transactions
  }

  /// `insert LoggedNote` or `update body of LoggedNote` for each change, in the order of the history.
  func lines(after token: PersistentHistoryToken? = nil) throws -> [String] {
    try history(after: token).flatMap { $0.changes ?? [] }.map(\.line)
  }
}

extension PersistentHistoryChange {
  var line: String {
    let names = updatedProperties.map { " \($0.sorted().joined(separator: ","))" } ?? ""
    return "\(changeType)\(names) \(changedObjectID.entityName)"
  }
}

extension ManagedObjectContext {
  func note(_ id: ManagedObjectID) throws -> LoggedNote {
    try #require(try existingObject(with: id) as? LoggedNote)
  }
}

/// What plain SQL reads from a closed store.
enum PlainSQL {
  /// The first column of all rows, as texts.
  static func rows(_ file: URL, _ sql: String) throws -> [String] {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(file.path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    var statement: OpaquePointer?
    try #require(unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      rows.append(unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "")
    }
    return rows
  }
}
