// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesStatements
import Synchronization
import Testing

@Suite struct StatementStateTests {
  private static let count: SQLQuery = "SELECT count(*) FROM \(Person.self)"

  private func count(_ context: ManagedObjectContext) throws -> Int? {
    try context.rows(Self.count, as: Int.self).first
  }

  @Test func anAcceptedWriteIsSeenBeforeItsCommit() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("people.sqlite")
    let stack = try makeStack(at: url)
    try stack.fill { _ = Person.create(in: $0) }
    #expect(try stack.main.performAndWait { try count($0) } == 1)
    let service = DALService(stack: stack)
    service.writeSync { context in _ = Person.create(in: context) }
    #expect(try service.readValue { try count($0) } == 2)
    service.read { #expect($0.rows(Self.count, as: Int.self) == [2]) }
  }

  @Test func aTasksReadSeesTheRows() async throws {
    let service = DALService(stack: try makeStack())
    try service.writeSync { context in _ = Person.create(in: context) }.get()
    #expect(try await service.read { try $0.rows(Self.count, as: Int.self) } == [1])
  }

  @Test func aPinnedContextSeesItsState() throws {
    let folder = try TemporaryFolder()
    let stack = try makeStack(at: folder.url.appendingPathComponent("people.sqlite"))
    try stack.fill { _ = Person.create(in: $0) }
    try stack.newContext().performAndWait { context throws in
      try context.setQueryGeneration(from: .current)
      #expect(try count(context) == 1)
      try stack.fill { _ = Person.create(in: $0) }
      #expect(try count(context) == 1)
      try context.setQueryGeneration(from: nil)
      #expect(try count(context) == 2)
    }
  }

  @Test(arguments: ["inserted", "changed", "deleted"])
  func unsavedChangesOfATableAreRefused(_ change: String) throws {
    let stack = try makeStack()
    try stack.fill { _ = Person.create(in: $0) }
    try stack.newContext().performAndWait { context throws in
      #expect(try count(context) == 1)
      switch change {
      case "inserted": _ = Manager.create(in: context)
      case "changed": try #require(try Person.first(in: context)).age = 9
      default: try #require(try Person.first(in: context)).delete(in: context)
      }
      let name = change == "inserted" ? "Manager" : "Person"
      #expect(code { _ = try count(context) } == .unsavedChanges(entities: [name]))
      // Another table is read as before.
      #expect(try context.rows("SELECT count(*) FROM \(Project.self)", as: Int.self) == [0])
      try context.save()
      #expect(try count(context) == (change == "inserted" ? 2 : change == "changed" ? 1 : 0))
    }
  }

  @Test func unsavedChangesOfAParentAreRefused() throws {
    let stack = try makeStack()
    try stack.fill { _ = Person.create(in: $0) }
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    try child.performAndWait { context throws in
      #expect(try count(context) == 1)
      parent.performAndWait { _ = Person.create(in: $0) }
      #expect(code { _ = try count(context) } == .unsavedChanges(entities: ["Person"]))
      try parent.performAndWait { try $0.save() }
      #expect(try count(context) == 2)
    }
  }

  @Test func changesThatAWriteHasSavedInItsBlockAreRefused() throws {
    let service = DALService(stack: try makeStack())
    try service.writeSync { context in
      _ = Person.create(in: context)
      try context.save()
      #expect(
        code { _ = try count(context.managedObjectContext) }
          == .unsavedChanges(entities: ["Person"]))
    }.get()
    #expect(try service.readValue { try count($0) } == 1)
  }

  @Test func changedLinksAreChangesOfTheirTable() throws {
    let stack = try makeStack()
    try stack.fill { context in
      _ = Person.create(in: context)
      _ = Project.create(in: context)
    }
    try stack.newContext().performAndWait { context throws in
      let links: SQLQuery = "SELECT count(*) FROM \(links: \Project.members)"
      #expect(try context.rows(links, as: Int.self) == [0])
      let person = try #require(try Person.first(in: context))
      try #require(try Project.first(in: context)).members.insert(person)
      let refusal = code { _ = try context.rows(links, as: Int.self) }
      #expect(refusal == .unsavedChanges(entities: ["Person", "Project"]))
    }
  }

  /// The database names the tables, however the text hides them.
  @Test func tablesInsideViewsAndSubqueriesAreFound() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("people.sqlite")
    try makeStack(at: url).store.close()
    try run("CREATE VIEW adults AS SELECT ZNAME AS name FROM ZPERSON WHERE ZAGE > 17", on: url)
    let stack = try makeStack(at: url)
    try stack.newContext().performAndWait { context throws in
      #expect(try context.rows("SELECT count(*) FROM adults", as: Int.self) == [0])
      _ = Person.create(in: context)
      let refused = SQLQueryError.Code.unsavedChanges(entities: ["Person"])
      #expect(code { _ = try context.rows("SELECT name FROM adults", as: String.self) } == refused)
      let hidden: SQLQuery =
        "SELECT 1 WHERE EXISTS (WITH x AS (SELECT 1 FROM ZPERSON) SELECT * FROM x)"
      #expect(code { _ = try context.rows(hidden, as: Int.self) } == refused)
    }
  }

  @Test func aTimeoutAndACancellationStopAStatement() throws {
    let stack = try makeStack()
    try stack.newContext().performAndWait { context throws in
      var endless: SQLQuery = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
        """
      endless.timeout = .milliseconds(20)
      let timedOut = #expect(throws: StoreError.self) { try context.rows(endless, as: Int.self) }
      #expect(timedOut?.code == .timedOut)
      let cancellation = Cancellation()
      cancellation.cancel()
      let cancelled = #expect(throws: StoreError.self) {
        try cancellation.run { try context.rows(endless, as: Int.self) }
      }
      #expect(cancelled?.code == .cancelled)
      // The connection is as good as before.
      #expect(try context.rows("SELECT 1", as: Int.self) == [1])
    }
  }

  @Test func theLimitOnStepsEndsAStatement() throws {
    var options = SQLiteStoreOptions()
    options.stepLimit = 1_000_000
    let store = try SQLiteStore(inMemory: try ManagedObjectModel(classes), options: options)
    try DataStack(store: store, classes: classes).main.performAndWait { context throws in
      let endless: SQLQuery = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
        """
      let error = #expect(throws: StoreError.self) { try context.rows(endless, as: Int.self) }
      #expect(error?.code == .interrupted)
    }
  }

  @Test func aStatementWhileAWriteIsOpenLeavesItWhole() throws {
    let stack = try makeStack()
    let service = DALService(stack: stack)
    service.writeSync { context in _ = Person.create(in: context) }
    try service.readValue { context throws in
      #expect(
        code { _ = try context.rows("DELETE FROM ZPERSON RETURNING 1", as: Int.self) } == .writes)
      #expect(code { _ = try context.rows("ROLLBACK", as: Int.self) } == .writes)
      #expect(try count(context) == 1)
    }
    #expect(service.flush().isComplete)
    #expect(try service.readValue { try count($0) } == 1)
  }

  @Test func aStatementFollowsAChangeOfTheTablesByOthers() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("people.sqlite")
    let stack = try makeStack(at: url)
    try stack.fill { _ = Person.create(in: $0) }
    #expect(try stack.main.performAndWait { try count($0) } == 1)
    try run("CREATE INDEX others ON ZPERSON (ZAGE)", on: url)
    #expect(try stack.main.performAndWait { try count($0) } == 1)
  }
}

/// Runs statements of another program on a file.
func run(_ sql: String, on url: URL) throws {
  var handle: OpaquePointer?
  defer { unsafe sqlite3_close_v2(handle) }
  try #require(unsafe sqlite3_open(url.path, &handle) == SQLITE_OK)
  // because the store may be committing or cleaning its log just then
  try #require(unsafe sqlite3_busy_timeout(handle, 10_000) == SQLITE_OK)
  try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
}
